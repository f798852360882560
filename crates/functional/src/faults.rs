//! How much do the inputs see? They have to tell mutants of a side from the side.

use crate::compare::{How, Seen};
use crate::prepare::{CLASS, Prepared, prepared};
use crate::run::run;
use crate::signature::Function;
use crate::tokens::words;
use familiar_sandbox::{Call, Called, End, Program, Sandbox, SandboxError, Test, mutants};
use familiar_source::Language;
use std::collections::BTreeSet;

/// So many inputs are tried first: most mutants fall soon.
const FIRST: usize = 4;
/// How often mutants that do not compile are taken out of a program that has many.
const ROUNDS: usize = 3;

/// One side with what it did.
pub(crate) struct Original<'a> {
    pub(crate) code: &'a str,
    pub(crate) language: Language,
    pub(crate) function: &'a Function,
    /// The calls that count, and what they gave.
    pub(crate) calls: &'a [Call],
    pub(crate) seen: &'a [Seen],
    pub(crate) patience: u32,
}

/// How many mutants compile, and how many of these are detected.
pub(crate) fn detected(
    sandbox: &Sandbox,
    original: &Original<'_>,
    most: usize,
) -> Result<(usize, usize), SandboxError> {
    let program = Program { language: original.language, text: original.code.to_owned() };
    let texts = mutants(&program, most).into_iter().map(|mutant| mutant.text);
    let texts: Vec<String> =
        texts.filter(|text| !equivalent(original.code, text, original.language)).collect();
    if original.language == Language::Java && original.function.owner.is_none() {
        return together(sandbox, original, &texts);
    }
    let (mut compile, mut found) = (0, 0);
    for text in &texts {
        let mutant = prepared(text, original.language, original.function, CLASS);
        if let Some(differs) = differs(sandbox, original, &mutant)? {
            compile += 1;
            found += usize::from(differs);
        }
    }
    Ok((compile, found))
}

