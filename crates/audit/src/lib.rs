//! Under which license does this code stand, and may it be here?
//!
//! The blobs of the corpora that may hold some of PATH are looked up ([`sides`]), compared with it as `familiar clones` compares
//! trees, and every pair gets its licenses ([`facts`], [`context`]), direction, verdict and attribution ([`judged`]). Pairs of one piece of
//! code ([`groups`]) become one finding ([`findings`]), without what says nothing ([`left_out`]), and [`policy`] says what of it may be there.
//!
//! ```
//! use familiar_audit::{AuditOptions, run};
//! use familiar_files::dir::WalkOptions;
//! use familiar_corpus::{Limits, spec};
//! use familiar_library::{AddOptions, Reading, add};
//! use familiar_report::audit::Decision;
//! use familiar_source::Silent;
//!
//! let dir = tempfile::tempdir()?;
//! let (theirs, mine) = (dir.path().join("theirs"), dir.path().join("mine"));
//! let code: String = (0..40).map(|n| format!("def f{n}(a, b):\n    c = a * {n} + b\n    return c - {n}\n")).collect();
//! for folder in [&theirs, &mine] {
//!     std::fs::create_dir(folder)?;
//!     std::fs::write(folder.join("code.py"), &code)?;
//! }
//! std::fs::write(theirs.join("code.py"), format!("# SPDX-License-Identifier: GPL-3.0-only\n{code}"))?;
//! std::fs::write(mine.join("pyproject.toml"), "[project]\nname = \"mine\"\nlicense = \"MIT\"\n")?;
//!
//! let name = spec::canonical(&theirs.to_string_lossy())?;
//! let sources = vec![(name.clone(), spec::source(&name, &WalkOptions::default())?)];
//! let (folder, base, exclude) = (dir.path().join("corpus"), Default::default(), Vec::new());
//! let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
//! add(&AddOptions { folder: folder.clone(), sources, base, exclude, text: true, reading }, &Silent)?;
//!
//! let options = AuditOptions { trees: vec![mine], against: vec![folder], ..AuditOptions::default() };
//! let report = run(&options, &Silent)?;
//! assert_eq!(report.findings[0].decision, Decision::Denied);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! The way of an audit is [`run`]: it lists the steps, and files that come later in this list take
//! from those that come earlier. `options` and `error` say what is asked for, and why there is no
//! answer. `places` says where blobs of the corpora stand, `sides` what is compared, and
//! `comparison` what that found. `groups` puts pairs together. `context` holds what is known beside
//! the pairs: `facts` (licenses of each file), `content` (what files say themselves), `project` and
//! `project_names` (what PATH's projects declare, and what they are called), `surroundings` and `tree_declarations` (which
//! files in and above PATH speak for others), `git_history` (since when git has a file). `left_out`
//! leaves out what says nothing, as `trivial` and `lines` tell it. `judged` judges pairs, with
//! `direction` for the older side. `decision` applies the `policy`, `findings` makes one finding of
//! all pairs of a piece of code, `advice` says what to do, and `finished` and `table` make the
//! report. `license` is the operation of `familiar license`.

mod advice;
mod comparison;
mod content;
mod context;
mod decision;
mod direction;
mod error;
mod facts;
mod findings;
mod finished;
mod git_history;
mod groups;
mod judged;
mod left_out;
pub mod license;
mod lines;
mod options;
mod places;
pub mod policy;
mod project;
mod project_names;
mod sides;
mod surroundings;
mod table;
mod tree_declarations;
mod trivial;

use std::collections::BTreeSet;
use std::sync::Arc;

use familiar_report::audit::AuditReport;
use familiar_source::{BlobId, Progress};

use comparison::Comparison;
use left_out::LeftOut;
use places::Libraries;
use sides::Sides;

pub use error::AuditError;
pub use options::{AuditOptions, Snippet};

/// Audits what `options` ask for: looks PATH up, compares it with what was found, and judges that.
pub fn run(options: &AuditOptions, progress: &dyn Progress) -> Result<AuditReport, AuditError> {
    let pool = threads(options)?;
    let libraries = Libraries::open(&options.corpora, &options.against)?;
    let Sides { query, against, audited, documents } =
        pool.install(|| sides::read(options, &libraries, progress))?;
    let (clones, input) = query.compare(against, &pool, progress)?;
    progress.stage("judging", 0);
    let comparison = Comparison { options, libraries: &libraries, documents, audited, report: clones, input };
    pool.install(|| report(comparison))
}

/// Makes findings of what is alike, and says which of it may be there.
fn report(comparison: Comparison<'_>) -> Result<AuditReport, AuditError> {
    let (groups, further_pairs) = comparison.groups()?;
    let mut left_out = LeftOut { pairs: further_pairs, ..LeftOut::default() };
    let groups = comparison.without_trivial(groups, &mut left_out)?;
    let context = comparison.context(&groups)?;
    let groups = context.without_trivial_text(groups, &mut left_out);
    let pairs = context.judged(&groups);
    let (groups, pairs) = context.without_explained(groups, pairs, &mut left_out);
    let mut findings = context.findings(&groups, &pairs);
    let (fragments, pairs) = context.rows(pairs.into_iter().flatten().collect(), &mut findings);
    let unreadable = context.projects.unreadable();
    drop(context);
    Ok(comparison.finished(fragments, pairs, findings, left_out, unreadable))
}

/// The blobs that an audit compares PATH with: those of the corpora that may have some of it. PATH is read as for an audit.
pub fn candidates(options: &AuditOptions, progress: &dyn Progress) -> Result<BTreeSet<BlobId>, AuditError> {
    let pool = threads(options)?;
    let libraries = Libraries::open(&options.corpora, &options.against)?;
    let sides = pool.install(|| sides::read(options, &libraries, progress))?;
    let of_corpora = sides.documents.into_iter().flatten().filter(|document| !document.audited);
    Ok(of_corpora.map(|document| document.blob).collect())
}

fn threads(options: &AuditOptions) -> Result<Arc<rayon::ThreadPool>, AuditError> {
    let threads = options.clones.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Arc::new).map_err(|source| AuditError::Threads { threads, source })
}
