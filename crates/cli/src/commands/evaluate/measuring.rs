//! The flags that all evaluations share.

use crate::common::{Threads, Watching, Writing};
use crate::formats::TextOrJson;
use crate::progress::Bar;

/// The common flags of what measures. All rows stay in memory, so that it has no `--memory`.
#[derive(clap::Args, Debug)]
pub(super) struct Measuring {
    #[command(flatten)]
    pub(super) writing: Writing<TextOrJson>,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    pub(super) threads: Threads,
}

impl Measuring {
    /// Shows that the work goes on.
    pub(super) fn begin(&self) -> Bar {
        let progress = self.watching.bar(self.writing.quiet());
        progress.begin("measuring");
        progress
    }
}
