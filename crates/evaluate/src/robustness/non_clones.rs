//! Pairs of programs that solve different problems.

use familiar_engine::snippet::{Snippet, SnippetReader};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::copies::are_copies;
use crate::random::SplitMix;
use crate::solutions::Solution;

/// How often a pair is drawn, for each that is wanted, before the drawing ends with fewer.
const TRIES: usize = 20;

/// At most `most` pairs of programs in one language that solve different problems, by their numbers, each pair once. Data sets have one
/// problem under several names, so that copies of each other make no pair. Depends on nothing but `seed` and the programs.
pub(super) fn draw(programs: &[Solution], most: usize, seed: u64) -> Vec<[usize; 2]> {
    let snippets: Vec<Option<Snippet>> = programs
        .par_iter()
        .map_init(SnippetReader::default, |reader, it| reader.read(it.language, &it.text).ok())
        .collect();
    let differ = |[left, right]: [usize; 2]| {
        let (one, other) = (&programs[left], &programs[right]);
        let apart = one.group != other.group && one.language == other.language;
        apart
            && match (&snippets[left], &snippets[right]) {
                (Some(left), Some(right)) => !are_copies(left, right),
                _ => false,
            }
    };
    let mut random = SplitMix(seed);
    let all = programs.len() * programs.len().saturating_sub(1) / 2;
    // Where a good part of all pairs is wanted, drawing again what was drawn before would take long.
    let mut pairs = if all / 4 <= most { shuffled(programs.len(), &mut random) } else { Vec::new() };
    if pairs.is_empty() {
        let mut seen = FxHashSet::default();
        for _ in 0..most.saturating_mul(TRIES) {
            let drawn = [random.below(programs.len()), random.below(programs.len())];
            let [left, right] = [drawn[0].min(drawn[1]), drawn[0].max(drawn[1])];
            if left < right && seen.insert([left, right]) && differ([left, right]) {
                pairs.push([left, right]);
            }
            if pairs.len() == most {
                break;
            }
        }
    } else {
        pairs = pairs.into_iter().filter(|&pair| differ(pair)).take(most).collect();
    }
    pairs.sort_unstable();
    pairs
}

/// All pairs of so many programs, in an order by chance (Fisher and Yates).
fn shuffled(programs: usize, random: &mut SplitMix) -> Vec<[usize; 2]> {
    let mut pairs: Vec<[usize; 2]> =
        (0..programs).flat_map(|left| (left + 1..programs).map(move |right| [left, right])).collect();
    for at in (1..pairs.len()).rev() {
        pairs.swap(at, random.below(at + 1));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    fn program(group: u32, language: Language, text: &str) -> Solution {
        Solution { row: 1, group, language, text: text.as_bytes().to_vec(), tests: None }
    }

    #[test]
    fn pairs_are_of_different_problems_and_no_copies() {
        let python = |group, text| program(group, Language::Python, text);
        let programs = [
            python(0, "def f(a):\n    return a + 1\n"),
            python(0, "while x:\n    x -= y\nprint(x, y)\n"),
            python(1, "for z in range(9):\n    print(z * z, 'squares', sep=';')\n"),
            // A copy of the first one under another name.
            python(2, "def g(b):\n    return b + 1\n"),
            program(3, Language::Go, "func f() int { return 2 }\n"),
        ];
        let expected = vec![[0, 2], [1, 2], [1, 3], [2, 3]];
        assert_eq!(draw(&programs, 100, 0), expected);
        let some = draw(&programs, 3, 5);
        assert!(some.len() == 3 && some.iter().all(|it| expected.contains(it)), "{some:?}");
        assert!((0..9).any(|seed| draw(&programs, 3, seed) != some));
    }

    #[test]
    fn a_few_of_many_pairs_are_drawn_once_each() {
        let texts: Vec<String> = (0..60).map(|at| format!("v{at} = [{}]\n", "7, ".repeat(at * at))).collect();
        let programs: Vec<Solution> =
            (0..).zip(&texts).map(|(group, text)| program(group, Language::Python, text)).collect();
        let pairs = draw(&programs, 40, 1);
        let different: FxHashSet<_> = pairs.iter().collect();
        assert_eq!((pairs.len(), different.len()), (40, 40));
        assert_eq!(pairs, draw(&programs, 40, 1));
    }
}
