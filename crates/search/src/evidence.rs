//! Do two stretches of code that are alike share more than their shape?
//!
//! Idioms are alike wherever they stand: the `equals` of two unrelated classes, the rows of an option table. A copy says
//! something that is said nowhere else: [`Commonness`] knows which names and literals are rare in the collection.
//!
//! Blind renaming makes any two tables of strings equal, and any two rows of setters. What tells a copy from chance is
//! that most names and literals are the same; names that change together count half.

use std::io;
use std::sync::OnceLock;

use familiar_index::Collection;
use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rustc_hash::FxHashMap;

use crate::similar::Sequence;
use crate::statements::Statements;

/// Least [`agreement`] of a pair of renamed runs that is reported from a tree. By their shape alone renamed runs were mostly
/// tables. The limit was chosen with the reading of pairs in `docs/precision.md`, and not tuned since.
const LEAST_AGREEMENT: f64 = 0.7;

/// How often two names must stand in each other's place before that counts as a renaming. Once is what chance gives.
const BELIEVE: u32 = 2;

/// Fragments at least this similar are copies whatever their words: too much would have to agree by chance.
///
/// Chosen with the reading of pairs in `docs/precision.md`, and not tuned since. The four pairs above it that were read there
/// are copies. That is too few to say where the limit should stand.
pub(crate) const PLAIN_COPY: f64 = 0.95;

/// Fewest rare names and literals that a copy shares with its original. One may be in common by chance: the name of a
/// class that both use. `docs/precision.md` says what two of them brought.
pub(crate) const LEAST_RARE: usize = 2;

/// A token is rare where it makes up at most this share of the collection's tokens. It was 9 in a million
/// first; the pairs that were read for `docs/precision.md` asked for a little more.
const RARE_SHARE: f64 = 7e-6;

/// In a collection with fewer tokens nothing is common: what stands fifty times may be fifty copies.
const LEAST_TOKENS: u64 = 1_000_000;

/// The least [`Commonness::specific`] of a run that is reported from a tree, in bits. Of judged pairs below it 63 % are
/// right, and above it 91 % (`docs/precision.md`).
const LEAST_SPECIFIC: f64 = 40.0;

/// The same where both sides stand in tests, which share the words of their set-up. Chosen when the rule was
/// made, and not tuned since.
const LEAST_SPECIFIC_IN_TESTS: f64 = 60.0;

/// A word counts for what it says beyond this many bits: names that stand once in two thousand tokens say nothing.
const COMMON_BITS: f64 = 11.0;

/// Tokens of code that is not in the collection: where the collection is small, a name that it holds once is rare all
/// the same.
const UNSEEN_TOKENS: u64 = 1 << 20;

/// Counters; a token that shares one with a common token passes for common.
const SLOTS_LOG2: u32 = 22;

/// How often each token stands in a collection.
#[derive(Clone, Debug)]
pub struct Commonness {
    /// What stands more often than can be counted is common in any collection.
    counts: Vec<u16>,
    most: u32,
    total: u64,
    statements: Statements,
    /// A bit for each counter that says whether it is small enough: a sixteenth of the counters, so that a long search finds them in
    /// the cache. There after [`Self::prepare`].
    seldom: OnceLock<Box<[u64]>>,
}

impl Commonness {
    /// Counts the tokens of `collection`.
    pub fn of(collection: &Collection) -> io::Result<Self> {
        let mut all = Self::among(collection.tokens.total());
        let (mut symbols, mut line_starts) = (Vec::new(), Vec::new());
        for file in 0..collection.files.len() as u32 {
            let symbols = collection.tokens.file(file, &mut symbols)?;
            all.add(Sequence { symbols, line_starts: collection.line_starts.file(file, &mut line_starts)? });
        }
        Ok(all)
    }

    /// Counters for files of `tokens` tokens in all, which are still to be added.
    pub fn among(tokens: u64) -> Self {
        let (counts, statements) = (vec![0; 1 << SLOTS_LOG2], Statements::among(tokens));
        let (most, total, seldom) = (most_of_rare(tokens), tokens, OnceLock::new());
        Self { counts, most, total, statements, seldom }
    }

    /// Makes ready for a search that asks what is rare many times. Changes no answer.
    pub(crate) fn prepare(&self) {
        self.seldom.get_or_init(|| {
            let bits = |counts: &[u16]| {
                let bit = |(at, &count)| u64::from(u32::from(count) <= self.most) << at;
                counts.iter().enumerate().map(bit).sum()
            };
            self.counts.chunks_exact(64).map(bits).collect()
        });
    }

