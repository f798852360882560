//! Small collections.

use familiar_index::{Collection, FileEntry, FragmentEntry, Side, TokenStore};
use familiar_source::TokenClass;
use familiar_syntax::normal::{self, Renamer, Renaming, Symbol};
use proptest::prelude::*;

/// A file that is one function.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) symbols: Vec<u32>,
    /// Where statements start.
    pub(crate) starts: Vec<u32>,
    pub(crate) family: u8,
    pub(crate) side: Side,
}

impl Given {
    pub(crate) fn of(symbols: Vec<u32>) -> Self {
        Self { symbols, starts: Vec::new(), family: 0, side: Side::Both }
    }
}

pub(crate) fn store() -> TokenStore {
    TokenStore::new(1 << 20, std::env::temp_dir())
}

/// A collection of files, each with a function that is all of it.
pub(crate) fn collection(files: &[Given], renaming: Renaming) -> Collection {
    let (mut tokens, mut line_starts, mut scopes) = (store(), store(), store());
    let (mut entries, mut fragments, mut renamed) = (Vec::new(), Vec::new(), Vec::new());
    for (number, file) in (0u32..).zip(files) {
        tokens.push(&file.symbols).expect("it fits the memory");
        line_starts.push(&file.starts).expect("it fits the memory");
        scopes.push(&[]).expect("it fits the memory");
        Renamer::default().rename(&file.symbols, renaming, &mut renamed);
        let Given { family, side, .. } = *file;
        entries.push(FileEntry { family, side, tests_from: u32::MAX, is_markup: false });
        fragments.push(FragmentEntry {
            file: number,
            ordinal: 0,
            kind: 2,
            test_callback: false,
            name: 0,
            first: 0,
            tokens: file.symbols.len() as u32,
            lines: (1, 1),
            exact: normal::hash(&file.symbols),
            renamed: normal::hash(&renamed),
        });
    }
    Collection { tokens, line_starts, scopes, files: entries, fragments }
}

/// The symbol of a word: lower-case ones are names, upper-case ones keywords, digits numbers, others operators.
pub(crate) fn symbol(word: &str) -> u32 {
    let class = match word.as_bytes()[0] {
        b'a'..=b'z' => TokenClass::Identifier,
        b'A'..=b'Z' => TokenClass::Keyword,
        b'0'..=b'9' => TokenClass::Number,
        _ => TokenClass::Operator,
    };
    Symbol::new(class, word.as_bytes()).0
}

/// Functions of a few words, many of them variants of one another.
pub(crate) fn functions() -> impl Strategy<Value = Vec<Given>> {
    const WORDS: [&str; 12] = ["a", "b", "c", "d", "IF", "FOR", "RETURN", "1", "2", "=", "(", ")"];
    let statement = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..5);
    let function = prop::collection::vec(statement, 1..8);
    let side = prop::sample::select(vec![Side::Both, Side::Both, Side::Query, Side::Against]);
    prop::collection::vec((function, 0u8..2, side, 0usize..4), 0..9).prop_map(|all| {
        let mut files = Vec::new();
        for (statements, family, side, change) in all {
            let mut variant = statements.clone();
            match change {
                1 => variant.push(vec!["RETURN", "d"]),
                2 => variant.iter_mut().flatten().filter(|word| **word == "a").for_each(|word| *word = "e"),
                3 => variant.reverse(),
                _ => {}
            }
            for statements in [statements, variant] {
                let (mut symbols, mut starts) = (Vec::new(), Vec::new());
                for statement in statements {
                    starts.push(symbols.len() as u32);
                    symbols.extend(statement.into_iter().map(symbol));
                }
                files.push(Given { symbols, starts, family, side });
            }
        }
        files
    })
}

/// Something, and the same in another order, with the place that each had before.
pub(crate) fn shuffled<T: Clone + std::fmt::Debug>(
    of: impl Strategy<Value = Vec<T>>,
) -> impl Strategy<Value = (Vec<T>, Vec<usize>)> {
    of.prop_flat_map(|all| {
        let order = Just((0..all.len()).collect::<Vec<usize>>()).prop_shuffle();
        (Just(all), order)
    })
}

pub(crate) fn in_order<T: Clone>(all: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|&at| all[at].clone()).collect()
}
