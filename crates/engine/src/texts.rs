//! The files that a result's fragments stand in, read once more for reports that show code.

use std::path::{Component, Path, PathBuf};

use familiar_detect::texts::source_text;
use familiar_report::{FragmentRow, SourceText, Sources};
use familiar_syntax::Limits;

/// Files below the folders that a stored result names.
pub(crate) struct Below {
    /// The folder of each root.
    pub(crate) folders: Vec<PathBuf>,
}

impl Sources for Below {
    fn source(&self, fragment: &FragmentRow) -> Result<SourceText, String> {
        let folder = self.folders.get(fragment.root as usize).ok_or("its tree is not known")?;
        let below = match &fragment.path_bytes {
            Some(bytes) => path_of(bytes),
            None => PathBuf::from(&*fragment.path),
        };
        // A result may come from anyone: nothing outside its trees is read.
        if !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err("its path leads out of the tree".to_owned());
        }
        let path = folder.join(below);
        let metadata = path.metadata().map_err(|error| error.to_string())?;
        if !metadata.is_file() {
            return Err("it is no longer a file".to_owned());
        }
        if metadata.len() > MOST_BYTES {
            return Err("it is too large to show".to_owned());
        }
        let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
        source_text(&bytes, fragment.language, Limits::default())
    }
}

/// Largest file of a stored result that is shown.
const MOST_BYTES: u64 = 64 << 20;

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes)).to_owned()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    Path::new(&*String::from_utf8_lossy(bytes)).to_owned()
}

/// Text with its tokens in a language, as a report shows it; or why it cannot be shown.
pub fn lexed(bytes: &[u8], language: &str, memory: usize) -> Result<SourceText, String> {
    source_text(bytes, language, Limits::of_memory(memory))
}
