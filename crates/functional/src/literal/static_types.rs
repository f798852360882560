//! Values of C, C++ and Go.

use crate::types::cut;
use crate::value::Value;

pub(super) fn c(value: &Value, written: &str) -> Option<String> {
    let written = plain(written);
    Some(match value {
        Value::Null => "0".to_owned(),
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Int(number) => whole(*number, &written)?,
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => match written.as_str() {
            "char" | "int" | "unsigned char" | "wchar_t" => letter(text)?,
            _ => format!("(char[]){{{}}}", quoted(text)),
        },
        Value::List(items) => array(items, &written)?,
        _ => return None,
    })
}

pub(super) fn cpp(value: &Value, written: &str) -> Option<String> {
    let written = plain(written);
    let inner = match (written.find('<'), written.rfind('>')) {
        (Some(open), Some(close)) if open < close => cut(&written[open + 1..close]),
        _ => Vec::new(),
    };
    let part = |place: usize| inner.get(place).copied().unwrap_or("int");
    Some(match value {
        Value::Bool(value) => value.to_string(),
        Value::Text(text) if written.ends_with("string") || written.ends_with("string_view") => {
            format!("std::string({})", quoted(text))
        }
        Value::List(items) | Value::Set(items) if !inner.is_empty() => {
            let each: Option<Vec<String>> = items.iter().map(|item| cpp(item, part(0))).collect();
            format!("{written}{{{}}}", each?.join(", "))
        }
        Value::Map(pairs) if !inner.is_empty() => {
            let each: Option<Vec<String>> = pairs
                .iter()
                .map(|(key, value)| Some(format!("{{{}, {}}}", cpp(key, part(0))?, cpp(value, part(1))?)))
                .collect();
            format!("{written}{{{}}}", each?.join(", "))
        }
        value => c(value, &written)?,
    })
}

pub(super) fn go(value: &Value, written: &str) -> Option<String> {
    let written = written.trim();
    let number = ["int", "float", "uint", "byte"].iter().any(|head| written.starts_with(head));
    Some(match value {
        Value::Int(value) if number && !written.starts_with("float") && !fits(*value, written) => {
            return None;
        }
        Value::Int(value) if number && written != "int" => format!("{written}({value})"),
        Value::Int(value) => value.to_string(),
        Value::Real(value) if written == "float32" => format!("float32({value:?})"),
        Value::Real(value) => format!("{value:?}"),
        Value::Bool(value) => value.to_string(),
        Value::Text(text) => match written {
            "rune" => quoted_letter(one_letter(text)?),
            "byte" => format!("byte({})", letter(text)?),
            "[]rune" | "[]byte" => format!("{written}({})", quoted(text)),
            _ => quoted(text),
        },
        Value::List(items) => {
            let element = written.strip_prefix("[]")?;
            let each: Option<Vec<String>> = items.iter().map(|item| go(item, element)).collect();
            format!("{written}{{{}}}", each?.join(", "))
        }
        Value::Map(pairs) => {
            let (key, held) = written.strip_prefix("map[")?.split_once(']')?;
            let each: Option<Vec<String>> = pairs
                .iter()
                .map(|(one, other)| Some(format!("{}: {}", go(one, key)?, go(other, held)?)))
                .collect();
            format!("{written}{{{}}}", each?.join(", "))
        }
        _ => return None,
    })
}

/// A type without what says nothing of the value.
fn plain(written: &str) -> String {
    written.replace("const ", "").replace('&', "").trim().to_owned()
}

fn whole(number: i64, written: &str) -> Option<String> {
    let wide = ["long", "int64_t", "size_t", "double", "float", "uint64_t"]
        .iter()
        .any(|word| written.contains(word));
    let held = fits(number, written) && (wide || written.starts_with('u') || i32::try_from(number).is_ok());
    held.then(|| if number.unsigned_abs() >> 31 > 0 { format!("{number}LL") } else { number.to_string() })
}

/// Whether a number is one of a type that is smaller than most, or has none below zero.
fn fits(number: i64, written: &str) -> bool {
    let size = written.trim_end_matches("_t");
    let unsigned = ["u", "size", "byte"].iter().any(|head| size.starts_with(head));
    let bits = match size {
        "int8" | "uint8" | "byte" | "char" | "signed char" | "unsigned char" => 8,
        "int16" | "uint16" | "short" | "short int" | "unsigned short" => 16,
        "int32" | "uint32" | "unsigned" | "unsigned int" => 32,
        _ => 64,
    };
    let (least, most) = match (unsigned, bits) {
        (true, 64) => (0, i64::MAX),
        (true, bits) => (0, (1 << bits) - 1),
        (false, bits) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
    };
    (least..=most).contains(&number)
}

/// An array: one of nothing is none, so it holds what nobody reads.
fn array(items: &[Value], written: &str) -> Option<String> {
    let element = written.strip_suffix('*').or_else(|| written.strip_suffix("[]"))?.trim();
    let each: Option<Vec<String>> = items
        .iter()
        .map(|item| match item {
            Value::Text(text) if element != "char" => Some(quoted(text)),
            item => c(item, element),
        })
        .collect();
    let each = each?;
    Some(format!("({element}[]){{{}}}", if each.is_empty() { "0".to_owned() } else { each.join(", ") }))
}

fn letter(text: &str) -> Option<String> {
    one_letter(text).filter(char::is_ascii).map(quoted_letter)
}

fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

fn quoted_letter(letter: char) -> String {
    if ['\'', '\\'].contains(&letter) { format!("'\\{letter}'") } else { format!("'{letter}'") }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
