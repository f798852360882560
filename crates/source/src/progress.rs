//! How far an operation has come, for whoever shows it.

/// Takes news of an operation's progress; called from several threads.
pub trait Progress: Sync {
    /// A stage of `total` units of work begins; 0 where the amount is not known.
    fn stage(&self, name: &str, total: u64);
    /// `done` more units of the stage are done.
    fn advance(&self, done: u64);
}

/// Shows nothing.
#[derive(Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _done: u64) {}
}
