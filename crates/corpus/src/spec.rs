//! Which source the user means: `KIND:PATH`, `REGISTRY:NAME`, or a path whose kind is recognised.

use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use familiar_source::words;

use crate::archive::Archive;
use crate::codenet::CodeNet;
use crate::compressed::unpacked_name;
use crate::docs::Docs;
use crate::git::{self, Git, InvalidPlace, Mirror, Tip};
use crate::jsonl::Jsonl;
use crate::list;
use crate::registry::{InvalidPackage, Package, Registry};
use crate::stackexchange::StackExchange;
use crate::submissions::Submissions;
use crate::tree::Tree;
use crate::{Source, SourceError};
use familiar_files::dir::WalkOptions;
use familiar_files::named;

pub use crate::list::{ListError, Names};

/// Why a text names no source.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    #[error("{text}: there is no kind of source called {kind}{}; the kinds are {}", words::suggestion(kind, KINDS.map(|(kind, _)| kind)), KINDS.map(|(kind, _)| kind).join(", "))]
    Kind { text: String, kind: String },
    #[error("`{text}` names no source: a path or a name has to follow the colon")]
    NoPath { text: String },
    #[error("{text}: {source}")]
    Git { text: String, source: InvalidPlace },
    #[error("{text}: {source}")]
    Package { text: String, source: InvalidPackage },
    #[error(transparent)]
    List(#[from] ListError),
    #[error("{}: a list is many sources, and only one is wanted here", path.display())]
    NotOne { path: PathBuf },
    #[error("{}", named::cannot_read(path, source))]
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
    Package(Registry),
    List,
}

const KINDS: [(&str, Kind); 12] = [
    ("dir", Kind::Dir),
    ("archive", Kind::Archive),
    ("jsonl", Kind::Jsonl),
    ("submissions", Kind::Submissions),
    ("docs", Kind::Docs),
    ("stackexchange", Kind::StackExchange),
    ("codenet", Kind::CodeNet),
    ("git", Kind::Git),
    ("pypi", Kind::Package(Registry::PyPi)),
    ("npm", Kind::Package(Registry::Npm)),
    ("crate", Kind::Package(Registry::CratesIo)),
    ("list", Kind::List),
];

/// The source that `text` names: `dir:`, `archive:`, `jsonl:`, `submissions:`, `docs:`, `stackexchange:`, `codenet:` or `git:` and
/// a path, `pypi:`, `npm:` or `crate:` and a package, or a path alone. A path alone is a bare git repository, a folder's tree, an archive by its first
/// bytes, JSON lines or posts by its name, and otherwise a single file. `walk` says which files of folders count. The path
/// must exist. A list is many sources, which [`names`] tells.
pub fn source(text: &str, walk: &WalkOptions) -> Result<Box<dyn Source>, SpecError> {
    let (kind, path) = parts(text)?;
    let walk = walk.clone();
    Ok(match kind {
        Kind::Dir => Box::new(Tree { root: path, walk }),
        Kind::Archive => Box::new(Archive { file: path, exclude: walk.exclude }),
        Kind::Jsonl => Box::new(Jsonl { file: path }),
        Kind::Submissions => Box::new(Submissions { root: path, walk }),
        Kind::Docs => Box::new(Docs { root: path, walk }),
        Kind::StackExchange => Box::new(StackExchange { path }),
        Kind::CodeNet => Box::new(CodeNet { root: path }),
        Kind::Git => match place(text, &path)? {
            git::Place::Folder(path) => Box::new(Git { path, exclude: walk.exclude }),
            git::Place::Url(url) => Box::new(Mirror { url, exclude: walk.exclude }),
        },
        Kind::Package(registry) => Box::new(package(registry, text, &path)?),
        Kind::List => return Err(SpecError::NotOne { path }),
    })
}

/// The files that the git repository named by `text` has at its HEAD; `walk` says which are left out.
pub fn tip(text: &str, walk: &WalkOptions) -> Result<Box<dyn Source>, SpecError> {
    let place = place(text, &parts(text)?.1)?;
    Ok(Box::new(Tip { place, exclude: walk.exclude.clone() }))
}

