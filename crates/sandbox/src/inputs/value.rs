//! Values for a function, and how each language writes them.

use super::kind::{Kind, Parameter};
use crate::chance::Chance;
use familiar_source::Language;

/// What a program's own text offers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) integers: Vec<i64>,
    pub(crate) texts: Vec<String>,
}

/// Integers that are worth trying anywhere.
const INTEGERS: [i64; 12] = [0, 1, 2, 3, -1, 5, 7, 10, 12, -4, 100, 37];
/// Texts that are worth trying anywhere. They need no escapes in any language.
const TEXTS: [&str; 10] =
    ["", "a", "abc", "hello world", "AbBa", "racecar", "12", "a1 b2", "xyzzy", "The quick fox"];
const REALS: [&str; 8] = ["0.0", "1.0", "2.5", "-1.5", "3.25", "0.125", "10.0", "7.75"];

/// An expression for one argument.
pub(crate) fn expression(
    (kind, written): &Parameter,
    words: &Words,
    chance: &mut Chance,
    language: Language,
) -> String {
    Writer { words, chance, language }.write(kind, written.trim())
}

struct Writer<'a> {
    words: &'a Words,
    chance: &'a mut Chance,
    language: Language,
}

impl Writer<'_> {
    fn write(&mut self, kind: &Kind, written: &str) -> String {
        match kind {
            Kind::Integer | Kind::Unknown => self.integer(written),
            Kind::Real => self.chance.one(&REALS).copied().unwrap_or("0.0").to_owned(),
            Kind::Truth => match (self.chance.below(2) == 1, self.language) {
                (true, Language::Python) => "True".to_owned(),
                (false, Language::Python) => "False".to_owned(),
                (value, _) => value.to_string(),
            },
            Kind::Text => self.text(),
            Kind::Letter => {
                let letter = self.chance.one(&['a', 'b', 'z', 'A', '0', ' ']).copied().unwrap_or('a');
                if self.language == Language::Python {
                    format!("\"{letter}\"")
                } else {
                    format!("'{letter}'")
                }
            }
            Kind::List(of) => {
                let many = self.chance.below(7);
                let items = (0..many).map(|_| self.write(of, element(written))).collect::<Vec<_>>();
                self.list(&items.join(", "), of, written)
            }
            Kind::Set(of) => {
                let many = self.chance.below(5) + 1;
                let items =
                    (0..many).map(|_| self.write(of, element(written))).collect::<Vec<_>>().join(", ");
                match self.language {
                    Language::Java => format!("new java.util.HashSet<>(java.util.Arrays.asList({items}))"),
                    Language::JavaScript => format!("new Set([{items}])"),
                    Language::Cpp => format!("{written}{{{items}}}"),
                    _ => format!("{{{items}}}"),
                }
            }
            Kind::Map(key, value) => self.map(key, value, written),
            Kind::Tuple(of) => {
                let items = of.iter().map(|kind| self.write(kind, "")).collect::<Vec<_>>().join(", ");
                match self.language {
                    Language::JavaScript => format!("[{items}]"),
                    Language::Cpp => format!("{{{items}}}"),
                    _ => format!("({items},)"),
                }
            }
        }
    }

    fn integer(&mut self, written: &str) -> String {
        let own = self.chance.below(3) == 0;
        let number = match self.chance.one(&self.words.integers) {
            Some(number) if own => number + [-1, 0, 1][self.chance.below(3)],
            _ => self.chance.one(&INTEGERS).copied().unwrap_or(0),
        };
        // Java takes no `int` where it wants a `Long` or a `Double`.
        let long = self.language == Language::Java && written.eq_ignore_ascii_case("long");
        if long { format!("{number}L") } else { number.to_string() }
    }

    fn text(&mut self) -> String {
        let own = self.chance.below(3) == 0;
        let text = match self.chance.one(&self.words.texts) {
            Some(text) if own => text.clone(),
            _ => self.chance.one(&TEXTS).copied().unwrap_or_default().to_owned(),
        };
        format!("\"{text}\"")
    }

    fn list(&self, items: &str, of: &Kind, written: &str) -> String {
        match self.language {
            Language::Java if written.ends_with("[]") => format!("new {written}{{{items}}}"),
            Language::Java => format!("new java.util.ArrayList<>(java.util.Arrays.asList({items}))"),
            Language::Go => format!("{written}{{{items}}}"),
            Language::Cpp if !written.ends_with("[]") => format!("{written}{{{items}}}"),
            Language::C | Language::Cpp => {
                let element = match of {
                    Kind::Real => "double",
                    Kind::Text => "char *",
                    _ => "int",
                };
                // An array of nothing is none.
                format!("({element}[]){{{}}}", if items.is_empty() { "0" } else { items })
            }
            _ => format!("[{items}]"),
        }
    }

    fn map(&mut self, key: &Kind, value: &Kind, written: &str) -> String {
        let many = self.chance.below(4);
        let mut pairs: Vec<(String, String)> =
            (0..many).map(|_| (self.write(key, ""), self.write(value, ""))).collect();
        pairs.sort();
        pairs.dedup_by(|one, other| one.0 == other.0);
        let each = |between: &str| {
            pairs.iter().map(|(key, value)| format!("{key}{between}{value}")).collect::<Vec<_>>().join(", ")
        };
        match self.language {
            Language::Java => format!("new java.util.HashMap<>(java.util.Map.of({}))", each(", ")),
            Language::Go => format!("{written}{{{}}}", each(": ")),
            Language::Cpp => {
                let pairs =
                    pairs.iter().map(|(key, value)| format!("{{{key}, {value}}}")).collect::<Vec<_>>();
                format!("{written}{{{}}}", pairs.join(", "))
            }
            Language::JavaScript => format!("({{{}}})", each(": ")),
            _ => format!("{{{}}}", each(": ")),
        }
    }
}

/// The type of the elements, where it is written out.
fn element(written: &str) -> &str {
    if let Some(inner) = written.strip_prefix("[]").or_else(|| written.strip_suffix("[]")) {
        return inner;
    }
    match (written.find(['<', '[']), written.rfind(['>', ']'])) {
        (Some(open), Some(close)) if open < close => written[open + 1..close].trim(),
        _ => "",
    }
}
