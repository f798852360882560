//! What stands above the folder or file that the user names: the rest of its project speaks for it, too.

use std::path::{Path, PathBuf};

use familiar_files::TreePath;
use familiar_license::infer::declares;

/// The folder where a project begins, and the way down from there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// The named folder, or the one that the named file lies in.
    pub(crate) folder: PathBuf,
    /// The git work tree that it lies in, where the project begins; otherwise that is the folder itself.
    pub(crate) work_tree: Option<PathBuf>,
    /// The path of the folder from where the project begins.
    pub(crate) prefix: String,
    /// Files above that may declare something, by their paths from there.
    pub(crate) files: Vec<(String, PathBuf)>,
}

impl Surroundings {
    /// Looks around `root`: up to the git work tree that it lies in; of a file outside of any, at the folder that it lies in.
    pub(crate) fn of(root: &Path) -> Self {
        let Ok(root) = root.canonicalize() else { return Self::default() };
        if root.is_dir() {
            // What lies in the named folder itself is found with its files.
            return Self::from(&root, 1);
        }
        let mut surroundings = root.parent().map_or_else(Self::default, |folder| Self::from(folder, 0));
        // What was named itself is found anyway.
        surroundings.files.retain(|(_, file)| *file != root);
        surroundings
    }

    /// Looks around code that lies in no file, as around a file in `folder`.
    pub(crate) fn of_code_in(folder: &Path) -> Self {
        folder.canonicalize().map_or_else(|_| Self::default(), |folder| Self::from(&folder, 0))
    }

    /// Looks up from a folder, beginning so many above it.
    fn from(folder: &Path, skipped: usize) -> Self {
        let work_tree = folder.ancestors().find(|folder| folder.join(".git").exists());
        let top = work_tree.unwrap_or(folder);
        let mut surroundings = Self {
            folder: folder.to_owned(),
            work_tree: work_tree.map(Path::to_owned),
            prefix: below(folder, top),
            files: Vec::new(),
        };
        for at in folder.ancestors().skip(skipped).take_while(|at| at.starts_with(top)) {
            surroundings.look_in(at, top);
        }
        surroundings.files.sort();
        surroundings
    }

    fn look_in(&mut self, folder: &Path, top: &Path) {
        for part in ["", ".reuse", "debian"] {
            // What cannot be listed was not asked for by name.
            let Ok(entries) = std::fs::read_dir(folder.join(part)) else { continue };
            for file in entries.filter_map(Result::ok).map(|entry| entry.path()) {
                let path = below(&file, top);
                if declares(&path) && !file.is_dir() {
                    self.files.push((path, file));
                }
            }
        }
    }

    /// The path from where the project begins of what lies at `path` below the named folder.
    pub(crate) fn whole(&self, path: &str) -> String {
        if self.prefix.is_empty() { path.to_owned() } else { format!("{}/{path}", self.prefix) }
    }

    /// The path from the named folder of what lies at `path` from where the project begins.
    pub(crate) fn relative(&self, path: &str) -> String {
        if self.prefix.is_empty() {
            return path.to_owned();
        }
        let (mut from, mut to) = (self.prefix.split('/').peekable(), path.split('/').peekable());
        while from.peek().is_some() && from.peek() == to.peek() {
            from.next();
            to.next();
        }
        let mut parts: Vec<&str> = from.map(|_| "..").collect();
        parts.extend(to.filter(|part| !part.is_empty()));
        parts.join("/")
    }

    /// Whether what is said of the folder at `path` concerns the named folder: one lies in the other.
    pub(crate) fn concerns(&self, path: &str) -> bool {
        let is_in = |inner: &str, outer: &str| {
            outer.is_empty()
                || inner == outer
                || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
        };
        is_in(path, &self.prefix) || is_in(&self.prefix, path)
    }
}

/// The path of something at or below `top` from there, with `/` between its parts.
fn below(path: &Path, top: &Path) -> String {
    path.strip_prefix(top).map_or_else(|_| String::new(), |path| TreePath::new(path).as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surroundings(prefix: &str) -> Surroundings {
        Surroundings { prefix: prefix.to_owned(), ..Surroundings::default() }
    }

    #[test]
    fn paths_lead_down_and_up() {
        let below = surroundings("a/b");
        assert_eq!(below.whole("x.c"), "a/b/x.c");
        for (path, relative) in
            [("a/b/x.c", "x.c"), ("a/LICENSE", "../LICENSE"), ("LICENSE", "../../LICENSE"), ("a/b", "")]
        {
            assert_eq!(below.relative(path), relative, "{path}");
        }
        assert_eq!(
            (surroundings("").whole("x"), surroundings("").relative("x")),
            ("x".to_owned(), "x".to_owned())
        );
        assert!(
            below.concerns("a") && below.concerns("a/b/c") && below.concerns("") && !below.concerns("a/c")
        );
    }

    #[test]
    fn a_work_tree_speaks_for_its_folders_and_a_folder_for_its_files() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        for folder in ["p/.git", "p/a/b", "p/.reuse", "p/other"] {
            std::fs::create_dir_all(dir.path().join(folder)).expect("just made");
        }
        for file in [
            "LICENSE",
            "p/LICENSE",
            "p/.reuse/dep5",
            "p/a/COPYING",
            "p/a/b/LICENSE",
            "p/other/LICENSE",
            "p/a/b/x.c",
        ] {
            std::fs::write(dir.path().join(file), "x").expect("just made");
        }
        let paths_of = |surroundings: Surroundings| {
            let files: Vec<String> = surroundings.files.into_iter().map(|(path, _)| path).collect();
            (surroundings.prefix, files.join(" "))
        };
        let found = |path: &str| paths_of(Surroundings::of(&dir.path().join(path)));
        assert_eq!(found("p/a/b"), ("a/b".to_owned(), ".reuse/dep5 LICENSE a/COPYING".to_owned()));
        assert_eq!(
            found("p/a/b/x.c"),
            ("a/b".to_owned(), ".reuse/dep5 LICENSE a/COPYING a/b/LICENSE".to_owned())
        );
        assert_eq!(found("p"), (String::new(), String::new()));
        assert_eq!(
            paths_of(Surroundings::of_code_in(&dir.path().join("p/a"))),
            ("a".to_owned(), ".reuse/dep5 LICENSE a/COPYING".to_owned())
        );
        std::fs::remove_dir(dir.path().join("p/.git")).expect("just made");
        assert_eq!(found("p/a/b"), (String::new(), String::new()));
        assert_eq!(found("p/a/b/x.c"), (String::new(), "LICENSE".to_owned()));
    }
}
