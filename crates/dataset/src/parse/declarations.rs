//! Imports, types and constants that a reply has in blocks without functions.

use std::collections::{BTreeMap, BTreeSet};

use familiar_source::Language;

use super::check::Code;
use super::pieces::{is_import, names, pieces, within};

/// A name in a language.
pub(super) type Word<'c> = (Language, &'c str);

/// A statement outside of functions.
pub(super) struct Declaration<'c> {
    pub(super) block: usize,
    pub(super) text: &'c str,
    names: Vec<&'c str>,
    /// The variable to which it gives a value.
    variable: Option<&'c str>,
}

#[derive(Default)]
pub(super) struct Declarations<'c> {
    pub(super) all: Vec<Declaration<'c>>,
    /// Those by the names in them.
    named: BTreeMap<Word<'c>, Vec<usize>>,
    /// Those that do not name all that they declare, such as `#include <math.h>`.
    open: BTreeMap<Language, Vec<usize>>,
}

impl<'c> Declarations<'c> {
    /// Adds those of a block without functions: its imports, and what else it declares if it does nothing else. `is_called` says whether
    /// another block has a function of a name; what names one shows how it is called.
    pub(super) fn add(&mut self, block: usize, code: &Code<'c>, is_called: impl Fn(&str) -> bool) {
        let all = names(code);
        let pieces = pieces(code).into_iter().map(|it| it.range);
        // A comment has no tokens. The search takes some imports for comments.
        let (imports, others): (Vec<_>, Vec<_>) = pieces
            .filter(|it| is_import(&code.text[it.clone()]) || !code.tokens_in(it).is_empty())
            .partition(|it| is_import(&code.text[it.clone()]));
        for range in imports {
            let text = code.text[range].trim_end();
            let names = words(text).collect();
            let number = self.push(code.language, Declaration { block, text, names, variable: None });
            if text.starts_with("#include") || text.starts_with("using ") || text.contains('*') {
                self.open.entry(code.language).or_default().push(number);
            }
        }
        let only_declares = others.iter().all(|it| declares(&code.text[it.clone()]));
        if !only_declares || all.iter().any(|name| is_called(name.text)) {
            return;
        }
        for range in others {
            let text = code.text[range.clone()].trim_end();
            let names: Vec<&str> = within(&all, &range).iter().map(|it| it.text).collect();
            let variable = is_given(text).then(|| names.first().copied()).flatten();
            self.push(code.language, Declaration { block, text, names, variable });
        }
    }

    fn push(&mut self, language: Language, declaration: Declaration<'c>) -> usize {
        let number = self.all.len();
        for name in &declaration.names {
            self.named.entry((language, *name)).or_default().push(number);
        }
        self.all.push(declaration);
        number
    }

    /// The numbers of those that some names of a language need, and that these need in turn. A parameter needs no variable.
    pub(super) fn needed(
        &self,
        language: Language,
        names: impl Iterator<Item = &'c str>,
        parameters: &BTreeSet<&str>,
    ) -> BTreeSet<usize> {
        let mut needed: BTreeSet<usize> = self.open.get(&language).into_iter().flatten().copied().collect();
        if self.all.is_empty() {
            return needed;
        }
        let (mut left, mut seen): (Vec<&str>, BTreeSet<&str>) = (names.collect(), BTreeSet::new());
        while let Some(name) = left.pop() {
            if !seen.insert(name) {
                continue;
            }
            for &number in self.named.get(&(language, name)).into_iter().flatten() {
                let declaration = &self.all[number];
                let is_parameter = declaration.variable.is_some_and(|it| parameters.contains(it));
                // An import names nothing that stands in the reply.
                if !is_parameter && needed.insert(number) && !is_import(declaration.text) {
                    left.extend(&declaration.names);
                }
            }
        }
        needed
    }
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|it| !it.is_empty())
}

/// Whether a statement outside of functions declares something.
fn declares(statement: &str) -> bool {
    const STARTS: [&str; 17] = [
        "class ",
        "struct ",
        "typedef ",
        "enum ",
        "union ",
        "interface ",
        "type ",
        "record ",
        "const ",
        "let ",
        "var ",
        "static ",
        "final ",
        "public ",
        "private ",
        "#define ",
        "data ",
    ];
    STARTS.iter().any(|start| statement.starts_with(start)) || is_given(statement)
}

/// `LIMIT = 10`, `LIMIT: int = 10`
fn is_given(statement: &str) -> bool {
    let end = statement.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(0);
    let rest = statement[end..].trim_start();
    let gives = |rest: &str| rest.starts_with('=') && !rest.starts_with("==");
    let typed = || {
        rest.strip_prefix(':').and_then(|it| it.split_once('=')).is_some_and(|(_, it)| !it.starts_with('='))
    };
    end > 0 && (rest.starts_with(":=") || gives(rest) || typed())
}
