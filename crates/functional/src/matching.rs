//! Which functions of both sides are called, and what each of their parameters is given.

use crate::guess::{Evidence, add_all, evidence, likely, named};
use crate::report::{Cause, Pair, Side};
use crate::signature::{Function, Parameter, functions, variables};
use crate::tokens::words;
use crate::types::Type;
use familiar_source::Language;

/// Names of parameters that say how long the list before them is.
const LENGTHS: &str =
    "n len length size count num sz m arr_size array_size arrlength numsSize nums_size arrSize arr_len l";

/// So many types are tried for a parameter that says none.
const TRIED: usize = 7;

/// What a parameter is given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Give {
    /// The value of this place in the row.
    Slot(usize),
    /// The length of the value of this place.
    LengthOf(usize),
    /// Something plain: the other side has no such parameter.
    Own(Type),
}

/// Two functions that take the same.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub(crate) functions: [Function; 2],
    /// For each place of a row, the types that may stand there, the likeliest first.
    pub(crate) slots: Vec<Vec<Type>>,
    /// For each place, the type that the names of its parameters say.
    pub(crate) named: Vec<Option<Type>>,
    /// For each side and each parameter, what it is given.
    pub(crate) gives: [Vec<Give>; 2],
    /// Whether types had to be guessed.
    pub(crate) guessed: bool,
}

/// Why there is no match.
pub(crate) type Unmatched = (Cause, Option<usize>, String);

/// The best match of two sides.
pub(crate) fn matched(pair: &Pair) -> Result<Match, Unmatched> {
    let sides = [&pair.first, &pair.second];
    let mut found = sides.map(|side| functions(&side.code, side.language));
    let held = [0, 1].map(|side| held(sides[side], &found[side], &found[1 - side]));
    for (found, held) in found.iter_mut().zip(held) {
        found.extend(held);
    }
    if let Some(side) = found.iter().position(Vec::is_empty) {
        return Err((Cause::NoFunction, Some(side), String::new()));
    }
    let mut pairs: Vec<(i32, &Function, &Function)> = Vec::new();
    for one in &found[0] {
        for other in &found[1] {
            let alone = is_called(&pair.first, one, &found[0]) + is_called(&pair.second, other, &found[1]);
            let score = 8 * i32::from(same_name(&one.name, &other.name)) - 3 * alone
                + i32::from(one.public)
                + i32::from(other.public)
                + 2 * i32::from(one.parameters.len() == other.parameters.len());
            pairs.push((score, one, other));
        }
    }
    pairs.sort_by_key(|(score, ..)| -score);
    let mut worst = (Cause::SignaturesDiffer, None, String::new());
    for (place, (_, one, other)) in pairs.into_iter().enumerate() {
        let [one, other] = filled_up(one, other);
        match fitted(sides, &one, &other) {
            Ok(fitted) => return Ok(fitted),
            Err(why) if place == 0 => worst = why,
            Err(_) => {}
        }
    }
    Err(worst)
}

/// Functions in variables of a side that have the name of a function of the other side, as that one's declaration says.
fn held(side: &Side, own: &[Function], others: &[Function]) -> Vec<Function> {
    let variables = variables(&side.code, side.language, own);
    let of = |other: &Function| {
        let is_free = !own.iter().any(|it| same_name(&it.name, &other.name));
        let name = variables.iter().find(|name| is_free && same_name(name, &other.name))?;
        Some(Function { name: (*name).to_owned(), owner: None, fixed: false, ..other.clone() })
    };
    others.iter().filter_map(of).collect()
}

fn same_name(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    plain(one) == plain(other)
}

/// Whether other functions of its side use it.
fn is_called(side: &Side, function: &Function, all: &[Function]) -> i32 {
    let uses = words(&side.code, side.language).iter().filter(|word| word.is(&function.name)).count();
    let declared = all.iter().filter(|other| other.name == function.name).count();
    i32::from(uses > declared && all.len() > 1)
}

/// Python's own first parameter of a method, where the method stands without its class.
fn is_self(function: &Function, language: Language) -> bool {
    let first = function.parameters.first();
    language == Language::Python && first.is_some_and(|first| ["self", "cls"].contains(&first.name.as_str()))
}

/// Whether a parameter says how long the one before it is.
fn is_length(parameters: &[Parameter], place: usize, language: Language) -> bool {
    let typed = !matches!(language, Language::Python | Language::JavaScript);
    let Some(before) = place.checked_sub(1).map(|before| &parameters[before]) else { return false };
    let name = &parameters[place].name;
    let named = LENGTHS.split(' ').any(|known| known.eq_ignore_ascii_case(name))
        || name.to_lowercase().ends_with("len")
        || name.to_lowercase().ends_with("length")
        || name.to_lowercase().ends_with("size");
    let listed = matches!(before.kind, Type::List(_)) || before.kind == Type::Text && language == Language::C;
    typed && named && parameters[place].kind == Type::Int && listed
}

