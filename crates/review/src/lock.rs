//! Who changes a file of decisions keeps others away until it is written.

use std::fs::File;
use std::io;
use std::path::Path;

/// Held from before a file of decisions is read until it is written. Without it, what another process decides in between is lost.
#[derive(Debug)]
pub struct Lock {
    /// None where there are no locks: then everybody is alone, as before there were any.
    _folder: Option<File>,
}

impl Lock {
    /// Waits until nobody else changes the file, which need not be there yet.
    ///
    /// What is locked is its folder: the file is replaced as a whole, so that whoever has locked it holds one that is gone, and a file
    /// beside it would have to be kept.
    pub fn of(file: &Path) -> Self {
        let real = file.canonicalize();
        let file = real.as_deref().unwrap_or(file);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self { _folder: File::open(folder).ok().filter(is_locked) }
    }
}

fn is_locked(folder: &File) -> bool {
    loop {
        match folder.lock() {
            Ok(()) => return true,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn two_that_change_one_file_wait_for_each_other() {
        let folder = std::env::temp_dir().join(format!("familiar-review-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub")).expect("it can be made");
        let file = folder.join("sub/d.json");
        let held = Lock::of(&file);
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let other = Lock::of(&folder.join("sub/../sub/d.json"));
                told.send(()).expect("somebody listens");
                drop(other);
            });
            assert!(heard.recv_timeout(Duration::from_millis(100)).is_err(), "it does not wait");
            drop(held);
            heard.recv_timeout(Duration::from_secs(60)).expect("it is free now");
        });
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}
