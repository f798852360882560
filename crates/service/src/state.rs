//! What all requests share.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::http::HeaderMap;
use tokio::sync::Semaphore;

use crate::error::ServeError;
use crate::finders::Finders;
use crate::hidden::Hidden;
use crate::jobs::{Jobs, RemoteJobs};
use crate::libraries::Libraries;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::peers::Peers;
use crate::problem::{Answer, Problem};
use crate::rates::Rates;
use crate::rooms::Rooms;
use crate::store::{Store, StoreError};
use crate::tasks::Bounds;

/// The options, the store, and the parts that answer.
pub(crate) struct Server {
    pub(crate) options: Options,
    pub(crate) store: Arc<Store>,
    pub(crate) libraries: Arc<Libraries>,
    pub(crate) finders: Arc<Finders>,
    pub(crate) peers: Arc<Peers>,
    pub(crate) jobs: Jobs,
    pub(crate) rates: Rates,
    pub(crate) metrics: Arc<Metrics>,
    /// One for each stream of events that may be open.
    pub(crate) streams: Arc<Semaphore>,
    /// One for each upload that may be under way, and how much each owner has with them.
    pub(crate) receiving: Semaphore,
    pub(crate) rooms: Rooms,
}

/// Streams of events that may be open at a time; uploads that may be under way.
const STREAMS: usize = 256;
const RECEIVING: usize = 32;

impl Server {
    pub(crate) fn new(mut options: Options, store: Store) -> Result<Self, ServeError> {
        let store = Arc::new(store);
        let libraries = Arc::new(Libraries::new(options.home.clone(), std::mem::take(&mut options.corpora)));
        let finders = Arc::new(Finders::new(options.threads, options.memory, &libraries)?);
        let worker =
            std::mem::replace(&mut options.worker, Box::new(|_| std::process::Command::new("false")));
        let peers = Arc::new(Peers::new(&options.peers, options.peer_timeout)?);
        let metrics = Arc::new(Metrics::new());
        let remote = RemoteJobs {
            peers: Arc::clone(&peers),
            metrics: Arc::clone(&metrics),
            timeout: options.peer_job_timeout,
        };
        let hidden = Hidden::new(&options.data, &libraries);
        let jobs = Jobs::new(Arc::clone(&store), &options.data, options.jobs, remote, hidden, worker)?;
        Ok(Self {
            finders,
            peers,
            jobs,
            rates: Rates::new(options.rate),
            metrics,
            streams: Arc::new(Semaphore::new(STREAMS)),
            receiving: Semaphore::new(RECEIVING),
            rooms: Rooms::default(),
            store,
            libraries,
            options,
        })
    }

    /// Whether who asks from `peer` need not sign in: nobody has ever had a token, and the connection comes from this machine itself.
    pub(crate) fn is_open(&self, peer: IpAddr, headers: &HeaderMap) -> Result<bool, StoreError> {
        let forwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
        let is_forwarded = forwarded.iter().any(|name| headers.contains_key(*name));
        let is_here = self.options.listen.ip().is_loopback() && peer.is_loopback() && !is_forwarded;
        Ok(is_here && self.options.proxy_header.is_none() && !self.store.had_tokens()?)
    }

    /// The bounds of a job.
    pub(crate) fn bounds(&self) -> Bounds {
        let Options { threads, memory, most_unpacked, .. } = self.options;
        Bounds { threads, memory, unpacked: most_unpacked, file: 64 << 20 }
    }

    /// The folder of a corpus that is served.
    pub(crate) fn corpus(&self, name: &str) -> Answer<PathBuf> {
        self.libraries.folder(name).ok_or_else(|| Problem::not_found("corpus"))
    }
}
