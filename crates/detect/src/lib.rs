//! Which fragments of these documents are clones?
//!
//! [`Search::read`] makes a collection of numbers of the documents ([`CloneOptions`] says how), and [`Search::report`] finds the
//! clones among them and reads the files that hold some once more. [`among`] does both for documents of one side, and [`in_trees`] for
//! trees. [`QuerySide`] reads what is looked for, and lets its caller choose meanwhile what it is compared with.
//!
//! ```
//! use familiar_files::dir::{self, WalkOptions};
//! use familiar_files::input::Input;
//! use familiar_detect::{CloneOptions, among, pool};
//! use familiar_source::Silent;
//!
//! let folder = tempfile::tempdir()?;
//! let code = "
//! def total(prices, taxes, discount):
//!     amount = 0
//!     for price, tax in zip(prices, taxes):
//!         amount += price * (1 + tax)
//!     if discount > amount:
//!         raise ValueError(discount)
//!     amount -= discount
//!     return round(amount, 2)
//! ";
//! std::fs::write(folder.path().join("one.py"), code)?;
//! std::fs::write(folder.path().join("two.py"), code)?;
//!
//! let paths = vec![folder.path().to_owned()];
//! let input = Input::of_files(dir::walk(&paths, &WalkOptions::default())?.documents);
//! let options = CloneOptions { paths, min_tokens: Some(30), ..CloneOptions::default() };
//! let report = among(&options, input, &pool(1)?, &Silent)?;
//! assert_eq!(report.classes[0].members.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `options` is what the user can ask, `search` the way of a search. `reading` says which files
//! count, and `ingest` is the first half: files to numbers. `fixture` says which files are kept
//! alike on purpose, `naming` what names say, `changed` which lines changed since a revision.
//! `matching` is the search itself, with `searches`
//! (which runs are looked for), `outside_functions` (what functions leave of runs), `copies` (which
//! fragments that are alike are copies) and `behavior` (vectors). `resolve` is the way back to
//! source. `rank` has the order of classes, `nest` which classes show lines that others show,
//! `baseline` what stays quiet. `summary` counts, `stream` gives every pair one after another, `trees` lists what is searched,
//! `explain` says what makes those of type 4 alike, `fragments` reads one text at a time for whoever
//! compares elsewhere, `texts` the text for reports that show code, `roots` says where trees lie, and
//! `overlap` which files several of them hold.
//! `live` keeps a tree in memory while its files change, and `whole` is what a search of a part of it
//! knows of the rest, with `parses` for what need not be parsed again. `memory` shares out `--memory`.

mod baseline;
mod behavior;
mod changed;
mod copies;
mod error;
mod explain;
mod fixture;
pub mod fragments;
mod ingest;
pub mod live;
mod matching;
mod memory;
mod naming;
mod nest;
mod options;
mod outside_functions;
pub mod overlap;
mod parses;
mod rank;
mod reading;
mod resolve;
pub mod roots;
mod search;
mod searches;
mod stream;
mod summary;
pub mod texts;
mod trees;
mod whole;

pub use baseline::Baseline;
pub use changed::ChangedError;
pub use error::{DetectError, TooMuch};
pub use fixture::is_fixture;
pub use ingest::ReadFile;
pub use options::{CloneOptions, OptionsError};
pub use search::{Against, QuerySide, Scope, Search, among, pool};
pub use trees::in_trees;
