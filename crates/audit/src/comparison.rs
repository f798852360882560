//! What the comparison of PATH with the corpora found, before it is judged.

use std::sync::Arc;

use familiar_files::input::Input;
use familiar_report::{CloneReport, FragmentRow};

use crate::options::AuditOptions;
use crate::places::{KeptDocument, Libraries};

/// PATH compared with the corpora, to be judged.
pub(crate) struct Comparison<'a> {
    pub(crate) options: &'a AuditOptions,
    pub(crate) libraries: &'a Libraries,
    pub(crate) documents: Vec<Option<KeptDocument>>,
    /// How many of the roots are PATH's.
    pub(crate) audited: u32,
    pub(crate) report: CloneReport,
    pub(crate) input: Arc<Input>,
}

impl Comparison<'_> {
    pub(crate) fn fragment(&self, id: u32) -> &FragmentRow {
        &self.report.fragments[id as usize]
    }
}
