//! `familiar license`: the license of every file of a tree, an archive, a package or a dump, and all that speaks for it.
//!
//! What declares something for other files is read first, then every file by itself. Files are read in parallel, a batch at a
//! time, and given in order; no more than a batch is held.
//!
//! `tree` reads a folder or a file, `source` what a source gives, and `row` makes the row of one
//! file.

mod row;
mod source;
mod tree;

use std::io;
use std::path::{Path, PathBuf};

use familiar_corpus::dir::{WalkError, WalkOptions};
use familiar_corpus::spec::{self, SpecError};
use familiar_corpus::{Limits, Source, SourceError};
use familiar_report::license::{LicensedFile, NotRead, PackageRow};

use crate::declared::MAX_FILE_BYTES;
use familiar_source::Progress;

/// Most files of one batch, and most of their bytes, for each thread.
const BATCH_FILES: usize = 64;
const BATCH_BYTES: u64 = 16 << 20;

/// What is read, and how.
#[derive(Clone, Debug)]
pub struct LicenseOptions {
    /// Globs of what is left out, and whether `.gitignore` counts.
    pub walk: WalkOptions,
    pub limits: Limits,
    /// Whether the lines that say something are given, too.
    pub text: bool,
    /// Whether files come with their text, for pages that show it.
    pub shown: bool,
    /// 0 for as many as there are cores.
    pub threads: usize,
    /// Bytes of files that each thread may hold at a time.
    pub batch_bytes: u64,
}

impl Default for LicenseOptions {
    fn default() -> Self {
        Self::within(familiar_source::memory::DEFAULT)
    }
}

impl LicenseOptions {
    /// Options that stay within a memory setting, in bytes.
    pub fn within(memory: usize) -> Self {
        let item_bytes = MAX_FILE_BYTES.min(familiar_source::memory::file(memory) as u64);
        Self {
            walk: WalkOptions::default(),
            limits: Limits { item_bytes, ..Limits::default() },
            text: false,
            shown: false,
            threads: 0,
            batch_bytes: BATCH_BYTES.min(familiar_source::memory::read_batch(memory) as u64),
        }
    }
}

/// What is told of all files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LicenseRest {
    pub packages: Vec<PackageRow>,
    pub skipped: Vec<NotRead>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum LicenseError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Of whoever takes the files.
    #[error(transparent)]
    Output(io::Error),
}

/// What a user names: a folder or a file, or any other source of code.
pub struct LicenseInput(Input);

enum Input {
    Tree(PathBuf),
    /// The platform has rules of its own for what is posted there.
    Source {
        source: Box<dyn Source>,
        is_platform: bool,
    },
}

impl LicenseInput {
    /// The input that `text` names, as `corpus add` does; of a history, the files at its HEAD.
    pub fn open(text: &str, walk: &WalkOptions) -> Result<Self, LicenseError> {
        let name = spec::canonical(text)?;
        let kind = name.split_once(':').map_or("", |(kind, _)| kind);
        Ok(Self(match kind {
            "git" => Input::Source { source: spec::tip(text, walk)?, is_platform: false },
            "dir" => {
                let path = text.strip_prefix("dir:").filter(|_| !Path::new(text).exists()).unwrap_or(text);
                Input::Tree(PathBuf::from(path))
            }
            kind => {
                let source = spec::source(text, walk)?;
                Input::Source { source, is_platform: kind == "stackexchange" }
            }
        }))
    }
}

/// Calls `each` with every file of the input, in the order of a tree's paths or of the source.
pub fn run(
    input: &LicenseInput,
    options: &LicenseOptions,
    progress: &dyn Progress,
    each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
) -> Result<LicenseRest, LicenseError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    match &input.0 {
        Input::Tree(root) => tree::run(root, options, &pool, progress, each),
        Input::Source { source, is_platform } => {
            let platform = *is_platform;
            match source.remote() {
                None => source::run(&**source, platform, options, &pool, progress, each),
                Some(remote) => {
                    progress.stage("fetching", 0);
                    let fetched = remote.fetch(&|_| false, &options.limits)?;
                    let Some(source) = fetched.source else { return Ok(LicenseRest::default()) };
                    source::run(&*source, platform, options, &pool, progress, each)
                }
            }
        }
    }
}
