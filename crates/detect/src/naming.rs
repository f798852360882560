//! What the names of functions and files say of whether two fragments are counterparts.
//!
//! A translation mostly keeps the name of what it translates, in the writing of its language: `bubble_sort` in one, `sort` in
//! `BubbleSort.java` in the other. How much that says follows from how rare the name is on both sides.

use rustc_hash::FxHashMap;

/// A name without case and signs, as a number; `NONE` where there is none that says anything.
pub(crate) type Key = u32;

pub(crate) const NONE: Key = 0;

/// Shortest name that says anything, in letters and digits.
const LETTERS: usize = 3;

/// Functions that each side is taken to have besides those that it has: in a small tree, every name is rare.
const BESIDES: f64 = 100.0;

// The weights of names were set together with those of `behavior`, by the pairs of algorithms that `docs/model.md` describes.

/// How much the name of a whole thing counts, that of its file where it has several words, that of a part or of what everything
/// has, and that there is none in common.
const WHOLE: f64 = 1.25;
const OF_FILE: f64 = 0.8;
const PART: f64 = 0.5;
const OTHERWISE: f64 = -1.0;

/// The most that names say.
const MOST: f64 = 8.0;

/// Most fragments of one name on one side that are compared for their name.
const NAMESAKES: usize = 8;

/// The key of a name; its lowest bit tells whether it has several words.
pub(crate) fn key(name: &[u8]) -> Key {
    let (mut hash, mut letters, mut words) = (0xcbf2_9ce4_8422_2325_u64, 0, 0);
    let mut before = b'_';
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    for &byte in name {
        if is_letter(byte) {
            let is_hump = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
            words += usize::from(is_hump || !is_letter(before));
            letters += 1;
            hash = (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3);
        }
        before = byte;
    }
    if letters < LETTERS { NONE } else { ((hash >> 32) as u32 | 2) & !1 | u32::from(words > 1) }
}

/// The key of a file's name, without what follows its first dot.
pub(crate) fn key_of_file(path: &str) -> Key {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    key(file.split_once('.').map_or(file, |(stem, _)| stem).as_bytes())
}

/// The same name, in however many words either side writes it.
fn same(a: Key, b: Key) -> bool {
    a != NONE && b != NONE && a | 1 == b | 1
}

/// Whether either side writes the name in several words.
fn has_words(a: Key, b: Key) -> bool {
    (a | b) & 1 == 1
}

/// The names of fragments, by number, and how many of each group have them.
pub(crate) struct Names {
    /// Of the function, and of its file.
    of: Vec<[Key; 2]>,
    groups: Vec<u16>,
    counts: FxHashMap<(u16, Key), Vec<u32>>,
    sizes: Vec<f64>,
}

impl Names {
    /// Of fragments that have these names and are in these groups, of which there are so many.
    pub(crate) fn new(of: Vec<[Key; 2]>, groups: &[u16], number_of_groups: usize) -> Self {
        let mut counts: FxHashMap<(u16, Key), Vec<u32>> = FxHashMap::default();
        let mut sizes = vec![BESIDES; number_of_groups];
        for (number, (&[name, file], &group)) in (0u32..).zip(of.iter().zip(groups)) {
            sizes[usize::from(group)] += 1.0;
            for key in [name, file].into_iter().take(if same(name, file) { 1 } else { 2 }) {
                if key != NONE {
                    counts.entry((group, key | 1)).or_default().push(number);
                }
            }
        }
        Self { of, groups: groups.to_vec(), counts, sizes }
    }

