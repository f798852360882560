//! How is a result written? As text, JSON, SARIF, CSV and more. Owns the public schema (`docs/formats/`).
//!
//! A [`CloneReport`] is a finished result as plain values; [`write`] renders it in a [`Format`].
//!
//! ```
//! use familiar_report::Format;
//! use familiar_report::license::{LayerRow, LicenseWriter, LicensedFile};
//!
//! let license = || Some("MIT".to_owned());
//! let file = LicensedFile {
//!     path: "a.c".to_owned(),
//!     path_bytes: None,
//!     expression: license(),
//!     by: "file-notice",
//!     ids: vec!["MIT".to_owned()],
//!     layers: vec![LayerRow { layer: "file-notice", expression: license(), ..LayerRow::default() }],
//!     copyrights: Vec::new(),
//!     page_text: None,
//! };
//! let mut out = Vec::new();
//! let mut writer = LicenseWriter::start(Format::Csv, &mut out)?;
//! writer.file(&file)?;
//! writer.end(&[], &[])?;
//! assert!(String::from_utf8(out)?.contains("a.c,MIT,file-notice,MIT"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `model` is the schema of clones, `formats` writes it. `audit`, `license`, `trend` and `find` are
//! the other results, `html` the pages. `fingerprint` names findings, `location` names files for those
//! who look from elsewhere than the tree, `plain` makes hostile names safe to show, `share` says shares in percent, `explanation` says what makes a Type-4 pair alike, and `layer_row` is
//! the evidence for a license.

pub mod audit;
pub mod explanation;
pub mod find;
mod fingerprint;
pub mod formats;
pub mod html;
mod layer_row;
pub mod license;
mod location;
mod model;
mod plain;
mod share;
pub mod trend;

pub use explanation::Explanation;
pub use familiar_source::SourceText;
pub use familiar_source::words::{about, counted};
pub use fingerprint::{class_fingerprint, pair_fingerprint};
pub use formats::{Format, Style, write};
pub use layer_row::LayerRow;
pub use model::{
    ClassRow, CloneReport, Excerpt, FragmentRow, NoText, PairRow, PairSource, Root, Settings, Skipped,
    Sources, Summary, Tool, Unanswered, Unsettled,
};
pub use plain::printable;
