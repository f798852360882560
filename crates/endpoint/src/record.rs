//! The file of requests and replies: a line of JSON for each request that was answered.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::Value;

use crate::budget::Tokens;
use crate::question::{Key, Request, sorted};

/// A line has fewer bytes: a reply and its request are much shorter.
const MOST_LINE: u64 = 64 << 20;

/// Why the file of requests cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("cannot read the requests in {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write the reply to {}: {source}; what was answered before is kept, so free some space and run the same again", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: line {line} is damaged ({reason}); delete this line, and its request is made again", path.display())]
    Damaged { path: PathBuf, line: u64, reason: String },
    #[error("{} is in use by another run; wait until it has ended", path.display())]
    InUse { path: PathBuf },
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kept {
    /// The server's answer.
    Reply(Value),
    /// Why there is none that is of use.
    Failure(String),
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    sample: u64,
    request: Value,
    #[serde(default)]
    reply: Option<Value>,
    #[serde(default)]
    failure: Option<String>,
    /// What tries took that gave no reply.
    #[serde(default)]
    unused: Option<Tokens>,
}

/// What a line says: the request, what came of it, and what tries took that gave no reply.
type Known = (Request, Kept, Option<Tokens>);

/// Requests and what came of them. Where each stands is in memory, and the rest is on disk.
#[derive(Debug)]
pub(crate) struct Record {
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// None where there is no file and none is made.
    file: Option<File>,
    places: HashMap<Key, (u64, u64)>,
    end: u64,
}