/// Both, with parameters in place of `*rest`: what the other one takes, or two of any kind where both have such.
fn filled_up(one: &Function, other: &Function) -> [Function; 2] {
    let beyond = |one: &Function, other: &Function| {
        other.parameters.get(one.parameters.len()..).unwrap_or_default().to_vec()
    };
    let any = |name: &str| Parameter {
        name: name.to_owned(),
        written: String::new(),
        kind: Type::Any,
        optional: false,
    };
    if one.rest && other.rest && one.parameters.len() == other.parameters.len() {
        let two = [any("first"), any("second")];
        return [one.with_rest(&two), other.with_rest(&two)];
    }
    [one.with_rest(&beyond(one, other)), other.with_rest(&beyond(other, one))]
}

fn fitted(sides: [&Side; 2], one: &Function, other: &Function) -> Result<Match, Unmatched> {
    let functions = [one, other];
    let has_self = [0, 1].map(|side| is_self(functions[side], sides[side].language));
    let skipped = [0, 1].map(|side| usize::from(has_self[side] && !(has_self[0] && has_self[1])));
    let lengths = [0, 1].map(|side| {
        let parameters = &functions[side].parameters;
        (0..parameters.len())
            .filter(|place| is_length(parameters, *place, sides[side].language))
            .collect::<Vec<usize>>()
    });
    let differ =
        || (Cause::SignaturesDiffer, None, format!("{} and {} take different things", one.name, other.name));
    for fused in [lengths[0] == lengths[1], true] {
        let taken = [0, 1].map(|side| {
            let all = skipped[side]..functions[side].parameters.len();
            all.filter(|place| !fused || !lengths[side].contains(place)).collect::<Vec<usize>>()
        });
        let least = [0, 1].map(|side| {
            let needed = |place: &&usize| !functions[side].parameters[**place].optional;
            taken[side].iter().filter(needed).count()
        });
        let many = taken[0].len().min(taken[1].len());
        if least.iter().any(|least| *least > many) {
            continue;
        }
        let taken = taken.map(|taken| taken[..many].to_vec());
        return slots(sides, functions, &taken, &lengths, skipped, fused).ok_or_else(differ)?;
    }
    Err(differ())
}

type Slots = Option<Result<Match, Unmatched>>;

fn slots(
    sides: [&Side; 2],
    functions: [&Function; 2],
    taken: &[Vec<usize>; 2],
    lengths: &[Vec<usize>; 2],
    skipped: [usize; 2],
    fused: bool,
) -> Slots {
    let all_words = sides.map(|side| words(&side.code, side.language));
    let (mut all, mut all_named, mut guessed) = (Vec::new(), Vec::new(), false);
    for (first, second) in taken[0].iter().zip(&taken[1]) {
        let parameters = [&functions[0].parameters[*first], &functions[1].parameters[*second]];
        let kind = parameters[0].kind.with(&parameters[1].kind)?;
        if !kind.is_known() {
            let side = usize::from(parameters[0].kind.is_known());
            let name = parameters[side].written.clone();
            return Some(Err((Cause::UnknownType, Some(side), name)));
        }
        let mut weights = Evidence::new();
        for side in [0, 1] {
            if matches!(sides[side].language, Language::Python | Language::JavaScript) {
                add_all(&mut weights, evidence(&all_words[side], &parameters[side].name));
            }
        }
        let kinds = candidates(&kind, &weights);
        guessed |= kinds.len() > 1;
        all.push(kinds);
        all_named.push(named(parameters.map(|it| it.name.as_str())));
    }
    let gives = [0, 1].map(|side| {
        let count = functions[side].parameters.len();
        let mut gives: Vec<Give> = Vec::new();
        for place in 0..count {
            let parameter = &functions[side].parameters[place];
            if let Some(slot) = taken[side].iter().position(|taken| *taken == place) {
                gives.push(Give::Slot(slot));
            } else if fused && lengths[side].contains(&place) {
                let before = taken[side].iter().position(|taken| *taken + 1 == place).unwrap_or(0);
                gives.push(Give::LengthOf(before));
            } else if place < skipped[side] {
                let weights = evidence(&all_words[side], &parameter.name);
                gives.push(Give::Own(likely(&weights).into_iter().next().unwrap_or(Type::Int)));
            }
        }
        gives
    });
    let functions = functions.map(Clone::clone);
    Some(Ok(Match { functions, slots: all, named: all_named, gives, guessed }))
}