/// The one names of all sources that `text` means: one, or those of a list's lines. What names no source is an error.
pub fn names(text: &str) -> Result<Names, SpecError> {
    let named = parts(text).and_then(|(kind, path)| match kind {
        Kind::List => Ok(list::sources(&path, canonical, SpecError::is_of_reading)?),
        _ => Ok(Names { names: vec![canonical(text)?], failed: Vec::new() }),
    });
    match named {
        Err(error) if error.is_of_reading() => Ok(Names { names: Vec::new(), failed: vec![error.into()] }),
        named => named,
    }
}

impl SpecError {
    /// Whether the text names a source, and it cannot be read.
    pub(crate) fn is_of_reading(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::List(ListError::Read { .. }))
    }
}

impl From<SpecError> for SourceError {
    fn from(error: SpecError) -> Self {
        match error {
            SpecError::Read { path, source } | SpecError::List(ListError::Read { path, source }) => {
                Self::Read { path, source }
            }
            other => Self::Spec(Box::new(other)),
        }
    }
}

/// The one name of a source, whatever way the user wrote it: its kind and its absolute path without links, or the registry
/// with the package's name as the registry spells it.
pub fn canonical(text: &str) -> Result<String, SpecError> {
    let (kind, mut path) = parts(text)?;
    if kind == Kind::Git {
        match place(text, &path)? {
            git::Place::Url(url) => return Ok(format!("git:{url}")),
            git::Place::Folder(folder) => path = folder,
        }
    }
    if let Kind::Package(registry) = kind {
        return Ok(package(registry, text, &path)?.canonical());
    }
    let absolute = path.canonicalize().map_err(|source| SpecError::Read { path, source })?;
    let kind = KINDS.iter().find(|(_, known)| *known == kind).map_or("dir", |&(name, _)| name);
    Ok(format!("{kind}:{}", familiar_files::percent_encoded(absolute.as_os_str().as_encoded_bytes())))
}

/// The source that stands for the newest release of the package that `name` is one release of.
pub fn newest_of(name: &str) -> Option<String> {
    let (prefix, text) = name.split_once(':')?;
    let &(_, Kind::Package(registry)) = KINDS.iter().find(|(known, _)| *known == prefix)? else {
        return None;
    };
    let package = Package::parse(registry, text).ok().filter(|package| package.version.is_some())?;
    Some(Package { version: None, ..package }.canonical())
}

fn place(text: &str, path: &Path) -> Result<git::Place, SpecError> {
    let wrong = |source| SpecError::Git { text: git::without_password(text), source };
    if is_of_ssh(&path.to_string_lossy()) && !path.exists() {
        return Err(wrong(InvalidPlace::Scheme));
    }
    git::Place::parse(path).map_err(wrong)
}

fn package(registry: Registry, text: &str, name: &Path) -> Result<Package, SpecError> {
    let name = name.to_string_lossy();
    Package::parse(registry, &name).map_err(|source| SpecError::Package { text: text.to_owned(), source })
}

/// Kind and path, or the name of a package. What exists as it is written is a path, even if a colon is in it.
fn parts(text: &str) -> Result<(Kind, PathBuf), SpecError> {
    if ["https://", "http://", "git://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Ok((Kind::Git, PathBuf::from(text)));
    }
    if let Some((prefix, path)) = text.split_once(':').filter(|_| !Path::new(text).exists()) {
        let known = KINDS.iter().find(|(name, _)| *name == prefix);
        let looks_like_kind = prefix.len() > 1 && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
        let path = &*at_home(path);
        return match known {
            Some(_) if path.is_empty() => Err(SpecError::NoPath { text: text.to_owned() }),
            Some(&(_, kind @ Kind::Package(_))) => Ok((kind, PathBuf::from(path))),
            Some(&(_, Kind::Git)) => Ok((Kind::Git, as_bytes(path))),
            // Whether it is there, its reading tells.
            Some(&(_, kind)) if !Path::new(path).exists() => Ok((kind, as_bytes(path))),
            Some(&(_, kind)) => Ok((kind, existing(PathBuf::from(path))?)),
            None if is_of_ssh(text) => {
                let text = git::without_password(text);
                Err(SpecError::Git { text, source: InvalidPlace::Scheme })
            }
            None if looks_like_kind => {
                Err(SpecError::Kind { text: text.to_owned(), kind: prefix.to_owned() })
            }
            None => Err(missing(text)),
        };
    }
    let path = existing(PathBuf::from(text))?;
    Ok((recognised(&path)?, path))
}

