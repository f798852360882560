//! Bytes to tokens, fragments and normal forms, for every language.
//!
//! [`Parser::parse`] is the one way in: it picks the language's front end and gives the tokens and fragments of one
//! file. There are three kinds of front end with one output: the *fast path* (a generated lexer and a fragment finder
//! of our own), *tree-sitter* and the *generic* tokenizer. Nothing here fails on input: what cannot be read as code
//! still gives tokens. [`normal`] turns tokens into the symbols that everything after this crate works on.

pub mod decode;
pub mod detect;
pub mod finder;
mod front_end;
pub mod generated;
pub mod generic;
pub mod guess;
pub mod languages;
mod lexed;
pub mod marks;
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
