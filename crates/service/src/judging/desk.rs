//! What has the pairs and keeps the judgements.

use serde_json::Value;

/// What has the pairs and keeps the judgements. All values are for the page; the server does not look into them.
pub trait Desk: Send + Sync + 'static {
    /// The next pair of a judge that is none of `skipped`, or null.
    fn next(&self, judge: &str, skipped: &[String]) -> Result<Value, Refused>;
    /// Keeps what a judge says. It is on the disk when this returns.
    fn judge(&self, judge: &str, said: Value) -> Result<Value, Refused>;
    /// Takes the last judgement back, and gives its pair.
    fn undo(&self, judge: &str) -> Result<Value, Refused>;
    /// How far a judge is.
    fn progress(&self, judge: &str) -> Result<Value, Refused>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The request cannot be met as it is.
    #[error("{0}")]
    Wrong(String),
    /// The server cannot do it now.
    #[error("{0}")]
    Failed(String),
}
