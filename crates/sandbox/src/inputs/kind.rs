//! Which values a function takes, as its declaration says.

use super::scan::parts;
use crate::words::{find_head, has_word};
use familiar_source::Language;

/// The kind of a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Integer,
    Real,
    Truth,
    Text,
    /// One letter.
    Letter,
    List(Box<Kind>),
    Set(Box<Kind>),
    Map(Box<Kind>, Box<Kind>),
    Tuple(Vec<Kind>),
    /// Nothing is said.
    Unknown,
}

/// A parameter: its kind, and its type as it is written.
pub(crate) type Parameter = (Kind, String);

/// The parameters of a function, by its declaration. Nothing if there is none.
pub(crate) fn parameters(text: &str, function: &str, language: Language) -> Option<Vec<Parameter>> {
    let name = function.rsplit('.').next().unwrap_or(function);
    let mut from = 0;
    while let Some(found) = find_head(&text[from..], name) {
        let head = from + found;
        let open = head + text[head..].find('(')? + 1;
        let before = text[..head].rsplit(['\n', ';', '}']).next().unwrap_or_default();
        if let Some(parts) = parts(&text[open..], language, true).filter(|_| declares(before, language)) {
            let all: Vec<Parameter> = match language {
                Language::Go => of_go(&parts),
                _ => parts.iter().map(|part| parameter(part, language)).collect(),
            };
            let own = parts.first().is_some_and(|first| first == "self" && language == Language::Python);
            return Some(all.into_iter().skip(usize::from(own)).collect());
        }
        from = head + name.len();
    }
    let arrow = text.match_indices(name).find_map(|(place, _)| {
        let rest = text[place + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        parts(rest.strip_prefix("async").unwrap_or(rest).trim_start().strip_prefix('(')?, language, false)
    });
    arrow.map(|parts| parts.iter().map(|_| (Kind::Unknown, String::new())).collect())
}

/// Whether what stands before a name makes it a declaration.
fn declares(before: &str, language: Language) -> bool {
    match language {
        Language::Python => before.trim_end().ends_with("def"),
        Language::JavaScript => before.trim_end().trim_end_matches('*').trim_end().ends_with("function"),
        Language::Go => before.trim_start().starts_with("func"),
        _ => {
            let before = before.trim();
            !before.is_empty() && !has_word(before, "return") && !before.contains(['=', '(', '.', '!'])
        }
    }
}

fn parameter(part: &str, language: Language) -> Parameter {
    let part = part.split('=').next().unwrap_or(part).trim();
    match language {
        Language::Python => {
            let written = part.split_once(':').map_or("", |(_, kind)| kind.trim());
            (kind_of(written), written.to_owned())
        }
        Language::JavaScript => (Kind::Unknown, String::new()),
        _ => {
            // The name stands last, and an array may have its brackets behind the name.
            let (stem, array) = match part.rfind('[') {
                Some(open) if part.ends_with(']') => (part[..open].trim_end(), true),
                _ => (part, false),
            };
            let head = stem.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
            let written = head.replace("const ", "").replace("final ", "").replace('&', "").trim().to_owned();
            let kind = kind_of(&written);
            let kind = match language {
                _ if array => Kind::List(Box::new(kind)),
                Language::C if written.ends_with('*') => match kind_of(written.trim_end_matches('*')) {
                    Kind::Letter => Kind::Text,
                    other => Kind::List(Box::new(other)),
                },
                _ => kind,
            };
            (kind, if array { format!("{written}[]") } else { written })
        }
    }
}

/// Parameters of Go: the type stands behind, and may hold for several names.
fn of_go(parts: &[String]) -> Vec<Parameter> {
    let mut all: Vec<Parameter> = Vec::new();
    let mut behind = String::new();
    for part in parts.iter().rev() {
        if let Some((_, written)) = part.split_once(char::is_whitespace) {
            written.trim().clone_into(&mut behind);
        }
        all.push((kind_of(&behind), behind.clone()));
    }
    all.reverse();
    all
}

/// The kind that a type names, in any of the languages.
pub(crate) fn kind_of(written: &str) -> Kind {
    let written = written.trim().trim_matches(['"', '\'']).trim();
    if let Some(inner) = written.strip_prefix("[]").or_else(|| written.strip_suffix("[]")) {
        return Kind::List(Box::new(kind_of(inner)));
    }
    if let Some(inner) = written.strip_prefix("map[").and_then(|rest| rest.split_once(']')) {
        return Kind::Map(Box::new(kind_of(inner.0)), Box::new(kind_of(inner.1)));
    }
    if let Some(open) = written.find(['[', '<']).filter(|_| written.ends_with([']', '>'])) {
        let inner = parts(&format!("{}]", &written[open + 1..written.len() - 1]), Language::Java, true);
        let inner: Vec<Kind> = inner.unwrap_or_default().iter().map(|part| kind_of(part)).collect();
        return generic(written[..open].rsplit(['.', ':']).next().unwrap_or_default().trim(), inner);
    }
    let name = written.rsplit(['.', ':', ' ']).next().unwrap_or(written);
    match name {
        "int" | "long" | "short" | "Integer" | "Long" | "int64" | "int32" | "uint" | "uint64" | "size_t"
        | "int64_t" | "int32_t" | "unsigned" | "byte" | "uint8_t" | "BigInteger" => Kind::Integer,
        "float" | "double" | "Double" | "Float" | "float64" | "float32" | "complex" => Kind::Real,
        "bool" | "boolean" | "Boolean" | "_Bool" => Kind::Truth,
        "str" | "String" | "string" | "CharSequence" => Kind::Text,
        "char" | "Character" | "rune" => Kind::Letter,
        "list" | "List" | "Sequence" | "Iterable" | "ArrayList" => Kind::List(Box::new(Kind::Integer)),
        "tuple" | "Tuple" => Kind::Tuple(vec![Kind::Integer, Kind::Integer]),
        "set" | "Set" => Kind::Set(Box::new(Kind::Integer)),
        "dict" | "Dict" | "Map" => Kind::Map(Box::new(Kind::Text), Box::new(Kind::Integer)),
        _ => Kind::Unknown,
    }
}

fn generic(name: &str, mut inner: Vec<Kind>) -> Kind {
    let boxed =
        |inner: &mut Vec<Kind>| Box::new(if inner.is_empty() { Kind::Integer } else { inner.remove(0) });
    match name {
        "Optional" | "Union" | "Final" => *boxed(&mut inner),
        "Set" | "set" | "FrozenSet" | "HashSet" | "unordered_set" => Kind::Set(boxed(&mut inner)),
        "Dict" | "dict" | "Map" | "map" | "HashMap" | "Mapping" | "unordered_map" | "DefaultDict" => {
            Kind::Map(boxed(&mut inner), boxed(&mut inner))
        }
        "Tuple" | "tuple" | "pair" => Kind::Tuple(inner),
        _ => Kind::List(boxed(&mut inner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, language: Language) -> Vec<Kind> {
        let found = parameters(text, "f", language).expect("it is declared");
        found.into_iter().map(|(kind, _)| kind).collect()
    }

    fn list(of: Kind) -> Kind {
        Kind::List(Box::new(of))
    }

    #[test]
    fn declarations_say_the_kinds() {
        use Kind::{Integer, Map, Real, Text, Truth, Tuple, Unknown};
        let python = "def g(): f(1)\ndef f(a: List[int], b: 'str', c: Dict[str, float] = None, d=3) -> bool:";
        let map = Map(Box::new(Text), Box::new(Real));
        assert_eq!(kinds(python, Language::Python), [list(Integer), Text, map, Unknown]);
        assert_eq!(
            kinds("static List<Integer> f(int[] a, String b, List<List<Double>> c) {", Language::Java),
            [list(Integer), Text, list(list(Real))]
        );
        assert_eq!(
            kinds("int f(const char *a, int *b, int n, double x[], bool y)", Language::C),
            [Text, list(Integer), Integer, list(Real), Truth]
        );
        assert_eq!(
            kinds("vector<string> f(const vector<int>& a, pair<int, string> b)", Language::Cpp),
            [list(Integer), Tuple(vec![Integer, Text])]
        );
        assert_eq!(
            kinds("func f(a, b int, c []string, d map[string]int) bool {", Language::Go),
            [Integer, Integer, list(Text), Map(Box::new(Text), Box::new(Integer))]
        );
        assert_eq!(kinds("const f = (a, b) => a + b", Language::JavaScript), [Unknown, Unknown]);
        assert_eq!(parameters("int g(int x) { return f(x); }", "f", Language::C), None);
    }
}
