//! Peers: other servers that hold other corpora.
//!
//! A peer is asked at the same time as all others and for so long only; one that fails again and again is left in peace for a while. What it
//! says is checked for its form, bounded in size and never followed elsewhere. A request that comes from a peer asks no peers.
//!
//! `client` asks one peer, `form` checks what it says, `merge` makes one answer of several,
//! `remote_job` is a job at a peer.

mod client;
mod form;
mod merge;
mod remote_job;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use familiar_http::ClientError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

pub use client::{Peer, PeerError};
pub(crate) use merge::{Part, merge};

use crate::metrics::Metrics;
use client::{Client, Failed, HEADER};
pub(crate) use remote_job::RemoteJob;

/// Between a peer's name and its corpus's; no corpus here has it in its name.
const BETWEEN: char = '/';

/// Failures in a row after which a peer is left in peace, and for how long.
const FAILURES: u32 = 3;
const PEACE: Duration = Duration::from_secs(10);

/// Requests to one peer that may be under way.
const AT_ONCE: usize = 32;

/// A peer that did not answer, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Unanswered {
    pub(crate) peer: String,
    pub(crate) reason: String,
}

/// Why a peer gave no answer.
#[derive(Debug, thiserror::Error)]
enum NoAnswer {
    #[error("it is not a peer")]
    Unknown,
    #[error("it failed again and again, and is asked again in some seconds")]
    Resting,
    #[error("{AT_ONCE} requests to it are running already")]
    Busy,
    /// What [`Failed`] says.
    #[error("{0}")]
    Failed(String),
}

/// All peers, by their names.
pub(crate) struct Peers {
    known: BTreeMap<String, Arc<Known>>,
}

struct Known {
    client: Client,
    failures: AtomicU32,
    /// Until when it is not asked.
    rests: Mutex<Option<Instant>>,
    room: Semaphore,
}

impl Peers {
    pub(crate) fn new(peers: &[Peer], timeout: Duration) -> Result<Self, ClientError> {
        let known = |peer: &Peer| {
            let known = Known {
                client: Client::new(peer, timeout)?,
                failures: AtomicU32::new(0),
                rests: Mutex::new(None),
                room: Semaphore::new(AT_ONCE),
            };
            Ok::<_, ClientError>((peer.name.clone(), Arc::new(known)))
        };
        Ok(Self { known: peers.iter().map(known).collect::<Result<_, _>>()? })
    }

    /// The peers that a request may make this server ask: none where it comes from a server itself.
    pub(crate) fn names(&self, headers: &HeaderMap) -> Vec<String> {
        if headers.contains_key(HEADER) { Vec::new() } else { self.known.keys().cloned().collect() }
    }

    /// The peer and its corpus that `name` stands for, if any that this request may ask.
    pub(crate) fn split<'n>(&self, name: &'n str, headers: &HeaderMap) -> Option<(&'n str, &'n str)> {
        let (peer, corpus) = name.split_once(BETWEEN)?;
        (self.known.contains_key(peer) && !headers.contains_key(HEADER)).then_some((peer, corpus))
    }

    /// How a peer's corpus is called here.
    pub(crate) fn join(peer: &str, corpus: &str) -> String {
        format!("{peer}{BETWEEN}{corpus}")
    }

    /// What the peer answers to a request with or without a body.
    pub(crate) async fn ask(
        &self,
        metrics: &Metrics,
        peer: &str,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, Unanswered> {
        let path = path.to_owned();
        self.tried(metrics, peer, move |client| client.ask(&path, body.as_ref())).await
    }

    /// Has a peer do something that takes long.
    pub(crate) async fn run(&self, metrics: &Metrics, peer: &str, job: RemoteJob) -> Result<(), Unanswered> {
        self.tried(metrics, peer, move |client| job.run(client)).await
    }

    async fn tried<T: Send + 'static>(
        &self,
        metrics: &Metrics,
        peer: &str,
        work: impl FnOnce(&Client) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, Unanswered> {
        let start = Instant::now();
        let answer = match self.known.get(peer) {
            Some(known) => known.tried(work).await,
            None => Err(NoAnswer::Unknown),
        };
        metrics.peer(peer, answer.is_ok(), start.elapsed());
        answer.map_err(|error| {
            let reason = error.to_string();
            tracing::warn!(peer, reason, "a peer did not answer");
            Unanswered { peer: peer.to_owned(), reason }
        })
    }
}

impl Known {
    async fn tried<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Client) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, NoAnswer> {
        if let Some(until) = *self.rests.lock().unwrap_or_else(PoisonError::into_inner)
            && Instant::now() < until
        {
            return Err(NoAnswer::Resting);
        }
        let Ok(_room) = self.room.try_acquire() else {
            return Err(NoAnswer::Busy);
        };
        let known = Arc::clone(self);
        let asked = tokio::task::spawn_blocking(move || work(&known.client)).await;
        let answer = asked.unwrap_or_else(|_| Err(Failed::gone("asking it failed")));
        match answer {
            Ok(value) => {
                self.failures.store(0, Ordering::Relaxed);
                Ok(value)
            }
            Err(failed) => {
                // One that refuses is there.
                if failed.is_gone && self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= FAILURES {
                    // After its rest one more failure is enough.
                    self.failures.store(FAILURES - 1, Ordering::Relaxed);
                    *self.rests.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + PEACE);
                }
                Err(NoAnswer::Failed(failed.reason))
            }
        }
    }
}
