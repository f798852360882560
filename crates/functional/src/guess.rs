//! Which types may a parameter have that says none? Its uses and its name tell, each a little.

use crate::tokens::{Word, closing};
use crate::types::Type;
use familiar_source::TokenClass;
use std::collections::{BTreeMap, BTreeSet};

/// Methods by the type that has them.
const OF_TEXT: &str = "split strip lstrip rstrip lower upper replace startswith endswith find isdigit isalpha isalnum isupper islower \
    isspace format encode decode join title capitalize splitlines partition rfind zfill swapcase translate charAt charCodeAt substring \
    substr toLowerCase toUpperCase trim match codePointAt repeat padStart localeCompare isnumeric casefold ljust rjust center";
const OF_LIST: &str = "append sort pop extend insert remove reverse push shift unshift splice map filter forEach reduce every some \
    sorted slice concat fill flat count index indexOf includes";
const OF_MAP: &str =
    "keys items values get update iteritems itervalues iterkeys has_key setdefault hasOwnProperty popitem";
const OF_SET: &str = "add union intersection difference discard issubset issuperset symmetric_difference";
const OF_FILE: &str = "read readlines readline write close seek";

/// Names that people give by habit.
const INT_NAMES: &str = "n k i j num number x y a b c m count size idx index limit start end year month day age low high seconds minutes amount depth \
    length len value val target step width height base exp power row col max min";
const TEXT_NAMES: &str = "s string text str word name line sentence filename path char letter substring s1 s2 str1 str2 string1 string2 \
    sep delimiter prefix suffix msg message pattern url html key ch phrase input_string inputString title email password file fname";
const LIST_NAMES: &str = "list lst arr array seq sequence items l nums numbers iterable data values lis xs ls elements array1 array2 list1 list2 l1 l2 \
    words strings matrix grid lists args points iterables input_list my_list collection";
const MAP_NAMES: &str =
    "d dict dictionary mapping dic map obj hash d1 d2 dict1 dict2 kwargs cache memo table lookup";
const FUNCTION_NAMES: &str =
    "func fn f pred predicate callback function key_func method g cmp op condition fun";

/// Types with how much speaks for each.
pub(crate) type Evidence = BTreeMap<Type, i32>;

/// The usual map.
fn map() -> Type {
    Type::Map(Box::new(Type::Text), Box::new(Type::Int))
}

/// The type that the names of a parameter on both sides say, if one says a text, a list or a map, and none says another of these.
pub(crate) fn named(names: [&str; 2]) -> Option<Type> {
    let all = [(TEXT_NAMES, Type::Text), (LIST_NAMES, Type::list(Type::Int)), (MAP_NAMES, map())];
    let mut said: Vec<Type> = Vec::new();
    for name in names {
        let is = |names: &str| names.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(name));
        said.extend(all.iter().filter(|(names, _)| is(names)).map(|(_, kind)| kind.clone()));
    }
    said.dedup();
    said.pop().filter(|_| said.is_empty())
}

/// Whether a type is one that a name says. A text may stand where a list is said, since both are sequences.
pub(crate) fn is_said(kind: &Type, named: &Type) -> bool {
    let is_map = matches!(kind, Type::Map(..) | Type::Record(_));
    match named {
        Type::Map(..) => is_map,
        Type::List(_) => !is_map,
        named => kind == named,
    }
}

