//! Submissions of many authors: one folder, archive or file for each below a root.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::{Archive, project_of};
use crate::content::name_of;
use crate::dir::WalkOptions;
use crate::tree::Tree;
use crate::{Found, Limits, Sink, Source, SourceError};

/// A folder whose entries are the authors. An entry's name, without the endings of archives, is project and author;
/// what it holds is read as a [`Tree`] or an [`Archive`]. The paths of skips have that name in front.
#[derive(Clone, Debug)]
pub struct Submissions {
    pub root: PathBuf,
    pub walk: WalkOptions,
}

impl Source for Submissions {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let unreadable = |source| SourceError::Read { path: self.root.clone(), source };
        let entries = std::fs::read_dir(&self.root).map_err(unreadable)?;
        let mut paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(unreadable)?;
        paths.sort();
        for path in paths {
            if self.submission(&path, limits, sink).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn has_projects(&self) -> bool {
        true
    }
}

impl Submissions {
    /// Everything of one author. An author who cannot be read is a skip.
    fn submission(&self, path: &Path, limits: &Limits, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let name = name_of(path);
        if path.is_symlink() {
            return sink(Found::Skip { path: name, reason: "symbolic link, not followed".to_owned() });
        }
        let source: Result<(String, Box<dyn Source>), _> =
            match path.is_file().then(|| Archive::is_archive(path)) {
                Some(Ok(true)) => Ok((project_of(path), Box::new(Archive { file: path.to_owned() }))),
                None | Some(Ok(false)) => {
                    Ok((name.clone(), Box::new(Tree { root: path.to_owned(), walk: self.walk.clone() })))
                }
                Some(Err(error)) => Err(error.to_string()),
            };
        let (author, source) = match source {
            Ok(known) => known,
            Err(reason) => return sink(Found::Skip { path: name, reason }),
        };
        // An archive ends by itself where it meets a limit; only the sink ends the reading of all.
        let mut asked = ControlFlow::Continue(());
        let mut of_author = |found: Found| {
            asked = sink(by_author(found, &author, &name));
            asked
        };
        match source.read(limits, &mut of_author) {
            Ok(()) => asked,
            Err(error) => sink(Found::Skip { path: name, reason: error.to_string() }),
        }
    }
}

/// Whether a skip at `path` of such a source is of this author.
pub fn is_of(author: &str, path: &str) -> bool {
    let entry = path.split_once('/').map_or(path, |(entry, _)| entry);
    entry == author || project_of(Path::new(entry)) == author
}

fn by_author(found: Found, author: &str, name: &str) -> Found {
    match found {
        Found::Item(mut item) => {
            author.clone_into(&mut item.occurrence.project);
            item.occurrence.author = Some(author.to_owned());
            Found::Item(item)
        }
        Found::Skip { path, reason } if path == name => Found::Skip { path, reason },
        Found::Skip { path, reason } => Found::Skip { path: format!("{name}/{path}"), reason },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compressed::tests::gzip;
    use crate::tree::tests::{all, shown};

    #[test]
    fn every_entry_is_an_author() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let root = dir.path();
        std::fs::create_dir_all(root.join("ann/src")).expect("just made");
        std::fs::write(root.join("ann/src/a.py"), "a").expect("just made");
        std::fs::write(root.join("bob.gz"), gzip(b"b")).expect("just made");
        std::fs::write(root.join("eve.py"), "e").expect("just made");
        let packed = gzip(&b"x".repeat(1000));
        std::fs::write(root.join("mal.gz"), &packed[..packed.len() / 2]).expect("just made");
        let found =
            all(&Submissions { root: root.to_owned(), walk: WalkOptions::default() }, &Limits::default());
        let shown = shown(&found);
        assert_eq!(shown[..3], ["src/a.py=a", "bob=b", "eve.py=e"]);
        assert!(shown[3].starts_with("mal.gz!") || shown[3].starts_with("mal.gz/"), "{shown:?}");
        let authors = found.iter().filter_map(|found| match found {
            Found::Item(item) => Some((item.occurrence.project.as_str(), item.occurrence.author.as_deref())),
            _ => None,
        });
        let expected = [("ann", Some("ann")), ("bob", Some("bob")), ("eve.py", Some("eve.py"))];
        assert_eq!(authors.collect::<Vec<_>>(), expected);
        assert!(is_of("mal", "mal.gz") && is_of("ann", "ann/src/x.bin") && is_of("eve.py", "eve.py"));
        assert!(!is_of("ann", "anna/ann") && !is_of("eve", "eve.py"));
    }

    #[test]
    fn a_missing_root_is_an_error() {
        let missing = Submissions { root: PathBuf::from("no/such"), walk: WalkOptions::default() };
        let error = missing.read(&Limits::default(), &mut |_| ControlFlow::Continue(())).expect_err("none");
        assert!(error.to_string().contains("no/such"));
    }
}
