//! The operations: flags in, rows out.

use std::borrow::Cow;
use std::ffi::OsString;

use familiar_cli::calls::{self, CallError, Text};
use familiar_columns::Rows as Kind;
use familiar_report::{Skipped, Summary, audit as audits};
use familiar_source::Language;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes};

use crate::error;
use crate::rows::Rows;
use crate::work::{Watch, run};

pub(crate) type Callback<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Runs the command line; `arguments` begin with the script that stands for the program. Tells the exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| familiar_cli::run_for(arguments))
}

/// `familiar clones` of paths.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn clones(py: Python<'_>, words: Vec<OsString>, progress: Callback<'_, '_>) -> PyResult<Rows> {
    let work = move |watch: &Watch| Ok(Rows::of_clones(calls::clones(&words, watch)?));
    run(py, progress, work)
}

/// `familiar clones` of texts: each with its name, its bytes and its language, which may be empty. What names a language that is not
/// known is left out.
#[pyfunction]
#[pyo3(signature = (words, texts, progress = None))]
pub(crate) fn clones_of(
    py: Python<'_>,
    words: Vec<OsString>,
    texts: Vec<(String, PyBackedBytes, String)>,
    progress: Callback<'_, '_>,
) -> PyResult<Rows> {
    let (mut taken, mut left_out) = (Vec::new(), Vec::new());
    for (name, bytes, of) in texts {
        let language = if of.trim().is_empty() { None } else { Some(calls::language(&of)) };
        if let Ok(language) = language.transpose() {
            taken.push(Text { name, bytes: bytes.to_vec(), language });
        } else {
            let reason = format!("the language {of} is not known");
            left_out.push(Skipped { root: 0, path: name, path_bytes: None, reason });
        }
    }
    run(py, progress, move |watch| {
        let mut report = calls::clones_of(&words, taken, watch)?;
        report.summary.skipped.extend(left_out);
        Ok(Rows::of_clones(report))
    })
}

/// `familiar audit` of paths, or of `code`.
#[pyfunction]
#[pyo3(signature = (words, code = None, progress = None))]
pub(crate) fn audit(
    py: Python<'_>,
    words: Vec<OsString>,
    code: Option<Vec<u8>>,
    progress: Callback<'_, '_>,
) -> PyResult<Rows> {
    run(py, progress, move |watch| {
        let report = calls::audit(&words, code, watch)?;
        let (mut lines, style, stamp) =
            (Vec::new(), audits::Style::default(), audits::Stamp::of_environment(None));
        let failed = |error: std::io::Error| CallError::Failed(error.to_string());
        audits::write(&report, audits::Format::Ndjson, style, stamp, &mut lines).map_err(failed)?;
        let about = serde_json::json!({
            "disclaimer": report.disclaimer,
            "settings": &report.settings,
            "against": &report.against,
            "summary": AuditSummary { clones: &report.summary, audit: &report.audit },
            "findings": &report.findings,
            "table": &report.table,
        });
        Ok(Rows::of_lines(Kind::Audit, lines, about.to_string()))
    })
}

/// An audit in numbers, as `familiar.audit/1` has it.
#[derive(serde::Serialize)]
struct AuditSummary<'r> {
    #[serde(flatten)]
    clones: &'r Summary,
    audit: &'r audits::AuditSummary,
}

/// `familiar license` of a path or a source.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn licenses(py: Python<'_>, words: Vec<OsString>, progress: Callback<'_, '_>) -> PyResult<Rows> {
    run(py, progress, move |watch| {
        let mut lines = Vec::new();
        let rest = calls::licenses(&words, watch, &mut |file| {
            serde_json::to_writer(&mut lines, file)?;
            lines.push(b'\n');
            Ok(())
        })?;
        let about = serde_json::json!({"packages": rest.packages, "skipped": rest.skipped});
        Ok(Rows::of_lines(Kind::Licenses, lines, about.to_string()))
    })
}

/// `familiar find` of paths, or of `code`.
#[pyfunction]
#[pyo3(signature = (words, code = None, progress = None))]
pub(crate) fn find(
    py: Python<'_>,
    words: Vec<OsString>,
    code: Option<Vec<u8>>,
    progress: Callback<'_, '_>,
) -> PyResult<Rows> {
    run(py, progress, move |watch| {
        let mut lines = Vec::new();
        calls::find(&words, code, watch, &mut lines)?;
        Ok(Rows::of_lines(Kind::Found, lines, "{}".to_owned()))
    })
}

