//! What stands above the folder or file that the user names: the rest of its project speaks for it, too.

use std::path::{Path, PathBuf};

use familiar_license::infer::declares;

/// The folder where a project begins, and the way down from there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Above {
    /// The path of the named folder, or of the named file's, from where the project begins.
    pub(super) prefix: String,
    /// Files above that may declare something, by their paths from there.
    pub(super) files: Vec<(String, PathBuf)>,
}

impl Above {
    /// Looks around `root`: up to the git work tree that it lies in; of a file outside of any, at the folder that it lies in.
    pub(super) fn of(root: &Path) -> Self {
        let Ok(root) = root.canonicalize() else { return Self::default() };
        let folder = if root.is_dir() { Some(root.as_path()) } else { root.parent() };
        let Some(folder) = folder else { return Self::default() };
        let top = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder);
        let Some(prefix) = folder.strip_prefix(top).ok().and_then(Path::to_str) else {
            return Self::default();
        };
        let mut above = Self { prefix: prefix.replace(std::path::MAIN_SEPARATOR, "/"), files: Vec::new() };
        // What lies in the named folder itself is found with its files.
        for at in folder.ancestors().skip(usize::from(root.is_dir())).take_while(|at| at.starts_with(top)) {
            above.look_in(at, top);
        }
        // What was named itself is found anyway.
        above.files.retain(|(_, file)| *file != root);
        above.files.sort();
        above
    }

    fn look_in(&mut self, folder: &Path, top: &Path) {
        for part in ["", ".reuse", "debian"] {
            // What cannot be listed was not asked for by name.
            let Ok(entries) = std::fs::read_dir(folder.join(part)) else { continue };
            for file in entries.filter_map(Result::ok).map(|entry| entry.path()) {
                let path = file.strip_prefix(top).ok().and_then(Path::to_str);
                let path = path.map(|path| path.replace(std::path::MAIN_SEPARATOR, "/"));
                if let Some(path) = path.filter(|path| declares(path) && file.is_file()) {
                    self.files.push((path, file));
                }
            }
        }
    }

    /// The path from where the project begins of what lies at `path` below the named folder.
    pub(super) fn whole(&self, path: &str) -> String {
        if self.prefix.is_empty() { path.to_owned() } else { format!("{}/{path}", self.prefix) }
    }

    /// The path from the named folder of what lies at `path` from where the project begins.
    pub(super) fn relative(&self, path: &str) -> String {
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
    pub(super) fn concerns(&self, path: &str) -> bool {
        let is_in = |inner: &str, outer: &str| {
            outer.is_empty()
                || inner == outer
                || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
        };
        is_in(path, &self.prefix) || is_in(&self.prefix, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(prefix: &str) -> Above {
        Above { prefix: prefix.to_owned(), files: Vec::new() }
    }

    #[test]
    fn paths_lead_down_and_up() {
        let below = above("a/b");
        assert_eq!(below.whole("x.c"), "a/b/x.c");
        for (path, relative) in
            [("a/b/x.c", "x.c"), ("a/LICENSE", "../LICENSE"), ("LICENSE", "../../LICENSE"), ("a/b", "")]
        {
            assert_eq!(below.relative(path), relative, "{path}");
        }
        assert_eq!((above("").whole("x"), above("").relative("x")), ("x".to_owned(), "x".to_owned()));
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
        let found = |path: &str| {
            let above = Above::of(&dir.path().join(path));
            let files: Vec<String> = above.files.into_iter().map(|(path, _)| path).collect();
            (above.prefix, files.join(" "))
        };
        assert_eq!(found("p/a/b"), ("a/b".to_owned(), ".reuse/dep5 LICENSE a/COPYING".to_owned()));
        assert_eq!(
            found("p/a/b/x.c"),
            ("a/b".to_owned(), ".reuse/dep5 LICENSE a/COPYING a/b/LICENSE".to_owned())
        );
        assert_eq!(found("p"), (String::new(), String::new()));
        std::fs::remove_dir(dir.path().join("p/.git")).expect("just made");
        assert_eq!(found("p/a/b"), (String::new(), String::new()));
        assert_eq!(found("p/a/b/x.c"), (String::new(), "LICENSE".to_owned()));
    }
}
