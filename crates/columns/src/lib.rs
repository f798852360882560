//! Which columns does a result have?
//!
//! The rows of a result are those of `--format ndjson`: one JSON object on a line. [`Rows`] names the kinds of rows, each with its
//! schema in Arrow, and [`Batches`] makes record batches of the lines while they are written. A key that a schema lacks is an error, so
//! that no row loses anything.
//!
//! ```
//! use std::io::Write;
//! use familiar_columns::{Batches, Rows};
//!
//! let mut rows = 0;
//! let mut batches = Batches::new(Rows::Tokens, |batch| {
//!     rows += batch.num_rows();
//!     Ok(())
//! })?;
//! batches.write_all(b"{\"line\":1,\"column\":0,\"class\":\"keyword\",\"token\":\"if\"}\n")?;
//! batches.finish()?;
//! assert_eq!(rows, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `rows` has the schemas, `batches` the way from lines to batches.

mod batches;
mod rows;

pub use batches::Batches;
pub use rows::Rows;
