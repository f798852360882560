//! Values of Python and JavaScript.

use crate::value::Value;

/// Functions that take any number of arguments. Those of all languages do the same.
const OF_PYTHON: [&str; 3] =
    ["(lambda *a: a[0] if a else 1)", "(lambda *a: bool(a and a[0]))", "(lambda *a: len(a))"];
const OF_JAVASCRIPT: [&str; 3] =
    ["((...a) => a.length ? a[0] : 1)", "((...a) => a.length > 0 && !!a[0])", "((...a) => a.length)"];

pub(super) fn python(value: &Value) -> String {
    let each = |items: &[Value]| items.iter().map(python).collect::<Vec<_>>().join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => quoted(text),
        Value::List(items) => format!("[{}]", each(items)),
        Value::Set(items) => format!("set([{}])", each(items)),
        Value::Map(pairs) => format!("{{{}}}", joined(pairs, python)),
        Value::Mock(which) => format!("FamiliarMock('it{which}')"),
        Value::Function(which) => one(&OF_PYTHON, *which),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}={}", python(value)));
            format!("Familiar({})", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

pub(super) fn javascript(value: &Value) -> String {
    let each = |items: &[Value]| items.iter().map(javascript).collect::<Vec<_>>().join(", ");
    match value {
        Value::Null | Value::Mock(_) => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => quoted(text),
        Value::List(items) => format!("[{}]", each(items)),
        Value::Set(items) => format!("new Set([{}])", each(items)),
        Value::Map(pairs) => format!("({{{}}})", joined(pairs, javascript)),
        Value::Function(which) => one(&OF_JAVASCRIPT, *which),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", javascript(value)));
            format!("({{{}}})", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

fn one(functions: &[&str; 3], which: u8) -> String {
    functions[usize::from(which) % functions.len()].to_owned()
}

fn joined(pairs: &[(Value, Value)], shown: fn(&Value) -> String) -> String {
    pairs
        .iter()
        .map(|(key, value)| format!("{}: {}", shown(key), shown(value)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
