//! What can go wrong with the sandbox itself.

use crate::jail::JailError;
use std::io;

/// Why something could not be run. That a program fails is no error, but an [`Outcome`].
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The system cannot confine a program.
    #[error(
        "this system cannot confine programs: it has neither Landlock nor namespaces together with seccomp ({0}); \
         run elsewhere, or accept the risk with --unsandboxed"
    )]
    Unconfined(String),
    /// No toolchain of the language works here.
    #[error("there is no toolchain for {language}: {reason}")]
    NoToolchain {
        /// The language.
        language: &'static str,
        /// What was looked for.
        reason: String,
    },
    /// A folder for runs could not be made.
    #[error("a folder for running programs cannot be made: {0}")]
    Folder(#[source] io::Error),
    /// A process could not be started.
    #[error("a confined process cannot be started: {0}")]
    Start(#[source] io::Error),
    /// The confinement could not be prepared.
    #[error("the confinement cannot be prepared: {0}")]
    Jail(#[from] JailError),
    /// A server ended or fell silent.
    #[error("the server that runs programs has ended: {error}; it said: {said}")]
    ServerDied {
        /// What went wrong with the pipe.
        #[source]
        error: io::Error,
        /// The end of its standard error.
        said: String,
    },
}
