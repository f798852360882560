//! Familiar as a server: REST, a web UI and the interface of agents over the corpora of one machine ([`serve`], [`speak`]).
//!
//! Looking code up is answered at once; everything long is a job, done by a process of its own ([`worker::run`]) and kept as a result
//! until somebody deletes it. What the server remembers stands in one SQLite file ([`Store`]). It computes no matches itself: jobs call
//! `familiar_engine` and `familiar_audit`, and look-ups call `familiar_library`.
//!
//! # Files
//!
//! `server` starts and ends it, and `options` hold all limits (bytes of uploads, jobs at a time).
//! `state` is what all requests share. `connections` bounds the connections. `caller` says who asks
//! and what they may (`tokens`), and `rates` how often. `routes` has a file for each kind of thing.
//! `finders` are the threads that look code up, in `libraries`, which keeps corpora open as they are
//! now. Long work is a `tasks` task that `jobs` gives to a process of its own, `worker`, and `job` is
//! how far it is. Peers are asked before (`jobs::remote`), and what they know becomes corpora there
//! (`worker::peer_corpora`). `store` remembers what there is. `upload` and `results` say where it
//! lies, and `receive` writes uploads. `agents` speaks the Model Context Protocol (`tool_error` says why it has no answer), `peers` asks other
//! servers, `judging` is a server of its own, on which people judge pairs of a benchmark. `problem` is an error as JSON, and `metrics` are numbers for Prometheus.

mod agents;
mod caller;
mod connections;
mod error;
mod finders;
mod hidden;
mod identifier;
mod job;
mod jobs;
pub mod judging;
mod libraries;
mod metrics;
mod options;
mod peers;
mod problem;
mod rates;
mod receive;
mod results;
mod rooms;
mod routes;
mod server;
mod state;
mod store;
mod tasks;
pub mod tokens;
mod tool_error;
mod upload;
pub mod worker;

pub use agents::{AgentOptions, ReadPolicies, speak};
pub use error::ServeError;
pub use options::Options;
pub use peers::{Peer, PeerError};
pub use server::serve;
pub use store::{Store, StoreError};
