//! Inputs by type, by the literals of both sides, and by changing others.

use crate::boundaries;
use crate::types::Type;
use crate::value::Value;
use familiar_sandbox::Chance;

/// What the texts of both sides offer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    pub(crate) integers: Vec<i64>,
    pub(crate) texts: Vec<String>,
}

const INTEGERS: [i64; 16] = [0, 1, 2, 3, -1, 5, 7, 10, 12, -4, 100, 37, 6, 4, 24, -13];
const REALS: [f64; 9] = [0.0, 1.0, 2.5, -1.5, 3.25, 0.125, 10.0, 7.75, 100.5];
const TEXTS: [&str; 19] = [
    "a b a",
    "the cat and the dog the",
    "(a[b]{c})",
    "",
    "a",
    "abc",
    "hello world",
    "AbBa",
    "racecar",
    "12",
    "a1 b2",
    "xyzzy",
    "The quick fox",
    "aab",
    "a,b,c",
    "Madam",
    "10101",
    "x y  z",
    "hello",
];
const LETTERS: [&str; 8] = ["a", "b", "z", "A", "0", " ", "e", "7"];

/// Makes values.
pub(crate) struct Maker<'l> {
    pub(crate) literals: &'l Literals,
    pub(crate) chance: Chance,
    /// Which of the values at the edges is taken, where one is.
    pub(crate) edge: Option<usize>,
}

