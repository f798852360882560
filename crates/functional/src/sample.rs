//! The inputs that a test or a sample gives: calls of a function with literals.

use crate::tokens::{Word, closing, parts, words};
use crate::value::Value;
use familiar_source::{Language, TokenClass};

/// The arguments of all calls of `name` that have literals only. Tests of HumanEval call what they were given.
pub(crate) fn calls(samples: &str, name: &str, language: Language) -> Vec<Vec<Value>> {
    let words = words(samples, language);
    let mut all = Vec::new();
    for (place, pair) in words.windows(2).enumerate() {
        let declared = place > 0 && ["def", "function", "func"].contains(&words[place - 1].text);
        if !(pair[0].is(name) || pair[0].is("candidate")) || !pair[1].is("(") || declared {
            continue;
        }
        let Some(close) = closing(&words, place + 1) else { continue };
        let row: Option<Vec<Value>> = parts(&words[place + 2..close]).into_iter().map(value).collect();
        all.extend(row.filter(|row| !all.contains(row)));
    }
    all
}

/// The integers and texts of a side.
pub(crate) fn literals(code: &str, language: Language) -> (Vec<i64>, Vec<String>) {
    let (mut integers, mut texts) = (Vec::new(), Vec::new());
    for word in words(code, language) {
        match word.class {
            TokenClass::Number => integers.extend(word.text.parse::<i64>().ok().filter(|it| *it < 1 << 31)),
            TokenClass::String | TokenClass::Char => {
                let held = text(&word).filter(|text| text.len() < 40 && !text.contains(['{', '%', '\\']));
                texts.extend(held.filter(|text| !text.chars().any(char::is_control)));
            }
            _ => {}
        }
    }
    integers.sort_unstable();
    integers.dedup();
    texts.sort_unstable();
    texts.dedup();
    (integers, texts)
}

fn value(words: &[Word<'_>]) -> Option<Value> {
    match words {
        [only] => match only.class {
            TokenClass::Number => number(only.text),
            TokenClass::String | TokenClass::Char => text(only).map(Value::Text),
            _ => match only.text {
                "True" | "true" => Some(Value::Bool(true)),
                "False" | "false" => Some(Value::Bool(false)),
                "None" | "null" | "nil" => Some(Value::Null),
                _ => None,
            },
        },
        [minus, number_of] if minus.is("-") => match number(number_of.text)? {
            Value::Int(value) => Some(Value::Int(-value)),
            Value::Real(value) => Some(Value::Real(-value)),
            _ => None,
        },
        [open, inner @ .., close]
            if open.is("{") && close.is("}") && inner.iter().any(|word| word.is(":")) =>
        {
            let pair = |part: &[Word<'_>]| {
                let colon = part.iter().position(|word| word.is(":"))?;
                Some((value(&part[..colon])?, value(&part[colon + 1..])?))
            };
            parts(inner).into_iter().map(pair).collect::<Option<Vec<_>>>().map(Value::Map)
        }
        [head @ .., close] if [")", "]", "}"].contains(&close.text) => {
            let open = head.iter().position(|word| ["(", "[", "{"].contains(&word.text))?;
            // `new int[]{1}` has empty brackets first.
            let open = if head[open..].len() > 1 && head[open + 1].is("]") && head.len() > open + 2 {
                open + 2
            } else {
                open
            };
            let made = head[..open].iter().all(|word| {
                [
                    "new", "int", "long", "double", "String", "char", "Arrays", "List", "asList", "of", ".",
                    "[", "]",
                ]
                .contains(&word.text)
            });
            if !made || closing(words, open) != Some(words.len() - 1) {
                return None;
            }
            parts(&head[open + 1..]).into_iter().map(value).collect::<Option<Vec<_>>>().map(Value::List)
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<Value> {
    let plain = text.trim_end_matches(['L', 'l', 'f', 'F', 'd', 'D']);
    plain.parse().map(Value::Int).ok().or_else(|| plain.parse().map(Value::Real).ok())
}

fn text(word: &Word<'_>) -> Option<String> {
    let quote = word.text.chars().next().filter(|letter| "\"'`".contains(*letter))?;
    let inner = word.text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(['\\', quote])).then(|| inner.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_with_literals_are_read() {
        let python = "def f(x): pass\nassert f([1, -2], {'a': (1.5, None)}, \"b\") == f(x)";
        let map =
            Value::Map(vec![(Value::Text("a".into()), Value::List(vec![Value::Real(1.5), Value::Null]))]);
        let list = Value::List(vec![Value::Int(1), Value::Int(-2)]);
        assert_eq!(calls(python, "f", Language::Python), [vec![list.clone(), map, Value::Text("b".into())]]);
        let java = "int x = f(new int[]{1, -2}); f(Arrays.asList(1, -2)); f(y);";
        assert_eq!(calls(java, "f", Language::Java), [vec![list]]);
        assert_eq!(literals("x = 'ab' + 7", Language::Python), (vec![7], vec!["ab".to_owned()]));
        assert_eq!(literals("x = 'é\u{1}'; y = 'é'", Language::Python).1, ["é"]);
    }
}
