//! How can this program look different and still do the same?
//!
//! A [`Transformation`] rewrites a program at some of its sites. Each checks its preconditions on what is
//! known of bindings and effects. Where something is not known, it refuses and says why. [`apply`] rewrites
//! sites together, and [`catalog`] lists all transformations and the named sets of them. The crate opens no
//! file and runs nothing.
//!
//! ```
//! use familiar_source::Language;
//! use familiar_transform::{Program, Where, apply, catalog};
//!
//! let code = "total = 0\nfor number in [1, 2, 3]:\n    total += number\nprint(total)\n";
//! let program = Program::parse(Language::Python, code.as_bytes(), usize::MAX)?;
//! let for_while = catalog::transformation("for-while").expect("it is in the catalogue");
//! let variant = apply(&program, for_while, Where::All, 7)?;
//! let text = String::from_utf8(variant.program.bytes())?;
//! assert!(text.contains("while") && !text.contains("for number"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `text` is a text with its tree, `program` adds what is known of its names, `strict` refuses what only a grammar takes, `lenient` reads what only a compiler takes, `outside` says which names come from elsewhere, `rewrite` the edits of a transformation, `choices` what a seed
//! decides, `apply` the way from sites to a new program, `sites` where that is. `transformation` is the trait, `refusal` why a site stays as it is, `comments` keeps what an edit would lose, `catalog` the list. `search` composes them against a detector, `walk` by chance, and
//! `diameter` says how far apart they can make two programs. `python` has what is known of Python (scopes, effects, types) and the transformations of it, one file
//! each. `braces` has the same for Java, C, C++, JavaScript, TypeScript and Go. `template` writes code that keeps pieces of the old.

mod apply;
mod braces;
pub mod catalog;
mod choices;
mod comments;
mod diameter;
mod lenient;
mod outside;
mod program;
mod python;
mod refusal;
mod rewrite;
mod search;
mod sites;
mod strict;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod transformation;
mod walk;

pub use apply::{ApplyError, Rewritten, Step, Variant, Where, apply, rewrite};
pub use choices::Choices;
pub use diameter::{Diameters, Distances, Members};
pub use program::{Program, ProgramError};
pub use refusal::Refusal;
pub use rewrite::{Edit, Piece};
pub use search::{Alone, Attack, SearchOptions, Similarity, search};
pub use sites::{Site, sites};
pub use text::Text;
pub use transformation::Transformation;
pub use walk::walk;
