//! Which source the user means: `KIND:PATH`, or a path whose kind is recognised.

use std::path::{Path, PathBuf};

use crate::Source;
use crate::archive::Archive;
use crate::codenet::CodeNet;
use crate::dir::WalkOptions;
use crate::docs::Docs;
use crate::git::{self, Git, Mirror};
use crate::jsonl::Jsonl;
use crate::stackexchange::StackExchange;
use crate::submissions::Submissions;
use crate::tree::Tree;

/// Why a text names no source.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    #[error("{text}: unknown kind of source `{kind}`; known are {}", KINDS.map(|(kind, _)| kind).join(", "))]
    Kind { text: String, kind: String },
    #[error("{text}: no path after the colon")]
    NoPath { text: String },
    #[error("{text}: {reason}")]
    Git { text: String, reason: String },
    #[error("cannot read {}: {source}; check that it exists and that you may read it", path.display())]
    Read { path: PathBuf, source: std::io::Error },
}

/// A kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Dir,
    Archive,
    Jsonl,
    Submissions,
    Docs,
    StackExchange,
    CodeNet,
    Git,
}

const KINDS: [(&str, Kind); 8] = [
    ("dir", Kind::Dir),
    ("archive", Kind::Archive),
    ("jsonl", Kind::Jsonl),
    ("submissions", Kind::Submissions),
    ("docs", Kind::Docs),
    ("stackexchange", Kind::StackExchange),
    ("codenet", Kind::CodeNet),
    ("git", Kind::Git),
];

/// The source that `text` names: `dir:`, `archive:`, `jsonl:`, `submissions:`, `docs:`, `stackexchange:`, `codenet:` or `git:`
/// and a path, or a path alone. A path alone is a bare git repository, a folder's tree, an archive by its first bytes, JSON lines or posts by its name,
/// and otherwise a single file. `walk` says which files of folders count. The path must exist.
pub fn source(text: &str, walk: &WalkOptions) -> Result<Box<dyn Source>, SpecError> {
    let (kind, path) = parts(text)?;
    let walk = walk.clone();
    Ok(match kind {
        Kind::Dir => Box::new(Tree { root: path, walk }),
        Kind::Archive => Box::new(Archive { file: path }),
        Kind::Jsonl => Box::new(Jsonl { file: path }),
        Kind::Submissions => Box::new(Submissions { root: path, walk }),
        Kind::Docs => Box::new(Docs { root: path, walk }),
        Kind::StackExchange => Box::new(StackExchange { path }),
        Kind::CodeNet => Box::new(CodeNet { root: path }),
        Kind::Git => match place(text, &path)? {
            git::Place::Folder(path) => Box::new(Git { path }),
            git::Place::Url(url) => Box::new(Mirror { url }),
        },
    })
}

/// The one name of a source, whatever way the user wrote it: its kind and its absolute path without links.
pub fn canonical(text: &str) -> Result<String, SpecError> {
    let (kind, mut path) = parts(text)?;
    if kind == Kind::Git {
        match place(text, &path)? {
            git::Place::Url(url) => return Ok(format!("git:{url}")),
            git::Place::Folder(folder) => path = folder,
        }
    }
    let absolute = path.canonicalize().map_err(|source| SpecError::Read { path, source })?;
    let kind = KINDS.iter().find(|(_, known)| *known == kind).map_or("dir", |&(name, _)| name);
    Ok(format!("{kind}:{}", crate::document::percent_encoded(absolute.as_os_str().as_encoded_bytes())))
}

fn place(text: &str, path: &Path) -> Result<git::Place, SpecError> {
    let wrong = |reason| SpecError::Git { text: git::without_password(text), reason };
    git::Place::parse(path).map_err(wrong)
}

/// Kind and path. What exists as it is written is a path, even if a colon is in it.
fn parts(text: &str) -> Result<(Kind, PathBuf), SpecError> {
    if ["https://", "http://", "git://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Ok((Kind::Git, PathBuf::from(text)));
    }
    if let Some((prefix, path)) = text.split_once(':').filter(|_| !Path::new(text).exists()) {
        let known = KINDS.iter().find(|(name, _)| *name == prefix);
        let looks_like_kind = prefix.len() > 1 && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
        return match known {
            Some(_) if path.is_empty() => Err(SpecError::NoPath { text: text.to_owned() }),
            // Whether it is there, its reading tells.
            Some(&(_, kind)) => Ok((kind, PathBuf::from(path))),
            None if looks_like_kind => {
                Err(SpecError::Kind { text: text.to_owned(), kind: prefix.to_owned() })
            }
            None => Err(missing(text)),
        };
    }
    let path = existing(PathBuf::from(text))?;
    Ok((recognised(&path)?, path))
}