impl Maker<'_> {
    /// A row of values of these types. The first rows have the plainest values.
    pub(crate) fn row(&mut self, kinds: &[Type], round: usize) -> Vec<Value> {
        // Rows with twice the same value see what others do not.
        let mut row: Vec<Value> = kinds.iter().map(|kind| self.value(kind, round)).collect();
        if round % 7 == 3 && row.len() > 1 && kinds[0] == kinds[1] {
            row[1] = row[0].clone();
        }
        // Some functions ask whether one stands in the other.
        if round % 7 == 5 && row.len() > 1 && kinds[0] == kinds[1] {
            row[1] = self.part(&row[0]);
        }
        row
    }

    /// A part of a list or of a text; something else as it is.
    fn part(&mut self, value: &Value) -> Value {
        let mut cut = |count: usize| {
            let start = self.chance.below(count.max(1));
            start..start + self.chance.below((count - start.min(count)).max(1)) + 1
        };
        match value {
            Value::List(items) if !items.is_empty() => Value::List(items[cut(items.len())].to_vec()),
            Value::Text(text) if !text.is_empty() => {
                let letters: Vec<char> = text.chars().collect();
                Value::Text(letters[cut(letters.len())].iter().collect())
            }
            other => other.clone(),
        }
    }

    fn value(&mut self, kind: &Type, round: usize) -> Value {
        if let Some(value) = self.edge.and_then(|at| at_an_edge(kind, at)) {
            return value;
        }
        match kind {
            Type::Real => Value::Real(self.chance.one(&REALS).copied().unwrap_or(0.0)),
            Type::Bool => Value::Bool(self.chance.below(2) == 1),
            Type::Text => {
                // Each text that the code holds is tried as it is.
                let own = self.literals.texts.get(round.saturating_sub(2) / 3).filter(|_| round % 3 == 2);
                Value::Text(own.cloned().unwrap_or_else(|| self.text()))
            }
            Type::Char => {
                let own: Vec<&String> = self.literals.texts.iter().filter(|text| text.len() == 1).collect();
                match self.chance.one(&own) {
                    Some(text) if self.chance.below(3) == 0 => Value::Text((*text).clone()),
                    _ => Value::Text(self.chance.one(&LETTERS).copied().unwrap_or("a").to_owned()),
                }
            }
            Type::List(of) => {
                let many = if round < 2 { round + 2 } else { self.chance.below(7) };
                // Lists of lists are often tables.
                if let Type::List(inner) = &**of {
                    let (rows, columns) = (many.min(4), self.chance.below(4) + 1);
                    let columns = if self.chance.below(2) == 0 { rows } else { columns };
                    let one = |maker: &mut Self| {
                        Value::List((0..columns).map(|_| maker.value(inner, round)).collect())
                    };
                    return Value::List((0..rows).map(|_| one(self)).collect());
                }
                // Beside what stands at an edge there is something else.
                let edge = self.edge;
                let mut items: Vec<Value> = Vec::new();
                for place in 0..many.max(usize::from(edge.is_some())) {
                    self.edge = edge.filter(|_| place % 2 == 0);
                    items.push(self.value(of, round));
                }
                self.edge = edge;
                match self.chance.below(6) {
                    0 => items
                        .sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal)),
                    1 if items.len() > 1 => items[1] = items[0].clone(),
                    _ => {}
                }
                Value::List(items)
            }
            Type::Set(of) => {
                let many = self.chance.below(5) + 1;
                let mut items: Vec<Value> = Vec::new();
                for _ in 0..many {
                    let item = self.value(of, round);
                    if !items.contains(&item) {
                        items.push(item);
                    }
                }
                Value::Set(items)
            }
            Type::Map(key, value) => {
                let many = self.chance.below(4) + usize::from(round < 2);
                let mut pairs: Vec<(Value, Value)> = Vec::new();
                for _ in 0..many {
                    let key = self.value(key, round);
                    if !pairs.iter().any(|(known, _)| *known == key) {
                        pairs.push((key, self.value(value, round)));
                    }
                }
                Value::Map(pairs)
            }
            Type::Function => Value::Function(self.chance.below(3) as u8),
            Type::Object(fields) => {
                let mut held = Vec::new();
                for (name, kind) in fields {
                    // Objects within objects are often absent, as at the end of a list.
                    let absent = matches!(kind, Type::Object(_)) && self.chance.below(3) == 0;
                    held.push((name.clone(), if absent { Value::Null } else { self.value(kind, round) }));
                }
                Value::Object(held)
            }
            Type::Int | Type::Any => Value::Int(self.integer()),
            Type::Record(fields) => Value::Map(
                fields
                    .iter()
                    .map(|(name, kind)| (Value::Text(name.clone()), self.value(kind, round)))
                    .collect(),
            ),
            Type::Mock => Value::Mock(self.chance.below(40) as u8),
            Type::Nothing | Type::Class(_) => Value::Null,
        }
    }

    fn integer(&mut self) -> i64 {
        let own = self.chance.below(3) == 0;
        match self.chance.one(&self.literals.integers) {
            Some(number) if own => number + [-1, 0, 1][self.chance.below(3)],
            _ => self.chance.one(&INTEGERS).copied().unwrap_or(0),
        }
    }

    fn text(&mut self) -> String {
        let own = self.chance.below(3) == 0;
        match self.chance.one(&self.literals.texts) {
            Some(text) if own => {
                let other = self.chance.one(&self.literals.texts).map_or("", String::as_str);
                let around = [("", ""), ("a", ""), ("", "b"), ("x ", " y"), ("", other)];
                let (head, tail) = around[self.chance.below(around.len())];
                format!("{head}{text}{tail}")
            }
            _ => self.chance.one(&TEXTS).copied().unwrap_or_default().to_owned(),
        }
    }

    /// A value that is a little different.
    pub(crate) fn changed(&mut self, value: &Value) -> Value {
        match value {
            Value::Int(number) => Value::Int(match self.chance.below(4) {
                0 => number.saturating_add(1),
                1 => number.saturating_sub(1),
                2 => number / 2,
                _ => self.integer(),
            }),
            Value::Real(number) => Value::Real(number + self.chance.below(3) as f64 - 0.5),
            Value::Bool(value) => Value::Bool(!value),
            Value::Text(text) => {
                let mut letters: Vec<char> = text.chars().collect();
                let place = self.chance.below(letters.len());
                match (self.chance.below(5), letters.get(place).copied()) {
                    (0, Some(letter)) => letters.insert(place, letter),
                    (1, Some(_)) => drop(letters.remove(place)),
                    (2, Some(_)) => letters.reverse(),
                    (3, Some(letter)) if letter.is_ascii_lowercase() => {
                        letters[place] = letter.to_ascii_uppercase();
                    }
                    _ => letters.push('a'),
                }
                Value::Text(letters.into_iter().collect())
            }
            Value::List(items) if !items.is_empty() => {
                let mut items = items.clone();
                let place = self.chance.below(items.len());
                match self.chance.below(4) {
                    0 => drop(items.remove(place)),
                    1 => items.insert(place, items[place].clone()),
                    2 => items.reverse(),
                    _ => items[place] = self.changed(&items[place].clone()),
                }
                Value::List(items)
            }
            Value::Map(pairs) if !pairs.is_empty() => {
                let mut pairs = pairs.clone();
                let place = self.chance.below(pairs.len());
                pairs[place].1 = self.changed(&pairs[place].1.clone());
                Value::Map(pairs)
            }
            Value::Object(fields) if !fields.is_empty() => {
                let mut fields = fields.clone();
                let place = self.chance.below(fields.len());
                fields[place].1 = self.changed(&fields[place].1.clone());
                Value::Object(fields)
            }
            other => other.clone(),
        }
    }
}

