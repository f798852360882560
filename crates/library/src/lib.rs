//! What is in the corpora, and who has this code? Filling, changing and asking corpora that last.
//!
//! ```
//! use familiar_files::dir::WalkOptions;
//! use familiar_corpus::{Limits, spec};
//! use familiar_library::{AddOptions, FindOptions, Library, QueryReader, Reading, add};
//! use familiar_source::Silent;
//!
//! let dir = tempfile::tempdir()?;
//! let code = "def area(width, height):\n    size = width * height\n    return size + 1\n".repeat(20);
//! let (project, folder) = (dir.path().join("project"), dir.path().join("corpus"));
//! std::fs::create_dir(&project)?;
//! std::fs::write(project.join("area.py"), &code)?;
//!
//! let name = spec::canonical(&project.to_string_lossy())?;
//! let sources = vec![(name.clone(), spec::source(&name, &WalkOptions::default())?)];
//! let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
//! let (base, exclude) = (Default::default(), Vec::new());
//! add(&AddOptions { folder: folder.clone(), sources, base, exclude, text: true, reading }, &Silent)?;
//!
//! let asked = QueryReader::new(1 << 30).read("copy.py", code.as_bytes(), None, None)?;
//! let report = Library::open(&folder)?.find(&asked, &FindOptions::default())?;
//! assert_eq!(report.blobs[0].found.occurrences[0].path, "area.py");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! - **Filling:** `add` takes sources, `source_reader` reads one of them, `prefetch` fetches others
//!   meanwhile, `parse` reads one blob, `known_blobs` knows which blobs are there, `segments` makes what
//!   is looked up, `outcome` says what became of sources, `vectors` makes the vectors of functions part by
//!   part, `memory` says how much memory all this takes.
//! - **Changing:** `update`, `remove`, `merge`, `rebuild`. `opening` opens a corpus for them.
//! - **Asking:** `library` is a corpus that is open for questions. `find` answers who has some
//!   code, for a `query` that is read as the corpus was, and `find_options` says what counts as a
//!   result. `behavior` finds code that does the same by its vectors, and `explain` says why. `witnesses` says where a blob
//!   stands, `families` which projects are forks, `versions` which blobs are one file, `origin` who
//!   was first. `licenses` says under which license code stands: `blob_licenses` what a blob says itself,
//!   `license_files` which files of its project speak for it, and when, `detected` what license files
//!   said when the corpus took them, `license_text` how their content is kept. `license_cache`
//!   keeps what was read of them. `blob_text` has the texts that a report on found code needs.
//! - **Giving:** `info` describes a corpus, `corpus_names` finds it by name, `export` writes its tables.
//!   `candidates` chooses the blobs that are worth comparing with a file, `files` unpacks them for
//!   a search, `stored_vectors` gives their vectors to it. `write_excerpt` writes what another server
//!   needs of what was found.

mod add;
mod behavior;
mod blob_licenses;
mod blob_text;
pub mod candidates;
mod corpus_names;
mod detected;
mod disjoint_sets;
mod error;
mod explain;
mod export;
mod families;
pub mod files;
mod find;
mod find_options;
mod info;
mod known_blobs;
mod library;
mod license_cache;
mod license_files;
mod license_text;
mod licenses;
mod memory;
mod merge;
mod opening;
pub mod origin;
mod outcome;
mod parse;
mod prefetch;
mod query;
mod rebuild;
mod remove;
mod segments;
mod source_reader;
mod stored_vectors;
mod update;
mod vectors;
mod versions;
mod witnesses;
mod write_excerpt;

pub use add::{AddOptions, add};
pub use corpus_names::{NoHome, folder, list};
pub use error::CorpusError;
pub use export::{Exported, TABLES, export};
pub use familiar_store::{Damage, ExportFormat};
pub use find_options::{FindOptions, FindOptionsError};
pub use info::{Info, ProjectCount, SourceInfo, check, info, keeps_text, skips, verify};
pub use library::Library;
pub use licenses::{Licenses, layer_row, read_rules};
pub use merge::merge;
pub use outcome::{Added, Outcome};
pub use parse::{id as blob_id, of_block};
pub use query::{CodeQuery, NoQuery, QueryReader};
pub use rebuild::rebuild;
pub use remove::{Removed, follows, remove, remove_projects};
pub use source_reader::Reading;
pub use stored_vectors::{StoredVector, each_vector, stored_vectors};
pub use update::{GIVEN, UpdateOptions, update};
pub use vectors::{made_by as vectors_made_by, make as make_vectors};
pub use witnesses::Witness;
pub use write_excerpt::{ExcerptError, Extent, write_excerpt};
