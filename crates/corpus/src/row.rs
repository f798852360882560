//! Rows of JSON, whose numbers keep all their digits.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// From here on a number with a point, and any that is larger than 64 bits hold, is not told from its neighbors.
const ROUNDED: f64 = 9_007_199_254_740_992.0;

/// The fields of a row. A number that would be rounded stays as the text that it is written as: it may be an id.
pub fn fields(line: &[u8]) -> serde_json::Result<Map<String, Value>> {
    let mut row: Map<String, Value> = serde_json::from_slice(line)?;
    if row.values().any(is_rounded) {
        let written: HashMap<String, Box<RawValue>> = serde_json::from_slice(line)?;
        for (name, value) in row.iter_mut().filter(|(_, value)| is_rounded(value)) {
            if let Some(text) = written.get(name) {
                *value = Value::String(text.get().to_owned());
            }
        }
    }
    Ok(row)
}

fn is_rounded(value: &Value) -> bool {
    let Value::Number(number) = value else { return false };
    number.is_f64() && number.as_f64().is_some_and(|number| number.abs() >= ROUNDED)
}

/// An id, type or group as it is written, be it as text or as a number; nothing of any other value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written(pub Option<String>);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        Ok(Self(match text.as_bytes().first() {
            Some(b'"') => Some(serde_json::from_str(text).map_err(serde::de::Error::custom)?),
            Some(b'-' | b'0'..=b'9') => Some(text.to_owned()),
            _ => None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let row = br#"{"id":18446744073709551617,"n":9007199254740993,"x":0.50,"y":-9007199254740993.0}"#;
        let fields = fields(row).expect("it is JSON");
        let expected = ["\"18446744073709551617\"", "9007199254740993", "0.5", "\"-9007199254740993.0\""];
        assert_eq!(["id", "n", "x", "y"].map(|name| fields[name].to_string()), expected);
        let written: Vec<Written> =
            serde_json::from_str("[18446744073709551617, \"a\\n\", null, -1]").expect("it is JSON");
        let texts: Vec<_> = written.iter().map(|it| it.0.as_deref()).collect();
        assert_eq!(texts, [Some("18446744073709551617"), Some("a\n"), None, Some("-1")]);
    }
}
