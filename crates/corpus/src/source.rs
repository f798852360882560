//! What the user names as a source of code, and what each source yields.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use familiar_license::infer::declares;
use familiar_source::{BlobId, Lineage, Occurrence, Project};

use crate::{LanguageHint, RowTests};

/// One piece of content, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub bytes: Vec<u8>,
    pub language: LanguageHint,
    pub occurrence: Occurrence,
    /// What the source says of how this program is tested.
    pub tests: Option<Box<RowTests>>,
    /// What a row calls itself. The path has its group in front of it.
    pub row_id: Option<Box<str>>,
    /// The language that a row names, as it stands there; empty where it names none.
    pub row_language: Option<Box<str>>,
}

impl Item {
    /// An item that is no row.
    pub fn new(bytes: Vec<u8>, language: LanguageHint, occurrence: Occurrence) -> Self {
        Self { bytes, language, occurrence, tests: None, row_id: None, row_language: None }
    }
}

/// What a source yields, one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Item(Item),
    /// Something that was not read: its path in the source, and why, in words for the user.
    Skip {
        path: String,
        reason: String,
    },
    /// Where a blob stands whose content need not come (again), and what it is kept as there.
    Known {
        blob: BlobId,
        occurrence: Occurrence,
        kept: Kept,
    },
    Lineage(Lineage),
    Project(Project),
    /// What [`Before::state`] shall be at the next reading.
    State(String),
    /// What follows adds to what the source gave before, instead of replacing it; where both say something about a blob at
    /// a path of a project, this reading is right. Comes before everything else.
    Continues,
}

/// What a file is kept as at a place: code, a file that speaks for the license of others, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    License,
    Code,
    Both,
    /// What the [`Item`] of the same blob is that came before it: its name says as much as that one's.
    AsBefore,
}

/// What the corpus has of a source that is read again.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    /// What the source left as [`Found::State`] when it was read last.
    pub state: Option<&'a str>,
    /// Whether the corpus holds a blob as code.
    pub holds: &'a (dyn Fn(&BlobId) -> bool + Sync),
    /// Whether the corpus holds a blob as code and a file of this path is code for its name alone, so that its content need
    /// not be given.
    pub knows: &'a (dyn Fn(&BlobId, &str) -> bool + Sync),
    /// A number for what the name of a file says of it, beside its ending.
    pub name: &'a (dyn Fn(&str) -> u64 + Sync),
    /// Whether more can be kept than was then, so that everything is to be given.
    pub anew: bool,
    /// Calls back with every occurrence that the source gave before.
    pub occurrences: &'a Occurrences<'a>,
    /// A folder of this source alone, which may not exist yet, for what it needs again.
    pub cache: Option<&'a Path>,
}

impl Item {
    /// Why a row whose language nothing tells cannot be read; nothing of what is no row, which may be no code.
    pub fn no_language(&self) -> Option<String> {
        match self.row_language.as_deref()? {
            _ if self.language != LanguageHint::Unspecified => None,
            "" => Some("the row names no language: it has no lang".to_owned()),
            name => Some(format!("the row names a language that is not known: {name}")),
        }
    }

    /// Whether it is a whole file that speaks for the license of others, as its path tells.
    pub fn declares(&self) -> bool {
        matches!(self.language, LanguageHint::Unspecified | LanguageHint::Declaration)
            && declares(&self.occurrence.path)
    }
}

/// Calls back with occurrences, those of code before those of files that speak for the license of others.
pub type Occurrences<'a> =
    dyn Fn(&mut dyn FnMut(BlobId, Occurrence, Kept)) -> std::io::Result<()> + Sync + 'a;

impl Before<'_> {
    /// Nothing.
    pub const NONE: Before<'static> = Before {
        state: None,
        holds: &|_| false,
        knows: &|_, _| false,
        name: &|_| 0,
        anew: false,
        occurrences: &|_| Ok(()),
        cache: None,
    };
}

/// Takes what a source yields; [`ControlFlow::Break`] ends the reading.
pub type Sink<'s> = dyn FnMut(Found) -> ControlFlow<()> + 's;

/// Bounds on what a source may make of its input. Beyond them lies a skip.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes of one piece of content.
    pub item_bytes: u64,
    /// Most bytes that one archive may unpack to, those inside it included, and most entries.
    pub archive_bytes: u64,
    pub archive_entries: u64,
    /// How deep archives may stand in archives.
    pub archive_depth: u32,
    /// Most bytes of one file that is fetched from elsewhere.
    pub download_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            item_bytes: 64 << 20,
            archive_bytes: 64 << 30,
            archive_entries: 10_000_000,
            archive_depth: 4,
            download_bytes: 2 << 30,
        }
    }
}

/// Where code comes from: a tree, an archive, a dump.
pub trait Source: Send + Sync {
    /// What the source holds, in an order that depends on its content alone. One bad item is a [`Found::Skip`]; an error
    /// means that the source as a whole cannot be read.
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError>;

    /// What the source holds that is not in the corpus: by default everything.
    fn read_since(
        &self,
        _before: &Before<'_>,
        limits: &Limits,
        sink: &mut Sink<'_>,
    ) -> Result<(), SourceError> {
        self.read(limits, sink)
    }

    /// Globs of the paths that it leaves out; none where it takes none.
    fn exclude(&self) -> &[String] {
        &[]
    }

    /// Whether it takes what `.gitignore` files leave out.
    fn no_ignore(&self) -> bool {
        false
    }

    /// Whether it holds several projects, whose names stand before the paths of skips.
    fn has_projects(&self) -> bool {
        false
    }

    /// The source as one that is to be fetched first, where it is such.
    fn remote(&self) -> Option<&dyn Remote> {
        None
    }
}

/// A source whose content lies elsewhere. Fetching is apart from reading, so that one can fetch ahead of the other, and
/// what a corpus holds already is not fetched at all.
pub trait Remote: Send + Sync {
    /// Fetches what the source stands for now, unless `held` says of its name that the corpus has it. What has a name of
    /// its own here never changes once it is published.
    fn fetch(&self, held: &dyn Fn(&str) -> bool, limits: &Limits) -> Result<Fetched, SourceError>;
}

/// What a remote source stands for now.
pub struct Fetched {
    /// The source that stands for exactly this, `pypi:six==1.17.0` for `pypi:six`.
    pub name: String,
    /// Reads it; `None` where the corpus has it.
    pub source: Option<Box<dyn Source>>,
}

/// What was wrong, in the words of whoever found it.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{}", familiar_files::named::cannot_read(path, source))]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("cannot write a temporary file: {0}; free some space, or set TMPDIR")]
    Temporary(std::io::Error),
    #[error("{name}: {source}")]
    Remote { name: String, source: Cause },
    #[error("{}: {source}", path.display())]
    Format { path: PathBuf, source: Cause },
    #[error(transparent)]
    Walk(#[from] familiar_files::dir::WalkError),
    #[error(transparent)]
    Spec(Box<dyn std::error::Error + Send + Sync>),
}

impl SourceError {
    /// The source `name` on the net cannot be had.
    pub(crate) fn remote(name: &str, source: impl Into<Cause>) -> Self {
        Self::Remote { name: name.to_owned(), source: source.into() }
    }

    /// The file or folder `path` is not what it should be.
    pub(crate) fn format(path: &Path, source: impl Into<Cause>) -> Self {
        Self::Format { path: path.to_owned(), source: source.into() }
    }
}
