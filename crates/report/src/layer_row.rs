//! What speaks for the license of a file, as found code and audits tell it.

use serde::Serialize;

/// One word on the license of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerRow {
    pub layer: &'static str,
    pub expression: Option<String>,
    /// In words: what was found.
    pub evidence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}
