//! A result: rows that are streamed to Python as Arrow, or as lines of JSON.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use familiar_cli::calls::{CallError, Duplicates};
use familiar_columns::{Batches, Rows as Kind};
use familiar_report::{ClassRow, CloneReport, Format, FragmentRow, Style};
use familiar_source::Progress as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::error;
use crate::work::{TICK, Watch, fault, run};

/// Bytes of lines that are handed over at once.
const CHUNK: usize = 256 << 10;

/// What the rows are made of.
#[derive(Clone)]
enum Source {
    /// Pairs are enumerated each time, since equal code has many.
    Clones(Arc<CloneReport>),
    Duplicates(Arc<Duplicates>),
    Lines(Arc<[u8]>),
}

/// Two samples that are near-duplicates, with the columns of `--format csv`.
#[derive(serde::Serialize)]
struct Duplicate<'d> {
    id1: &'d str,
    id2: &'d str,
    set_jaccard: f64,
    multiset_jaccard: f64,
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

    pub(crate) fn of_duplicates(found: Duplicates, about: String) -> Self {
        let source = Source::Duplicates(Arc::new(found));
        Self { kind: Kind::Duplicates, source, about, len: OnceLock::new() }
    }

    /// What `work` makes of the rows, unless Ctrl-C ends it: it tells the watch how far it is.
    fn watched<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Source, &Watch) -> io::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let source = self.source.clone();
        run(py, None, move |watch| work(&source, watch).map_err(|error| CallError::Failed(error.to_string())))
    }
}

impl Source {
    fn count(&self, watch: &Watch) -> io::Result<usize> {
        let mut count = 0;
        let mut add = || {
            watch.advance(1);
            count += 1;
            Ok(())
        };
        match self {
            Self::Lines(lines) => return Ok(lines.split_inclusive(|&byte| byte == b'\n').count()),
            Self::Clones(report) => report.all_pairs.for_each(&mut |_| add())?,
            Self::Duplicates(found) => found.each_pair::<io::Error>(&mut |_| add())?,
        }
        Ok(count)
    }

    /// Writes the rows as `--format ndjson` does.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Lines(lines) => out.write_all(lines),
            Self::Clones(report) => {
                let style = Style { color: false, width: 100, show: None };
                familiar_report::write(report, Format::Ndjson, style, out)
            }
            Self::Duplicates(found) => found.each_pair(&mut |pair| {
                let id = |sample: u32| found.ids[sample as usize].as_str();
                let (id1, id2) = (id(pair.left), id(pair.right));
                let (set_jaccard, multiset_jaccard) = (pair.overlap.set, pair.overlap.multiset);
                serde_json::to_writer(&mut *out, &Duplicate { id1, id2, set_jaccard, multiset_jaccard })?;
                out.write_all(b"\n")
            }),
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
        let lines = self.watched(py, |source, watch| {
            let mut out = Watched { watch, lines: Vec::new() };
            source.write(&mut out)?;
            Ok(out.lines)
        })?;
        let class = py.get_type::<Self>().into_any().unbind();
        Ok((class, (self.kind.name(), PyBytes::new(py, &lines).unbind(), &self.about)))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        if let Some(&len) = self.len.get() {
            return Ok(len);
        }
        let len = self.watched(py, Source::count)?;
        Ok(*self.len.get_or_init(|| len))
    }

    /// The classes of clones as JSON, by rank; of other results none.
    fn classes(&self, py: Python<'_>) -> PyResult<String> {
        let classes = match &self.source {
            Source::Clones(report) => py.detach(|| serde_json::to_string(&Class::all(report))),
            Source::Duplicates(_) | Source::Lines(_) => Ok("[]".to_owned()),
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
        let work = move |send: &SyncSender<Sent<Vec<u8>>>| {
            let mut out = ChunkWriter { send, lines: Vec::new() };
            source.write(&mut out).and_then(|()| out.hand_over())
        };
        spawn(send, work).map_err(|it| error::failed(py, it.to_string()))?;
        Ok(Chunks { receive: Mutex::new(receive), ended: AtomicBool::new(false) })
    }
}

impl Rows {
    fn stream(&self) -> io::Result<Stream> {
        let (send, receive) = sync_channel(1);
        let (source, kind) = (self.source.clone(), self.kind);
        spawn(send, move |send| {
            let give = |batch| send.send(Sent::Some(batch)).map_err(io::Error::other);
            let mut batches = Batches::new(kind, give).map_err(io::Error::other)?;
            source.write(&mut batches)?;
            batches.finish()
        })?;
        Ok(Stream { schema: kind.schema(), receive, ended: false })
    }
}

/// What the thread that makes rows sends.
enum Sent<T> {
    Some(T),
    /// There are no more.
    End,
    /// There are more, and they cannot be made.
    Failed(String),
}

/// Does `work` on a thread of its own, and sends how it ended. Whoever reads may be gone by then.
fn spawn<T: Send + 'static>(
    send: SyncSender<Sent<T>>,
    work: impl FnOnce(&SyncSender<Sent<T>>) -> io::Result<()> + Send + 'static,
) -> io::Result<()> {
    let doing = move || {
        let end = match catch_unwind(AssertUnwindSafe(|| work(&send))) {
            Ok(Ok(())) => Sent::End,
            Ok(Err(error)) => Sent::Failed(error.to_string()),
            Err(panic) => Sent::Failed(fault(&*panic)),
        };
        let _ = send.send(end);
    };
    std::thread::Builder::new().name("familiar-rows".to_owned()).spawn(doing).map(drop)
}

/// What is said of a thread that sent no end.
const ENDED_EARLY: &str = "the rows ended early";

/// Batches as they come.
struct Stream {
    schema: SchemaRef,
    receive: Receiver<Sent<RecordBatch>>,
    ended: bool,
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let failed = match self.receive.recv() {
            Ok(Sent::Some(batch)) => return Some(Ok(batch)),
            Ok(Sent::Failed(error)) => Some(Err(ArrowError::ExternalError(error.into()))),
            Ok(Sent::End) => None,
            Err(_) => Some(Err(ArrowError::ExternalError(ENDED_EARLY.into()))),
        };
        self.ended = true;
        failed
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
    receive: Mutex<Receiver<Sent<Vec<u8>>>>,
    ended: AtomicBool,
}

#[pymethods]
impl Chunks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        if self.ended.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let receive = || self.receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK);
        let end = loop {
            match py.detach(receive) {
                Ok(Sent::Some(lines)) => return Ok(Some(PyBytes::new(py, &lines))),
                Ok(Sent::End) => break Ok(None),
                Ok(Sent::Failed(message)) => break Err(error::failed(py, message)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => break Err(error::failed(py, ENDED_EARLY)),
            }
        };
        self.ended.store(true, Ordering::Relaxed);
        end
    }
}

/// Holds lines, and ends where they are not wanted any more.
struct Watched<'w> {
    watch: &'w Watch,
    lines: Vec<u8>,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.watch.advance(0);
        self.lines.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hands over whole lines.
struct ChunkWriter<'s> {
    send: &'s SyncSender<Sent<Vec<u8>>>,
    lines: Vec<u8>,
}

impl ChunkWriter<'_> {
    fn hand_over(&mut self) -> io::Result<()> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() { Ok(()) } else { self.send.send(Sent::Some(lines)).map_err(io::Error::other) }
    }
}

impl Write for ChunkWriter<'_> {
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
