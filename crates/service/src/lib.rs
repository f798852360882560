//! Familiar as a server: REST, a web UI and the interface of agents over the corpora of one machine ([`serve`], [`speak`]).
//!
//! Looking code up is answered at once; everything long is a job, done by a process of its own ([`worker::run`]) and kept as a result
//! until somebody deletes it. What the server remembers stands in one SQLite file ([`Store`]). It computes no matches itself: jobs and
//! look-ups call `familiar-engine`.

mod agents;
mod caller;
mod connections;
mod finders;
mod identifier;
mod jobs;
mod libraries;
mod metrics;
mod peers;
mod problem;
mod results;
mod routes;
mod server;
mod store;
mod tasks;
pub mod tokens;
mod uploads;
pub mod worker;

pub use agents::{AgentOptions, ReadPolicies, speak};
pub use peers::{Peer, PeerError};
pub use server::{Options, ServeError, serve};
pub use store::{Store, StoreError};
