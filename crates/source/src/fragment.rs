//! A fragment: a stretch of a file that can be a clone.

use crate::{Lines, Span};

/// How a fragment is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum FragmentKind {
    /// The whole file.
    File,
    /// Class, struct, trait, interface, enum with a body, impl, module or namespace.
    Class,
    /// Function, method, constructor, nested or arrow function.
    Function,
    /// A body of at least three statements inside a function.
    Block,
    /// A run of tokens that respects no boundary.
    Run,
}

impl FragmentKind {
    pub const ALL: [Self; 5] = [Self::File, Self::Class, Self::Function, Self::Block, Self::Run];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Class => "class",
            Self::Function => "function",
            Self::Block => "block",
            Self::Run => "run",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A fragment of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    pub kind: FragmentKind,
    /// Bytes of the name in the file; empty for what has none.
    pub name: Span,
    pub bytes: Span,
    pub lines: Lines,
    /// Positions in the file's token stream.
    pub tokens: Span,
}
