//! Why a tool has no answer for an agent.

use std::io;
use std::path::PathBuf;

use familiar_audit::AuditError;
use familiar_license::InvalidExpression;

/// Why a tool has no answer. The agent reads the message and acts on it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    #[error("`coverage` is a number from 0 to 1")]
    Coverage,
    #[error("more code than is looked for at once; ask for a part of it")]
    TooMuchCode,
    #[error("{0} is not a known language")]
    Language(String),
    #[error("the corpora cannot be read: {0}")]
    Corpora(io::Error),
    #[error("there is no corpus yet: `familiar corpus add NAME SOURCE` makes one")]
    NoCorpus,
    #[error("name a corpus: {}", .0.join(", "))]
    WhichCorpus(Vec<String>),
    #[error("there is no such corpus; there are {}", .0.join(", "))]
    UnknownCorpus(Vec<String>),
    /// What a route would answer.
    #[error("{0}")]
    Refused(String),
    #[error("paths are audited on the agent's own machine alone")]
    Remote,
    #[error("{path} cannot be read: {source}")]
    Read { path: String, source: io::Error },
    #[error("{path} is not below {}", root.display())]
    Outside { path: String, root: PathBuf },
    /// What is wrong with the settings file of the tree.
    #[error("{0}")]
    Policy(Box<dyn std::error::Error + Send + Sync>),
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error("{text:?} is not an SPDX expression: {source}")]
    Expression { text: String, source: InvalidExpression },
    #[error("the result cannot be written: {0}")]
    Write(io::Error),
    #[error(transparent)]
    Task(#[from] tokio::task::JoinError),
}
