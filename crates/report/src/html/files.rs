//! The files that hold fragments.

use std::ops::Range;

use super::view::ResultView;

/// The files that hold fragments, as ranges of the fragments, which are ordered by file.
pub(crate) struct Files(Vec<u32>);

impl Files {
    pub(crate) fn of(report: &ResultView<'_>) -> Self {
        let fragments = &report.fragments;
        let file = |at: usize| (fragments[at].root, &fragments[at].path, &fragments[at].path_bytes);
        let starts = (0..fragments.len()).filter(|&at| at == 0 || file(at - 1) != file(at));
        Self(starts.map(|at| at as u32).chain([fragments.len() as u32]).collect())
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len() - 1
    }
}