/// Whether a mutant is shown to do the same: `if a > b: b = a` sets nothing new where both are equal.
fn equivalent(code: &str, mutant: &str, language: Language) -> bool {
    let (old, new) = (words(code, language), words(mutant, language));
    let Some(place) = old.iter().zip(&new).position(|(old, new)| old.text != new.text) else { return false };
    let pairs = [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")];
    if !pairs.contains(&(old[place].text, new[place].text)) || place < 1 {
        return false;
    }
    let at = |place: usize| old.get(place).map_or("", |word| word.text);
    let (one, other) = (old[place - 1], at(place + 1));
    let begins = ["if", "("].contains(&at(place.wrapping_sub(2)));
    let behind =
        (place + 2..old.len()).find(|place| ![")", "{", ":"].contains(&at(*place))).unwrap_or(old.len());
    let set = [at(behind), at(behind + 2)];
    let ends = !["+", "-", "*", "/", ".", "[", "(", "%"].contains(&at(behind + 3));
    let same = set == [one.text, other] || set == [other, one.text];
    begins && ends && one.names() && at(behind + 1) == "=" && same
}

/// Whether a mutant behaves differently; nothing where it does not compile.
fn differs(
    sandbox: &Sandbox,
    original: &Original<'_>,
    mutant: &Prepared,
) -> Result<Option<bool>, SandboxError> {
    let first = FIRST.min(original.calls.len());
    for range in [0..first, first..original.calls.len()] {
        let calls = &original.calls[range.clone()];
        if calls.is_empty() {
            continue;
        }
        match run(sandbox, mutant, calls, original.patience, false)? {
            Err(_) => return Ok(None),
            Ok(run) if !all_alike(&run.seen, &original.seen[range]) => return Ok(Some(true)),
            Ok(_) => {}
        }
    }
    Ok(Some(false))
}

fn all_alike(seen: &[Seen], others: &[Seen]) -> bool {
    let how = How { across: false };
    seen.iter().zip(others).all(|pair| match pair {
        (Seen::Returned(one), Seen::Returned(other)) => {
            one.printed == other.printed
                && how.alike(&one.value, &other.value)
                && one.after.iter().zip(&other.after).all(|(one, other)| how.alike(one, other))
        }
        (one, other) => one == other,
    })
}

/// As `detected`, with all mutants in one program, each in a class of its own: compiling costs more than running.
fn together(
    sandbox: &Sandbox,
    original: &Original<'_>,
    texts: &[String],
) -> Result<(usize, usize), SandboxError> {
    let class = |place: usize| format!("Fault{place}");
    let each: Vec<Prepared> = texts
        .iter()
        .enumerate()
        .map(|(place, text)| prepared(text, Language::Java, original.function, &class(place)))
        .collect();
    let mut left: BTreeSet<usize> = (0..texts.len()).collect();
    let (mut found, mut compiles) = (BTreeSet::new(), false);
    let first = FIRST.min(original.calls.len());
    for range in [0..first, first..original.calls.len()] {
        for _ in 0..ROUNDS {
            let hidden: Vec<usize> = left.difference(&found).copied().collect();
            if hidden.is_empty() || range.is_empty() {
                break;
            }
            let text: String = hidden.iter().map(|place| each[*place].program.text.as_str()).collect();
            let mut calls = Vec::new();
            for place in &hidden {
                calls.extend(original.calls[range.clone()].iter().map(|call| Call {
                    function: each[*place].function.clone(),
                    arguments: call.arguments.clone(),
                }));
            }
            let program = Program { language: Language::Java, text };
            let test = Test::Values { calls, patience: original.patience, cover: false };
            let outcome = sandbox.run(&program, &test)?;
            if outcome.end == End::DoesNotCompile {
                let said = String::from_utf8_lossy(&outcome.stderr);
                let wrong = wrong(&said, &program.text, &hidden, &each);
                if wrong.is_empty() {
                    left.retain(|place| found.contains(place));
                }
                left.retain(|place| !wrong.contains(place));
                continue;
            }
            compiles = true;
            for (turn, place) in hidden.iter().enumerate() {
                let seen = outcome.calls.chunks(range.len()).nth(turn).unwrap_or_default();
                let expected = &original.seen[range.clone()];
                let alike = seen.len() == expected.len()
                    && all_alike(&seen.iter().map(of_call).collect::<Vec<_>>(), expected);
                if !alike {
                    found.insert(*place);
                }
            }
            break;
        }
    }
    if compiles { Ok((left.len(), found.len())) } else { Ok((0, 0)) }
}

fn of_call(called: &Called) -> Seen {
    match called {
        Called::Returned(text) => familiar_sandbox::exchange::Exchanged::read(text)
            .map_or(Seen::Ended(End::TooMuchOutput), Seen::Returned),
        Called::Raised(class) => Seen::Raised(class.clone()),
    }
}

/// The mutants in whose lines the compiler found an error. The sandbox puts imports first, each once.
fn wrong(said: &str, text: &str, hidden: &[usize], each: &[Prepared]) -> BTreeSet<usize> {
    let is_import = |line: &str| line.trim_start().starts_with("import ") && line.trim_end().ends_with(';');
    let mut imports: Vec<&str> = text.lines().filter(|line| is_import(line)).map(str::trim).collect();
    imports.sort_unstable();
    imports.dedup();
    let mut all = BTreeSet::new();
    for line in said.lines().filter(|line| line.contains(": error:")) {
        let number = line.split(':').nth(1).and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
        let mut begin = imports.len().max(1);
        for place in hidden {
            let lines = each[*place].program.text.lines().filter(|line| !is_import(line)).count();
            if number > begin && number <= begin + lines {
                all.insert(*place);
            }
            begin += lines;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_sets_what_is_equal_is_no_fault() {
        let python =
            "def f(xs):\n    for x in xs:\n        if x > best:\n            best = x\n    return best";
        assert!(equivalent(python, &python.replace('>', ">="), Language::Python));
        let java = "int f(int a, int best) { if (best < a) { best = a; } return best; }";
        assert!(equivalent(java, &java.replace('<', "<="), Language::Java));
        let counts = java.replace("best = a;", "best = a + 1;");
        assert!(!equivalent(&counts, &counts.replace('<', "<="), Language::Java));
        assert!(!equivalent(java, &java.replace("best = a", "best = 1"), Language::Java));
    }
}