    /// Counts the tokens and statements of a file. What is rare follows from the number given to [`Self::among`] or
    /// [`Self::resize`].
    pub fn add(&mut self, file: Sequence<'_>) {
        self.seldom.take();
        for &symbol in file.symbols {
            let count = &mut self.counts[slot(symbol)];
            *count = count.saturating_add(1);
        }
        self.statements.add(file);
    }

    /// Takes a file back. A counter that is full stays so: what stands so often is common with or without the file.
    pub fn remove(&mut self, file: Sequence<'_>) {
        self.seldom.take();
        for &symbol in file.symbols {
            let count = &mut self.counts[slot(symbol)];
            if *count < u16::MAX {
                *count = count.saturating_sub(1);
            }
        }
        self.statements.remove(file);
    }

    /// Sets the number of tokens in all files; false where these need other counters, so that all files have to be counted anew.
    #[must_use]
    pub fn resize(&mut self, tokens: u64) -> bool {
        self.seldom.take();
        (self.total, self.most) = (tokens, most_of_rare(tokens));
        self.statements.is_for(tokens)
    }

    /// What a name or a string says where it stands, in bits; 0 for whatever is common, or neither.
    pub fn says(&self, symbol: u32) -> f64 {
        if !names_or_says(Symbol(symbol).class()) {
            return 0.0;
        }
        let share = f64::from(self.counts[slot(symbol)]) / (self.total + UNSEEN_TOKENS) as f64;
        (-share.log2() - COMMON_BITS).max(0.0)
    }

    /// These counts, where the collection is large enough to tell what is rare.
    pub fn if_large_enough(&self) -> Option<&Self> {
        (self.total >= LEAST_TOKENS).then_some(self)
    }

    /// Whether the words that two sides of `copies` equal runs share say something that is said hardly anywhere else;
    /// `in_tests` where both sides stand in tests.
    pub(crate) fn is_specific(
        &self,
        shared: impl Iterator<Item = u32>,
        copies: usize,
        in_tests: bool,
    ) -> bool {
        self.specific(shared, copies) >= if in_tests { LEAST_SPECIFIC_IN_TESTS } else { LEAST_SPECIFIC }
    }

    /// What the words that `copies` runs share say, in bits: the rarer elsewhere, the more. Repeated words count once.
    pub(crate) fn specific(&self, shared: impl Iterator<Item = u32>, copies: usize) -> f64 {
        let mut words: Vec<u32> = shared.filter(|&symbol| names_or_says(Symbol(symbol).class())).collect();
        words.sort_unstable();
        let bits = |same: &[u32]| {
            let all = u64::from(self.counts[slot(same[0])]);
            let elsewhere = all.saturating_sub((same.len() * copies) as u64);
            let share = (elsewhere + 1) as f64 / (self.total + UNSEEN_TOKENS) as f64;
            (-share.log2() - COMMON_BITS).max(0.0)
        };
        words.chunk_by(|a, b| a == b).map(bits).sum()
    }

    /// How often each statement stands in the collection.
    pub(crate) fn statements(&self) -> &Statements {
        &self.statements
    }

    /// Whether a name or a literal is rare.
    #[inline]
    pub fn is_rare(&self, symbol: u32) -> bool {
        is_word(Symbol(symbol).class()) && self.is_seldom(symbol)
    }

    /// Whether a name or a literal is rare, or not so common that it could not become rare when some files change.
    pub fn may_be_rare(&self, symbol: u32) -> bool {
        const MARGIN: u32 = 4;
        let most = if self.total >= LEAST_TOKENS { self.most * MARGIN } else { u32::from(u16::MAX) };
        is_word(Symbol(symbol).class()) && u32::from(self.counts[slot(symbol)]) <= most
    }

    /// How often a rare word stands at most.
    pub fn most_of_rare(&self) -> u32 {
        self.most
    }

    /// Whether a token is counted so seldom that a word with its counter is rare.
    #[inline]
    pub fn is_seldom(&self, symbol: u32) -> bool {
        let slot = slot(symbol);
        match self.seldom.get() {
            Some(bits) => bits[slot / 64] >> (slot % 64) & 1 == 1,
            None => u32::from(self.counts[slot]) <= self.most,
        }
    }

    /// Everything is rare but `common`.
    #[cfg(test)]
    pub(crate) fn without(common: &[u32]) -> Self {
        let mut counts = vec![0; 1 << SLOTS_LOG2];
        for &symbol in common {
            counts[slot(symbol)] = 1000;
        }
        let (statements, seldom) = (Statements::among(0), OnceLock::new());
        Self { counts, most: 9, total: LEAST_TOKENS, statements, seldom }
    }