/// `familiar corpus add`, which tells what was done as JSON.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn add(py: Python<'_>, words: Vec<OsString>, progress: Callback<'_, '_>) -> PyResult<String> {
    run(py, progress, move |watch| Ok(calls::add(&words, watch)?.to_string()))
}

/// The language of that name.
pub(crate) fn language(py: Python<'_>, name: &str) -> PyResult<Language> {
    calls::language(name).map_err(|it| error::of_call(py, it))
}

/// Fails where no language has this name.
#[pyfunction]
pub(crate) fn check_language(py: Python<'_>, name: &str) -> PyResult<()> {
    language(py, name).map(drop)
}

/// The text in some bytes. What is not UTF-8 is read as Latin-1, and what is no text gives None.
#[pyfunction]
pub(crate) fn text(bytes: &[u8]) -> Option<String> {
    familiar_tasks::utf8(bytes).ok().map(Cow::into_owned)
}

/// `familiar tokens` of a text.
#[pyfunction]
pub(crate) fn tokens(py: Python<'_>, words: Vec<OsString>, code: Vec<u8>, of: &str) -> PyResult<Rows> {
    let language = language(py, of)?;
    let lines = run(py, None, move |_| calls::tokens(&words, language, code))?;
    Ok(Rows::of_lines(Kind::Tokens, lines, "{}".to_owned()))
}

/// `familiar tree` of a text, as JSON.
#[pyfunction]
pub(crate) fn tree<'py>(
    py: Python<'py>,
    words: Vec<OsString>,
    code: Vec<u8>,
    of: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let language = language(py, of)?;
    Ok(PyBytes::new(py, &run(py, None, move |_| calls::tree(&words, language, code))?))
}

/// `familiar graph` of a text, as JSON.
#[pyfunction]
pub(crate) fn graph<'py>(
    py: Python<'py>,
    words: Vec<OsString>,
    code: Vec<u8>,
    of: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let language = language(py, of)?;
    Ok(PyBytes::new(py, &run(py, None, move |_| calls::graph(&words, language, code))?))
}

/// `familiar embed` of texts, each with its language: the numbers of a vector, and those of all vectors, row after row.
#[pyfunction]
#[pyo3(signature = (words, texts, progress = None))]
pub(crate) fn embed<'py>(
    py: Python<'py>,
    words: Vec<OsString>,
    texts: Vec<(PyBackedBytes, String)>,
    progress: Callback<'_, 'py>,
) -> PyResult<(usize, Bound<'py, PyByteArray>)> {
    let text = |(bytes, of): (PyBackedBytes, String)| Ok((language(py, &of)?, bytes.to_vec()));
    let texts = texts.into_iter().map(text).collect::<PyResult<Vec<_>>>()?;
    let vectors = run(py, progress, move |watch| calls::embed(&words, &texts, watch))?;
    let values = vectors.values();
    let bytes = PyByteArray::new_with(py, size_of_val(values), |bytes| {
        for (value, to) in values.iter().zip(bytes.chunks_exact_mut(size_of::<f32>())) {
            to.copy_from_slice(&value.to_ne_bytes());
        }
        Ok(())
    })?;
    Ok((vectors.dimensions(), bytes))
}

/// `familiar codenet duplicates` of data sets.
#[pyfunction]
#[pyo3(signature = (words, progress = None))]
pub(crate) fn duplicates(py: Python<'_>, words: Vec<OsString>, progress: Callback<'_, '_>) -> PyResult<Rows> {
    run(py, progress, move |watch| {
        let (found, clusters) = calls::duplicates(&words, watch)?;
        let id = |sample: u32| found.ids[sample as usize].as_str();
        let clusters: Vec<Vec<&str>> = clusters
            .iter()
            .map(|it| std::iter::once(it.representative).chain(it.members.iter().map(|it| it.sample)))
            .map(|samples| samples.map(id).collect())
            .collect();
        let stays = found.kept();
        let samples = || (0..).zip(&stays);
        let kept: Vec<&str> = samples().filter(|(_, stays)| **stays).map(|(sample, _)| id(sample)).collect();
        let dropped: Vec<u64> =
            samples().filter(|(_, stays)| !**stays).map(|(sample, _)| found.row(sample as usize)).collect();
        let about = serde_json::json!({
            "summary": {"samples": found.ids.len(), "clusters": clusters.len(), "kept": kept.len()},
            "clusters": clusters,
            "kept": kept,
            "dropped_rows": dropped,
            "skipped": found.skipped,
        });
        Ok(Rows::of_duplicates(found, about.to_string()))
    })
}
