//! Which transformation does a language model design? The loop of Auto-SPT (Sections 4.1 and 4.2).
//!
//! [`run`] asks a model for one transformation after another, each with five example programs and with the list of those that stand. For each
//! it asks for several implementations: programs that read a program and print one. They run in the sandbox over programs with tests. The
//! reward of an implementation is the mean of A · L over these programs: A is 1 where what it prints is another program that passes
//! the tests, and L is how far a detector finds the two apart. The best implementation is kept in a folder, which `--set` of
//! `familiar transform` and `familiar attack` takes.
//!
//! All requests and replies are kept in `requests.jsonl` of the project's folder. A run that was killed asks only what was not answered,
//! and a run with the same requests gives the same bytes.
//!
//! # Files
//!
//! `options` are the settings. `draw` chooses example and validation programs, `prompts` has the words of requests, `described` and
//! `written` read replies, and `reward` runs implementations. `folder` writes what is kept, `result` is the account of it, and `work`
//! does one step after another.

mod described;
mod draw;
mod error;
mod folder;
mod options;
mod prompts;
mod result;
mod reward;
mod work;
mod written;

pub use error::DesignError;
pub use options::{DesignOptions, News};
pub use result::{Asked, DesignResult, Designed, Implementations};
pub use work::{forecast, run};
