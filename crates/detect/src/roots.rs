//! Where the trees lie, seen from the current folder.

use std::path::{Component, Path, PathBuf};

use familiar_report::Root;

/// Where each of `roots` lies.
pub fn all(roots: &[PathBuf]) -> Vec<Root> {
    let here = std::env::current_dir().ok();
    roots.iter().map(|root| place(root, here.as_deref())).collect()
}

fn place(root: &Path, here: Option<&Path>) -> Root {
    let is_file = root.is_file();
    let parent =
        |path: &Path| if is_file { path.parent().unwrap_or(path).to_owned() } else { path.to_owned() };
    let written = std::path::absolute(root).map_or_else(|_| root.to_owned(), |path| plain(&path));
    let folder = parent(&written);
    // A link in the current folder is below it by its name, and so is what a link elsewhere leads to.
    let real =
        || Some(parent(&root.canonicalize().ok()?).strip_prefix(here?.canonicalize().ok()?).ok()?.to_owned());
    let below = here.and_then(|here| folder.strip_prefix(here).ok()).map(Path::to_owned).or_else(real);
    Root { is_file, folder, here: below }
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_below_the_current_folder_are_named_from_there() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let here = dir.path().canonicalize().expect("just made");
        std::fs::create_dir(here.join("src")).expect("just made");
        std::fs::write(here.join("src/a.py"), "").expect("just made");
        let below = |root: &Path| place(root, Some(&here)).here;
        assert_eq!(below(&here), Some(PathBuf::new()));
        assert_eq!(below(&here.join("src/../src")), Some(PathBuf::from("src")));
        assert_eq!(below(&here.join("src/a.py")), Some(PathBuf::from("src")));
        assert_eq!(below(&here.join("..")), None);
    }
}
