//! What two bags have in common, and from where on that is enough.

use familiar_index::Fraction;
use familiar_source::words::suggestion;
use xxhash_rust::xxh3::xxh3_64;

use crate::TaskError;
use crate::bag::{Bag, length};

/// How bags are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The multiset intersection over the larger bag (Sajnani et al. 2016), as `familiar_search::overlap` has it.
    TokenOverlap { similarity: f64 },
    /// The Jaccard indices of the sets and of the multisets (Puri et al. 2021, Section 5.2), as
    /// `familiar_codenet::duplicates` has them: both have to be reached.
    Jaccard { set: f64, multiset: f64 },
}

/// Room for rounding, so that no filter drops a pair that the definition takes.
const ROUNDING: f64 = 1e-9;

/// How much two bags have in common: one number, or two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Similarity {
    pub(crate) first: f64,
    pub(crate) multiset: f64,
}

impl Similarity {
    pub(crate) fn of_one(number: f64) -> Self {
        Self { first: number, multiset: number }
    }
}

impl Measure {
    /// The measure of that name, with its thresholds: one for `token-overlap`, two for `jaccard`.
    pub fn new(name: &str, thresholds: &[f64]) -> Result<Self, TaskError> {
        let above_zero = |setting: &str, number: f64| {
            let text = || format!("{setting} {number} is out of range: give a number above 0 and at most 1");
            if number > 0.0 && number <= 1.0 { Ok(number) } else { Err(TaskError::Setting(text())) }
        };
        match (name, thresholds) {
            ("token-overlap", &[similarity]) => {
                Ok(Self::TokenOverlap { similarity: above_zero("similarity", similarity)? })
            }
            ("jaccard", &[set, multiset]) => {
                let set = above_zero("set_jaccard", set)?;
                if !(0.0..=1.0).contains(&multiset) {
                    let text =
                        format!("multiset_jaccard {multiset} is out of range: give a number from 0 to 1");
                    return Err(TaskError::Setting(text));
                }
                Ok(Self::Jaccard { set, multiset })
            }
            _ => {
                let more = suggestion(name, ["token-overlap", "jaccard"]);
                Err(TaskError::Setting(format!("there is no measure {name} with these thresholds{more}")))
            }
        }
    }

    /// How many elements the bag has: what is compared by sets counts a token once.
    pub(crate) fn size(self, bag: &[(u64, u32)]) -> u32 {
        match self {
            Self::TokenOverlap { .. } => length(bag),
            Self::Jaccard { .. } => bag.len() as u32,
        }
    }

    /// The fewest elements that a bag of `size` elements has in common with any that is alike; so many elements another has at
    /// least, if it is no larger.
    pub(crate) fn least(self, size: u32) -> u32 {
        match self {
            Self::TokenOverlap { similarity } => Fraction::new(similarity).of(size),
            Self::Jaccard { set, .. } => (set * f64::from(size) - ROUNDING).ceil() as u32,
        }
        .max(1)
    }

    /// The keys of the bag's prefix, in its order, each with its token: so many that two bags that are alike share one.
    pub(crate) fn prefix(self, bag: &[(u64, u32)], family: i32, keys: &mut Vec<(i64, u64)>) {
        keys.clear();
        let size = self.size(bag);
        let mut left = (size + 1).saturating_sub(self.least(size)).min(size);
        for &(token, count) in bag {
            let times = match self {
                Self::TokenOverlap { .. } => count.min(left),
                Self::Jaccard { .. } => left.min(1),
            };
            keys.extend((0..times).map(|time| (key(family, token, time), token)));
            left -= times;
            if left == 0 {
                break;
            }
        }
    }

    /// How much two bags, both ascending by token, have in common; none where that is not enough.
    pub(crate) fn similarity(self, one: &Bag, two: &Bag) -> Option<Similarity> {
        let Common { both, smaller, larger } = common(one, two);
        match self {
            Self::TokenOverlap { similarity } => {
                let size = length(one).max(length(two));
                let first = smaller as f64 / f64::from(size);
                let is_enough = size > 0 && smaller >= u64::from(Fraction::new(similarity).of(size));
                is_enough.then_some(Similarity::of_one(first))
            }
            Self::Jaccard { set, multiset } => {
                let all = (one.len() + two.len()) as u64 - both;
                let found = Similarity { first: share(both, all), multiset: share(smaller, larger) };
                (found.first >= set && found.multiset >= multiset).then_some(found)
            }
        }
    }
}

/// Hashes collide at worst: what shares a key is compared.
fn key(family: i32, token: u64, time: u32) -> i64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&token.to_le_bytes());
    bytes[8..12].copy_from_slice(&time.to_le_bytes());
    bytes[12..].copy_from_slice(&family.to_le_bytes());
    xxh3_64(&bytes).cast_signed()
}

struct Common {
    /// Tokens that both have.
    both: u64,
    /// Of each token the smaller of its two counts, and the larger.
    smaller: u64,
    larger: u64,
}

fn common(one: &Bag, two: &Bag) -> Common {
    let (mut at, mut against) = (0, 0);
    let mut common = Common { both: 0, smaller: 0, larger: 0 };
    while at < one.len() && against < two.len() {
        let ((left, count), (right, other)) = (one[at], two[against]);
        if left == right {
            common.both += 1;
            common.smaller += u64::from(count.min(other));
            common.larger += u64::from(count.max(other));
        } else {
            common.larger += u64::from(if left < right { count } else { other });
        }
        at += usize::from(left <= right);
        against += usize::from(right <= left);
    }
    let rest = one[at..].iter().chain(&two[against..]);
    common.larger += rest.map(|&(_, count)| u64::from(count)).sum::<u64>();
    common
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}
