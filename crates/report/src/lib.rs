//! Clone pairs to text, JSON, SARIF, CSV and other formats. Owns the public schema (`docs/formats/`).
//!
//! A [`CloneReport`] is a finished result as plain values; [`write`] renders it in a [`Format`].
//!
//! # Files
//!
//! `model` is the schema of clones, `formats` writes it. `audit`, `license`, `trend` and `find` are
//! the other results, `html` the pages. `fingerprint` names findings, `place` names files for those
//! who look from elsewhere than the tree, `plain` makes hostile names safe to show, and `layer` is
//! the evidence for a license.

pub mod audit;
pub mod find;
mod fingerprint;
pub mod formats;
pub mod html;
mod layer;
pub mod license;
mod model;
mod place;
mod plain;
pub mod trend;

pub use familiar_source::SourceText;
pub use familiar_source::words::{about, counted};
pub use fingerprint::{class_fingerprint, pair_fingerprint};
pub use formats::{Format, Style, write};
pub use layer::LayerRow;
pub use model::{
    ClassRow, CloneReport, Excerpt, FragmentRow, NoText, PairRow, PairSource, Root, Settings, Skipped,
    Sources, Summary, Tool, Unanswered,
};
pub use plain::printable;