    /// Whether two runs that are equal once renamed have enough rare tokens in the same places.
    fn aligned_share(&self, left: &[u32], right: &[u32]) -> bool {
        let same = left.iter().zip(right).filter(|(a, b)| a == b).map(|(&a, _)| a);
        enough(same.filter(|&symbol| self.is_rare(symbol)))
    }

    /// Adds the rare tokens of a fragment to `out`.
    pub(crate) fn add_rare(&self, fragment: &[u32], out: &mut Vec<u32>) {
        out.extend(fragment.iter().copied().filter(|&symbol| self.is_rare(symbol)));
    }

    /// Whether two fragments have enough rare tokens in common, wherever they stand.
    pub(crate) fn share(&self, left: &[u32], right: &[u32]) -> bool {
        let mut rare = Vec::new();
        self.add_rare(left, &mut rare);
        rare.sort_unstable();
        shared_rare(&rare, right)
    }
}

/// Whether enough of `tokens` are among the rare ones `rare`, which are sorted.
pub(crate) fn shared_rare(rare: &[u32], tokens: &[u32]) -> bool {
    enough(tokens.iter().copied().filter(|token| rare.binary_search(token).is_ok()))
}

/// The rare tokens of one fragment, which is held against many others.
pub(crate) struct RareTokens<'t> {
    sorted: &'t [u32],
    /// A mark for each of them, at a place that some others share.
    marks: [u64; 16],
}

impl<'t> RareTokens<'t> {
    pub(crate) fn new(sorted: &'t [u32]) -> Self {
        let mut marks = [0; 16];
        for &token in sorted {
            let (word, bit) = Self::mark(token);
            marks[word] |= bit;
        }
        Self { sorted, marks }
    }

    fn mark(token: u32) -> (usize, u64) {
        let place = token.wrapping_mul(0x9E37_79B1) >> 22;
        ((place >> 6) as usize, 1 << (place & 63))
    }

    /// As [`shared_rare`]; most tokens are told by their mark.
    pub(crate) fn shared(&self, tokens: &[u32]) -> bool {
        let marked = |token: &u32| {
            let (word, bit) = Self::mark(*token);
            self.marks[word] & bit != 0
        };
        enough(
            tokens.iter().copied().filter(|token| marked(token) && self.sorted.binary_search(token).is_ok()),
        )
    }
}

/// Whether there are [`LEAST_RARE`] different tokens.
fn enough(tokens: impl Iterator<Item = u32>) -> bool {
    let mut seen = [0; LEAST_RARE];
    let mut count = 0;
    for token in tokens {
        if !seen[..count].contains(&token) {
            seen[count] = token;
            count += 1;
        }
        if count == LEAST_RARE {
            return true;
        }
    }
    false
}

/// How often a token stands at most that is rare among `tokens`.
fn most_of_rare(tokens: u64) -> u32 {
    (tokens as f64 * RARE_SHARE) as u32
}

#[inline]
fn slot(symbol: u32) -> usize {
    (symbol.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS_LOG2)) as usize
}

#[inline]
pub(crate) fn names_or_says(class: TokenClass) -> bool {
    matches!(class, TokenClass::Identifier | TokenClass::String)
}

#[inline]
pub(crate) fn is_word(class: TokenClass) -> bool {
    !matches!(class, TokenClass::Operator | TokenClass::Keyword | TokenClass::Import)
}

/// Tells which runs that are equal once renamed are copies: those equal as written, and those that agree in what they
/// say.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'c> {
    /// What is rare in the collection; a collection too small to tell has none.
    pub commonness: Option<&'c Commonness>,
}

impl Judge<'_> {
    /// Whether two runs of equal length are a copy and its original.
    pub fn are_copies(self, left: &[u32], right: &[u32]) -> bool {
        left == right
            || agree(left, right)
                && self.commonness.is_none_or(|commonness| commonness.aligned_share(left, right))
    }

    /// Whether two fragments that are similar are a copy and its original.
    pub fn are_edited_copies(self, similarity: f64, left: &[u32], right: &[u32]) -> bool {
        similarity >= PLAIN_COPY || self.commonness.is_none_or(|commonness| commonness.share(left, right))
    }
}

/// Whether two runs may agree that have so many `words` each, of which `equal` are the same in both, and of the others at most
/// `renamed` are names. Names that stand for each other count half.
pub(crate) fn may_agree(words: u32, equal: u32, renamed: u32) -> bool {
    words == 0 || (f64::from(equal) + f64::from(renamed) / 2.0) / f64::from(words) >= LEAST_AGREEMENT
}

