//! Do two runs that are equal once renamed share more than their shape?
//!
//! Blind renaming makes any two tables of strings equal, and any two rows of setters. What tells a copy from chance is
//! that most names and literals are the same; names that change together count half.

use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rustc_hash::FxHashMap;

/// Least [`agreement`] of a pair of renamed runs that is reported from a tree.
pub const LEAST_AGREEMENT: f64 = 0.7;

/// How often two names must stand in each other's place before that counts as a renaming. Once is what chance gives.
const BELIEVE: u32 = 2;

/// Share of the names and literals of two runs, equal under blind renaming, that correspond. Those written alike count
/// whole; names that stand for each other, one to one, at least twice count half, since short idioms repeat each name
/// too. 1 for runs without names and literals.
pub fn agreement(left: &[u32], right: &[u32]) -> f64 {
    debug_assert_eq!(left.len(), right.len());
    let mut words = 0u32;
    let mut agreeing = 0u32;
    let mut renamed: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (&a, &b) in left.iter().zip(right) {
        let class = Symbol(a).class();
        if matches!(class, TokenClass::Operator | TokenClass::Keyword | TokenClass::Import) {
            continue;
        }
        words += 1;
        if a == b {
            agreeing += 1;
        } else if class == TokenClass::Identifier {
            *renamed.entry((a, b)).or_default() += 1;
        }
    }
    let agreement = f64::from(agreeing) + f64::from(one_to_one(renamed)) / 2.0;
    if words == 0 { 1.0 } else { agreement / f64::from(words) }
}

/// Occurrences of the renamings that hold one to one, the most frequent first.
fn one_to_one(renamed: FxHashMap<(u32, u32), u32>) -> u32 {
    let mut renamings: Vec<_> = renamed.into_iter().filter(|&(_, count)| count >= BELIEVE).collect();
    renamings.sort_unstable_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    let (mut from, mut to) = (Vec::new(), Vec::new());
    let mut occurrences = 0;
    for ((a, b), count) in renamings {
        if !from.contains(&a) && !to.contains(&b) {
            from.push(a);
            to.push(b);
            occurrences += count;
        }
    }
    occurrences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(words: &str) -> Vec<u32> {
        let class = |word: &str| match word.as_bytes()[0] {
            b'0'..=b'9' => TokenClass::Number,
            b'a'..=b'z' => TokenClass::Identifier,
            _ => TokenClass::Operator,
        };
        words.split(' ').map(|word| Symbol::new(class(word), word.as_bytes()).0).collect()
    }

    fn of(left: &str, right: &str) -> f64 {
        agreement(&symbols(left), &symbols(right))
    }

    #[test]
    fn renamed_copies_agree_and_tables_do_not() {
        assert_eq!(of("a = b ( a ) + b", "a = b ( a ) + b"), 1.0);
        assert_eq!(of("a = b ( a ) + b", "x = b ( x ) + b"), 0.75);
        assert_eq!(of("[ 1 , 2 , 3 , 4 ]", "[ 1 , 7 , 8 , 9 ]"), 0.25);
        assert_eq!(of("a + b + c + d", "e + f + g + h"), 0.0);
        assert_eq!(of("a + a", "b + c"), 0.0);
        assert_eq!(of("( )", "( )"), 1.0);
    }
}
