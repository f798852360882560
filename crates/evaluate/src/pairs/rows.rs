//! Rows of pairs and fragments as they stand in the files.

use familiar_corpus::row::Written;
use serde::Deserialize;
use serde_json::Value;

use crate::row_error::RowError;

/// A row of the file of fragments.
#[derive(Deserialize)]
pub(super) struct FragmentRow {
    pub(super) id: Written,
    pub(super) lang: String,
    pub(super) code: String,
    group: Option<Written>,
    problem_id: Option<Written>,
}

impl FragmentRow {
    pub(super) fn group(&self) -> Option<String> {
        self.group.as_ref().or(self.problem_id.as_ref()).and_then(|it| it.0.clone())
    }
}

/// A row of the file of pairs.
#[derive(Deserialize)]
pub(super) struct PairRow {
    id1: Option<Written>,
    id2: Option<Written>,
    code1: Option<String>,
    code2: Option<String>,
    lang: Option<String>,
    lang1: Option<String>,
    lang2: Option<String>,
    label: Option<Value>,
    #[serde(rename = "type")]
    kind: Option<Value>,
    group: Option<Written>,
    conflict: Option<Value>,
}

/// What a pair is made of: two ids, or two codes with their languages.
pub(super) enum Sides {
    Ids([String; 2]),
    Codes([(String, String); 2]),
}

impl PairRow {
    pub(super) fn is_conflict(&self) -> bool {
        match &self.conflict {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Number(number)) => number.as_f64() != Some(0.0),
            Some(Value::String(text)) => !is_no(text.trim()),
            Some(_) => true,
        }
    }

    pub(super) fn label(&self) -> Result<bool, RowError> {
        match &self.label {
            None | Some(Value::Null) => Err(RowError::NoLabel),
            Some(Value::Bool(label)) => Ok(*label),
            Some(value) => match text(value).and_then(|text| text.parse::<f64>().ok()) {
                Some(1.0) => Ok(true),
                Some(0.0) => Ok(false),
                _ => Err(RowError::Label(value.clone())),
            },
        }
    }

    pub(super) fn clone_type(&self) -> Option<String> {
        self.kind.as_ref().and_then(text)
    }

    pub(super) fn group(&self) -> Option<String> {
        self.group.as_ref().and_then(|it| it.0.clone())
    }

    /// The ids of both sides, where both have one.
    pub(super) fn ids(&self) -> Option<[String; 2]> {
        let id = |value: &Option<Written>| value.as_ref().and_then(|it| it.0.clone());
        Some([id(&self.id1)?, id(&self.id2)?])
    }

    /// Both sides: ids where there is a file of fragments in which they stand, and codes otherwise.
    pub(super) fn sides(self, has_fragments: bool) -> Result<Sides, RowError> {
        let ids = self.ids();
        if has_fragments && let Some(ids) = ids {
            return Ok(Sides::Ids(ids));
        }
        let (Some(left), Some(right)) = (self.code1, self.code2) else {
            return Err(if ids.is_some() { RowError::NoFragments } else { RowError::NoSides });
        };
        let left_lang = self.lang1.or_else(|| self.lang.clone()).ok_or(RowError::NoLanguage)?;
        let right_lang = self.lang2.or(self.lang).ok_or(RowError::NoLanguage)?;
        Ok(Sides::Codes([(left_lang, left), (right_lang, right)]))
    }
}

/// Whether a text is what tables write for false, or for nothing.
fn is_no(text: &str) -> bool {
    let words = ["", "false", "f", "no", "n", "none", "null", "nan"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word)) || text.parse() == Ok(0.0)
}

/// A label or a type, be it written as text or as a number.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
