//! How programs run that are transformations, and why one leaves a program as it is.

use serde::Serialize;

/// How programs run that are transformations.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// With the user's own rights where the system cannot confine them.
    pub unsandboxed: bool,
    /// Programs that run at a time; 0: as many as the machine has processors.
    pub threads: usize,
}

/// Why a program that is a transformation leaves a program as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// It raises an exception, or ends with an exit code other than 0.
    Fails,
    /// It takes longer than it may.
    TooSlow,
    /// The kernel ends it, for want of memory or because it did what it may not.
    Killed,
    /// It writes more than it may, to standard output or to files.
    TooMuch,
    PrintsNothing,
    /// What it prints is not a program that the grammar allows.
    PrintsNoProgram,
    /// What it prints is the same program, but for blanks at the ends of lines and blank lines at the end.
    PrintsTheSame,
    /// It could not be run at all.
    CannotRun,
}

impl Trouble {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Fails => "the program of the transformation fails",
            Self::TooSlow => "the program of the transformation takes too long",
            Self::Killed => {
                "the program of the transformation is killed: it needs too much memory, or does what it may not"
            }
            Self::TooMuch => "the program of the transformation writes too much",
            Self::PrintsNothing => "the program of the transformation prints nothing",
            Self::PrintsNoProgram => "what the program of the transformation prints is no program",
            Self::PrintsTheSame => "the program of the transformation prints the same program",
            Self::CannotRun => "the program of the transformation cannot be run",
        }
    }
}
