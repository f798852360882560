//! Inputs for programs that have no test: by the types of a declaration, by the literals of the text, and by changing samples.
//!
//! All of them are guesses. Those that a program does not accept make it fail, and [`Agreement`](crate::Agreement) counts only what
//! ended normally. The same seed gives the same inputs.

mod kind;
pub(crate) mod scan;
mod value;

use crate::chance::Chance;
use crate::program::Program;
use familiar_source::Language;
use kind::{Kind, Parameter};
use scan::{Piece, parts, pieces};
use std::collections::BTreeSet;
use value::Words;

/// Arguments for calls of `function`, at most `most` calls, each different.
///
/// `samples` is code that calls the function, such as a test; it may be empty. Its calls come first, then changes of them, then
/// values by the kinds of the parameters. Where a declaration says no kind, several are tried.
pub fn calls(program: &Program, function: &str, samples: &str, seed: u64, most: usize) -> Vec<Vec<String>> {
    let mut chance = Chance::new(seed);
    let language = program.language;
    let words = words(&program.text, language);
    let name = function.rsplit('.').next().unwrap_or(function);
    let samples = sampled(samples, name, language);
    let mut found = Found { seen: BTreeSet::new(), all: Vec::new(), most };
    for sample in &samples {
        found.add(sample.clone());
    }
    for _ in 0..most {
        if let Some(sample) = chance.one(&samples) {
            let changed = sample.iter().map(|part| changed(part, &words, &mut chance, language)).collect();
            found.add(changed);
        }
        if found.all.len() * 2 >= most {
            break;
        }
    }
    let Some(parameters) = kind::parameters(&program.text, function, language) else { return found.all };
    for round in 0..most * 4 {
        let row = parameters.iter().enumerate().map(|(place, parameter)| {
            let parameter = guessed(parameter, round, place);
            value::expression(&parameter, &words, &mut chance, language)
        });
        found.add(row.collect());
    }
    found.all
}

/// Standard inputs, at most `most`, each different: the samples, and changes of them. Without a sample, lines of numbers.
pub fn standard_inputs(program: &Program, samples: &[Vec<u8>], seed: u64, most: usize) -> Vec<Vec<u8>> {
    let mut chance = Chance::new(seed);
    let words = words(&program.text, program.language);
    let mut texts: Vec<String> =
        samples.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    if texts.is_empty() {
        texts = ["5\n", "3 4\n", "3\n1 2 3\n", "2 2\n1 2\n3 4\n", "abc\n", "1\n2\n3\n"]
            .map(str::to_owned)
            .to_vec();
    }
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    let mut sources = texts.clone();
    for round in 0..most * 8 {
        let next = match sources.get(round) {
            Some(text) if round < texts.len() => text.clone(),
            _ => {
                let Some(text) = chance.one(&texts) else { break };
                changed(text, &words, &mut chance, Language::Other)
            }
        };
        if all.len() < most && seen.insert(next.clone()) {
            all.push(next.clone().into_bytes());
            sources.push(next);
        }
    }
    all
}

struct Found {
    seen: BTreeSet<Vec<String>>,
    all: Vec<Vec<String>>,
    most: usize,
}

impl Found {
    fn add(&mut self, row: Vec<String>) {
        if self.all.len() < self.most && self.seen.insert(row.clone()) {
            self.all.push(row);
        }
    }
}

/// A kind for a parameter that says none, another in each round.
fn guessed(parameter: &Parameter, round: usize, place: usize) -> Parameter {
    if parameter.0 != Kind::Unknown {
        return parameter.clone();
    }
    let list = |of| Kind::List(Box::new(of));
    let kinds = [
        Kind::Integer,
        list(Kind::Integer),
        Kind::Text,
        list(Kind::Text),
        list(list(Kind::Integer)),
        Kind::Real,
    ];
    // Mixed with six as the base, so that the parameters go through all combinations.
    let turn = (0..place).fold(round, |turn, _| turn / kinds.len()) + round / 36;
    (kinds[turn % kinds.len()].clone(), String::new())
}

/// The integers and the texts of a program.
fn words(text: &str, language: Language) -> Words {
    let mut words = Words::default();
    for (kind, range) in pieces(text, language) {
        let piece = &text[range];
        match kind {
            Piece::Number => {
                words.integers.extend(piece.parse::<i64>().ok().filter(|number| *number < 1 << 31));
            }
            Piece::Text => {
                let inner = piece.trim_matches(['"', '\'', '`']);
                let plain = inner.chars().all(|letter| !letter.is_control() && !"\"'`\\".contains(letter));
                if plain && inner.len() < 40 {
                    words.texts.push(inner.to_owned());
                }
            }
            Piece::Name | Piece::Operator => {}
        }
    }
    words.integers.sort_unstable();
    words.integers.dedup();
    words.texts.sort_unstable();
    words.texts.dedup();
    words
}

