//! Why a row of a file cannot be used.

use familiar_syntax::decode::NotText;
use serde_json::Value;

/// Why a row cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RowError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the field {0} has no text")]
    Field(String),
    #[error("id is neither text nor a number")]
    Id,
    #[error(transparent)]
    Code(#[from] CodeError),
    #[error("conflict: the sources disagree about this pair")]
    Conflict,
    #[error("there is no label")]
    NoLabel,
    #[error("label {0} is neither 0 nor 1")]
    Label(Value),
    #[error("there are neither id1 and id2 nor code1 and code2")]
    NoSides,
    #[error("no language: give lang, or lang1 and lang2")]
    NoLanguage,
    #[error("fragment {id}: {source}")]
    Fragment { id: String, source: CodeError },
    #[error("fragment {0} is not among the fragments")]
    NoFragment(String),
    #[error("it has no codes, and no --fragments is given in which its ids stand")]
    NoFragments,
    #[error("there was a fragment with the id {0} before")]
    SameId(String),
    #[error("the file changed while it was read")]
    Changed,
    #[error("a side is smaller than the limit")]
    Small,
}

/// Why the code of a row cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum CodeError {
    #[error("there is no language {0}")]
    Language(String),
    #[error(transparent)]
    NotText(#[from] NotText),
}
