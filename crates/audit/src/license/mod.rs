//! `familiar license`: the license of every file of a tree, an archive, a package or a dump, and all that speaks for it.
//!
//! What declares something for other files is read first, then every file by itself. Files are read in parallel, a batch at a
//! time, and given in order; no more than a batch is held.
//!
//! `options` and `error` say what is asked for, and why there is no answer. `tree` reads a folder or
//! a file, `source` what a source gives. `row` makes the row of one file, `summary` what is told of all
//! files together.

mod error;
mod options;
mod row;
mod source;
mod summary;
mod tree;

use std::io;
use std::path::{Path, PathBuf};

use familiar_corpus::Source;
use familiar_corpus::spec;
use familiar_files::dir::WalkOptions;
use familiar_report::license::LicensedFile;
use familiar_source::Progress;

pub use error::LicenseError;
pub use options::LicenseOptions;
pub use summary::LicenseSummary;

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
) -> Result<LicenseSummary, LicenseError> {
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
                    let Some(source) = fetched.source else { return Ok(LicenseSummary::default()) };
                    source::run(&*source, platform, options, &pool, progress, each)
                }
            }
        }
    }
}
