//! The text of a submission, or where it lies.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_files::named;
use familiar_source::words::size;

use crate::table::ROW_BYTES;

/// The text of a submission, or where it lies.
#[derive(Clone, Debug, Default)]
pub(super) enum Code {
    /// Nowhere.
    #[default]
    Missing,
    Bytes(Vec<u8>),
    File(PathBuf),
    /// So many bytes of a file that the import made.
    Part {
        file: Arc<File>,
        at: u64,
        bytes: usize,
    },
}

impl Code {
    /// Gives to `add` what tells whether the text is the same.
    pub(super) fn hash(&self, add: &mut impl FnMut(&[u8])) {
        match self {
            Self::Missing => {}
            Self::Bytes(bytes) => add(bytes),
            Self::File(path) => {
                add(path.as_os_str().as_encoded_bytes());
                if let Ok(known) = path.metadata() {
                    add(&known.len().to_le_bytes());
                    add(&known.mtime().to_le_bytes());
                    add(&known.mtime_nsec().to_le_bytes());
                }
            }
            Self::Part { bytes, .. } => add(&bytes.to_le_bytes()),
        }
    }

    /// The bytes of the text, of which there may be `most`; or why there are none.
    pub(super) fn read(self, most: u64) -> Result<Vec<u8>, String> {
        match self {
            Self::Missing => Err("it has no text".to_owned()),
            Self::Bytes(bytes) if bytes.len() as u64 > most => Err(too_large(most)),
            Self::Part { bytes, .. } if bytes as u64 > most => Err(too_large(most)),
            Self::Bytes(bytes) => Ok(bytes),
            Self::File(path) => read(&path, most),
            Self::Part { file, at, bytes } => {
                let mut text = vec![0; bytes];
                let read = file.read_exact_at(&mut text, at);
                read.map(|()| text).map_err(|error| format!("cannot read what was unpacked: {error}"))
            }
        }
    }
}

fn too_large(most: u64) -> String {
    // No memory lets a text be larger than a row may be.
    let advice = if most < ROW_BYTES { ": give more by --memory" } else { "" };
    format!("its text is larger than {}{advice}", size(most))
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
    if is_link {
        return Err("symbolic link, not followed".to_owned());
    }
    named::read(path, most).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(most),
        _ => format!("{}: {error}", path.display()),
    })
}
