//! Directory trees.
//!
//! `.gitignore` files are honoured inside a git work tree. Symbolic links below a root are not followed, so that no
//! file is seen twice and no loop can catch the walk; a root itself may be a link. Folders of version control are left
//! out. The order is that of the paths' bytes, whatever order the file system has.

use std::fs::Metadata;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use familiar_source::words;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{WalkBuilder, WalkState};

use crate::{Document, Skip, TreePath, named};

/// Which files of a tree count.
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    /// Globs in the manner of `.gitignore`; what they match is left out.
    pub exclude: Vec<String>,
    /// Take what `.gitignore` files leave out.
    pub no_ignore: bool,
    /// Threads that read folders; 0 for as many as there are cores.
    pub threads: usize,
}

/// All files below the roots, each either a document or a skip.
#[derive(Debug, Default)]
pub struct Listing {
    pub documents: Vec<Document>,
    pub skips: Vec<Skip>,
}

/// Why no walk took place.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    #[error("{}", named::cannot_read(path, source))]
    Root { path: PathBuf, source: std::io::Error },
    #[error("--exclude {glob} is not a glob: {source}")]
    Glob { glob: String, source: ignore::Error },
}

/// Version control's own folders.
const STORES: [&str; 6] = [".git", ".hg", ".svn", ".bzr", "_darcs", "CVS"];

/// Lists the files below `roots`, in the order of root and path.
pub fn walk(roots: &[PathBuf], options: &WalkOptions) -> Result<Listing, WalkError> {
    let mut listing = Listing::default();
    for (number, root) in roots.iter().enumerate() {
        match single(number as u32, root)? {
            Some((document, _)) => listing.documents.push(document),
            None => walk_root(number as u32, root, options, &mut listing)?,
        }
    }
    listing.documents.sort_by(|a, b| (a.root, &a.path).cmp(&(b.root, &b.path)));
    listing.skips.sort();
    Ok(listing)
}

/// Calls `each` with every file below a root, or why it is left out, until that breaks: folder by folder, in the order of
/// names. Holds no more than the names in the folders that it is in.
pub fn each(
    root: &Path,
    options: &WalkOptions,
    mut each: impl FnMut(Result<(Document, Metadata), Skip>) -> ControlFlow<()>,
) -> Result<(), WalkError> {
    if let Some(file) = single(0, root)? {
        // There is nothing after it.
        let _ = each(Ok(file));
        return Ok(());
    }
    let mut builder = builder(root, options)?;
    builder.sort_by_file_name(Ord::cmp);
    let found = builder.build().filter_map(|entry| match entry {
        Ok(entry) => of_entry(0, root, &entry),
        Err(error) => Some(Err(skip_of(0, root, &error))),
    });
    for found in found {
        if each(found).is_break() {
            break;
        }
    }
    Ok(())
}

/// A root that is a file; none where it is a folder. An error where it cannot be read.
fn single(number: u32, root: &Path) -> Result<Option<(Document, Metadata)>, WalkError> {
    let unreadable = |source| WalkError::Root { path: root.to_owned(), source };
    let metadata = std::fs::metadata(root).map_err(unreadable)?;
    if metadata.is_dir() {
        std::fs::read_dir(root).map_err(unreadable)?;
        return Ok(None);
    }
    named::open(root).map_err(unreadable)?;
    let path = TreePath::below(root, root);
    let document = Document { root: number, path, file: root.to_owned(), bytes: metadata.len() };
    Ok(Some((document, metadata)))
}

/// The walk below a folder.
fn builder(root: &Path, options: &WalkOptions) -> Result<WalkBuilder, WalkError> {
    let mut builder = WalkBuilder::new(root);
    builder.hidden(false).follow_links(false).ignore(false).overrides(overrides(root, &options.exclude)?);
    if options.no_ignore {
        builder.git_ignore(false).git_exclude(false).git_global(false).parents(false);
    }
    builder.filter_entry(|entry| {
        entry.depth() == 0 || !STORES.iter().any(|store| entry.file_name() == std::ffi::OsStr::new(store))
    });
    Ok(builder)
}

fn walk_root(
    number: u32,
    root: &Path,
    options: &WalkOptions,
    listing: &mut Listing,
) -> Result<(), WalkError> {
    let listing = Mutex::new(listing);
    builder(root, options)?.threads(options.threads).build_parallel().run(|| {
        Box::new(|entry| {
            let found = match entry {
                Ok(entry) => of_entry(number, root, &entry),
                Err(error) => Some(Err(skip_of(number, root, &error))),
            };
            let mut listing = listing.lock().unwrap_or_else(PoisonError::into_inner);
            match found {
                Some(Ok((document, _))) => listing.documents.push(document),
                Some(Err(skip)) => listing.skips.push(skip),
                None => {}
            }
            WalkState::Continue
        })
    });
    Ok(())
}

/// Fails where a text is no glob as [`WalkOptions::exclude`] has them.
pub fn check_exclude(glob: &str) -> Result<(), WalkError> {
    overrides(Path::new("."), &[glob.to_owned()]).map(drop)
}

