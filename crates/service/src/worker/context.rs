//! What every step of a job needs to know of it.

use std::path::Path;

use familiar_corpus::Limits;
use familiar_files::dir::WalkOptions;
use familiar_library::Reading;

use super::progress::Reporter;
use crate::tasks::Bounds;

/// A job that runs.
#[derive(Clone, Copy)]
pub(super) struct Context<'j> {
    /// Where its files lie.
    pub(super) folder: &'j Path,
    pub(super) bounds: Bounds,
    pub(super) progress: &'j Reporter,
}

impl Context<'_> {
    /// The bounds of the job, as bounds on reading sources.
    pub(super) fn reading(&self) -> Reading {
        let (default, bounds) = (Limits::default(), self.bounds);
        let limits = Limits {
            item_bytes: bounds.file.min(default.item_bytes),
            archive_bytes: bounds.unpacked,
            download_bytes: bounds.unpacked.min(default.download_bytes),
            archive_entries: 1_000_000,
            ..default
        };
        Reading { limits, threads: bounds.threads, memory: bounds.memory }
    }

    /// Which files of an upload are read: all of them.
    pub(super) fn walk(&self) -> WalkOptions {
        WalkOptions { threads: self.bounds.threads, no_ignore: true, ..WalkOptions::default() }
    }
}
