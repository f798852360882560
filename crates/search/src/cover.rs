//! A run is reported for the lines that no reported function pair covers.

use familiar_source::{FragmentKind, Span};

use crate::classes::Pairs;
use crate::{Item, Matches, Place};

/// Finds what function pairs cover.
#[derive(Debug)]
pub struct Cover<'m> {
    matches: &'m Matches,
    pairs: &'m Pairs<'m>,
    /// For each file the positions of its function items.
    functions: Vec<std::ops::Range<u32>>,
}

impl<'m> Cover<'m> {
    /// `matches` holds fragments only, ordered by place; `files` is the number of files.
    pub fn new(matches: &'m Matches, pairs: &'m Pairs<'m>, files: usize) -> Self {
        let mut functions = vec![0..0; files];
        for (number, item) in matches.items().iter().enumerate() {
            let range = &mut functions[item.place.file as usize];
            if range.start == range.end {
                range.start = number as u32;
            }
            range.end = number as u32 + 1;
        }
        Self { matches, pairs, functions }
    }

    /// The function items that share tokens with `place`.
    fn functions_at(&self, place: Place) -> impl Iterator<Item = (u32, &Item)> {
        self.functions[place.file as usize]
            .clone()
            .map(|number| (number, &self.matches.items()[number as usize]))
            .filter(|(_, item)| item.kind == FragmentKind::Function)
            .take_while(move |(_, item)| item.place.tokens.start < place.tokens.end)
            .filter(move |(_, item)| item.place.tokens.end > place.tokens.start)
    }

    /// Whether any function of the result touches `place`.
    pub fn touches(&self, place: Place) -> bool {
        self.functions_at(place).next().is_some()
    }

    /// The parts of `left`, at least `min_tokens` long, that no function pair between `left` and `right` covers.
    pub fn uncovered(&self, left: Place, right: Place, min_tokens: u32) -> Vec<Span> {
        let rights: Vec<u32> = self.functions_at(right).map(|(number, _)| number).collect();
        let mut rest = Vec::new();
        let mut from = left.tokens.start;
        let mut leave = |from: u32, to: u32| {
            if to >= from + min_tokens {
                rest.push(Span::new(from, to));
            }
        };
        for (number, function) in self.functions_at(left) {
            let paired = rights.iter().any(|&other| {
                other != number
                    && correspond((function, left), (&self.matches.items()[other as usize], right))
                    && self
                        .matches
                        .relation(number, other)
                        .is_some_and(|relation| self.pairs.is_asked(number, other, relation))
            });
            if paired {
                leave(from, function.place.tokens.start);
                from = from.max(function.place.tokens.end);
            }
        }
        leave(from, left.tokens.end);
        rest
    }
}

/// Whether two functions stand for the same part of a run's two sides: around both of them, or at the same distance from
/// where they begin, but for what one side has more than the other.
fn correspond((function, left): (&Item, Place), (other, right): (&Item, Place)) -> bool {
    let around = function.place.tokens.contains(left.tokens) && other.place.tokens.contains(right.tokens);
    let distance =
        |item: &Item, side: Place| i64::from(item.place.tokens.start) - i64::from(side.tokens.start);
    let longer = left.tokens.len().abs_diff(right.tokens.len());
    around || distance(function, left).abs_diff(distance(other, right)) <= u64::from(longer)
}
