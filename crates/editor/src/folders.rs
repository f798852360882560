//! Which files the folders of an editor have. They may lie in one another, and one of them may be missing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use familiar_files::dir::{self, WalkError, WalkOptions};
use familiar_files::{Document, TreePath};

/// What says that a folder is a git work tree, and what files of it are left out.
const GIT: &str = ".git";
const RULES: [&str; 2] = [".gitignore", ".git/info/exclude"];

/// Folders without those that are others by way of a link: a file has one name.
pub(crate) fn apart(folders: &[PathBuf]) -> Vec<PathBuf> {
    let resolved = |folder: &PathBuf| folder.canonicalize().unwrap_or_else(|_| folder.clone());
    let all: Vec<(&PathBuf, PathBuf)> = folders.iter().map(|folder| (folder, resolved(folder))).collect();
    let mut apart = Vec::new();
    for (number, (folder, place)) in all.iter().enumerate() {
        let is_other = all.iter().enumerate().any(|(other, (outer, outer_place))| {
            // Where no link leads to it, it lies below the outer one by its name, too.
            let same_way = place.strip_prefix(outer_place).ok() == folder.strip_prefix(outer).ok();
            if place == outer_place { other < number } else { place.starts_with(outer_place) && !same_way }
        });
        if !is_other {
            apart.push((*folder).clone());
        }
    }
    apart
}

/// The files of all folders, each once, below the innermost folder that has it; and which folders cannot be read.
pub(crate) fn listed(
    folders: &[PathBuf],
    options: &WalkOptions,
) -> Result<(Vec<Document>, Vec<String>), String> {
    let (mut all, mut problems) = (BTreeMap::new(), Vec::new());
    for folder in folders {
        match dir::walk(std::slice::from_ref(folder), options) {
            Ok(listing) => {
                for document in listing.documents {
                    let place = place(folders, &document.file);
                    all.insert(place.clone(), Document { root: place.0, path: place.1, ..document });
                }
            }
            Err(error @ WalkError::Root { .. }) => problems.push(error.to_string()),
            Err(error @ WalkError::Glob { .. }) => return Err(error.to_string()),
        }
    }
    Ok((all.into_values().collect(), problems))
}

/// The number of the innermost folder that a file lies in, and its path there.
fn place(folders: &[PathBuf], file: &Path) -> (u32, TreePath) {
    let around = (0..).zip(folders).filter(|(_, folder)| file.starts_with(folder));
    let innermost = around.max_by_key(|(_, folder)| folder.as_os_str().len());
    let (number, folder) = innermost.unwrap_or((0, &folders[0]));
    (number, TreePath::below(folder, file))
}

/// Whether a walk through a folder would list a file that is not there yet. It walks through folders of the same names that have
/// nothing but this file and the rules for what is left out.
pub(crate) fn would_list(root: &Path, file: &Path, options: &WalkOptions) -> bool {
    try_listing(root, file, options).unwrap_or(false)
}

fn try_listing(root: &Path, file: &Path, options: &WalkOptions) -> std::io::Result<bool> {
    let like = tempfile::Builder::new().prefix("familiar-").tempdir()?;
    let within = |path: &Path| like.path().join(path.strip_prefix("/").unwrap_or(path));
    let folder = file.parent().unwrap_or(root);
    std::fs::create_dir_all(within(folder))?;
    for folder in folder.ancestors() {
        if folder.join(GIT).exists() {
            std::fs::create_dir_all(within(folder).join(GIT).join("info"))?;
        }
        for rules in RULES.map(|rules| folder.join(rules)).iter().filter(|rules| rules.is_file()) {
            std::fs::copy(rules, within(rules))?;
        }
    }
    let file = within(file);
    std::fs::write(&file, "")?;
    let listing = dir::walk(&[within(root)], options).map_err(std::io::Error::other)?;
    Ok(listing.documents.iter().any(|document| document.file == file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        for (name, text) in files {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("below the folder")).expect("it can be made");
            std::fs::write(file, text).expect("it can be written");
        }
        folder
    }

    #[test]
    fn a_file_that_is_not_there_follows_the_rules_of_the_walk() {
        let folder = tree(&[
            (".git/info/exclude", "own.py\n"),
            (".gitignore", "*.gen.py\nbuild/\n"),
            ("src/.gitignore", "!kept.gen.py\n"),
        ]);
        let options = WalkOptions { exclude: vec!["vendor/".to_owned()], ..WalkOptions::default() };
        for (file, is_listed) in [
            ("a.py", true),
            ("new/a.py", true),
            ("a.gen.py", false),
            ("build/a.py", false),
            ("src/kept.gen.py", true),
            ("own.py", false),
            ("vendor/a.py", false),
            (".git/a.py", false),
        ] {
            let listed = would_list(folder.path(), &folder.path().join(file), &options);
            assert_eq!(listed, is_listed, "{file}");
        }
    }

    #[test]
    fn a_file_of_two_folders_is_listed_once_and_a_missing_folder_is_told() {
        let folder = tree(&[("a.py", "x"), ("sub/b.py", "x")]);
        let (root, sub, link) =
            (folder.path().to_owned(), folder.path().join("sub"), folder.path().join("l"));
        std::os::unix::fs::symlink(&sub, &link).expect("it can be made");
        let folders = apart(&[root.clone(), sub.clone(), link, root.join("gone")]);
        assert_eq!(folders, [root.clone(), sub, root.join("gone")]);
        let (documents, problems) = listed(&folders, &WalkOptions::default()).expect("no glob is wrong");
        let found: Vec<_> = documents.iter().map(|it| (it.root, it.path.as_str())).collect();
        assert_eq!(found, [(0, "a.py"), (1, "b.py")]);
        assert!(problems.len() == 1 && problems[0].contains("gone"), "{problems:?}");
    }
}
