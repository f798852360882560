//! Which tokens and fragments does this text have? Bytes become tokens, fragments and normal forms, in every language.
//!
//! [`Parser::parse`] is the one way in: it picks the language's front end and gives the tokens and fragments of one
//! file. There are three kinds of front end with one output: the *fast path* (a generated lexer and a fragment finder
//! of our own), *tree-sitter* and the *generic* tokenizer. Nothing here fails on input: what cannot be read as code
//! still gives tokens. [`normal`] turns tokens into the symbols that everything after this crate works on.
//!
//! ```
//! use familiar_source::{FragmentKind, Language};
//! use familiar_syntax::{Parser, Want};
//!
//! let code = b"int twice(int number) { return 2 * number; }";
//! let mut parser = Parser::default();
//! let parsed = parser.parse(Language::C, code, Want { fragments: true, ..Want::default() });
//! let functions = parsed.fragments.iter().filter(|it| it.kind == FragmentKind::Function);
//! let names: Vec<&[u8]> = functions.map(|function| &code[function.name.range()]).collect();
//! assert_eq!(names, [b"twice"]);
//! ```
//!
//! # Files
//!
//! `parser` is the way in. `languages` has one file for each language, `finder` what the fragment
//! finders of the fast path share, `tree` (the only module that knows tree-sitter) and `generic`
//! the other two front ends. `regions` and `notebook` find code inside other files, `marks` code
//! that takes no part. `normal` renames symbols. Other modules say what a file is: `decode` its
//! encoding, `detect` its language, `guess` the language of a block without a name (by weights that
//! `examples/guess_learn.rs` learns), `generated` whether a program wrote it, `carried` whether it is a
//! library of others, `test_code` whether it tests other code. `lexed` is a text with its tokens, for reports.

pub mod carried;
pub mod decode;
pub mod detect;
pub mod finder;
mod front_end;
pub mod generated;
mod generic;
pub mod guess;
pub mod languages;
mod lexed;
mod marks;
pub mod normal;
mod notebook;
mod parser;
pub mod regions;
pub mod test_code;
#[cfg(feature = "trees")]
pub mod tree;

pub use front_end::{Confidence, FrontEnd, Limits, Output, Tokens, Want};
pub use lexed::lexed;
pub use parser::{Parsed, Parser};
