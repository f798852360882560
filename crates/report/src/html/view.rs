//! What the pages show: a result of `familiar clones` or `familiar audit`, as far as both are alike, and what an audit adds.

use familiar_review::Decisions;

use crate::audit::AuditReport;
use crate::{ClassRow, CloneReport, FragmentRow, PairRow, PairSource, Settings, Sources, Summary, location};

/// A result to be shown.
pub struct ResultView<'r> {
    pub(super) settings: &'r Settings,
    pub(super) summary: &'r Summary,
    /// By file and start.
    pub(super) fragments: Vec<&'r FragmentRow>,
    /// By left and right fragment.
    pub(super) pairs: Pairs<'r>,
    pub(super) classes: &'r [ClassRow],
    pub(super) sources: &'r dyn Sources,
    pub(super) clones: Option<&'r CloneReport>,
    pub(super) audit: Option<&'r AuditReport>,
    pub(super) decisions: &'r Decisions,
}

/// Pairs that are enumerated, or that are there.
pub(super) enum Pairs<'r> {
    Source(&'r dyn PairSource),
    Audit(&'r AuditReport),
}

impl PairSource for Pairs<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> std::io::Result<()>) -> std::io::Result<()> {
        match self {
            Self::Source(source) => source.for_each(visit),
            Self::Audit(report) => report.pairs.iter().try_for_each(|pair| visit(&pair.pair)),
        }
    }
}

impl<'r> From<&'r CloneReport> for ResultView<'r> {
    fn from(report: &'r CloneReport) -> Self {
        Self {
            settings: &report.settings,
            summary: &report.summary,
            fragments: report.fragments.iter().collect(),
            pairs: Pairs::Source(&*report.pairs),
            classes: &report.classes,
            sources: &*report.sources,
            clones: Some(report),
            audit: None,
            decisions: &report.decisions,
        }
    }
}

impl<'r> From<&'r AuditReport> for ResultView<'r> {
    fn from(report: &'r AuditReport) -> Self {
        Self {
            settings: &report.settings,
            summary: &report.summary,
            fragments: report.fragments.iter().map(|fragment| &fragment.fragment).collect(),
            pairs: Pairs::Audit(report),
            classes: &report.classes,
            sources: &*report.sources,
            clones: None,
            audit: Some(report),
            decisions: &report.decisions,
        }
    }
}

impl ResultView<'_> {
    /// The path of a fragment's file: below the tree where there is one, otherwise behind its tree's or project's name.
    pub(super) fn path(&self, row: &FragmentRow) -> String {
        match (self.clones, self.audit) {
            (Some(report), _) if self.settings.roots.len() > 1 => location::as_given(report, row),
            (None, Some(report)) => report.path_in_pages(row),
            _ => row.path.to_string(),
        }
    }
}
