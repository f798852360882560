//! What one source says of two licenses.

/// What one source says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    Allows,
    Denies,
    /// It depends on more than the two licenses.
    Depends,
    /// The source itself says that others disagree.
    Contests,
    Undecided,
}
