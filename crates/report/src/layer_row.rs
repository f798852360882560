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

/// Which evidence a layer is, in words.
pub(crate) fn by_in_words(layer: &str) -> &str {
    match layer {
        "concluded" => "set in familiar.toml",
        "reuse-override" | "reuse" => "REUSE.toml",
        "snippet-tag" => "SPDX tag around the lines",
        "file-tag" => "SPDX tag in the file",
        "sidecar" => ".license file beside it",
        "file-notice" => "notice in the file",
        "dep5" => "debian/copyright",
        "license-file" => "license file",
        "package-metadata" => "metadata of the package",
        "platform" => "terms of the site",
        other => other,
    }
}
