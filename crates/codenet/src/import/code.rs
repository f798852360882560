//! The text of a submission, or where it lies.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_corpus::named;

/// Most bytes of a text.
const TEXT_BYTES: u64 = 64 << 20;

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
    /// The bytes of the text; or why there are none.
    pub(super) fn read(self) -> Result<Vec<u8>, String> {
        match self {
            Self::Missing => Err("it has no text".to_owned()),
            Self::Bytes(bytes) => Ok(bytes),
            Self::File(path) => read(&path),
            Self::Part { file, at, bytes } => {
                let mut text = vec![0; bytes];
                let read = file.read_exact_at(&mut text, at);
                read.map(|()| text).map_err(|error| format!("cannot read what was unpacked: {error}"))
            }
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
    if is_link {
        return Err("symbolic link, not followed".to_owned());
    }
    named::read(path, TEXT_BYTES).map_err(|error| format!("{}: {error}", path.display()))
}