/// The value of a type at an edge, where there are some.
fn at_an_edge(kind: &Type, at: usize) -> Option<Value> {
    let text = |texts: &[&str]| Value::Text(texts[at % texts.len()].to_owned());
    Some(match kind {
        Type::Int | Type::Any => Value::Int(boundaries::INTEGERS[at % boundaries::INTEGERS.len()]),
        Type::Real => Value::Real(boundaries::REALS[at % boundaries::REALS.len()]),
        Type::Text => text(&boundaries::TEXTS),
        Type::Char => text(&boundaries::LETTERS),
        _ => return None,
    })
}

/// Values that are a little smaller, the smallest first.
pub(crate) fn smaller(value: &Value) -> Vec<Value> {
    let mut all = match value {
        Value::Int(number) if *number != 0 => {
            [0, number / 2, number - number.signum(), -number].into_iter().map(Value::Int).collect()
        }
        Value::Real(number) if *number != 0.0 => {
            vec![Value::Real(0.0), Value::Real(number.trunc()), Value::Real(1.0)]
        }
        Value::Text(text) if !text.is_empty() => {
            let letters: Vec<char> = text.chars().collect();
            let mut all =
                vec![Value::Text(String::new()), Value::Text(letters[..letters.len() / 2].iter().collect())];
            for place in 0..letters.len().min(8) {
                let rest =
                    letters.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, letter)| letter);
                all.push(Value::Text(rest.collect()));
            }
            all
        }
        Value::List(items) => without(items).into_iter().map(Value::List).collect(),
        Value::Set(items) => without(items).into_iter().map(Value::Set).collect(),
        Value::Map(pairs) => (0..pairs.len())
            .map(|place| {
                let mut pairs = pairs.clone();
                pairs.remove(place);
                Value::Map(pairs)
            })
            .collect(),
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (place, (_, held)) in fields.iter().enumerate() {
                for less in smaller(held) {
                    let mut fields = fields.clone();
                    fields[place].1 = less;
                    all.push(Value::Object(fields));
                }
            }
            all
        }
        _ => Vec::new(),
    };
    all.retain(|less| less.size() < value.size());
    all.sort_by_key(Value::size);
    all
}

/// Lists with one item less, or with a smaller item.
fn without(items: &[Value]) -> Vec<Vec<Value>> {
    let mut all =
        if items.len() > 2 { vec![Vec::new(), items[..items.len() / 2].to_vec()] } else { Vec::new() };
    for place in 0..items.len().min(8) {
        let mut rest = items.to_vec();
        rest.remove(place);
        all.push(rest);
    }
    for (place, item) in items.iter().enumerate().take(8) {
        for less in smaller(item).into_iter().take(3) {
            let mut rest = items.to_vec();
            rest[place] = less;
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_smaller_is_smaller(numbers in proptest::collection::vec(-100_i64..100, 0..6), text in "[a-z]{0,6}") {
            let list = Value::List(numbers.into_iter().map(Value::Int).chain([Value::Text(text)]).collect());
            for less in smaller(&list) {
                prop_assert!(less.size() < list.size());
            }
        }

        #[test]
        fn the_same_seed_gives_the_same_rows(seed in 0_u64..1000) {
            let literals = Literals { integers: vec![42], texts: vec!["seldom".into()] };
            let kinds = [Type::Int, Type::list(Type::Text), Type::Map(Box::new(Type::Text), Box::new(Type::Real))];
            let rows = || {
                let mut maker = Maker { literals: &literals, chance: Chance::new(seed), edge: None };
                (0..10).map(|round| maker.row(&kinds, round)).collect::<Vec<_>>()
            };
            prop_assert_eq!(rows(), rows());
        }
    }
}