/// A path below the home folder where it begins with `~/`: behind a colon no shell puts it there.
fn at_home(path: &str) -> Cow<'_, str> {
    let below = path.strip_prefix("~/").or_else(|| (path == "~").then_some(""));
    match below.zip(std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok())) {
        Some((below, home)) => format!("{home}/{below}").into(),
        None => path.into(),
    }
}

/// The path that a name of a source stands for, in which bytes that are not UTF-8 are percent-encoded.
fn as_bytes(path: &str) -> PathBuf {
    let written = PathBuf::from(path);
    if written.exists() {
        return written;
    }
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((&first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| *byte >= 0x80);
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    let encoded = PathBuf::from(OsString::from_vec(bytes));
    if encoded.exists() { encoded } else { written }
}

/// Whether a text names a repository as only SSH knows it: `git@host:owner/name`.
fn is_of_ssh(text: &str) -> bool {
    let host = text.split_once(':').map_or("", |(host, _)| host);
    text.starts_with("ssh://") || host.contains('@') && !host.contains('/')
}

fn missing(text: &str) -> SpecError {
    SpecError::Read { path: PathBuf::from(text), source: std::io::ErrorKind::NotFound.into() }
}

fn existing(path: PathBuf) -> Result<PathBuf, SpecError> {
    match named::regular(&path) {
        Ok(()) => Ok(path),
        Err(source) => Err(SpecError::Read { path, source }),
    }
}

fn recognised(path: &Path) -> Result<Kind, SpecError> {
    let name = crate::content::name_of(path);
    let unpacked = unpacked_name(&name).unwrap_or(&name);
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| unpacked.ends_with(ending));
    if path.is_dir() {
        // A work tree is code as it stands; only who asks for `git:` wants its history.
        Ok(if is_bare_repository(path) { Kind::Git } else { Kind::Dir })
    } else if ends_with(&[".jsonl", ".ndjson"]) {
        Ok(Kind::Jsonl)
    } else if ends_with(&["Posts.xml"]) || name.ends_with("Posts.7z") {
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
        check("read.jsonl.py", b"x", Kind::Dir);
        check("Posts.xml.py", b"x", Kind::Dir);
        check("a.ndjson", b"{}", Kind::Jsonl);
        assert_eq!(parts(".").expect("here").0, Kind::Dir);
        let bare = tempfile::tempdir().expect("the temporary folder can be written");
        gix::init_bare(bare.path()).expect("an empty folder");
        assert_eq!(parts(bare.path().to_str().expect("UTF-8")).expect("it exists").0, Kind::Git);
    }

    #[test]
    fn every_kind_can_be_asked_for() {
        for (name, kind) in KINDS {
            let text =
                if matches!(kind, Kind::Package(_)) { format!("{name}:six") } else { format!("{name}:.") };
            assert_eq!(parts(&text).expect("here").0, kind);
            assert_eq!(source(&text, &WalkOptions::default()).is_ok(), kind != Kind::List);
        }
    }

    #[test]
    fn wrong_texts_say_what_would_be_right() {
        let message = |text: &str| source(text, &WalkOptions::default()).err().expect("wrong").to_string();
        assert!(
            message("tarball:x").contains("dir, archive, jsonl, submissions, docs, stackexchange, codenet")
                && message("archiv:x").contains("did you mean archive?")
        );
        assert!(
            message("dir:").starts_with("`dir:` names no source: a path or a name has to follow the colon")
        );
        let unnamed = canonical("dir:no/such").expect_err("it is not there").to_string();
        assert!(unnamed.contains("cannot read no/such"));
        assert!(message("pypi:no/such").contains("pypi:NAME==VERSION"));
        assert!(message("npm:a@^1").contains("`^1` is not a version"));
        assert!(message("no/such").contains("cannot read no/such"));
        assert!(message("no/such:thing").contains("cannot read no/such:thing"));
    }

    #[test]
    fn a_url_is_a_repository() {
        for text in ["https://host/a/b.git", "git:https://host/a/b.git/"] {
            assert_eq!(canonical(text).expect("a URL"), "git:https://host/a/b.git");
            assert!(source(text, &WalkOptions::default()).is_ok());
        }
        for text in ["git@host:a/b.git", "git:git@host:a/b.git", "ssh://git@host/a/b.git"] {
            let error = canonical(text).expect_err("it is not known").to_string();
            assert!(error.contains("clone it yourself"), "{error}");
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

    #[test]
    fn a_home_folder_and_bytes_that_are_no_text_are_found_again() {
        let home = std::env::home_dir().expect("there is one").canonicalize().expect("it exists");
        assert_eq!(canonical("dir:~/").expect("it exists"), format!("dir:{}", home.display()));
        assert_eq!(
            parts("git:~/x").expect("a path").1,
            std::env::home_dir().expect("there is one").join("x")
        );
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let odd = dir.path().join(OsString::from_vec(b"lat\xe9".to_vec()));
        std::fs::create_dir(&odd).expect("just made");
        let name = format!("dir:{}/lat%E9", dir.path().display());
        assert_eq!(parts(&name).expect("it exists").1, odd);
    }

    #[test]
    fn a_package_has_its_registrys_spelling() {
        for (text, name) in [
            ("pypi:Zope.Interface", "pypi:zope-interface"),
            ("pypi:numpy == 2.0", "pypi:numpy==2.0"),
            ("npm:@Babel/core@7.0.0", "npm:@Babel/core@7.0.0"),
            ("npm:@babel/core", "npm:@babel/core"),
            ("crate:serde@1.0.0", "crate:serde@1.0.0"),
        ] {
            assert_eq!(canonical(text).expect("a package"), name);
        }
    }

    #[test]
    fn a_list_stands_for_its_lines() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let listed = |text: &str| {
            let file = dir.path().join("list");
            std::fs::write(&file, text).expect("just made");
            names(&format!("list:{}", file.display())).map_err(|error| error.to_string())
        };
        let text = "\u{feff}# ours\npypi:six\n\n  pypi:Six  # again\nnpm:left-pad@1.3.0\r\n";
        assert_eq!(listed(text).expect("two packages").names, ["pypi:six", "npm:left-pad@1.3.0"]);
        let error = listed("pypi:six\nrpm:six\nlist:other\n").expect_err("two are wrong");
        for part in ["line 2: rpm:six: there is no kind", "line 3: list:other: a list cannot"] {
            assert!(error.contains(part), "{error}");
        }
        assert!(listed(&"rpm:x\n".repeat(12)).expect_err("all").ends_with("and 2 more lines"));
        assert_eq!(names("pypi:six").expect("one").names, ["pypi:six"]);
    }

    #[test]
    fn a_source_that_cannot_be_read_is_told_beside_the_others() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join("list");
        std::fs::write(&file, "no/such\npypi:six\n").expect("just made");
        let named = names(&format!("list:{}", file.display())).expect("both lines name a source");
        assert_eq!(named.names, ["pypi:six"]);
        assert!(named.failed[0].to_string().contains("list: line 1: cannot read no/such"), "{named:?}");
        for missing in ["no/such", "dir:no/such", "list:no/such"] {
            let named = names(missing).expect("it names a source");
            assert!(named.names.is_empty());
            assert!(named.failed[0].to_string().starts_with("cannot read no/such"), "{named:?}");
        }
    }
}
