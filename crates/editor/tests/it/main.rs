//! Conversations with the language server, over a connection in memory.

mod client;
mod corpora;
mod edits;
mod folders;
mod lifecycle;
