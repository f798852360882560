//! Why something of a repository cannot be named or read.

use gix::ObjectId;
use gix::objs::Kind;

use crate::bounded::too_large;

/// Why a text names no repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPlace {
    #[error("no well-formed URL")]
    Malformed,
    #[error(
        "the corpus would keep the name or the password in the URL; clone the repository yourself, and name its folder"
    )]
    Login,
    #[error("it is not a path of this system")]
    Path,
    #[error("only https://, http://, git:// and file:// are known; clone it yourself and name its folder")]
    Scheme,
}

/// Why an object cannot be read, or does not lead to a commit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    #[error("object {0} is missing")]
    Missing(ObjectId),
    #[error("object {id} cannot be read: {reason}")]
    Unreadable { id: ObjectId, reason: String },
    #[error("object {id} is a {found} instead of a {expected}")]
    Kind { id: ObjectId, found: Kind, expected: Kind },
    #[error("object {id} is not a well-formed {kind}")]
    Malformed { id: ObjectId, kind: Kind },
    #[error("object {0} is damaged: its content does not match its name")]
    Damaged(ObjectId),
    /// Larger than so many bytes, the limit.
    #[error("{}", too_large(*.0))]
    TooLarge(u64),
    #[error("a tag that names no object")]
    EmptyTag,
    #[error("leads to a {0}, not to a commit")]
    NotCommit(Kind),
    #[error("the tag leads to a commit only through too many other tags")]
    TooManyTags,
    #[error("does not lead to a commit: {0}")]
    Head(String),
    #[error("commit {0} cannot be read")]
    Commit(ObjectId),
    /// A part that was left out, with the reason of its skip.
    #[error("{0}")]
    Skipped(String),
}
