//! How each language writes a value for a parameter.
//!
//! One file for the languages that need no types, `java` for Java, `csharp` for C#, and `static_types` for C, C++ and Go.

mod csharp;
mod dynamic;
mod java;
mod static_types;

use crate::value::Value;
use familiar_source::Language;

/// An expression for a value, where the language has one for the type that is written.
pub(crate) fn literal(value: &Value, written: &str, language: Language) -> Option<String> {
    match language {
        Language::Python => Some(dynamic::python(value)),
        Language::JavaScript => Some(dynamic::javascript(value)),
        Language::Java => java::java(value, written),
        Language::CSharp => csharp::csharp(value, written),
        Language::C => static_types::c(value, written),
        Language::Cpp => static_types::cpp(value, written),
        Language::Go => static_types::go(value, written),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_has_a_literal_in_each_language() {
        let list = Value::List(vec![Value::Int(1), Value::Int(-2)]);
        let map = Value::Map(vec![(Value::Text("a\"".into()), Value::Bool(true))]);
        let text = Value::Text("ab".into());
        let cases = [
            (&list, "", Language::Python, "[1, -2]"),
            (&list, "", Language::JavaScript, "[1, -2]"),
            (&list, "long[]", Language::Java, "new long[]{1L, -2L}"),
            (
                &list,
                "List<Double>",
                Language::Java,
                "FamiliarFrame.list(new java.util.ArrayList(), new Object[]{1.0, -2.0})",
            ),
            (&list, "params long[]", Language::CSharp, "new long[] {1L, -2L}"),
            (
                &list,
                "IEnumerable<T>",
                Language::CSharp,
                "new System.Collections.Generic.List<int>(new int[] {1, -2})",
            ),
            (&list, "const int*", Language::C, "(int[]){1, -2}"),
            (&list, "vector<int>", Language::Cpp, "vector<int>{1, -2}"),
            (&list, "[]float64", Language::Go, "[]float64{float64(1), float64(-2)}"),
            (&map, "", Language::Python, r#"{"a\"": True}"#),
            (&map, "", Language::JavaScript, r#"({"a\"": true})"#),
            (
                &map,
                "Map<String,Boolean>",
                Language::Java,
                r#"FamiliarFrame.map(new java.util.HashMap(), new Object[]{new String("a\""), true})"#,
            ),
            (&map, "map[string]bool", Language::Go, r#"map[string]bool{"a\"": true}"#),
            (&text, "String", Language::Java, r#"new String("ab")"#),
            (&text, "char[]", Language::Java, r#""ab".toCharArray()"#),
            (&text, "char*", Language::C, r#"(char[]){"ab"}"#),
            (&text, "this string", Language::CSharp, r#""ab""#),
            (
                &map,
                "IDictionary<string,bool?>",
                Language::CSharp,
                r#"new System.Collections.Generic.Dictionary<string, bool> {{"a\"", true}}"#,
            ),
        ];
        for (value, written, language, expected) in cases {
            assert_eq!(literal(value, written, language).as_deref(), Some(expected), "{written}");
        }
        assert_eq!(literal(&Value::Text("é".into()), "rune", Language::Go).as_deref(), Some("'é'"));
        let none = [
            (Value::Int(1 << 40), "int", Language::Java),
            (Value::Int(40_000), "short", Language::C),
            (Value::Int(-1), "uint", Language::CSharp),
            (Value::Int(-1), "size_t", Language::Cpp),
            (Value::Int(40_000), "int16", Language::Go),
            (Value::Int(-1), "uint8", Language::Go),
            (Value::Text("😀".into()), "char", Language::Java),
            (Value::Text("é".into()), "char", Language::C),
        ];
        for (value, written, language) in none {
            assert_eq!(literal(&value, written, language), None, "{written}");
        }
    }
}
