//! `familiar serve`: the whole path through the real program, and what people try against it.

mod access;
mod agents;
mod attacks;
mod decisions;
mod path;
mod peer_jobs;
mod peers;
mod server;