/// What the uses of a name in `words` say.
pub(crate) fn evidence(words: &[Word<'_>], name: &str) -> Evidence {
    let mut found = Evidence::new();
    by_name(name, &mut found);
    by_use(words, &[name], 0, &mut found);
    found
}

/// Adds what the other side says. Objects of both sides are one with the fields of both.
pub(crate) fn add_all(to: &mut Evidence, from: Evidence) {
    for (kind, weight) in from {
        let known =
            to.keys().find(|known| matches!((known, &kind), (Type::Object(_), Type::Object(_)))).cloned();
        match (known, kind) {
            (Some(Type::Object(mut fields)), Type::Object(others)) => {
                let old = to.remove(&Type::Object(fields.clone())).unwrap_or(0);
                for (name, kind) in others {
                    if !fields.iter().any(|(known, _)| *known == name) {
                        fields.push((name, kind));
                    }
                }
                fields.sort();
                add(to, Type::Object(fields), old + weight);
            }
            (_, kind) => add(to, kind, weight),
        }
    }
}

/// The types for which something speaks, the likeliest first. All types that are tried anywhere follow.
pub(crate) fn likely(evidence: &Evidence) -> Vec<Type> {
    let mut all: Vec<(&Type, i32)> = evidence.iter().map(|(kind, weight)| (kind, *weight)).collect();
    all.sort_by_key(|(_, weight)| -weight);
    let mut kinds: Vec<Type> =
        all.into_iter().filter(|(_, weight)| *weight > 0).map(|(kind, _)| kind.clone()).collect();
    let integers = Type::list(Type::Int);
    let usual = [
        Type::Text,
        Type::Int,
        integers.clone(),
        Type::list(Type::Text),
        map(),
        Type::list(integers),
        Type::Real,
        Type::Function,
    ];
    for kind in usual {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

fn by_name(name: &str, found: &mut Evidence) {
    let has = |names: &str| names.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(name));
    let kinds = [
        (INT_NAMES, Type::Int),
        (TEXT_NAMES, Type::Text),
        (LIST_NAMES, Type::list(Type::Int)),
        (MAP_NAMES, map()),
        (FUNCTION_NAMES, Type::Function),
    ];
    for (names, kind) in kinds {
        if has(names) {
            *found.entry(kind).or_default() += 2;
        }
    }
    if name.ends_with('s') && name.len() > 3 {
        *found.entry(Type::list(Type::Int)).or_default() += 1;
    }
}

/// The uses of a chain of names such as `self.items`.
fn by_use(words: &[Word<'_>], chain: &[&str], depth: usize, found: &mut Evidence) {
    let length = 2 * chain.len() - 1;
    let mut fields: BTreeSet<&str> = BTreeSet::new();
    for place in 0..words.len() {
        let is_chain = chain.iter().enumerate().all(|(step, name)| {
            words.get(place + 2 * step).is_some_and(|word| word.is(name))
                && (step == 0 || words[place + 2 * step - 1].is("."))
        });
        let before = text_before(words, place, 1);
        if is_chain && before != "." && before != "def" {
            fields.extend(behind(words, place + length, found));
            in_front(words, (place, place + length), depth, found);
        }
    }
    let keys = keys(words, chain);
    if !keys.is_empty() {
        add(found, Type::Record(keys), 40);
    }
    if !fields.is_empty() && depth < 2 {
        let field = |field: &&str| {
            let chain: Vec<&str> = chain.iter().copied().chain([*field]).collect();
            let mut inner = Evidence::new();
            by_name(field, &mut inner);
            by_use(words, &chain, depth + 1, &mut inner);
            ((*field).to_owned(), likely(&inner).into_iter().next().unwrap_or(Type::Int))
        };
        add(found, Type::Object(fields.iter().map(field).collect()), 7);
    }
}

fn add(found: &mut Evidence, kind: Type, weight: i32) {
    *found.entry(kind).or_default() += weight;
}

fn has(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

fn is_text(word: Option<&Word<'_>>) -> bool {
    word.is_some_and(|word| matches!(word.class, TokenClass::String | TokenClass::Char))
}

fn text_before<'t>(words: &[Word<'t>], place: usize, back: usize) -> &'t str {
    place.checked_sub(back).map_or("", |place| words[place].text)
}

/// What stands behind a use; gives the field that it names.
fn behind<'t>(words: &[Word<'t>], place: usize, found: &mut Evidence) -> Option<&'t str> {
    let (at, next) = (words.get(place), words.get(place + 1));
    let integers = Type::list(Type::Int);
    match at.map_or("", |word| word.text) {
        "(" => add(found, Type::Function, 6),
        "[" => subscript(words, place, found),
        "." => return member(next.map_or("", |word| word.text), found),
        "-" | "*" | "/" | "//" | "**" | "+=" | "-=" | ">>" | "<<" | "&" | "*=" | "%" => {
            add(found, Type::Int, 3);
        }
        "<" | ">" | "<=" | ">=" => add(found, Type::Int, 2),
        "+" | "==" | "!=" | "===" if is_text(next) => add(found, Type::Text, 3),
        "+" => add(found, Type::Int, 1),
        "==" | "!=" | "===" if next.is_some_and(|word| word.class == TokenClass::Number) => {
            add(found, Type::Int, 3);
        }
        "==" if next.is_some_and(|word| word.is("[")) => add(found, integers, 3),
        _ => {}
    }
    None
}

/// The texts by which a chain of names is asked, each with a type.
fn keys(words: &[Word<'_>], chain: &[&str]) -> Vec<(String, Type)> {
    let mut all: Vec<(String, Type)> = Vec::new();
    let last = chain.last().copied().unwrap_or_default();
    for (place, three) in words.windows(4).enumerate() {
        let asked = three[0].is(last) && three[1].is("[") && is_text(Some(&three[2])) && three[3].is("]");
        let key = three[2].text.trim_matches(['"', '\'']);
        if !asked || key.contains('\\') || all.iter().any(|(known, _)| known == key) {
            continue;
        }
        let mut held = Evidence::new();
        by_name(key, &mut held);
        behind(words, place + 4, &mut held);
        in_front(words, (place, place + 4), 2, &mut held);
        all.push((key.to_owned(), likely(&held).into_iter().next().unwrap_or(Type::Text)));
    }
    all
}

fn subscript(words: &[Word<'_>], open: usize, found: &mut Evidence) {
    let integers = Type::list(Type::Int);
    add(found, integers.clone(), 2);
    add(found, Type::Text, 2);
    if is_text(words.get(open + 1)) {
        add(found, map(), 4);
    }
    let then = closing(words, open).and_then(|close| words.get(close + 1));
    if then.is_some_and(|word| word.is("[")) {
        add(found, Type::list(integers), 4);
    } else if then.is_some_and(|word| word.is("=")) {
        add(found, integers, 3);
        add(found, map(), 2);
    }
}

/// A method or a field. One that no usual type has is a field of an object.
fn member<'t>(name: &'t str, found: &mut Evidence) -> Option<&'t str> {
    let integers = Type::list(Type::Int);
    let kinds = [
        (OF_TEXT, Type::Text),
        (OF_LIST, integers.clone()),
        (OF_MAP, map()),
        (OF_SET, Type::Set(Box::new(Type::Int))),
    ];
    let mut known = has("length size __class__ __name__ T", name) || has(OF_FILE, name);
    for (names, kind) in kinds {
        if has(names, name) {
            add(found, kind, 3);
            known = true;
        }
    }
    if name == "length" {
        add(found, integers, 2);
        add(found, Type::Text, 2);
    }
    (!known && !name.is_empty()).then_some(name)
}

