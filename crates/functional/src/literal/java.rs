//! Values of Java. They stand in an array of objects, so numbers have the very class that the parameter asks for.

use crate::types::cut;
use crate::value::Value;

pub(super) fn java(value: &Value, written: &str) -> Option<String> {
    let written = written.trim();
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) if is_number(written) => return number(i64::from(*value), written),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => return number(*value, written),
        Value::Real(value) => match name(written) {
            "float" | "Float" => format!("{value:?}f"),
            "BigDecimal" => format!("new java.math.BigDecimal(\"{value:?}\")"),
            "int" | "Integer" | "long" | "Long" => return None,
            _ => format!("{value:?}"),
        },
        Value::Text(text) => return of_text(text, written),
        Value::List(items) | Value::Set(items) => {
            return list(items, written, matches!(value, Value::Set(_)));
        }
        Value::Map(pairs) => {
            let inner = inner(written);
            let (key, held) = (inner.first().copied().unwrap_or(""), inner.get(1).copied().unwrap_or(""));
            let mut parts = Vec::new();
            for (one, other) in pairs {
                parts.push(java(one, key)?);
                parts.push(java(other, held)?);
            }
            let class = match name(written) {
                class @ ("TreeMap" | "LinkedHashMap" | "Hashtable" | "Properties") => {
                    format!("java.util.{class}")
                }
                "SortedMap" => "java.util.TreeMap".to_owned(),
                "ConcurrentMap" | "ConcurrentHashMap" => "java.util.concurrent.ConcurrentHashMap".to_owned(),
                _ => "java.util.HashMap".to_owned(),
            };
            format!("FamiliarFrame.map(new {class}(), new Object[]{{{}}})", parts.join(", "))
        }
        Value::Function(_) => return function(name(written)),
        Value::Object(_) | Value::Mock(_) => return None,
    })
}

fn is_number(written: &str) -> bool {
    ["int", "Integer", "long", "Long", "short", "byte", "double", "float"].contains(&written)
}

fn number(value: i64, written: &str) -> Option<String> {
    let small = i32::try_from(value).is_ok();
    Some(match name(written) {
        "long" | "Long" => format!("{value}L"),
        "double" | "Double" => format!("{value}.0"),
        "float" | "Float" => format!("{value}.0f"),
        "short" | "Short" => format!("(short) {}", i16::try_from(value).ok()?),
        "byte" | "Byte" => format!("(byte) {}", i8::try_from(value).ok()?),
        "char" | "Character" => return None,
        "BigInteger" => format!("java.math.BigInteger.valueOf({value}L)"),
        "BigDecimal" => format!("java.math.BigDecimal.valueOf({value}L)"),
        class @ ("Date" | "Random") => format!("new java.util.{class}({value}L)"),
        "AtomicInteger" => format!("new java.util.concurrent.atomic.AtomicInteger({value})"),
        "AtomicLong" => format!("new java.util.concurrent.atomic.AtomicLong({value}L)"),
        _ => small.then(|| value.to_string())?,
    })
}

fn of_text(text: &str, written: &str) -> Option<String> {
    let quoted = serde_json::Value::from(text).to_string();
    Some(match name(written) {
        "char" | "Character" => {
            let mut letters = text.chars();
            let letter = letters.next().filter(|it| letters.next().is_none() && it.len_utf16() == 1)?;
            if ['\'', '\\'].contains(&letter) { format!("'\\{letter}'") } else { format!("'{letter}'") }
        }
        "char[]" => format!("{quoted}.toCharArray()"),
        "byte[]" => format!("{quoted}.getBytes()"),
        class @ ("StringBuilder" | "StringBuffer") => format!("new {class}({quoted})"),
        "File" => format!("new java.io.File({quoted})"),
        "Path" => format!("java.nio.file.Paths.get({quoted})"),
        "Pattern" => format!("java.util.regex.Pattern.compile({quoted})"),
        "Throwable" | "Exception" => format!("new Exception({quoted})"),
        "RuntimeException" => format!("new RuntimeException({quoted})"),
        "IOException" => format!("new java.io.IOException({quoted})"),
        "Scanner" => format!("new java.util.Scanner({quoted})"),
        "StringReader" | "Reader" => format!("new java.io.StringReader({quoted})"),
        "BufferedReader" => format!("new java.io.BufferedReader(new java.io.StringReader({quoted}))"),
        "InputStream" => format!("new java.io.ByteArrayInputStream({quoted}.getBytes())"),
        // A literal of its own would be the same object as an equal one, and `==` would not be told from `equals`.
        _ => format!("new String({quoted})"),
    })
}

