//! Folders for runs, and their end, whatever a program left in them.

use std::fs::{self, DirEntry, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the names of all such folders begin with.
const PREFIX: &str = "familiar-sandbox-";
/// How long nothing happens in a folder before it may be one that a killed process left. It covers the moment before a folder is locked.
const LEFT_AFTER: Duration = Duration::from_secs(600);

/// A folder for runs, which goes with the value.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// The folder itself, locked as long as this process lives, so that no other one takes it for left.
    _lock: File,
}

impl Folder {
    /// A new folder in the system's folder for temporary files, through which every user can pass. Those that killed processes
    /// left there are deleted.
    pub(crate) fn new() -> io::Result<Self> {
        remove_left(&std::env::temp_dir());
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir()?.keep();
        open_to_all(&path)?;
        let lock = File::open(&path)?;
        // Where the disk knows no locks, nothing is taken for left.
        let _ = lock.try_lock();
        Ok(Self { path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder in it, which belongs to `user`.
    pub(crate) fn inside(&self, name: &str, user: Option<u32>) -> io::Result<PathBuf> {
        inside(&self.path, name, user)
    }
}

/// A new folder in another one, which belongs to `user`.
pub(crate) fn inside(folder: &Path, name: &str, user: Option<u32>) -> io::Result<PathBuf> {
    let path = folder.join(name);
    fs::create_dir(&path)?;
    fs::set_permissions(&path, Permissions::from_mode(0o700))?;
    if user.is_some() {
        std::os::unix::fs::chown(&path, user, user)?;
    }
    Ok(path)
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be deleted is left to the system's own cleaning.
        let _ = remove(&self.path);
    }
}

/// Deletes the folders in `temporary` that processes of this user left when they were killed. What cannot be deleted stays.
fn remove_left(temporary: &Path) {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())) {
        if let Ok(Some(_lock)) = left(&entry) {
            let _ = remove(&entry.path());
        }
    }
}

/// The lock of a folder that nobody uses any more.
fn left(entry: &DirEntry) -> io::Result<Option<File>> {
    let metadata = entry.metadata()?;
    let is_old = metadata.modified()?.elapsed().is_ok_and(|age| age >= LEFT_AFTER);
    if !metadata.is_dir() || metadata.uid() != nix::unistd::geteuid().as_raw() || !is_old {
        return Ok(None);
    }
    let folder = File::open(entry.path())?;
    Ok(folder.try_lock().is_ok().then_some(folder))
}

/// Deletes a folder. Folders in it may be nested as deeply as the disk allows and may have any mode: each is moved up beside the
/// first before it is emptied, so that no path is long and nothing calls itself.
pub(crate) fn remove(top: &Path) -> io::Result<()> {
    let mut waiting = vec![top.to_owned()];
    let mut moved = 0_u64;
    while let Some(folder) = waiting.pop() {
        fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
                continue;
            }
            if folder == top {
                waiting.push(entry.path());
                continue;
            }
            fs::set_permissions(entry.path(), Permissions::from_mode(0o700))?;
            let up = loop {
                moved += 1;
                let up = top.join(format!("{moved}"));
                if up.symlink_metadata().is_err() {
                    break up;
                }
            };
            fs::rename(entry.path(), &up)?;
            waiting.push(up);
        }
        if folder != top {
            fs::remove_dir(&folder)?;
        }
    }
    fs::remove_dir(top)
}

/// Lets every user pass through a folder.
pub(crate) fn open_to_all(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o711))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_goes_and_what_is_used_stays() {
        let temporary = tempfile::tempdir().expect("a folder");
        let make = |name: &str, age: Duration| {
            let path = temporary.path().join(name);
            fs::create_dir_all(path.join("scratch-1/deep")).expect("a folder");
            let folder = File::open(&path).expect("just made");
            folder.set_modified(std::time::SystemTime::now() - age).expect("it is ours");
            folder
        };
        drop(make("familiar-sandbox-left", 2 * LEFT_AFTER));
        drop(make("familiar-sandbox-young", LEFT_AFTER / 2));
        drop(make("somebody-elses", 2 * LEFT_AFTER));
        let used = make("familiar-sandbox-used", 2 * LEFT_AFTER);
        used.try_lock().expect("nobody else has it");
        remove_left(temporary.path());
        let names = fs::read_dir(temporary.path()).expect("it is there");
        let mut names: Vec<_> = names.map(|entry| entry.expect("it can be read").file_name()).collect();
        names.sort();
        assert_eq!(names, ["familiar-sandbox-used", "familiar-sandbox-young", "somebody-elses"]);
    }
}
