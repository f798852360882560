//! Numbers for Prometheus.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// Which requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    method: String,
    /// The route's pattern, never the path.
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PeerLabels {
    peer: String,
    /// answered or failed.
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfPeer {
    peer: String,
}

pub(crate) struct Metrics {
    registry: Registry,
    peers: Family<PeerLabels, Counter>,
    peer_seconds: Family<OfPeer, Histogram>,
    requests: Family<Labels, Counter>,
    seconds: Family<Route, Histogram>,
    queued: Gauge,
    running: Gauge,
    uploaded: Counter<u64, AtomicU64>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("familiar");
        let requests = Family::default();
        let seconds: Family<Route, Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.001, 2.0, 14)));
        let peers = Family::default();
        let peer_seconds: Family<OfPeer, Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.001, 2.0, 14)));
        registry.register("peer_requests", "Requests to peers", peers.clone());
        registry.register("peer_seconds", "Time to a peer's answer", peer_seconds.clone());
        let (queued, running, uploaded) = (Gauge::default(), Gauge::default(), Counter::default());
        registry.register("requests", "Requests answered", requests.clone());
        registry.register("request_seconds", "Time to an answer", seconds.clone());
        registry.register("jobs_queued", "Jobs that wait", queued.clone());
        registry.register("jobs_running", "Jobs that run", running.clone());
        registry.register("uploaded_bytes", "Bytes of uploads that were kept", uploaded.clone());
        Self { registry, peers, peer_seconds, requests, seconds, queued, running, uploaded }
    }

    pub(crate) fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let labels = Labels { method: method.to_owned(), route: route.to_owned(), status };
        self.requests.get_or_create(&labels).inc();
        self.seconds.get_or_create(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    pub(crate) fn peer(&self, peer: &str, answered: bool, took: Duration) {
        let outcome = if answered { "answered" } else { "failed" };
        self.peers.get_or_create(&PeerLabels { peer: peer.to_owned(), outcome }).inc();
        self.peer_seconds.get_or_create(&OfPeer { peer: peer.to_owned() }).observe(took.as_secs_f64());
    }

    pub(crate) fn uploaded(&self, bytes: u64) {
        self.uploaded.inc_by(bytes);
    }

    /// The numbers as text, with the jobs as they are now.
    pub(crate) fn text(&self, queued: u64, running: u64) -> Result<String, std::fmt::Error> {
        self.queued.set(queued.cast_signed());
        self.running.set(running.cast_signed());
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
