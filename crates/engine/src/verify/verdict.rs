//! What is asked of a run beside the source, and the answers.

use familiar_corpus::RowTests;
use familiar_source::Language;
use serde::Serialize;
use thiserror::Error;

/// The settings of a [`Verifier`](super::Verifier).
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// Run programs with the user's own rights where the system cannot confine them.
    pub unsandboxed: bool,
    /// Each program that has a test gets a process of its own: somebody else's transformation made it, and nobody trusts it.
    pub apart: bool,
    /// Seconds that a rewritten program may run; twice the time of a source where none are given.
    pub seconds: Option<u64>,
    /// Decides which inputs are made up.
    pub seed: u64,
    /// Programs that run at a time; 0: as many as the machine has processors.
    pub threads: usize,
}

/// A program with what its source says of tests.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub language: Language,
    pub code: &'a [u8],
    pub tests: Option<&'a RowTests>,
}

/// What a run beside the source says of a rewritten program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verified {
    /// It passes the test that its source passes.
    Passed,
    /// Both agree on enough inputs that were made up.
    Agreed,
    /// Both agree, on inputs that say little.
    WeaklyAgreed,
    /// It does something else.
    Failed,
    /// There is no test, and no input could be made up.
    NoTests,
    /// It was not run.
    #[default]
    NotRun,
}

impl Verified {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Agreed => "agreed",
            Self::WeaklyAgreed => "weakly agreed",
            Self::Failed => "failed",
            Self::NoTests => "no tests",
            Self::NotRun => "not run",
        }
    }

    /// Whether it says that the program is right, or nothing against it after a run.
    pub fn holds(self) -> bool {
        matches!(self, Self::Passed | Self::Agreed | Self::WeaklyAgreed)
    }
}

/// How much the inputs say that were made up. All functions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Inputs that both programs were given.
    pub inputs: usize,
    /// On how many of them the source ended normally.
    pub normal: usize,
    /// Different results of the source among these.
    pub results: usize,
    /// Mutants of the source that compile.
    pub mutants: usize,
    /// How many of these the inputs detect.
    pub detected: usize,
}

/// What is known of one rewritten program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub verified: Verified,
    /// Only where inputs were made up.
    pub evidence: Option<Evidence>,
    /// What is different, or why it was not run.
    pub reason: Option<String>,
}

impl Verdict {
    pub(super) fn of(verified: Verified) -> Self {
        Self { verified, ..Self::default() }
    }

    pub(super) fn not_run(reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::default() }
    }
}

/// Why programs cannot be run.
#[derive(Debug, Error)]
pub enum VerifyError {
    #[error("programs run in a sandbox of Linux only; leave out --verify")]
    System,
    #[cfg(target_os = "linux")]
    #[error(transparent)]
    Sandbox(#[from] familiar_sandbox::SandboxError),
}