    /// What the names of two fragments say, to be added to the logarithm of the odds that the vectors give.
    pub(crate) fn evidence(&self, pair: [u32; 2]) -> f64 {
        let [[name, file], [other, other_file]] = pair.map(|number| self.of[number as usize]);
        let rarity = |key: Key| {
            let share = |number: u32| {
                let group = self.groups[number as usize];
                let count = self.counts.get(&(group, key | 1)).map_or(1, Vec::len);
                self.sizes[usize::from(group)] / count as f64
            };
            (share(pair[0]) * share(pair[1])).ln() / 2.0
        };
        let told =
            |is: bool, key: Key, weight: f64| if is { (rarity(key) * weight).min(MOST) } else { OTHERWISE };
        // `get` says less than `getShortestPath`, but in files of one name as much.
        let is_whole = has_words(name, other) || same(file, other_file);
        [
            told(same(name, other), name, if is_whole { WHOLE } else { PART }),
            told(same(name, other_file), name, WHOLE),
            told(same(file, other), file, WHOLE),
            told(same(file, other_file), file, if has_words(file, other_file) { OF_FILE } else { PART }),
        ]
        .into_iter()
        .fold(OTHERWISE, f64::max)
    }

    /// Pairs of different groups, the smaller number first, that share a name which few have.
    pub(crate) fn namesakes(&self, are_compared: impl Fn(u16, u16) -> bool) -> Vec<[u32; 2]> {
        let mut keys: Vec<(u16, Key)> = self.counts.keys().copied().collect();
        keys.sort_unstable_by_key(|&(group, key)| (key, group));
        let mut pairs = Vec::new();
        for same_key in keys.chunk_by(|a, b| a.1 == b.1) {
            for (at, left) in same_key.iter().enumerate() {
                for right in same_key[at + 1..].iter().filter(|right| are_compared(left.0, right.0)) {
                    let [lefts, rights] = [left, right].map(|key| self.counts[key].as_slice());
                    if lefts.len().max(rights.len()) > NAMESAKES {
                        continue;
                    }
                    let all = lefts.iter().flat_map(|&a| rights.iter().map(move |&b| [a.min(b), a.max(b)]));
                    pairs.extend(all.filter(|&pair| self.says(pair, left.1)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Whether a name that two fragments share is that of a function, or that of a file in several words.
    fn says(&self, pair: [u32; 2], key: Key) -> bool {
        let [[name, file], [other, other_file]] = pair.map(|number| self.of[number as usize]);
        same(name, key) || same(other, key) || has_words(file, other_file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[(&str, &str, u16)]) -> Names {
        let keys = all.iter().map(|(name, file, _)| [key(name.as_bytes()), key_of_file(file)]).collect();
        let groups: Vec<u16> = all.iter().map(|(.., group)| *group).collect();
        Names::new(keys, &groups, 2)
    }

    #[test]
    fn a_name_is_the_same_in_every_writing() {
        assert!(
            same(key(b"bubble_sort"), key(b"BubbleSort")) && same(key(b"bubblesort"), key(b"bubbleSort"))
        );
        assert!(same(key_of_file("src/sorting/BubbleSort.test.js"), key(b"_bubble_sort")));
        assert!(!same(key(b"bubble_sort"), key(b"bubble_sorted")));
        assert_eq!([key(b"f"), key(b""), key(b"__")], [NONE; 3]);
        assert_eq!([b"heapify".as_slice(), b"heapDown", b"__init__"].map(|name| key(name) & 1), [0, 1, 0]);
    }

    #[test]
    fn a_rare_name_says_more_than_a_common_one_and_the_name_of_a_whole_more_than_that_of_a_part() {
        let names = names(&[
            ("sort", "BubbleSort.java", 0),
            ("bubble_sort", "sorting.py", 1),
            ("get", "HashTable.java", 0),
            ("get", "hash_table.py", 1),
            ("get", "LinkedList.java", 0),
            ("rotate", "hash_table.py", 1),
        ]);
        let rare = names.evidence([0, 1]);
        let [in_same_file, elsewhere, part, none] =
            [[2, 3], [3, 4], [2, 5], [0, 3]].map(|pair| names.evidence(pair));
        assert!(rare > in_same_file && in_same_file > elsewhere && elsewhere > none, "{rare} {elsewhere}");
        assert!(in_same_file >= part && part > none && none < 0.0, "{in_same_file} {part} {none}");
        assert_eq!(names.namesakes(|a, b| a != b), [[0, 1], [2, 3], [2, 5], [3, 4]]);
    }
}
