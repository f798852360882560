//! Locks of readers: a file that no longer counts is deleted when nobody reads a generation that names it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Locked by readers together, or by the writer alone while it takes files away.
pub(crate) const FILE: &str = "readers";

/// Lets the files of every generation from the present one on stay until the result is dropped. `None` where no writer has been
/// since there are such locks, and where the file system has none.
pub(crate) fn enter(folder: &Path) -> Option<File> {
    let file = File::open(folder.join(FILE)).ok()?;
    file.lock_shared().ok()?;
    Some(file)
}

/// Calls `take_away` unless somebody reads; new readers wait for its end.
pub(crate) fn unless_read(folder: &Path, take_away: impl FnOnce()) -> io::Result<()> {
    let file = File::options().create(true).append(true).open(folder.join(FILE))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {}
        // Where nobody can lock, nobody reads under a lock.
        Ok(()) | Err(TryLockError::Error(_)) => take_away(),
    }
    Ok(())
}
