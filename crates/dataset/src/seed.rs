//! A function that a model is asked about.

use familiar_source::Language;
use familiar_source::words::hexadecimal;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A row of `seeds.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seed {
    pub seed_id: String,
    /// Its language, by the name that the command line has for it.
    pub lang: String,
    pub code: String,
    /// The name of the function; empty where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The project, path and first line where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The license under which it stands there, as an SPDX expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// What it is to do, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<String>,
    /// Code that calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

/// Where a seed stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub project: String,
    pub path: String,
    pub line: u32,
}

impl Seed {
    /// A seed of which only the code is known. Its name follows from the code, so that equal code is one seed.
    pub fn of_code(lang: &str, code: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(lang);
        hash.update([0]);
        hash.update(code);
        let seed_id = hexadecimal(&hash.finalize()[..8]);
        Self {
            seed_id,
            lang: lang.to_owned(),
            code: code.to_owned(),
            name: String::new(),
            origin: None,
            license: None,
            specification: None,
            test: None,
        }
    }

    pub fn language(&self) -> Option<Language> {
        Language::from_name(&self.lang)
    }
}
