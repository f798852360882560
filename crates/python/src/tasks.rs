//! What the tasks of a cluster do with batches of rows.
#![expect(clippy::needless_pass_by_value, reason = "Python gives values")]

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, RecordBatch, StructArray};
use familiar_cli::calls;
use familiar_source::{Language, Silent};
use familiar_tasks::{self as tasks, Measure, TaskError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::calls::language;
use crate::error;

/// Rows in Arrow, for whoever takes `__arrow_c_array__`.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Batch(pub(crate) RecordBatch);

type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The rows, in the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        drop(requested_schema);
        let rows = StructArray::from(self.0.clone());
        let (array, schema) = to_ffi(&rows.to_data()).map_err(|it| error::failed(py, it.to_string()))?;
        let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
        Ok((schema, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }
}

/// The rows of an object that gives a batch.
pub(crate) fn rows(batch: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let (schema, array): Capsules<'_> = batch.call_method0("__arrow_c_array__")?.extract()?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold a schema and an array; whoever takes the array leaves an empty one behind, and the
    // schema is only read while its capsule lives.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        from_ffi(array, schema.as_ref())
    };
    let data = data.map_err(|it| error::input(batch.py(), format!("the batch cannot be read: {it}")))?;
    Ok(RecordBatch::from(StructArray::from(data)))
}

/// Does work on a batch while other threads of Python run.
pub(crate) fn on(
    batch: &Bound<'_, PyAny>,
    work: impl FnOnce(&RecordBatch) -> Result<RecordBatch, TaskError> + Send,
) -> PyResult<Batch> {
    let (py, rows) = (batch.py(), rows(batch)?);
    py.detach(|| work(&rows)).map(Batch).map_err(|it| cannot(py, &it))
}

/// The same, of work that need not give rows.
pub(crate) fn on_some(
    batch: &Bound<'_, PyAny>,
    work: impl FnOnce(&RecordBatch) -> Result<Option<RecordBatch>, TaskError> + Send,
) -> PyResult<Option<Batch>> {
    let (py, rows) = (batch.py(), rows(batch)?);
    Ok(py.detach(|| work(&rows)).map_err(|it| cannot(py, &it))?.map(Batch))
}

pub(crate) fn cannot(py: Python<'_>, it: &TaskError) -> PyErr {
    match it {
        TaskError::Setting(message) => error::usage(py, message.as_str()),
        it => error::input(py, it.to_string()),
    }
}

pub(crate) fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says of texts in which language they are, with the flags of `familiar clones`.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Files(Mutex<tasks::Files>);

#[pymethods]
impl Files {
    #[new]
    fn new(py: Python<'_>, words: Vec<OsString>) -> PyResult<Self> {
        let options = calls::options_of_texts(&words).map_err(|it| error::of_call(py, it))?;
        Ok(Self(Mutex::new(tasks::Files::new(&options))))
    }

    fn read(&self, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
        on(batch, |rows| lock(&self.0).read(rows))
    }
}

/// Reads the fragments of texts, with the flags of `familiar clones`.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Fragments(Mutex<tasks::Fragments>);

#[pymethods]
impl Fragments {
    /// Fragments come with their tokens in order where `sequences` are asked for, and with their bags elsewhere.
    #[new]
    #[pyo3(signature = (words, sequences = false))]
    fn new(py: Python<'_>, words: Vec<OsString>, sequences: bool) -> PyResult<Self> {
        let options = calls::options_of_texts(&words).map_err(|it| error::of_call(py, it))?;
        Ok(Self(Mutex::new(tasks::Fragments::new(&options, sequences))))
    }

    fn read(&self, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
        on(batch, |rows| lock(&self.0).read(rows))
    }
}

/// Makes bags of whole texts.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Samples(Mutex<tasks::Samples>);

#[pymethods]
impl Samples {
    #[new]
    fn new(py: Python<'_>, of: Option<&str>, strings: bool, memory: usize) -> PyResult<Self> {
        let language = of.map(|of| language(py, of)).transpose()?;
        Ok(Self(Mutex::new(tasks::Samples::new(language, strings, memory))))
    }

    fn read(&self, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
        on(batch, |rows| lock(&self.0).read(rows))
    }
}

/// Counts in how many bags each token stands.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Counts(Mutex<tasks::Counts>);

#[pymethods]
impl Counts {
    #[new]
    fn new(buckets: u32) -> Self {
        Self(Mutex::new(tasks::Counts::new(buckets)))
    }