/// The types that a parameter may have.
fn candidates(kind: &Type, weights: &Evidence) -> Vec<Type> {
    match kind {
        Type::Any if weights.is_empty() => vec![Type::Int, Type::Text],
        Type::Any => {
            let mut kinds: Vec<Type> = Vec::new();
            for kind in likely(weights) {
                kinds.push(kind.clone());
                // Objects are the likeliest where there are any, and their fields are guesses, too.
                if let (Type::Object(fields), 1) = (&kind, kinds.len()) {
                    kinds.extend(other_fields(fields));
                }
            }
            kinds.truncate(TRIED);
            kinds
        }
        Type::List(of) if **of == Type::Any => {
            let mut lists: Vec<Type> =
                likely(weights).into_iter().filter(|kind| matches!(kind, Type::List(_))).collect();
            lists.truncate(3);
            lists
        }
        kind => vec![filled(kind)],
    }
}

/// Objects in which one field has another type.
fn other_fields(fields: &[(String, Type)]) -> Vec<Type> {
    let mut all = Vec::new();
    for kinds in [
        [Type::Int, Type::Text],
        [Type::list(Type::Int), filled(&Type::Map(Box::new(Type::Any), Box::new(Type::Any)))],
    ] {
        let guessed = fields.iter().enumerate().filter(|(_, (_, known))| *known != Type::Function);
        for (place, (_, known)) in guessed {
            for kind in kinds.iter().filter(|kind| *kind != known) {
                let mut fields = fields.to_vec();
                fields[place].1 = kind.clone();
                all.push(Type::Object(fields));
            }
        }
    }
    all
}

/// A type in which nothing is left open.
fn filled(kind: &Type) -> Type {
    match kind {
        Type::Any => Type::Int,
        Type::List(of) => Type::list(filled(of)),
        Type::Set(of) => Type::Set(Box::new(filled(of))),
        Type::Map(key, value) if **key == Type::Any => {
            Type::Map(Box::new(Type::Text), Box::new(filled(value)))
        }
        Type::Map(key, value) => Type::Map(key.clone(), Box::new(filled(value))),
        kind => kind.clone(),
    }
}

/// Choices of one type for each place, the likeliest first.
pub(crate) fn choices(slots: &[Vec<Type>], most: usize) -> Vec<Vec<Type>> {
    let mut all: Vec<(usize, Vec<Type>)> = vec![(0, Vec::new())];
    for kinds in slots {
        let mut next = Vec::new();
        for (rank, chosen) in &all {
            for (place, kind) in kinds.iter().enumerate() {
                let chosen: Vec<Type> = chosen.iter().chain([kind]).cloned().collect();
                next.push((rank + place, chosen));
            }
        }
        next.sort_by_key(|(rank, _)| *rank);
        next.truncate(4 * most);
        all = next;
    }
    all.truncate(most);
    all.into_iter().map(|(_, chosen)| chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(one: (Language, &str), other: (Language, &str)) -> Result<Match, Unmatched> {
        let side = |(language, code): (Language, &str)| Side { language, code: code.to_owned() };
        matched(&Pair { first: side(one), second: side(other), samples: String::new() })
    }

    #[test]
    fn functions_are_matched_by_name_and_by_what_they_take() {
        let python = "def helper(a): return a\ndef sum_all(values):\n    return sum(helper(values))";
        let java = "static int helper(int a) { return a; } static int sumAll(List<Integer> values) { return helper(1); }";
        let found = found((Language::Python, python), (Language::Java, java)).expect("they match");
        assert_eq!(found.functions.each_ref().map(|function| function.name.as_str()), ["sum_all", "sumAll"]);
        assert_eq!(found.slots, [vec![Type::list(Type::Int)]]);
        assert!(!found.guessed);
    }

    #[test]
    fn a_variable_may_hold_the_function() {
        let seed = "def noop(a, b=1): return None";
        let variant = "def constantly(value):\n    return lambda *rest: value\n\nnoop = constantly(None)\n";
        let found = found((Language::Python, seed), (Language::Python, variant)).expect("they match");
        assert_eq!(found.functions.each_ref().map(|it| it.name.as_str()), ["noop", "noop"]);
        assert_eq!(found.gives[0], found.gives[1]);
    }

    #[test]
    fn the_length_of_an_array_needs_no_partner() {
        let python = "def total(values): return sum(values)";
        let c = "int total(const int *values, int n) { return values[0]; }";
        let found = found((Language::Python, python), (Language::C, c)).expect("they match");
        assert_eq!(found.gives, [vec![Give::Slot(0)], vec![Give::Slot(0), Give::LengthOf(0)]]);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let causes = [
            ((Language::Python, "x = 1"), (Language::Python, "def f(): pass"), Cause::NoFunction),
            (
                (Language::Python, "def f(a, b): pass"),
                (Language::Python, "def f(a): pass"),
                Cause::SignaturesDiffer,
            ),
            (
                (Language::Java, "int f(Node a) { return 1; }"),
                (Language::Java, "int f(Node b) { return 1; }"),
                Cause::UnknownType,
            ),
        ];
        for (one, other, cause) in causes {
            assert_eq!(found(one, other).expect_err("they do not match").0, cause);
        }
    }
}
