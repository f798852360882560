//! Why a file is no excerpt.

use std::io;

/// Why a file is no excerpt.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the excerpt: {source}")]
pub(super) struct InvalidExcerpt {
    pub(super) line: u64,
    pub(super) source: InvalidLine,
}

/// What is wrong with a line of an excerpt.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidLine {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the line is too long")]
    TooLong,
    #[error("more than {0} bytes")]
    TooLarge(u64),
    #[error("the file ends within this line")]
    Truncated,
    #[error("the file is not of schema {0}")]
    Schema(&'static str),
    #[error("the excerpt has a second head or end")]
    SecondHead,
    #[error("it does not end where it says")]
    End,
    #[error("a project has an unknown section or a time out of range")]
    Project,
    #[error("a section is missing")]
    Section,
    #[error("a language is not known")]
    Language,
    #[error("a text is not base64")]
    Base64,
    #[error("a blob has no place")]
    NoPlace,
    #[error("lines are counted from 1")]
    FirstLine,
    #[error("a time is out of range")]
    Time,
    #[error("the evidence {0:?} is not known")]
    Evidence(String),
}
