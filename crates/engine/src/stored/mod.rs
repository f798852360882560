//! A result of `familiar clones --format json`, or of `familiar audit`, read back.
//!
//! `clones` reads the former, `audit` the latter, and `evidence` what an audit says of fragments and
//! pairs. `malformed` says what is not as Familiar writes it.

mod audit;
mod clones;
mod evidence;
mod malformed;

use std::io;
use std::path::{Path, PathBuf};

use familiar_files::named;
use familiar_library::CorpusError;
use familiar_report::CloneReport;
use familiar_report::audit::{AuditReport, SCHEMA as AUDIT_SCHEMA};
use familiar_report::formats::json::SCHEMA;
use serde::Deserialize;

pub use malformed::Malformed;

/// Why a stored result could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    #[error("{}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read a corpus that the result names: {0}")]
    Corpus(#[from] CorpusError),
    #[error(
        "{} is not a result of schema {SCHEMA}: {reason}; familiar clones --format json --output FILE writes one",
        path.display()
    )]
    NoResult { path: PathBuf, reason: Malformed },
    #[error(
        "{} is neither a result of familiar clones nor one of familiar audit: {reason}; both commands write one with --format json --output FILE",
        path.display()
    )]
    Neither { path: PathBuf, reason: Malformed },
    #[error(
        "{} is not a result of schema {AUDIT_SCHEMA}: {reason}; familiar audit --format json --output FILE writes one",
        path.display()
    )]
    NoAudit { path: PathBuf, reason: Malformed },
}

/// A stored result of either kind.
pub enum Stored {
    Clones(Box<CloneReport>),
    Audit(Box<AuditReport>),
}

/// Reads a `familiar.clones/1` or a `familiar.audit/1` document of at most `most` bytes. Its trees are looked for from
/// the current folder, as they were given. `corpus` gives the folder of a corpus that was audited against, by the name
/// that it was given by; the code of those that are not there is missing.
pub fn read_any(
    path: &Path,
    most: u64,
    corpus: &dyn Fn(&str) -> Option<PathBuf>,
) -> Result<Stored, StoredError> {
    let (bytes, schema) = document(path, most)?;
    if schema != AUDIT_SCHEMA {
        return match clones(&bytes, &schema) {
            Ok(report) => Ok(Stored::Clones(Box::new(report))),
            Err(reason @ Malformed::Schema(_)) => Err(StoredError::Neither { path: path.to_owned(), reason }),
            Err(reason) => Err(StoredError::NoResult { path: path.to_owned(), reason }),
        };
    }
    let report = serde_json::from_slice(&bytes).map_err(Malformed::Json).and_then(audit::Document::report);
    let mut report = report.map_err(|reason| StoredError::NoAudit { path: path.to_owned(), reason })?;
    let corpora: Vec<PathBuf> = report.against.iter().filter_map(|name| corpus(name)).collect();
    report.sources = audit::sources(&mut report, &corpora)?;
    Ok(Stored::Audit(Box::new(report)))
}

/// A document's bytes and schema.
fn document(path: &Path, most: u64) -> Result<(Vec<u8>, String), StoredError> {
    let bytes =
        named::read(path, most).map_err(|source| StoredError::Read { path: path.to_owned(), source })?;
    let schema = serde_json::from_slice(&bytes).map_err(Malformed::Json);
    let Schema { schema } =
        schema.map_err(|reason| StoredError::Neither { path: path.to_owned(), reason })?;
    Ok((bytes, schema))
}

/// The report that a document of schema `schema` holds.
fn clones(bytes: &[u8], schema: &str) -> Result<CloneReport, Malformed> {
    if schema != SCHEMA {
        return Err(Malformed::Schema(schema.to_owned()));
    }
    serde_json::from_slice::<clones::Document>(bytes)?.report()
}

#[derive(Deserialize)]
struct Schema {
    schema: String,
}