/// What stands in front of a use.
fn in_front(words: &[Word<'_>], (place, end): (usize, usize), depth: usize, found: &mut Evidence) {
    let called = text_before(words, place, 2);
    let formats = is_text(place.checked_sub(2).and_then(|at| words.get(at)));
    match text_before(words, place, 1) {
        "-" | "*" | "/" | "//" | "**" | "%" if called != "(" && !formats => add(found, Type::Int, 2),
        "<" | ">" | "<=" | ">=" => add(found, Type::Int, 2),
        "in" | "of" if words[..place].iter().rev().take(6).any(|word| word.is("for")) => {
            looped(words, place, depth, found);
        }
        "in" => {
            add(found, Type::list(Type::Int), 1);
            add(found, Type::Text, 1);
            add(found, map(), 2);
        }
        "=" if depth < 2 => {
            // What it is assigned to is used as it is.
            let alone = words.get(end).is_none_or(|next| !["(", "[", "."].contains(&next.text));
            if let Some(name) = place.checked_sub(2).map(|at| words[at]).filter(|name| name.names() && alone)
            {
                by_use(words, &[name.text], depth + 1, found);
            }
        }
        "(" | "," => passed(called, found),
        _ => {}
    }
}

/// A list whose items have the type that the name of one says.
fn looped(words: &[Word<'_>], place: usize, depth: usize, found: &mut Evidence) {
    add(found, Type::list(Type::Int), 2);
    add(found, Type::Text, 1);
    let item = place.checked_sub(2).map(|at| words[at]).filter(|item| item.names() && depth < 2);
    let mut inner = Evidence::new();
    if let Some(item) = item {
        by_use(words, &[item.text], depth + 2, &mut inner);
    }
    for (kind, weight) in inner.into_iter().filter(|(kind, weight)| *weight > 1 && *kind != Type::Int) {
        add(found, Type::list(kind), weight + 1);
    }
}

/// A use as an argument of a well-known function.
fn passed(function: &str, found: &mut Evidence) {
    let kinds = [
        ("len reversed enumerate list set tuple iter Counter any all", Type::list(Type::Int), 2),
        ("len reversed enumerate list set tuple iter Counter", Type::Text, 2),
        ("sorted sum min max zip map filter combinations permutations islice", Type::list(Type::Int), 2),
        ("range xrange chr abs bin hex sqrt str float pow floor log", Type::Int, 3),
        ("int", Type::Text, 1),
        (
            "walk listdir exists isfile isdir remove rmdir mkdir makedirs basename dirname splitext",
            Type::Text,
            4,
        ),
        ("ord open parseInt", Type::Text, 2),
        ("join", Type::list(Type::Text), 3),
        ("dict", map(), 2),
        ("deepcopy", Type::list(Type::Int), 1),
    ];
    for (names, kind, weight) in kinds {
        if has(names, function) {
            add(found, kind, weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::words;
    use familiar_source::Language;

    #[test]
    fn names_say_the_type_where_they_agree() {
        assert_eq!(named(["text", "x"]), Some(Type::Text));
        assert_eq!(named(["items", "arr"]), Some(Type::list(Type::Int)));
        assert_eq!(named(["text", "items"]), None);
        assert_eq!(named(["x", "n"]), None);
    }

    #[test]
    fn uses_say_the_type() {
        let first = |code: &str, name: &str| {
            likely(&evidence(&words(code, Language::Python), name))
                .into_iter()
                .next()
                .expect("there are types")
        };
        assert_eq!(first("def f(q):\n    return q.split(',')", "q"), Type::Text);
        assert_eq!(first("def f(q):\n    return [p for p in range(q)]", "q"), Type::Int);
        assert_eq!(first("def f(q):\n    q.append(1)\n    q[0] = 2", "q"), Type::list(Type::Int));
        assert_eq!(first("def f(q):\n    return [w.upper() for w in q]", "q"), Type::list(Type::Text));
        assert_eq!(first("def f(q, r):\n    return q(r)", "q"), Type::Function);
        let object = first("def f(self):\n    return self.area * self.word.upper()", "self");
        assert_eq!(object, Type::Object(vec![("area".into(), Type::Int), ("word".into(), Type::Text)]));
    }
}
