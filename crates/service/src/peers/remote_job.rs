//! A job at a peer, from this side: what is compared goes there, the peer compares it with its corpora, and an excerpt of these comes
//! back. Whatever happens, what was sent is taken away again.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{BROKEN, Client, Failed, TOO_LONG};

/// What a peer is to do.
#[derive(Clone, Debug)]
pub(crate) struct RemoteJob {
    /// Where such jobs are asked for.
    pub(crate) path: &'static str,
    /// The job but for what is compared.
    pub(crate) wanted: Value,
    /// Files that the job names, by the field that names them.
    pub(crate) files: Vec<(&'static str, Vec<PathBuf>)>,
    /// Where the excerpt goes, and the most bytes that it may have.
    pub(crate) into: PathBuf,
    pub(crate) most: u64,
    /// How long all of it may take.
    pub(crate) timeout: Duration,
    /// Set when the job here was ended.
    pub(crate) is_cancelled: Arc<AtomicBool>,
}

/// Between two looks at how far the peer is.
const LOOK: Duration = Duration::from_millis(250);

/// How long taking away what was sent may take.
const CLEARING: Duration = Duration::from_secs(5);

impl RemoteJob {
    /// Does it, as long as it takes.
    pub(super) fn run(&self, client: &Client) -> Result<(), Failed> {
        let mut left = Left::default();
        let outcome = self.send(client, &mut left);
        left.clear(client);
        if outcome.is_err() {
            let _ = std::fs::remove_file(&self.into);
        }
        outcome
    }

    fn send(&self, client: &Client, left: &mut Left) -> Result<(), Failed> {
        let end = Instant::now() + self.timeout;
        let mut wanted = self.wanted.clone();
        for (field, files) in &self.files {
            let mut ids = Vec::new();
            for file in files {
                ids.push(self.upload(client, file, end)?);
                left.uploads.extend(ids.last().cloned());
            }
            wanted[field] = json!(ids);
        }
        wanted["excerpt"] = json!(true);
        let job = loop {
            match client.post(self.path, &wanted, self.rest(end)?) {
                // Others of this server's jobs may be under way there.
                Err(failed) if failed.is_busy => self.wait(end, LOOK * 8)?,
                answer => break id(&answer?)?,
            }
        };
        left.job = Some(job.clone());
        let result = self.follow(client, &job, end)?;
        left.result = Some(result.clone());
        let path = format!("/api/v1/results/{result}/files/excerpt");
        let mut out = File::create(&self.into).map_err(|error| here(&error))?;
        let mut answer = client.download(&path, self.most, self.rest(end)?)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            self.rest(end)?;
            let read = answer
                .read(&mut buffer)
                .map_err(|_| Failed::gone(if answer.is_exceeded() { TOO_LONG } else { BROKEN }))?;
            if read == 0 {
                break;
            }
            out.write_all(&buffer[..read]).map_err(|error| here(&error))?;
        }
        Ok(())
    }

    fn upload(&self, client: &Client, file: &Path, end: Instant) -> Result<String, Failed> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let opened = File::open(file).map_err(|error| here(&error))?;
        let length = opened.metadata().map_err(|error| here(&error))?.len();
        let body = Body { file: opened, is_cancelled: &self.is_cancelled };
        id(&client.upload(&name, body, length, self.rest(end)?)?)
    }

    /// Waits until the job has ended; the result that it left.
    fn follow(&self, client: &Client, job: &str, end: Instant) -> Result<String, Failed> {
        let path = format!("/api/v1/jobs/{job}");
        loop {
            let now = client.get(&path, self.rest(end)?)?;
            match now["state"].as_str() {
                Some("queued" | "running") => self.wait(end, LOOK)?,
                Some("done") => return word(&now["result"]),
                Some("failed") => {
                    let reason = now["error"].as_str().unwrap_or_default();
                    let reason: String = reason.chars().filter(|c| !c.is_control()).take(200).collect();
                    return Err(Failed::refused(format!("its job failed: {reason}")));
                }
                Some("cancelled") => return Err(Failed::refused("its job was cancelled")),
                _ => return Err(Failed::gone("the state of its job cannot be read")),
            }
        }
    }

    /// How long it may take still.
    fn rest(&self, end: Instant) -> Result<Duration, Failed> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Failed::refused("the job here was ended"));
        }
        let rest = end.saturating_duration_since(Instant::now());
        if rest.is_zero() { Err(Failed::refused("its job took too long")) } else { Ok(rest) }
    }

    fn wait(&self, end: Instant, pause: Duration) -> Result<(), Failed> {
        std::thread::sleep(pause.min(self.rest(end)?));
        self.rest(end).map(drop)
    }
}

/// What this server has at the peer.
#[derive(Default)]
struct Left {
    uploads: Vec<String>,
    job: Option<String>,
    result: Option<String>,
}

impl Left {
    /// Takes it away, as far as that goes.
    fn clear(&self, client: &Client) {
        let job = self.job.iter().map(|id| format!("jobs/{id}"));
        let result = self.result.iter().map(|id| format!("results/{id}"));
        let uploads = self.uploads.iter().map(|id| format!("uploads/{id}"));
        let end = Instant::now() + CLEARING;
        for path in job.chain(result).chain(uploads) {
            let rest = end.saturating_duration_since(Instant::now());
            if rest.is_zero() || client.delete(&format!("/api/v1/{path}"), rest).is_err() {
                tracing::warn!("what was sent to a peer could not be deleted there");
                return;
            }
        }
    }
}

/// The identifier of what a peer made.
fn id(answer: &Value) -> Result<String, Failed> {
    word(&answer["id"])
}

/// An identifier, which will stand in addresses.
fn word(value: &Value) -> Result<String, Failed> {
    let id = value.as_str().filter(|id| crate::identifier::is_one(id));
    id.map(ToOwned::to_owned).ok_or_else(|| Failed::gone("its answer cannot be read"))
}

/// Why it goes no further on this side.
fn here(error: &io::Error) -> Failed {
    Failed::refused(format!("this server could not read or write a file: {}", error.kind()))
}

/// A file that is sent until nobody waits for it.
struct Body<'j> {
    file: File,
    is_cancelled: &'j AtomicBool,
}

impl Read for Body<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(io::Error::other("the job here was ended"));
        }
        self.file.read(buffer)
    }
}