/// Whether the [`agreement`] of two runs is at least [`LEAST_AGREEMENT`].
fn agree(left: &[u32], right: &[u32]) -> bool {
    may_be_agreed(left, right) && agreement(left, right) >= LEAST_AGREEMENT
}

/// Whether tokens that correspond differ in nothing but names, each of which stands for another in all its places, of
/// which there are several: the name of a parameter or a variable.
pub(crate) fn are_renamed_throughout(pairs: &[(u32, u32)]) -> bool {
    let (mut to, mut from) = (FxHashMap::default(), FxHashMap::default());
    let mut is_one_to_one = |a: u32, b: u32| {
        let (there, back) = (to.entry(a).or_insert((b, 0u32)), from.entry(b).or_insert(a));
        there.1 += 1;
        there.0 == b && *back == a
    };
    let is_name = |symbol: u32| Symbol(symbol).class() == TokenClass::Identifier;
    let throughout =
        pairs.iter().all(|&(a, b)| if is_name(a) && is_name(b) { is_one_to_one(a, b) } else { a == b });
    throughout && to.iter().all(|(&a, &(b, count))| a == b || count >= BELIEVE)
}

/// How many of the words that correspond are the same, or names that stand for each other one to one.
pub(crate) fn corresponding_names(pairs: &[(u32, u32)]) -> u32 {
    let mut same = 0;
    let mut renamed: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for &(a, b) in pairs {
        let class = Symbol(a).class();
        if a == b {
            same += u32::from(names_or_says(class));
        } else if class == TokenClass::Identifier && Symbol(b).class() == class {
            *renamed.entry((a, b)).or_default() += 1;
        }
    }
    same + one_to_one(renamed)
}

/// Whether they would agree if all names that differ stood for each other, which is far cheaper to tell.
fn may_be_agreed(left: &[u32], right: &[u32]) -> bool {
    let (mut words, mut equal, mut names) = (0u32, 0u32, 0u32);
    for (&a, &b) in left.iter().zip(right) {
        let class = Symbol(a).class();
        let word = is_word(class);
        words += u32::from(word);
        equal += u32::from(word && a == b);
        names += u32::from(class == TokenClass::Identifier && a != b);
    }
    may_agree(words, equal, names)
}

/// Share of the names and literals of two runs, equal under blind renaming, that correspond. Those written alike count
/// whole; names that stand for each other, one to one, at least twice count half, since short idioms repeat each name
/// too. 1 for runs without names and literals.
fn agreement(left: &[u32], right: &[u32]) -> f64 {
    debug_assert_eq!(left.len(), right.len());
    let mut words = 0u32;
    let mut agreeing = 0u32;
    let mut renamed: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (&a, &b) in left.iter().zip(right) {
        let class = Symbol(a).class();
        if !is_word(class) {
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
    fn a_copy_shares_what_is_said_nowhere_else() {
        let commonness = Commonness::without(&symbols("get set equals that"));
        let share = |left: &str, right: &str| commonness.share(&symbols(left), &symbols(right));
        assert!(share("get price , tax ( price )", "set tax , price"));
        assert!(!share("get price ( that )", "equals price ( that ) price"));
        assert!(!commonness.aligned_share(&symbols("price = tax"), &symbols("tax = price")));
        assert!(commonness.aligned_share(&symbols("price = tax"), &symbols("price = tax")));
    }

    proptest::proptest! {
        #[test]
        fn marks_change_nothing(
            rare in proptest::collection::btree_set(0u32..3000, 0..200),
            tokens in proptest::collection::vec(0u32..3000, 0..60),
        ) {
            let rare: Vec<u32> = rare.into_iter().collect();
            proptest::prop_assert_eq!(RareTokens::new(&rare).shared(&tokens), shared_rare(&rare, &tokens));
        }
    }

    #[test]
    fn names_are_renamed_throughout_or_not() {
        let pairs = |left: &str, right: &str| -> Vec<(u32, u32)> {
            symbols(left).into_iter().zip(symbols(right)).collect()
        };
        let throughout = |left: &str, right: &str| are_renamed_throughout(&pairs(left, right));
        assert!(throughout("a = b ( a )", "a = b ( a )"));
        assert!(throughout("a = b ( a )", "c = b ( c )"));
        assert!(!throughout("a = b ( a )", "c = d ( c )"), "what stands once is another thing");
        assert!(!throughout("a = b ( a )", "c = b ( d )"));
        assert!(!throughout("a = b ( a )", "b = b ( b )"));
        assert!(!throughout("a = 1 + a", "c = 2 + c"));
        assert_eq!(corresponding_names(&pairs("a = b ( a ) + e", "c = b ( c ) + f")), 3);
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