impl Record {
    /// Opens the file, or makes it unless it is only read. `seen` is told of each request that stands in it. A last line that was not
    /// written to its end is cut off, since its request is made again.
    pub(crate) fn open(
        path: &Path,
        only_read: bool,
        seen: &mut dyn FnMut(&Request, &Kept, Option<Tokens>),
    ) -> Result<Self, RecordError> {
        let failed = |source| RecordError::Read { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        options.read(true);
        if !only_read {
            options.write(true).create(true).truncate(false);
        }
        let file = match options.open(path) {
            Err(error) if only_read && error.kind() == io::ErrorKind::NotFound => None,
            Err(source) if !only_read => return Err(RecordError::Write { path: path.to_owned(), source }),
            file => Some(file.map_err(failed)?),
        };
        if file.as_ref().is_some_and(|file| !file.metadata().is_ok_and(|it| it.is_file())) {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        let mut inner = Inner { file, places: HashMap::new(), end: 0 };
        if let Some(file) = &inner.file {
            if !only_read {
                lock(file, path)?;
            }
            let mut lines = BufReader::new(file);
            let mut text = Vec::new();
            for line in 1.. {
                text.clear();
                let read =
                    lines.by_ref().take(MOST_LINE).read_until(b'\n', &mut text).map_err(failed)? as u64;
                if read == MOST_LINE {
                    let reason = format!("it is longer than {MOST_LINE} bytes");
                    return Err(RecordError::Damaged { path: path.to_owned(), line, reason });
                }
                if !text.ends_with(b"\n") {
                    break;
                }
                if !text.trim_ascii().is_empty() {
                    let damaged = |reason| RecordError::Damaged { path: path.to_owned(), line, reason };
                    let (request, kept, unused) = read_line(&text).map_err(damaged)?;
                    seen(&request, &kept, unused);
                    // The first reply to a request counts.
                    inner.places.entry(request.key()).or_insert((inner.end, read));
                }
                inner.end += read;
            }
            if !only_read {
                file.set_len(inner.end).map_err(failed)?;
            }
        }
        Ok(Self { path: path.to_owned(), inner: Mutex::new(inner) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn knows(&self, key: &Key) -> bool {
        self.inner().places.contains_key(key)
    }

    /// What came of the request, where it was made.
    pub(crate) fn get(&self, key: &Key) -> Result<Option<Kept>, RecordError> {
        let inner = self.inner();
        let (Some(&(start, length)), Some(mut file)) = (inner.places.get(key), inner.file.as_ref()) else {
            return Ok(None);
        };
        let failed = |source| RecordError::Read { path: self.path.clone(), source };
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        file.take(length).read_to_end(&mut text).map_err(failed)?;
        let (_, kept, _) = read_line(&text).map_err(|reason| failed(io::Error::other(reason)))?;
        Ok(Some(kept))
    }

    /// Writes what came of a request, so that it is there after whatever happens next.
    pub(crate) fn add(
        &self,
        request: &Request,
        kept: &Kept,
        unused: Option<Tokens>,
    ) -> Result<(), RecordError> {
        let line = match kept {
            Kept::Reply(reply) => request.line("reply", reply, unused),
            Kept::Failure(reason) => request.line("failure", &Value::String(reason.clone()), unused),
        };
        let mut inner = self.inner();
        let end = inner.end;
        let Some(mut file) = inner.file.as_ref() else { return Ok(()) };
        let mut write = || {
            file.seek(SeekFrom::Start(end))?;
            file.write_all(line.as_bytes())?;
            file.sync_data()
        };
        if let Err(source) = write() {
            // A line that is not whole would be cut off later anyway.
            let _ = file.set_len(end);
            return Err(RecordError::Write { path: self.path.clone(), source });
        }
        let length = line.len() as u64;
        // As when the file is read: the first reply to a request counts.
        inner.places.entry(request.key()).or_insert((end, length));
        inner.end += length;
        Ok(())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock(file: &File, path: &Path) -> Result<(), RecordError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(RecordError::InUse { path: path.to_owned() }),
        // A file system without locks has one user.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn read_line(text: &[u8]) -> Result<Known, String> {
    let line: Line = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let kept = match (line.reply, line.failure) {
        (Some(reply), None) => Kept::Reply(reply),
        (None, Some(failure)) => Kept::Failure(failure),
        _ => return Err("it needs a reply or a failure".to_owned()),
    };
    Ok((Request { sample: line.sample, body: sorted(line.request) }, kept, line.unused))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use serde_json::json;

    fn request(text: &str) -> Request {
        Question::new(text).request(Some("m"), &[])
    }

    fn open(path: &Path) -> Result<(Record, usize), RecordError> {
        let mut seen = 0;
        Record::open(path, false, &mut |_, _, _| seen += 1).map(|record| (record, seen))
    }

    #[test]
    fn what_was_answered_is_there_after_a_torn_line() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("requests.jsonl");
        {
            let (record, _) = open(&path).expect("it is made");
            record.add(&request("a"), &Kept::Reply(json!({ "x": "1\n2" })), None).expect("it is written");
            record.add(&request("b"), &Kept::Failure("it broke".to_owned()), None).expect("it is written");
        }
        let whole = std::fs::read_to_string(&path).expect("it is there");
        std::fs::write(&path, format!("{whole}{}", &whole[..whole.len() / 3])).expect("can be written");
        let (record, seen) = open(&path).expect("it is read");
        assert_eq!((seen, std::fs::read_to_string(&path).expect("it is there")), (2, whole));
        let of = |text| record.get(&request(text).key()).expect("it is read");
        assert_eq!(of("a"), Some(Kept::Reply(json!({ "x": "1\n2" }))));
        assert_eq!(of("b"), Some(Kept::Failure("it broke".to_owned())));
        assert_eq!(of("c"), None);
        record.add(&request("c"), &Kept::Reply(json!(3)), None).expect("it is written");
        assert_eq!(of("c"), Some(Kept::Reply(json!(3))));
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("requests.jsonl");
        for text in ["{\"request\":1,\"reply\":2}\n\n{\n", "{\"request\":1,\"reply\":2}\n\n{\"request\":1}\n"]
        {
            std::fs::write(&path, text).expect("can be written");
            let error = open(&path).expect_err("line 3 is no request").to_string();
            assert!(error.contains("line 3 is damaged"), "{error}");
        }
    }

    #[test]
    fn two_runs_do_not_write_one_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("requests.jsonl");
        let first = open(&path).expect("it is made");
        assert!(matches!(open(&path), Err(RecordError::InUse { .. })));
        Record::open(&path, true, &mut |_, _, _| {}).expect("whoever only reads may");
        drop(first);
        open(&path).expect("nobody uses it any more");
    }
}
