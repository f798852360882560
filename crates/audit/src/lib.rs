//! Under which license does this code stand, and may it be here?
//!
//! The blobs of the corpora that may hold some of PATH are looked up ([`sides`]), compared with it as `familiar clones` compares
//! trees, and every pair gets its licenses ([`facts`], [`known`]), direction, verdict and attribution ([`judged`]). Pairs of one piece of
//! code ([`groups`]) become one finding ([`findings`]), without what is trivial ([`trivial`]), and [`policy`] says what of it may be there.
//!
//! # Files
//!
//! The way of an audit is [`run`]. `sides` says what is compared, `places` where blobs of the
//! corpora stand. `groups` puts pairs together, `trivial` and `lines` say which of them say
//! nothing. `known` holds what is known beside the pairs: `facts` (licenses of each file),
//! `content` (what files say themselves), `project` and `own` (what PATH's projects declare, and
//! what they are called), `above` and `declared` (which files in and above PATH speak for others),
//! `history` (since when git has a file). `judged` judges one pair, with `direction` for the older
//! side. `findings` makes one finding of all pairs of a piece of code, `decision` applies the
//! `policy`, `advice` says what to do, and `finished` and `table` make the report. `license` is the
//! operation of `familiar license`.

mod above;
mod advice;
mod content;
mod decision;
mod declared;
mod direction;
mod facts;
mod findings;
mod finished;
mod groups;
mod history;
mod judged;
mod known;
pub mod license;
mod lines;
mod own;
mod places;
pub mod policy;
mod project;
mod sides;
mod table;
mod trivial;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use familiar_corpus::dir::WalkError;
use familiar_report::audit::AuditReport;
use familiar_source::{BlobId, Language};

use familiar_detect::CloneOptions;
use familiar_detect::DetectError;
use familiar_library::{CorpusError, FindOptionsError, Library, NoQuery};
use familiar_source::Progress;
use policy::Policies;

/// The settings of `familiar audit`.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// How pairs are found; its paths and corpora say nothing here.
    pub clones: CloneOptions,
    /// Trees that are audited.
    pub trees: Vec<PathBuf>,
    /// Folders of corpora whose code is audited.
    pub corpora: Vec<PathBuf>,
    /// Code that is audited in the place of trees and corpora.
    pub snippet: Option<Snippet>,
    /// Folders of the corpora that it is compared with, and what the user called them.
    pub against: Vec<PathBuf>,
    pub against_names: Vec<String>,
    pub policies: Policies,
    /// Whether short and ubiquitous code counts.
    pub include_trivial: bool,
}

/// A piece of code that stands in no file.
#[derive(Clone, Debug, Default)]
pub struct Snippet {
    pub bytes: Vec<u8>,
    /// Where none is given: as its content tells.
    pub language: Option<Language>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Clones(#[from] DetectError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Find(#[from] FindOptionsError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    NoQuery(#[from] NoQuery),
    #[error("cannot start {threads} threads: {source}; give a smaller --threads")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error("cannot read the pairs from their temporary file: {0}")]
    Pairs(std::io::Error),
}

/// Audits what `options` ask for.
pub fn run(options: &AuditOptions, progress: &dyn Progress) -> Result<AuditReport, AuditError> {
    let (pool, libraries) = opened(options)?;
    let sides::Prepared { sides, documents, clone_options } =
        pool.install(|| sides::prepare(options, &libraries, progress))?;
    let audited = sides.queries;
    let (report, input) = familiar_detect::between(&clone_options, sides, &pool, progress)?;
    progress.stage("judging", 0);
    let found = findings::Found { options, libraries: &libraries, documents, audited, report, input };
    pool.install(|| found.report())
}

/// The blobs that an audit compares PATH with: those of the corpora that may have some of it.
pub fn candidates(options: &AuditOptions, progress: &dyn Progress) -> Result<BTreeSet<BlobId>, AuditError> {
    let (pool, libraries) = opened(options)?;
    let prepared = pool.install(|| sides::prepare(options, &libraries, progress))?;
    let of_corpora = prepared.documents.into_iter().flatten().filter(|document| !document.audited);
    Ok(of_corpora.map(|document| document.blob).collect())
}

fn opened(options: &AuditOptions) -> Result<(Arc<rayon::ThreadPool>, sides::Libraries), AuditError> {
    let threads = options.clones.threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| AuditError::Threads { threads, source })?;
    let all =
        |folders: &[PathBuf]| folders.iter().map(|folder| Library::open(folder)).collect::<Result<_, _>>();
    Ok((
        Arc::new(pool),
        sides::Libraries { audited: all(&options.corpora)?, against: all(&options.against)? },
    ))
}
