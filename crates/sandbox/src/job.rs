//! What a sandbox is made for.

use crate::layers::Layers;
use crate::program::{Program, Test};
use familiar_source::Language;

/// The languages that are run, each where its toolchain is there.
pub const LANGUAGES: [Language; 6] =
    [Language::Python, Language::JavaScript, Language::C, Language::Cpp, Language::Java, Language::Go];

/// Whether programs may run on a system that cannot confine them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Policy {
    /// They are refused.
    #[default]
    Confined,
    /// All layers that this system and the given ones have in common, of which there must be enough.
    Only(Layers),
    /// They run with the user's own rights. Limits on time and output hold, and those of the kernel as far as they bind the user.
    Unsandboxed,
}

/// One program and its test.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program.
    pub program: Program,
    /// What it is asked to do.
    pub test: Test,
}
