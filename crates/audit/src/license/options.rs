//! What is read of licenses, and how.

use familiar_corpus::Limits;
use familiar_files::dir::WalkOptions;

use crate::tree_declarations::MAX_FILE_BYTES;

/// Most files of one batch, and most of their bytes, for each thread.
pub(super) const BATCH_FILES: usize = 64;
const BATCH_BYTES: u64 = 16 << 20;

/// What is read, and how.
#[derive(Clone, Debug)]
pub struct LicenseOptions {
    /// Globs of what is left out, and whether `.gitignore` counts.
    pub walk: WalkOptions,
    pub limits: Limits,
    /// Whether the lines that say something are given, too.
    pub text: bool,
    /// Whether files come with their text, for pages that show it.
    pub page_text: bool,
    /// 0 for as many as there are cores.
    pub threads: usize,
    /// Bytes of files that each thread may hold at a time.
    pub batch_bytes: u64,
}

impl Default for LicenseOptions {
    fn default() -> Self {
        Self::within(familiar_source::memory::DEFAULT)
    }
}

impl LicenseOptions {
    /// Options that stay within a memory setting, in bytes.
    pub fn within(memory: usize) -> Self {
        let item_bytes = MAX_FILE_BYTES.min(familiar_source::memory::file_budget(memory) as u64);
        Self {
            walk: WalkOptions::default(),
            limits: Limits { item_bytes, ..Limits::default() },
            text: false,
            page_text: false,
            threads: 0,
            batch_bytes: BATCH_BYTES.min(familiar_source::memory::batch_budget(memory) as u64),
        }
    }
}
