//! A result: rows that are streamed to Python as Arrow, or as lines of JSON.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use familiar_columns::{Batches, Rows as Kind};
use familiar_report::{ClassRow, CloneReport, Format, FragmentRow, Style};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::error;

/// Bytes of lines that are handed over at once.
const CHUNK: usize = 256 << 10;

/// What the rows are made of.
#[derive(Clone)]
enum Source {
    /// Pairs are enumerated each time, since equal code has many.
    Clones(Arc<CloneReport>),
    Lines(Arc<[u8]>),
}

/// A class with all that its members are.
#[derive(serde::Serialize)]
struct Class<'r> {
    rank: u32,
    #[serde(rename = "type")]
    clone_type: u8,
    lines: u32,
    score: f64,
    fingerprint: &'r str,
    members: Vec<&'r FragmentRow>,
}

impl<'r> Class<'r> {
    fn all(report: &'r CloneReport) -> Vec<Self> {
        let fragment = |id: &u32| &report.fragments[*id as usize];
        let class = |class: &'r ClassRow| Class {
            rank: class.rank,
            clone_type: class.clone_type,
            lines: class.lines,
            score: class.score,
            fingerprint: &class.fingerprint,
            members: class.members.iter().map(fragment).collect(),
        };
        report.classes.iter().map(class).collect()
    }
}

/// A class, and what makes a value of it again.
type Reduced<'r> = (Py<PyAny>, (&'r str, Py<PyBytes>, &'r str));

/// The rows of a result.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Rows {
    kind: Kind,
    source: Source,
    /// What is known beside the rows, as JSON.
    #[pyo3(get)]
    about: String,
    len: OnceLock<usize>,
}

impl Rows {
    pub(crate) fn of_clones(report: CloneReport) -> Self {
        let about = serde_json::json!({"settings": &report.settings, "summary": &report.summary});
        let (kind, source) = (Kind::Clones, Source::Clones(Arc::new(report)));
        Self { kind, source, about: about.to_string(), len: OnceLock::new() }
    }

    pub(crate) fn of_lines(kind: Kind, lines: Vec<u8>, about: String) -> Self {
        Self { kind, source: Source::Lines(lines.into()), about, len: OnceLock::new() }
    }

    fn count(&self) -> io::Result<usize> {
        match &self.source {
            Source::Lines(lines) => Ok(lines.split_inclusive(|&byte| byte == b'\n').count()),
            Source::Clones(report) => {
                let mut count = 0;
                report.all_pairs.for_each(&mut |_| {
                    count += 1;
                    Ok(())
                })?;
                Ok(count)
            }
        }
    }
}

impl Source {
    /// Writes the rows as `--format ndjson` does.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Lines(lines) => out.write_all(lines),
            Self::Clones(report) => {
                let style = Style { color: false, width: 100, show: None };
                familiar_report::write(report, Format::Ndjson, style, out)
            }
        }
    }
}

#[pymethods]
impl Rows {
    /// Takes what `__reduce__` gave.
    #[new]
    fn new(kind: &str, lines: Vec<u8>, about: String) -> PyResult<Self> {
        let kind = Kind::from_name(kind);
        let kind = kind.ok_or_else(|| PyValueError::new_err("this is no result of Familiar"))?;
        Ok(Self::of_lines(kind, lines, about))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<Reduced<'_>> {
        let mut lines = Vec::new();
        py.detach(|| self.source.write(&mut lines)).map_err(|it| error::failed(py, it.to_string()))?;
        let class = py.get_type::<Self>().into_any().unbind();
        Ok((class, (self.kind.name(), PyBytes::new(py, &lines).unbind(), &self.about)))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        if let Some(&len) = self.len.get() {
            return Ok(len);
        }
        let len = py.detach(|| self.count()).map_err(|it| error::failed(py, it.to_string()))?;
        Ok(*self.len.get_or_init(|| len))
    }