/// The arguments of the calls of a function in `samples`.
fn sampled(samples: &str, name: &str, language: Language) -> Vec<Vec<String>> {
    let found = pieces(samples, language);
    let mut all = Vec::new();
    for pair in found.windows(2) {
        let [(Piece::Name, named), (Piece::Operator, open)] = pair else { continue };
        // Tests of HumanEval call what they were given.
        let calls = [name, "candidate"].contains(&&samples[named.clone()]) && &samples[open.clone()] == "(";
        let declared = samples[..named.start].trim_end().ends_with("def");
        if !calls || declared {
            continue;
        }
        let constant = |part: &String| {
            let mut names = pieces(part, language).into_iter().filter(|(kind, _)| *kind == Piece::Name);
            names.all(|(_, range)| {
                ["True", "False", "None", "true", "false", "null", "new", "set"].contains(&&part[range])
            })
        };
        if let Some(row) = parts(&samples[open.end..], language, false).filter(|row| row.iter().all(constant))
        {
            all.push(row);
        }
    }
    all
}

/// A text with one to three of its numbers and words changed.
fn changed(text: &str, words: &Words, chance: &mut Chance, language: Language) -> String {
    let mut text = text.to_owned();
    for _ in 0..=chance.below(3) {
        let all = pieces(&text, language);
        let changeable: Vec<_> = all
            .into_iter()
            .filter(|(kind, _)| {
                matches!(kind, Piece::Number | Piece::Text)
                    || (*kind == Piece::Name && language == Language::Other)
            })
            .collect();
        let Some((kind, range)) = chance.one(&changeable).cloned() else { return text };
        let new = match kind {
            Piece::Number => number(&text[range.clone()], words, chance),
            _ => word(&text[range.clone()], chance),
        };
        text.replace_range(range, &new);
    }
    text
}

fn number(old: &str, words: &Words, chance: &mut Chance) -> String {
    let Ok(number) = old.parse::<i64>() else {
        return old
            .parse::<f64>()
            .map_or(old.to_owned(), |real| format!("{:?}", real + chance.below(3) as f64 - 0.5));
    };
    let changes = [
        number.saturating_add(1),
        number.saturating_sub(1).max(0),
        0,
        1,
        number / 2,
        number.saturating_mul(2),
    ];
    let own = chance.one(&words.integers).copied().filter(|_| chance.below(4) == 0);
    own.or(chance.one(&changes).copied()).unwrap_or(number).to_string()
}

/// A word with a letter doubled, left out or moved. Quotes stay where they are.
fn word(old: &str, chance: &mut Chance) -> String {
    let quote = old.chars().next().filter(|letter| "\"'`".contains(*letter));
    let quotes = if old.starts_with("\"\"\"") { 3 } else { usize::from(quote.is_some()) };
    if old.len() < 2 * quotes || !old.ends_with(&old[..quotes]) || old.contains('\\') {
        return old.to_owned();
    }
    let (head, tail) = (&old[..quotes], &old[old.len() - quotes..]);
    let mut letters: Vec<char> = old[quotes..old.len() - quotes].chars().collect();
    let place = chance.below(letters.len());
    match (chance.below(4), letters.get(place).copied()) {
        (0, Some(letter)) => letters.insert(place, letter),
        (1, Some(_)) => drop(letters.remove(place)),
        (2, Some(_)) => letters.reverse(),
        _ => letters.push('a'),
    }
    format!("{head}{}{tail}", letters.into_iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_first_and_changes_of_them_follow() {
        let program = Program::python("def f(a: int, b: str):\n    return b * a if a < 42 else 'seldom'");
        let found = calls(
            &program,
            "f",
            "def check(f):\n    assert f(3, 'ab') == 'ababab'\n    assert f(x, 'a')",
            1,
            30,
        );
        assert_eq!(found[0], ["3", "'ab'"]);
        assert_eq!(found.len(), 30);
        assert!(found.iter().all(|row| row.len() == 2), "{found:?}");
        assert!(found.iter().flatten().any(|part| part.contains("seldom")), "{found:?}");
        assert!(found.iter().any(|row| ["41", "42", "43"].contains(&row[0].as_str())), "{found:?}");
        assert_eq!(
            found,
            calls(
                &program,
                "f",
                "def check(f):\n    assert f(3, 'ab') == 'ababab'\n    assert f(x, 'a')",
                1,
                30
            )
        );
    }

    #[test]
    fn a_string_without_an_end_is_left_alone() {
        let program = Program { language: Language::C, text: "`\u{fffd}".to_owned() };
        assert!(!standard_inputs(&program, &[b"`\xff".to_vec()], 218, 10).is_empty());
    }

    #[test]
    fn standard_inputs_are_samples_and_changes_of_them() {
        let program = Program::python("print(sum(map(int, input().split())))");
        let found = standard_inputs(&program, &[b"3 4\n".to_vec()], 1, 10);
        assert_eq!(found[0], b"3 4\n");
        assert_eq!(found.len(), 10);
        assert!(found.iter().all(|input| input.ends_with(b"\n")));
        assert_eq!(standard_inputs(&program, &[], 1, 20).len(), 20);
    }
}
