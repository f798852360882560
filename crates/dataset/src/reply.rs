//! What a model answered.

use serde::{Deserialize, Serialize};

/// A row of `generated.jsonl` and `imported.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub seed_id: String,
    /// The name of the prompt; `imported` where nobody says.
    pub prompt: String,
    /// The name of the model; none where nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The languages that were asked for; that of the seed where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Which of the replies to the same request it is, from 0.
    #[serde(default)]
    pub sample: u64,
    /// Whether it ends because it reached the most tokens that it may have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Whether all of it is code, as in rows of pairs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_code: bool,
    pub reply: String,
}
