//! What does an editor need to know of clones while somebody types?
//!
//! A server of the Language Server Protocol: [`run`] talks with one client over a [`Connection`], which [`stdio`] makes of standard
//! input and output. Whoever starts it says by [`Configure`] what the settings are.
//!
//! The server reads the folders of the editor once, and keeps them in memory ([`familiar_detect::live`]). After an edit it asks for the
//! clones of the one file that changed. It asks corpora about the functions of open files. It keeps nothing on the disk but decisions, in
//! a file that is replaced as a whole: whoever kills it loses nothing.
//!
//! # Files
//!
//! - **The conversation:** `wire` is the way in and out, `server` answers messages, with `server/configuration` for settings and folders
//!   of the client. `greeting` is what a client says of itself, `talk` the way to it, `documents` what is open, `text` its positions, `uri`
//!   the names of files.
//! - **The work:** `worker` is the thread that takes one job after another, `workspace` the tree and what else it knows, `folders` says
//!   which files the tree has. `findings` are the clones of a file, `closed` is what is shown of files that are not open, `elsewhere` what
//!   corpora know of its functions, `decide` keeps decisions, `settings` is what all of it follows.
//! - **The answers:** `answers` makes diagnostics, hovers and code actions, `commands` is what stands behind the actions.

mod answers;
mod closed;
mod commands;
mod decide;
mod documents;
mod elsewhere;
mod findings;
mod folders;
mod greeting;
mod server;
mod settings;
mod talk;
mod text;
mod uri;
mod wire;
mod worker;
mod workspace;

pub use server::{Ended, run};
pub use settings::{Configure, Scope, Settings, Severity};
pub use wire::{Connection, Incoming, MOST_BYTES, Outgoing, Writer, read_message, stdio};
