//! A value that can be given to functions of every language.

use serde::Serialize;

/// A value of an input.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    List(Vec<Value>),
    Set(Vec<Value>),
    Map(Vec<(Value, Value)>),
    /// One of the functions that every language writes.
    Function(u8),
    Object(Vec<(String, Value)>),
    /// Something that takes any use. The number makes values differ.
    Mock(u8),
}

impl Value {
    /// How much there is to read in it. Numbers count the more, the further they are from 0.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 1,
            Self::Int(number) => {
                1 + (64 - number.unsigned_abs().leading_zeros() as usize) + usize::from(*number < 0)
            }
            Self::Real(number) => 2 + format!("{number}").len(),
            Self::Text(text) => 1 + 2 * text.len(),
            Self::List(items) | Self::Set(items) => {
                1 + items.iter().map(|item| 1 + item.size()).sum::<usize>()
            }
            Self::Map(pairs) => {
                1 + pairs.iter().map(|(key, value)| 1 + key.size() + value.size()).sum::<usize>()
            }
            Self::Function(which) | Self::Mock(which) => 1 + usize::from(*which),
            Self::Object(fields) => 1 + fields.iter().map(|(_, value)| value.size()).sum::<usize>(),
        }
    }

    /// As JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        use serde_json::{Value as Json, json};
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => json!(value),
            Self::Int(value) => json!(value),
            Self::Real(value) => json!(value),
            Self::Text(value) => json!(value),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Set(items) => json!({"set": items.iter().map(Self::json).collect::<Json>()}),
            Self::Map(pairs) => {
                json!({"map": pairs.iter().map(|(key, value)| json!([key.json(), value.json()])).collect::<Json>()})
            }
            Self::Mock(which) => json!({"mock": which}),
            Self::Function(which) => json!({"function": which}),
            Self::Object(fields) => {
                let fields: serde_json::Map<String, Json> =
                    fields.iter().map(|(name, value)| (name.clone(), value.json())).collect();
                json!({"fields": fields})
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(to)
    }
}
