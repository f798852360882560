//! Why a design ends before its end.

use std::io;
use std::path::PathBuf;

use familiar_endpoint::ChatError;
use familiar_engine::verify::VerifyError;
use familiar_evaluate::EvaluateError;

/// Why a design ends before its end. What was answered and written before is kept.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    #[error(transparent)]
    Chat(#[from] ChatError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error("cannot write {}: {source}; what was written before is kept, so make room or choose another folder, and run the same again", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read {}: {reason}; give another folder with --output", path.display())]
    Read { path: PathBuf, reason: String },
    #[error("{} was made with another {setting}; give the same settings, or another folder with --output", path.display())]
    OtherSettings { path: PathBuf, setting: String },
    #[error("{} is in the way: it is not a transformation; move it away", path.display())]
    InTheWay { path: PathBuf },
    #[error(
        "{} has too few Python programs {what}: {found} of the {wanted} that are needed{reason}; choose more rows with --where, --one-of or --group",
        path.display()
    )]
    TooFew { path: PathBuf, what: &'static str, found: usize, wanted: usize, reason: String },
    #[error("no transformation was designed: of {asked} replies, {reason}")]
    NoDesign { asked: u64, reason: String },
}
