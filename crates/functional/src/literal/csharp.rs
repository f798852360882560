//! Values of C#. They stand in an array of objects, so numbers have the very type that the parameter asks for.

use super::java::{inner, name};
use crate::types::plain_csharp;
use crate::value::Value;

pub(super) fn csharp(value: &Value, written: &str) -> Option<String> {
    let written = plain_csharp(written);
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) if is_number(written) => return number(i64::from(*value), written),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => return number(*value, written),
        Value::Real(value) => match name(written) {
            "float" | "Single" => format!("{value:?}f"),
            "decimal" | "Decimal" => format!("{value:?}m"),
            "double" | "Double" | "object" | "dynamic" => format!("{value:?}"),
            _ if is_number(written) => return None,
            _ => format!("{value:?}"),
        },
        Value::Text(text) => return of_text(text, written),
        Value::List(items) | Value::Set(items) => {
            return list(items, written, matches!(value, Value::Set(_)));
        }
        Value::Map(pairs) => return map(pairs, written),
        Value::Function(_) => return function(written),
        Value::Object(_) | Value::Mock(_) => return None,
    })
}

fn is_number(written: &str) -> bool {
    [
        "int",
        "long",
        "short",
        "byte",
        "sbyte",
        "uint",
        "ulong",
        "ushort",
        "double",
        "float",
        "decimal",
        "Int16",
        "Int32",
        "Int64",
        "UInt32",
        "UInt64",
        "Double",
        "Single",
        "Decimal",
        "BigInteger",
    ]
    .contains(&name(written))
}

fn number(value: i64, written: &str) -> Option<String> {
    Some(match name(written) {
        "long" | "Int64" => format!("{value}L"),
        "ulong" | "UInt64" => format!("{}UL", u64::try_from(value).ok()?),
        "uint" | "UInt32" => format!("{}U", u32::try_from(value).ok()?),
        "short" | "Int16" => format!("(short) {}", i16::try_from(value).ok()?),
        "ushort" | "UInt16" => format!("(ushort) {}", u16::try_from(value).ok()?),
        "byte" | "Byte" => format!("(byte) {}", u8::try_from(value).ok()?),
        "sbyte" | "SByte" => format!("(sbyte) ({})", i8::try_from(value).ok()?),
        "double" | "Double" => format!("{value}.0"),
        "float" | "Single" => format!("{value}.0f"),
        "decimal" | "Decimal" => format!("{value}m"),
        "BigInteger" => format!("new System.Numerics.BigInteger({value}L)"),
        "Random" => format!("new Random({})", i32::try_from(value).ok()?),
        "char" | "Char" | "string" | "String" => return None,
        _ => i32::try_from(value).ok()?.to_string(),
    })
}

fn of_text(text: &str, written: &str) -> Option<String> {
    // What JSON writes for a text is a literal of C#, too, except for signs that end a line there.
    let mut quoted = serde_json::Value::from(text).to_string();
    for sign in ['\u{85}', '\u{2028}', '\u{2029}'] {
        quoted = quoted.replace(sign, &format!("\\u{:04x}", u32::from(sign)));
    }
    Some(match name(written) {
        "char" | "Char" => {
            let mut letters = text.chars();
            let letter = letters.next().filter(|it| letters.next().is_none() && it.len_utf16() == 1)?;
            format!("'\\u{:04x}'", u32::from(letter))
        }
        "char[]" => format!("{quoted}.ToCharArray()"),
        "byte[]" => format!("System.Text.Encoding.UTF8.GetBytes({quoted})"),
        "StringBuilder" => format!("new System.Text.StringBuilder({quoted})"),
        "TextReader" | "StringReader" => format!("new System.IO.StringReader({quoted})"),
        "Stream" | "MemoryStream" => {
            format!("new System.IO.MemoryStream(System.Text.Encoding.UTF8.GetBytes({quoted}))")
        }
        "Exception" => format!("new Exception({quoted})"),
        _ => quoted,
    })
}

/// A type that can be written down where nobody knows what it stands for.
fn element<'w>(written: &'w str, first: Option<&Value>) -> &'w str {
    let is_variable = written.len() <= 1
        || written.starts_with('T') && written[1..].starts_with(|letter: char| letter.is_uppercase());
    match first {
        Some(Value::Text(_)) if is_variable => "string",
        Some(Value::Real(_)) if is_variable => "double",
        _ if is_variable => "int",
        _ => written,
    }
}

fn list(items: &[Value], written: &str, set: bool) -> Option<String> {
    let array = written.strip_suffix("[]");
    let held = array.unwrap_or_else(|| inner(written).first().copied().unwrap_or("object"));
    let held = element(plain_csharp(held), items.first());
    let each: Option<Vec<String>> = items.iter().map(|item| csharp(item, held)).collect();
    let each = format!("new {held}[] {{{}}}", each?.join(", "));
    if array.is_some() {
        return Some(each);
    }
    Some(match name(written) {
        class @ ("LinkedList" | "Queue" | "Stack" | "SortedSet" | "HashSet") => {
            format!("new System.Collections.Generic.{class}<{held}>({each})")
        }
        "ArrayList" => format!("new System.Collections.ArrayList({each})"),
        "Array" => each,
        "ISet" => format!("new System.Collections.Generic.HashSet<{held}>({each})"),
        _ if set => format!("new System.Collections.Generic.HashSet<{held}>({each})"),
        _ => format!("new System.Collections.Generic.List<{held}>({each})"),
    })
}

fn map(pairs: &[(Value, Value)], written: &str) -> Option<String> {
    let inner = inner(written);
    let first = pairs.first();
    let key = element(plain_csharp(inner.first().copied().unwrap_or("object")), first.map(|it| &it.0));
    let held = element(plain_csharp(inner.get(1).copied().unwrap_or("object")), first.map(|it| &it.1));
    let each: Option<Vec<String>> = pairs
        .iter()
        .map(|(one, other)| Some(format!("{{{}, {}}}", csharp(one, key)?, csharp(other, held)?)))
        .collect();
    let class = match name(written) {
        "Hashtable" => "System.Collections.Hashtable".to_owned(),
        class @ ("SortedDictionary" | "SortedList") => {
            format!("System.Collections.Generic.{class}<{key}, {held}>")
        }
        _ => format!("System.Collections.Generic.Dictionary<{key}, {held}>"),
    };
    Some(format!("new {class} {{{}}}", each?.join(", ")))
}

fn function(written: &str) -> Option<String> {
    let inner = inner(written);
    let takes: Vec<&str> = ["a", "b", "c"].into_iter().take(inner.len().saturating_sub(1)).collect();
    let body = match (name(written), inner.as_slice()) {
        ("Action", []) => "() => Console.WriteLine(1)".to_owned(),
        ("Action", [_]) => "a => Console.WriteLine(a)".to_owned(),
        ("Predicate", [_]) | ("Func", [_, "bool"]) => "a => a != null && a.GetHashCode() % 2 == 1".to_owned(),
        ("Comparison", [of]) => {
            format!("(a, b) => System.Collections.Generic.Comparer<{of}>.Default.Compare(a, b)")
        }
        ("Func", ["int"]) => "() => 1".to_owned(),
        ("Func", [first, .., last]) if first == last && takes.len() + 1 == inner.len() => {
            format!("({}) => a", takes.join(", "))
        }
        _ => return None,
    };
    Some(format!("({written}) ({body})"))
}
