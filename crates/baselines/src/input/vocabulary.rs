//! Numbers for symbols.

use rustc_hash::FxHashMap;

use super::{Program, Symbols, View};

/// Stands where a program is shorter than others.
pub const PADDING: u32 = 0;
/// Stands for a word that is to be inferred.
pub const MASK: u32 = 1;
/// Stands for all symbols that are not known.
const UNKNOWN: u32 = 2;
/// The first number of a known symbol.
const FIRST: u32 = 3;

/// The symbols that are known, by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    view: View,
    names: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
}

/// A vocabulary that learns symbols. Its numbers are preliminary.
pub(crate) struct Growing {
    view: View,
    numbers: FxHashMap<Box<str>, u32>,
    counts: Vec<u64>,
}

impl Vocabulary {
    pub(crate) fn growing(view: View) -> Growing {
        Growing { view, numbers: FxHashMap::default(), counts: Vec::new() }
    }

    /// A vocabulary of these names, in the order of their numbers.
    pub fn new(view: View, names: Vec<Box<str>>) -> Self {
        let numbers = (FIRST..).zip(&names).map(|(number, name)| (name.clone(), number)).collect();
        Self { view, names, numbers }
    }

    pub fn view(&self) -> View {
        self.view
    }

    pub fn names(&self) -> &[Box<str>] {
        &self.names
    }

    /// One more than the largest number.
    pub fn len(&self) -> usize {
        FIRST as usize + self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// A program in numbers.
    pub fn program(&self, problem: u32, symbols: &Symbols) -> Program {
        let number = |name: &str| self.numbers.get(name).copied().unwrap_or(UNKNOWN);
        Program {
            problem,
            symbols: symbols.names.iter().map(|name| number(name)).collect(),
            edges: symbols.edges.clone(),
            ..Program::default()
        }
    }
}

impl Growing {
    pub(crate) fn add(&mut self, problem: u32, symbols: &Symbols) -> Program {
        let mut numbers = Vec::with_capacity(symbols.names.len());
        for name in &symbols.names {
            let number = self.numbers.get(name).copied().unwrap_or_else(|| {
                let number = self.counts.len() as u32;
                self.numbers.insert(name.clone(), number);
                self.counts.push(0);
                number
            });
            self.counts[number as usize] += 1;
            numbers.push(number);
        }
        Program { problem, symbols: numbers, edges: symbols.edges.clone(), ..Program::default() }
    }

    /// The `most` most frequent symbols, and the programs in their final numbers.
    pub(crate) fn finish(self, most: usize, programs: &mut [Program]) -> Vocabulary {
        let mut names: Vec<(Box<str>, u32)> = self.numbers.into_iter().collect();
        names.sort_unstable_by(|one, two| {
            let count = |number: u32| self.counts[number as usize];
            count(two.1).cmp(&count(one.1)).then_with(|| one.0.cmp(&two.0))
        });
        names.truncate(most);
        let mut known = vec![UNKNOWN; self.counts.len()];
        for (number, (_, old)) in (FIRST..).zip(&names) {
            known[*old as usize] = number;
        }
        for symbol in programs.iter_mut().flat_map(|program| &mut program.symbols) {
            *symbol = known[*symbol as usize];
        }
        Vocabulary::new(self.view, names.into_iter().map(|(name, _)| name).collect())
    }
}
