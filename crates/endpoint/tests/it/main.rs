//! A language model behind a server on this machine.

mod chat;
#[path = "../../../encoders/tests/it/server/mod.rs"]
mod server;
