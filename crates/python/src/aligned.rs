//! The shares of tasks in a search by the aligned measure.

use std::sync::Mutex;

use familiar_tasks::aligned as shares;
use pyo3::prelude::*;

use crate::tasks::{Batch, cannot, lock, on, on_some, rows};

/// Reads the shapes of nodes.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Shapes(Mutex<shares::Shapes>);

#[pymethods]
impl Shapes {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    fn of(&self, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
        on(batch, |rows| lock(&self.0).of(rows))
    }
}

fn tokens(batch: &Bound<'_, PyAny>) -> PyResult<shares::TokensOfFamilies> {
    shares::TokensOfFamilies::of(&rows(batch)?).map_err(|it| cannot(batch.py(), &it))
}

/// Counts in how many shapes each gram stands.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct GramCounts(Mutex<shares::GramCounts>);

#[pymethods]
impl GramCounts {
    /// `of_families` holds rows of `family` and `tokens`.
    #[new]
    fn new(buckets: u32, of_families: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(Mutex::new(shares::GramCounts::new(tokens(of_families)?, buckets))))
    }

    fn push(&self, batch: &Bound<'_, PyAny>) -> PyResult<Option<Batch>> {
        on_some(batch, |rows| lock(&self.0).push(rows))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Batch> {
        lock(&self.0).finish().map(Batch).map_err(|it| cannot(py, &it))
    }
}

/// Reads which grams of a shape are kept.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Grams(Mutex<shares::Grams>);

#[pymethods]
impl Grams {
    /// Grams go to so many `buckets`. `of_families` holds rows of `family` and `tokens`, and `counted` those of [`GramCounts`], summed.
    #[new]
    fn new(buckets: u32, of_families: &Bound<'_, PyAny>, counted: &Bound<'_, PyAny>) -> PyResult<Self> {
        let grams = shares::Grams::new(&tokens(of_families)?, &rows(counted)?, buckets);
        Ok(Self(Mutex::new(grams.map_err(|it| cannot(counted.py(), &it))?)))
    }

    fn push(&self, batch: &Bound<'_, PyAny>) -> PyResult<Option<Batch>> {
        on_some(batch, |rows| lock(&self.0).push(rows))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Batch> {
        lock(&self.0).finish().map(Batch).map_err(|it| cannot(py, &it))
    }
}

/// The pairs of shapes that keep one gram.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Meetings(Mutex<shares::Meetings>);

#[pymethods]
impl Meetings {
    /// Pairs go to so many `buckets`.
    #[new]
    fn new(similarity: f64, buckets: u32) -> Self {
        Self(Mutex::new(shares::Meetings::new(similarity, buckets)))
    }

    fn push(&self, batch: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, rows) = (batch.py(), rows(batch)?);
        py.detach(|| lock(&self.0).push(&rows)).map_err(|it| cannot(py, &it))
    }

    fn next_pairs(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let pairs = py.detach(|| lock(&self.0).next_pairs());
        Ok(pairs.map_err(|it| cannot(py, &it))?.map(Batch))
    }
}

/// Counts what shapes share, and brings candidates into the order in which they are compared.
#[pyfunction]
pub(crate) fn ranked(batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
    on(batch, shares::ranked)
}

/// Compares nodes of shapes with those of their candidates.
#[pyfunction]
pub(crate) fn compare(similarity: f64, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
    on(batch, |rows| shares::compare(similarity, rows))
}

/// Links nodes that are equal but for names and literals.
#[pyfunction]
pub(crate) fn same_forms(batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
    on(batch, shares::same_forms)
}
