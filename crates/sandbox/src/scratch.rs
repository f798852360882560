//! Folders for runs, and their end, whatever a program left in them.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder for runs, which goes with the value.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new folder in the system's folder for temporary files, through which every user can pass.
    pub(crate) fn new() -> io::Result<Self> {
        let path = tempfile::Builder::new().prefix("familiar-sandbox-").tempdir()?.keep();
        open_to_all(&path)?;
        Ok(Self { path })
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
