//! The patterns of `patterns.txt`, written by hand for what there was nothing to learn from.

use std::collections::HashMap;
use std::sync::LazyLock;

use familiar_source::Language;

use super::lines::{Kind, Token};
use super::pattern::Pattern;

pub(super) static PATTERNS: LazyLock<Patterns> =
    LazyLock::new(|| Patterns::new(include_str!("patterns.txt")));

/// What a line of prose weighs against all languages.
const PROSE: i32 = 60;

/// A pattern, what it speaks for, and how much.
struct Entry {
    pattern: Pattern,
    language: Language,
    weight: i32,
}

pub(super) struct Patterns {
    /// By the token that they start with.
    by_first: HashMap<&'static str, Vec<Entry>>,
    /// Those that any token may start.
    open: Vec<Entry>,
}

impl Patterns {
    fn new(text: &'static str) -> Self {
        let mut all = Self { by_first: HashMap::new(), open: Vec::new() };
        let (mut language, mut weight) = (Language::Other, 0);
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let patterns = if let Some(more) = line.strip_prefix("  ") {
                more
            } else {
                let (head, patterns) = line.split_once(" = ").expect("a weight comes before patterns");
                let (name, number) = head.split_once(' ').expect("a weight follows the language");
                language = Language::from_name(name).expect("a language is called by its name");
                weight = number.parse().expect("a weight is a number");
                patterns
            };
            for pattern in patterns.split(" · ").map(Pattern::new) {
                let entries = match pattern.first() {
                    Some(text) => all.by_first.entry(text).or_default(),
                    None => &mut all.open,
                };
                entries.push(Entry { pattern, language, weight });
            }
        }
        all
    }

    /// What a line speaks for, and how much: as its heaviest pattern says. [`Language::Other`] is no code.
    pub(super) fn heaviest(&self, tokens: &[Token<'_>]) -> Option<(Language, i32)> {
        let prose = is_prose(tokens).then_some((Language::Other, PROSE));
        let found = (0..tokens.len()).flat_map(|at| {
            let own = self.by_first.get(tokens[at].text).map_or(&[][..], Vec::as_slice);
            own.iter().chain(&self.open).filter(move |entry| entry.pattern.matches(tokens, at))
        });
        found.map(|entry| (entry.language, entry.weight)).chain(prose).max_by_key(|found| found.1)
    }
}

/// Whether a line is a sentence, or part of one: words with nothing but spaces between them.
fn is_prose(tokens: &[Token<'_>]) -> bool {
    let words = tokens.iter().filter(|token| token.kind == Kind::Name).count();
    let beside =
        tokens.windows(2).filter(|pair| pair[0].kind == Kind::Name && pair[1].kind == Kind::Name).count();
    words >= 5 && beside * 2 >= tokens.len()
}
