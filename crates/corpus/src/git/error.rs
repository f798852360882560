//! Why something of a repository cannot be named or read.

use gix::ObjectId;
use gix::objs::Kind;

use familiar_files::bounded::too_large;

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

/// Why nothing of a repository can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NothingToRead {
    #[error("it has no branches and no tags")]
    NoRefs,
    /// Where one of them leads instead, or what is wrong with it.
    #[error(
        "none of its branches and tags leads to a commit that can be read ({what}: {reason}); `git fsck` says what is missing"
    )]
    NoCommits { what: String, reason: String },
    #[error("none of its files can be read ({what}: {reason}); `git fsck` says what is missing")]
    NoFiles { what: String, reason: String },
    #[error("commit {0} was read before and cannot be read now; `git fsck` says what is missing")]
    Lost(ObjectId),
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

impl ObjectError {
    /// The object that is missing or not as it should be.
    pub(super) fn unreadable(&self) -> Option<ObjectId> {
        match self {
            Self::Missing(id)
            | Self::Unreadable { id, .. }
            | Self::Damaged(id)
            | Self::Malformed { id, .. }
            | Self::Kind { id, .. } => Some(*id),
            _ => None,
        }
    }
}