    fn push(&self, batch: &Bound<'_, PyAny>) -> PyResult<Option<Batch>> {
        on_some(batch, |rows| lock(&self.0).push(rows))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Batch> {
        lock(&self.0).finish().map(Batch).map_err(|it| cannot(py, &it))
    }
}

fn measure(py: Python<'_>, name: &str, thresholds: &[f64]) -> PyResult<Measure> {
    Measure::new(name, thresholds).map_err(|it| cannot(py, &it))
}

fn order(of: &Bound<'_, PyAny>, is_whole: bool) -> PyResult<tasks::Order> {
    tasks::Order::of(&rows(of)?, is_whole).map_err(|it| cannot(of.py(), &it))
}

/// Makes keys of bags.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Keys(Mutex<tasks::Keys>);

#[pymethods]
impl Keys {
    /// `cut` says how many nodes there are, how many buckets at least, the elements of the largest bag that travels, how many rows of a
    /// key are compared with one another, and whether `order` has all tokens that stand in two bags. `order` holds rows of `number` (a
    /// token) and `count`. `asked` holds rows of `number` (a key) and `count` of another side, all of them where `sides` says so first;
    /// then it says whether these rows are what is searched.
    #[new]
    #[pyo3(signature = (name, thresholds, cut, sides, order, asked = None))]
    fn new(
        py: Python<'_>,
        name: &str,
        thresholds: Vec<f64>,
        cut: (u64, u32, u32, u32, bool),
        sides: Option<(bool, bool)>,
        order: &Bound<'_, PyAny>,
        asked: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (nodes, buckets, largest, cell, is_whole) = cut;
        let cut = tasks::Cut { nodes, buckets, largest, cell };
        let asked = match (asked, sides) {
            (Some(asked), Some((all, is_known))) => {
                Some(tasks::Asked::of(&rows(asked)?, all, is_known).map_err(|it| cannot(py, &it))?)
            }
            _ => None,
        };
        let order = self::order(order, is_whole)?;
        Ok(Self(Mutex::new(tasks::Keys::new(measure(py, name, &thresholds)?, order, cut, asked))))
    }

    fn push(&self, batch: &Bound<'_, PyAny>) -> PyResult<Option<Batch>> {
        on_some(batch, |rows| lock(&self.0).push(rows))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Batch> {
        lock(&self.0).finish().map(Batch).map_err(|it| cannot(py, &it))
    }
}

/// Counts how many rows each key has.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct KeyCounts(Mutex<tasks::KeyCounts>);

#[pymethods]
impl KeyCounts {
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        thresholds: Vec<f64>,
        is_whole: bool,
        buckets: u32,
        order: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let order = self::order(order, is_whole)?;
        Ok(Self(Mutex::new(tasks::KeyCounts::new(measure(py, name, &thresholds)?, order, buckets))))
    }

    fn push(&self, batch: &Bound<'_, PyAny>) -> PyResult<Option<Batch>> {
        on_some(batch, |rows| lock(&self.0).push(rows))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Batch> {
        lock(&self.0).finish().map(Batch).map_err(|it| cannot(py, &it))
    }
}

/// Fails where there is no such measure, or where a threshold is out of range.
#[pyfunction]
pub(crate) fn check_measure(py: Python<'_>, name: &str, thresholds: Vec<f64>) -> PyResult<()> {
    measure(py, name, &thresholds).map(drop)
}

/// Adds up what tasks counted: all that they counted at least so often.
#[pyfunction]
pub(crate) fn sums(least: u64, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
    on(batch, |rows| tasks::sums(least, rows))
}

/// Compares bags that share a key.
#[pyfunction]
pub(crate) fn links(name: &str, thresholds: Vec<f64>, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
    let measure = measure(batch.py(), name, &thresholds)?;
    on(batch, |rows| tasks::links(measure, rows))
}

/// Compares pairs of bags.
#[pyfunction]
pub(crate) fn verify(name: &str, thresholds: Vec<f64>, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
    let measure = measure(batch.py(), name, &thresholds)?;
    on(batch, |rows| tasks::verify(measure, rows))
}

/// Makes vectors of texts, with the flags of `familiar embed`.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Embedding {
    words: Vec<OsString>,
    language: Option<Language>,
}

#[pymethods]
impl Embedding {
    /// Texts are in the language `of` where their rows name none.
    #[new]
    fn new(py: Python<'_>, words: Vec<OsString>, of: Option<&str>) -> PyResult<Self> {
        calls::embed(&words, &[], &Silent).map_err(|it| error::of_call(py, it))?;
        let language = of.map(|of| language(py, of)).transpose()?;
        Ok(Self { words, language })
    }

    fn read(&self, batch: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let (py, rows) = (batch.py(), rows(batch)?);
        let texts = tasks::Texts::of(&rows, self.language).map_err(|it| cannot(py, &it))?;
        let made = py.detach(|| calls::embed(&self.words, &texts.taken, &Silent));
        let made = made.map_err(|it| error::of_call(py, it))?;
        texts.with_vectors(made.dimensions(), made.values()).map(Batch).map_err(|it| cannot(py, &it))
    }
}