    /// The classes of clones as JSON, by rank; of other results none.
    fn classes(&self, py: Python<'_>) -> PyResult<String> {
        let classes = match &self.source {
            Source::Clones(report) => py.detach(|| serde_json::to_string(&Class::all(report))),
            Source::Lines(_) => Ok("[]".to_owned()),
        };
        classes.map_err(|it| error::failed(py, it.to_string()))
    }

    /// The code of the fragment with this id, as far as it can still be read, and why it cannot.
    fn code(&self, py: Python<'_>, id: usize) -> (Option<String>, Option<String>) {
        let Source::Clones(report) = &self.source else {
            return (None, Some("it was stored without code".to_owned()));
        };
        let Some(fragment) = report.fragments.get(id) else {
            return (None, Some("it is not there".to_owned()));
        };
        match py.detach(|| report.sources.source(fragment)) {
            Ok(source) => {
                let from = (fragment.start_byte as usize).saturating_sub(source.shift as usize);
                let until = (fragment.end_byte as usize).saturating_sub(source.shift as usize);
                // From the beginning of its line, so that it is indented as it stands.
                let text = &source.text[..until.min(source.text.len())];
                let start = text[..from.min(text.len())]
                    .iter()
                    .rposition(|&byte| byte == b'\n')
                    .map_or(0, |at| at + 1);
                (Some(String::from_utf8_lossy(&text[start..]).into_owned()), None)
            }
            Err(error) => (None, Some(error.to_string())),
        }
    }

    /// The rows as a stream of record batches, in the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Who asks for another schema casts; the interface allows to ignore the request.
        drop(requested_schema);
        let reader = self.stream().map_err(|it| error::failed(py, it.to_string()))?;
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The rows as lines of JSON, some at a time.
    fn chunks(&self, py: Python<'_>) -> PyResult<Chunks> {
        let (send, receive) = sync_channel(1);
        let source = self.source.clone();
        let write = move || {
            let mut out = ChunkWriter { send, lines: Vec::new() };
            // Who reads may be gone.
            let _ = source.write(&mut out).and_then(|()| out.hand_over());
        };
        spawn(write).map_err(|it| error::failed(py, it.to_string()))?;
        Ok(Chunks { receive: Mutex::new(receive) })
    }
}

impl Rows {
    fn stream(&self) -> io::Result<Stream> {
        let (send, receive) = sync_channel(1);
        let (source, kind) = (self.source.clone(), self.kind);
        spawn(move || {
            let written = Batches::new(kind, |batch| send.send(Ok(batch)).map_err(io::Error::other));
            let written = written.map_err(io::Error::other).and_then(|mut batches| {
                source.write(&mut batches)?;
                batches.finish()
            });
            if let Err(error) = written {
                let _ = send.send(Err(ArrowError::ExternalError(Box::new(error))));
            }
        })?;
        Ok(Stream { schema: kind.schema(), receive })
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("familiar-rows".to_owned()).spawn(work).map(drop)
}

/// Batches as they come.
struct Stream {
    schema: SchemaRef,
    receive: Receiver<Result<RecordBatch, ArrowError>>,
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.receive.recv().ok()
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Whole lines, as they come.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Chunks {
    receive: Mutex<Receiver<Vec<u8>>>,
}

#[pymethods]
impl Chunks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let lines = py.detach(|| self.receive.lock().unwrap_or_else(PoisonError::into_inner).recv().ok());
        lines.map(|lines| PyBytes::new(py, &lines))
    }
}

/// Hands over whole lines.
struct ChunkWriter {
    send: SyncSender<Vec<u8>>,
    lines: Vec<u8>,
}

impl ChunkWriter {
    fn hand_over(&mut self) -> io::Result<()> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() { Ok(()) } else { self.send.send(lines).map_err(io::Error::other) }
    }
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lines.extend_from_slice(bytes);
        if self.lines.len() >= CHUNK && self.lines.ends_with(b"\n") {
            self.hand_over()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
