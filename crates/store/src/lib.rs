//! What is in a corpus, and since which generation? A corpus is a folder of Parquet tables, and the manifest says which of
//! them count.
//!
//! A writer ([`Writer`]) adds a *part*: the tables of one source, each in a file of its own. Nothing that it writes
//! counts until [`Writer::commit`] replaces the manifest, which happens at once or not at all; so a process that is
//! killed leaves the corpus as it was, and readers ([`Corpus`]) see one generation whatever a writer does. There is one
//! writer at a time. Any other tool can read the tables (`docs/formats/corpus.md`).
//!
//! ```
//! use familiar_store::tables::{SkipRow, Skips};
//! use familiar_store::{Corpus, Writer};
//!
//! let folder = tempfile::tempdir()?;
//! let mut writer = Writer::open(folder.path(), false)?;
//! let mut part = writer.part("a source")?;
//! part.skip(&SkipRow { path: "a.bin".to_owned(), reason: "binary".to_owned() })?;
//! writer.add(part.finish()?, 0);
//! writer.commit()?;
//!
//! let mut skips = Vec::new();
//! Corpus::open(folder.path())?.read::<Skips>(|_, row| skips.push(row.path))?;
//! assert_eq!(skips, ["a.bin"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `manifest` names what counts, `tables` has one file for each table. `writer` makes parts valid
//! at once, `part` writes the files of one. `corpus` reads one generation, `latest` what counts
//! where parts speak of the same things, `text_file` and `blob_texts` give content, `export` writes tables
//! for others, `readers` keeps files that somebody still reads.

mod blob_texts;
mod corpus;
mod error;
mod export;
mod latest;
mod manifest;
mod part;
mod readers;
pub mod tables;
mod text_file;
mod writer;

pub use corpus::{Corpus, Damage};
pub use error::StoreError;
pub use export::{Export, ExportFormat};
pub use latest::Keyed;
pub use manifest::{Manifest, Part, SegmentFile, SegmentKind, SourceEntry, TableFile};
pub use part::{PartWriter, SegmentFiles};
pub use text_file::TextFile;
pub use writer::Writer;