fn list(items: &[Value], written: &str, set: bool) -> Option<String> {
    let array = written.strip_suffix("[]").or_else(|| written.strip_suffix("..."));
    let element = array.unwrap_or_else(|| inner(written).first().copied().unwrap_or(""));
    let each: Option<Vec<String>> = items.iter().map(|item| java(item, element)).collect();
    let each = each?.join(", ");
    if array.is_some() {
        let raw = element.split('<').next().unwrap_or(element);
        let rest = if raw == element { "" } else { element.rfind('>').map_or("", |end| &element[end + 1..]) };
        let variable = raw.len() <= 1 || raw == "Comparable";
        let raw = match (variable, items.first()) {
            (true, Some(Value::Text(_))) => "String",
            (true, _) => "Integer",
            _ => raw,
        };
        return Some(format!("new {raw}{rest}[]{{{each}}}"));
    }
    let class = match name(written) {
        class @ ("LinkedList" | "Stack" | "Vector" | "ArrayDeque" | "PriorityQueue" | "TreeSet"
        | "LinkedHashSet") => class,
        "Queue" | "Deque" => "LinkedList",
        "SortedSet" => "TreeSet",
        "Set" | "HashSet" => "HashSet",
        _ if set => "HashSet",
        _ => "ArrayList",
    };
    let held = format!("FamiliarFrame.list(new java.util.{class}(), new Object[]{{{each}}})");
    Some(if name(written) == "Iterator" { held + ".iterator()" } else { held })
}

fn function(class: &str) -> Option<String> {
    let text = match class {
        "Comparator" => "(java.util.Comparator) java.util.Comparator.naturalOrder()",
        "Predicate" => "(java.util.function.Predicate) (a -> a != null && a.hashCode() % 2 == 1)",
        "Function" => "(java.util.function.Function) (a -> a)",
        "UnaryOperator" => "(java.util.function.UnaryOperator) (a -> a)",
        "BinaryOperator" => "(java.util.function.BinaryOperator) ((a, b) -> a)",
        "BiFunction" => "(java.util.function.BiFunction) ((a, b) -> a)",
        "Supplier" => "(java.util.function.Supplier) (() -> 1)",
        "Consumer" => "(java.util.function.Consumer) (a -> System.out.println(a))",
        "Runnable" => "(Runnable) (() -> System.out.println(1))",
        "Callable" => "(java.util.concurrent.Callable) (() -> 1)",
        _ => return None,
    };
    Some(text.to_owned())
}

/// The last name of a class, without what stands in angle brackets.
pub(super) fn name(written: &str) -> &str {
    let plain = written.split('<').next().unwrap_or(written).trim();
    plain.rsplit('.').next().unwrap_or(plain)
}

/// What stands in the angle brackets.
pub(super) fn inner(written: &str) -> Vec<&str> {
    match (written.find('<'), written.rfind('>')) {
        (Some(open), Some(close)) if open < close => {
            let bound = |part: &'_ str| part.rfind("extends").map_or(0, |at| at + "extends".len());
            cut(&written[open + 1..close]).into_iter().map(|part| part[bound(part)..].trim()).collect()
        }
        _ => Vec::new(),
    }
}
