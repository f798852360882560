//! One row of a table.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use thiserror::Error;

/// Most bytes of a row.
pub const ROW_BYTES: u64 = 64 << 20;

/// Why a row says nothing.
#[derive(Debug, Error)]
pub enum RowError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Unreadable(String),
    #[error("there is no {0}")]
    Missing(&'static str),
}

/// The bytes of texts that are not UTF-8, by the names of their columns.
pub(crate) type RawTexts = BTreeMap<String, Vec<u8>>;

/// A row as it stands in its file.
#[derive(Debug)]
pub struct RawRow {
    /// Counts from 1. Of JSON lines, the number of the line.
    pub number: u64,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Line(Vec<u8>),
    Fields(Map<String, Value>, RawTexts),
    Unreadable(String),
}

impl RawRow {
    /// Its fields by their names.
    pub fn fields(self) -> Result<Map<String, Value>, RowError> {
        Ok(self.fields_and_bytes()?.0)
    }

    /// The same with the bytes of those that are not UTF-8.
    pub(crate) fn fields_and_bytes(self) -> Result<(Map<String, Value>, RawTexts), RowError> {
        match self.content {
            Content::Line(line) => Ok((familiar_corpus::row::fields(&line)?, RawTexts::new())),
            Content::Fields(fields, bytes) => Ok((fields, bytes)),
            Content::Unreadable(reason) => Err(RowError::Unreadable(reason)),
        }
    }

    /// Writes it as a line of JSON: a row of JSON lines as it stands there. A row that cannot be read is left out; says
    /// whether it was written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<bool> {
        match &self.content {
            Content::Line(line) if serde_json::from_slice::<IgnoredAny>(line).is_err() => return Ok(false),
            Content::Line(line) => out.write_all(line.trim_ascii_end())?,
            Content::Fields(fields, _) => serde_json::to_writer(&mut *out, fields)?,
            Content::Unreadable(_) => return Ok(false),
        }
        out.write_all(b"\n")?;
        Ok(true)
    }
}

/// Below it a number with a fraction is exact to the whole.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that a text is, or the one nearest to it: programs write 20 as `20.0`, too.
pub fn whole_number(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().or_else(|| {
        let number = text.parse::<f64>().ok().filter(|number| number.abs() < EXACT)?;
        Some(number.round() as i64)
    })
}

/// The first of the named fields that holds a text or a number, as text.
pub fn text_of(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match fields.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    })
}
