//! Evaluations, attacks and new programs.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use familiar_cli::calls::{self, CallError};
use familiar_columns::Rows as Kind;
use familiar_evaluate::attack::PairDetector;
use pyo3::prelude::*;

use crate::calls::Callback;
use crate::guest::Guest;
use crate::rows::Rows;
use crate::work::{Watch, run};

/// Functions that are detectors, each with the name by which words name it.
type Functions = Vec<(String, Py<PyAny>)>;

/// A result as JSON.
fn json(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> Result<String, CallError> {
    let mut out = Vec::new();
    write(&mut out).map_err(|error| CallError::Failed(error.to_string()))?;
    String::from_utf8(out).map_err(|error| CallError::Failed(error.to_string()))
}

/// `familiar evaluate pairs`, as JSON.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn evaluate_pairs(
    py: Python<'_>,
    words: Vec<OsString>,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    run(py, progress, move |watch| {
        let result = calls::evaluate_pairs(&words, watch)?;
        json(|out| result.write_json(out))
    })
}

/// `familiar evaluate retrieval`, as JSON.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn evaluate_retrieval(
    py: Python<'_>,
    words: Vec<OsString>,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    run(py, progress, move |watch| {
        let result = calls::evaluate_retrieval(&words, watch)?;
        json(|out| result.write_json(out))
    })
}

/// `familiar evaluate robustness`, as JSON.
#[pyfunction]
#[pyo3(signature = (words, functions, progress = None))]
pub(crate) fn evaluate_robustness(
    py: Python<'_>,
    words: Vec<OsString>,
    functions: Functions,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    with_guests(py, progress, functions, move |guests, watch| {
        let result = calls::evaluate_robustness(&words, guests, watch)?;
        json(|out| result.write_json(out))
    })
}

/// `familiar attack`, as JSON.
#[pyfunction]
#[pyo3(signature = (words, functions, progress = None))]
pub(crate) fn attack(
    py: Python<'_>,
    words: Vec<OsString>,
    functions: Functions,
    progress: Callback<'_, '_>,
) -> PyResult<String> {
    with_guests(py, progress, functions, move |guests, watch| {
        let result = calls::attack(&words, guests, watch)?;
        json(|out| result.write_json(out))
    })
}

/// Does `work` beside functions of Python.
fn with_guests<T: Send + 'static>(
    py: Python<'_>,
    progress: Callback<'_, '_>,
    functions: Functions,
    work: impl FnOnce(&[Arc<dyn PairDetector>], &Watch) -> Result<T, CallError> + Send + 'static,
) -> PyResult<T> {
    let guests: Vec<Arc<Guest>> =
        functions.into_iter().map(|(name, function)| Guest::new(name, function)).collect();
    let detectors: Vec<Arc<dyn PairDetector>> =
        guests.iter().map(|guest| Arc::clone(guest) as Arc<dyn PairDetector>).collect();
    Guest::around(py, &guests, || run(py, progress, move |watch| work(&detectors, watch)))
}

/// `familiar transform`. What stays as it is stands in `skipped`.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn transform(py: Python<'_>, words: Vec<OsString>, progress: Callback<'_, '_>) -> PyResult<Rows> {
    run(py, progress, move |watch| {
        let mut lines = Vec::new();
        let left_out = calls::transform(&words, watch, &mut |row| {
            serde_json::to_writer(&mut lines, row)?;
            lines.push(b'\n');
            Ok(())
        })?;
        let skipped: Vec<serde_json::Value> = left_out
            .into_iter()
            .map(|(path, reason)| serde_json::json!({"path": path, "reason": reason}))
            .collect();
        let about = serde_json::json!({"skipped": skipped});
        Ok(Rows::of_lines(Kind::Transformed, lines, about.to_string()))
    })
}
