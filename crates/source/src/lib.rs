//! What is a piece of code, and where did it come from? Languages, spans, lines, tokens, fragments, blobs and their
//! occurrences: the words that all other crates share.
//!
//! Nothing here reads, parses or compares; the crate holds plain values.
//!
//! ```
//! use familiar_source::{Language, LineIndex, Lines, Span};
//!
//! let code = "int one() {\n    return 1;\n}\n";
//! let lines = LineIndex::new(code.as_bytes()).lines(Span::new(0, 11));
//! assert_eq!(lines, Lines::new(1, 1));
//! assert_eq!(Language::from_name("java"), Some(Language::Java));
//! ```
//!
//! Two modules are here because every operation needs them: `progress` says how far it is, and
//! `memory` how much of `--memory` reading takes.

#[cfg(not(unix))]
compile_error!(
    "Familiar runs on Linux and macOS. On Windows, build it in the Windows Subsystem for Linux (WSL)"
);

mod blob;
mod fragment;
mod language;
mod lineage;
pub mod memory;
mod nicknames;
mod occurrence;
mod progress;
mod source_text;
mod span;
pub mod time;
mod token;
pub mod words;

pub use blob::{BlobId, InvalidBlobId};
pub use fragment::{Fragment, FragmentKind};
pub use language::{Family, Language};
pub use lineage::{Lineage, Project};
pub use nicknames::{language_called, language_named};
pub use occurrence::{Evidence, Occurrence, UnknownEvidence};
pub use progress::{Progress, Silent};
pub use source_text::SourceText;
pub use span::{LineIndex, Lines, Span};
pub use token::{Token, TokenClass, line_starts};