fn missing(text: &str) -> SpecError {
    SpecError::Read { path: PathBuf::from(text), source: std::io::ErrorKind::NotFound.into() }
}

fn existing(path: PathBuf) -> Result<PathBuf, SpecError> {
    match path.metadata() {
        Ok(_) => Ok(path),
        Err(source) => Err(SpecError::Read { path, source }),
    }
}

fn recognised(path: &Path) -> Result<Kind, SpecError> {
    let name = crate::content::name_of(path);
    if path.is_dir() {
        // A work tree is code as it stands; only who asks for `git:` wants its history.
        Ok(if is_bare_repository(path) { Kind::Git } else { Kind::Dir })
    } else if name.contains(".jsonl") || name.contains(".ndjson") {
        Ok(Kind::Jsonl)
    } else if name.contains("Posts.xml") || name.ends_with("-Posts.7z") {
        Ok(Kind::StackExchange)
    } else if Archive::is_archive(path).map_err(|source| SpecError::Read { path: path.to_owned(), source })? {
        Ok(Kind::Archive)
    } else {
        Ok(Kind::Dir)
    }
}

fn is_bare_repository(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compressed::tests::gzip;

    fn check(path: &str, bytes: &[u8], expected: Kind) {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join(path);
        std::fs::write(&file, bytes).expect("just made");
        let (kind, _) = parts(file.to_str().expect("UTF-8")).expect("it exists");
        assert_eq!(kind, expected, "{path}");
    }

    #[test]
    fn a_bare_path_is_recognised() {
        check("a.py", b"x", Kind::Dir);
        check("a", &gzip(b"x"), Kind::Archive);
        check("a.jsonl.gz", &gzip(b"{}"), Kind::Jsonl);
        check("tea.Posts.xml.gz", &gzip(b"<posts/>"), Kind::StackExchange);
        check("odd:name.py", b"x", Kind::Dir);
        assert_eq!(parts(".").expect("here").0, Kind::Dir);
        let bare = tempfile::tempdir().expect("the temporary folder can be written");
        gix::init_bare(bare.path()).expect("an empty folder");
        assert_eq!(parts(bare.path().to_str().expect("UTF-8")).expect("it exists").0, Kind::Git);
    }

    #[test]
    fn every_kind_can_be_asked_for() {
        for (name, kind) in KINDS {
            let text = format!("{name}:.");
            assert_eq!(parts(&text).expect("here").0, kind);
            assert!(source(&text, &WalkOptions::default()).is_ok());
        }
    }

    #[test]
    fn wrong_texts_say_what_would_be_right() {
        let message = |text: &str| source(text, &WalkOptions::default()).err().expect("wrong").to_string();
        assert!(
            message("tarball:x").contains("dir, archive, jsonl, submissions, docs, stackexchange, codenet")
        );
        assert!(message("dir:").contains("no path"));
        let unnamed = canonical("dir:no/such").expect_err("it is not there").to_string();
        assert!(unnamed.contains("cannot read no/such"));
        assert!(message("no/such").contains("cannot read no/such"));
        assert!(message("no/such:thing").contains("cannot read no/such:thing"));
    }

    #[test]
    fn a_url_is_a_repository() {
        for text in ["https://host/a/b.git", "git:https://host/a/b.git/"] {
            assert_eq!(canonical(text).expect("a URL"), "git:https://host/a/b.git");
            assert!(source(text, &WalkOptions::default()).is_ok());
        }
        let error = canonical("git:https://me:secret@host/a").expect_err("a password").to_string();
        assert!(error.starts_with("git:https://host/a: ") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn one_source_has_one_name() {
        let here = std::env::current_dir().expect("there is one").canonicalize().expect("it exists");
        let expected = format!("dir:{}", here.display());
        for text in [".", "dir:.", "./src/..", "dir:src/../"] {
            assert_eq!(canonical(text).expect("it exists"), expected);
        }
    }
}