/// Whether a folder of this name is version control's own.
pub fn is_store(name: &str) -> bool {
    STORES.contains(&name)
}

/// Globs of paths that are left out where nothing is walked.
#[derive(Clone, Debug, Default)]
pub struct PathFilter(Option<Override>);

impl PathFilter {
    /// A filter for globs in the manner of `.gitignore`.
    pub fn new(exclude: &[String]) -> Result<Self, WalkError> {
        if exclude.is_empty() {
            return Ok(Self(None));
        }
        overrides(Path::new("."), exclude).map(|globs| Self(Some(globs)))
    }

    /// Whether the file at `path`, or a folder that it is in, is left out.
    pub fn leaves_out(&self, path: &str) -> bool {
        let Some(globs) = &self.0 else { return false };
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let is_out = |path: &str, is_folder| globs.matched(path, is_folder).is_ignore();
        folders.into_iter().any(|folder| is_out(folder, true)) || is_out(path, false)
    }
}

/// The globs `exclude` as the walk takes them; what they match is ignored.
pub fn overrides(root: &Path, exclude: &[String]) -> Result<Override, WalkError> {
    let mut builder = OverrideBuilder::new(root);
    for glob in exclude {
        let wrong = |source| WalkError::Glob { glob: glob.clone(), source };
        builder.add(&format!("!{glob}")).map_err(wrong)?;
    }
    builder.build().map_err(|source| WalkError::Glob { glob: exclude.join(", "), source })
}

/// What an entry of the tree is: nothing if it is a folder.
fn of_entry(
    root_number: u32,
    root: &Path,
    entry: &ignore::DirEntry,
) -> Option<Result<(Document, Metadata), Skip>> {
    let kind = entry.file_type()?;
    if kind.is_dir() {
        return None;
    }
    let path = TreePath::below(root, entry.path());
    let reason = if kind.is_symlink() {
        "symbolic link, not followed".to_owned()
    } else if !kind.is_file() {
        "not a regular file".to_owned()
    } else {
        match entry.metadata() {
            Ok(metadata) => {
                let (file, bytes) = (entry.path().to_owned(), metadata.len());
                return Some(Ok((Document { root: root_number, path, file, bytes }, metadata)));
            }
            Err(error) => parts(&error).1,
        }
    };
    Some(Err(Skip::new(root_number, path, reason)))
}

fn skip_of(number: u32, root: &Path, error: &ignore::Error) -> Skip {
    let (path, reason) = parts(error);
    let path = path.map_or_else(|| TreePath::new(root), |path| TreePath::below(root, path));
    Skip::new(number, path, reason)
}

/// The path that an error of the walk is about, and what is wrong there.
fn parts(error: &ignore::Error) -> (Option<&Path>, String) {
    match error {
        ignore::Error::WithPath { path, err } => (Some(path), parts(err).1),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => parts(err),
        ignore::Error::Loop { child, .. } => (Some(child), "symbolic link loop".to_owned()),
        ignore::Error::Io(io) => (None, words::unread(io)),
        other => (None, words::unread(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("just made");
            std::fs::write(path, "x").expect("just made");
        }
        dir
    }

    fn paths(listing: &Listing) -> Vec<&str> {
        listing.documents.iter().map(|document| document.path.as_str()).collect()
    }

    #[test]
    fn files_come_in_the_order_of_their_paths_without_stores_and_excludes() {
        let dir = tree(&["b.py", "a/z.py", "a/.git/config", ".hidden/c.py", "target/x.py"]);
        let options = WalkOptions { exclude: vec!["target/".to_owned()], ..WalkOptions::default() };
        let listing = walk(&[dir.path().to_owned()], &options).expect("a readable tree");
        assert_eq!(paths(&listing), [".hidden/c.py", "a/z.py", "b.py"]);
    }

    #[test]
    fn gitignore_counts_only_in_a_git_work_tree() {
        let dir = tree(&["a.py", "b.py"]);
        std::fs::write(dir.path().join(".gitignore"), "a.py\n").expect("just made");
        let all = |options: &WalkOptions| {
            walk(&[dir.path().to_owned()], options).expect("readable").documents.len()
        };
        assert_eq!(all(&WalkOptions::default()), 3);
        std::fs::create_dir(dir.path().join(".git")).expect("just made");
        assert_eq!(all(&WalkOptions::default()), 2);
        assert_eq!(all(&WalkOptions { no_ignore: true, ..WalkOptions::default() }), 3);
    }

    #[test]
    fn links_are_skips_and_loops_end() {
        let dir = tree(&["a.py"]);
        std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).expect("just made");
        let listing = walk(&[dir.path().to_owned()], &WalkOptions::default()).expect("readable");
        assert_eq!(paths(&listing), ["a.py"]);
        assert_eq!(listing.skips.len(), 1);
        assert_eq!(listing.skips[0].path.as_str(), "loop");
    }

    #[test]
    fn a_missing_root_is_an_error_that_names_it() {
        let error = walk(&[PathBuf::from("no/such")], &WalkOptions::default()).expect_err("there is none");
        assert!(error.to_string().contains("no/such"));
    }
}
