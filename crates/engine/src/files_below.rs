//! The files that a result's fragments stand in, read once more for reports that show code.

use std::path::{Component, Path, PathBuf};

use familiar_detect::texts::source_text;
use familiar_report::{FragmentRow, NoText, SourceText, Sources};
use familiar_syntax::Limits;

/// Files below the folders that a stored result names.
pub(crate) struct Below {
    /// The folder of each root.
    pub(crate) folders: Vec<PathBuf>,
}

impl Sources for Below {
    fn source(&self, fragment: &FragmentRow) -> Result<SourceText, NoText> {
        let folder = self.folders.get(fragment.root as usize).ok_or(NoText::Tree)?;
        let below = match &fragment.path_bytes {
            Some(bytes) => path_of(bytes),
            None => PathBuf::from(&*fragment.path),
        };
        // A result may come from anyone: nothing outside its trees is read.
        if !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(NoText::Outside);
        }
        let path = folder.join(below);
        let metadata = path.metadata()?;
        if !metadata.is_file() {
            return Err(NoText::NoFile);
        }
        if metadata.len() > MOST_BYTES {
            return Err(NoText::TooLarge);
        }
        let bytes = std::fs::read(&path)?;
        source_text(&bytes, fragment.language, Limits::default())
    }
}

/// Largest file of a stored result that is shown.
const MOST_BYTES: u64 = 64 << 20;

fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes)).to_owned()
}

/// Text with its tokens in a language, as a report shows it.
pub fn lexed(bytes: &[u8], language: &str, memory: usize) -> Result<SourceText, NoText> {
    source_text(bytes, language, Limits::of_memory(memory))
}
