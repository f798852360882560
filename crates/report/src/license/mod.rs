//! The result of `familiar license` (`familiar.license/1`, `docs/formats/license.md`): the licenses of files and packages, with all
//! that speaks for them.

mod counts;
mod page_text;
mod text;
mod writer;

use serde::Serialize;

pub use page_text::PageText;
pub use writer::{Ended, LicenseWriter};

/// The schema's name and version.
pub const SCHEMA: &str = "familiar.license/1";

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LicensedFile {
    /// Below PATH; bytes that are not UTF-8 are percent-encoded.
    pub path: String,
    /// The exact bytes of a path that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// SPDX; none where nothing is known.
    pub expression: Option<String>,
    /// The layer whose word counts.
    pub by: &'static str,
    /// The licenses and exceptions that the file's own layers name.
    pub ids: Vec<String>,
    /// The word that counts most first.
    pub layers: Vec<LayerRow>,
    pub copyrights: Vec<CopyrightRow>,
    /// Where it was asked for; pages show it, no document has it.
    #[serde(skip)]
    pub page_text: Option<PageText>,
}

/// One word on the license of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LayerRow {
    pub layer: &'static str,
    pub expression: Option<String>,
    /// In words: what was found.
    pub evidence: String,
    /// Where, from PATH; `../` leads to files above it.
    pub path: Option<String>,
    pub start_line: Option<u32>,
    pub end_line: Option<u32>,
    pub score: Option<f64>,
    pub rule: Option<String>,
    /// Whether it says something else than what counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disagrees: bool,
    /// The lines themselves, where they stand in the file and were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A claim of copyright in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CopyrightRow {
    pub statement: String,
    pub holder: Option<String>,
    pub start_line: u32,
    pub end_line: u32,
}

/// A package that the files describe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackageRow {
    pub purl: String,
    pub name: String,
    pub version: Option<String>,
    /// The folder where it begins, from PATH; empty for PATH itself.
    pub path: String,
    /// What its metadata declare.
    pub expression: Option<String>,
}

/// Something that was not read, or not as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NotRead {
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    pub reason: String,
}
