//! How a server is set up.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::HeaderName;

use crate::peers::Peer;

/// How a server is set up.
pub struct Options {
    /// Port 0 takes one that is free.
    pub listen: SocketAddr,
    /// Where the server keeps uploads, jobs, results and tokens.
    pub data: PathBuf,
    /// Where corpora with names live and new ones come to be; none where only `corpora` are served.
    pub home: Option<PathBuf>,
    /// Corpora by the names under which they are served.
    pub corpora: BTreeMap<String, PathBuf>,
    /// Whether corpora stay as they are.
    pub read_only: bool,
    /// Certificates and their key, in PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The header in which a proxy on this machine names whom it has signed in.
    pub proxy_header: Option<HeaderName>,
    /// Servers that hold other corpora, and how long each may take to answer.
    pub peers: Vec<Peer>,
    pub peer_timeout: Duration,
    /// How long a peer may take for its part of a job.
    pub peer_job_timeout: Duration,
    /// Hosts that `git:` sources may come from.
    pub hosts: Vec<String>,
    /// Threads that look code up, and threads of a job.
    pub threads: usize,
    /// Jobs that run at the same time; with none they wait for a start with more.
    pub jobs: usize,
    /// Bytes of memory for a job.
    pub memory: usize,
    /// Requests of one token in a second.
    pub rate: NonZeroU32,
    /// Unfinished jobs of one token.
    pub most_jobs: u64,
    /// Bytes of all uploads of one token, and bytes that one archive may unpack to.
    pub most_uploaded: u64,
    pub most_unpacked: u64,
    /// Bytes of all results of one token. A token that has them starts no jobs that leave more.
    pub most_kept: u64,
    /// Whether requests are logged, beside what goes wrong.
    pub log_requests: bool,
    /// Makes the process that does the job in a folder: one that calls [`crate::worker::run`].
    pub worker: Box<dyn Fn(&Path) -> std::process::Command + Send + Sync>,
}
