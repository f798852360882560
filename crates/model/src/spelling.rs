//! How names are spelled, turned into a vector without anything to learn: every run of four letters has a direction of its own,
//! and counts as much as it is rare (Spärck Jones 1972).
//!
//! Words say that two names are alike where they are split alike; runs say so of `binarysearch` and `binary_search`, of `msg` in
//! `errmsg`, and of names that no table of words has a row for. The directions are signs that are drawn by the run itself
//! (Achlioptas 2003), so that there are as many as there are runs.

use crate::sums::{DIRECTION, sum_directions};

/// Numbers in a vector.
pub(crate) const COLUMNS: usize = DIRECTION;

/// How many rarities are kept; two runs may share one.
pub const RARITIES: usize = 1 << 16;

/// The place of a run's rarity.
pub fn place(run: u32) -> usize {
    (mix(u64::from(run)) >> 48) as usize
}

/// The sum of the directions of `runs`, each times how much it counts and how rare it is.
pub(crate) fn vector(runs: &[(u32, f32)], rarities: &[f32], out: &mut [f32]) {
    let directions: Vec<_> = runs
        .iter()
        .map(|&(run, weight)| {
            let signs = mix(u64::from(run) | 1 << 32);
            (weight * rarities[place(run)], [signs, mix(signs)])
        })
        .collect();
    sum_directions(&directions, out);
}

/// A number that does not depend on the machine (the finalizer of SplitMix64, Steele et al. 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::SequenceReader;
    use crate::bag::Features;
    use crate::network::dot;

    /// The vector of code in which every run is as rare as any other.
    fn of(code: &str) -> Vec<f32> {
        let mut features = Features::default();
        features.read(&SequenceReader::default().read(Language::Python, code.as_bytes()));
        let mut out = vec![0.0; COLUMNS];
        vector(&features.spelling, &vec![1.0; RARITIES], &mut out);
        out
    }

    fn cosine(a: &str, b: &str) -> f32 {
        let (a, b) = (of(a), of(b));
        dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
    }

    #[test]
    fn what_is_spelled_alike_is_near() {
        assert_eq!(cosine("binary_search", "binarySearch"), 1.0);
        assert!(cosine("binary_search(items)", "binarysearch(item)") > 0.8);
        assert!(cosine("binary_search", "quicksort").abs() < 0.4);
        assert!(cosine("print('permission denied')", "print('Permission: denied')") > 0.9);
    }

    #[test]
    fn names_that_say_nothing_have_no_runs() {
        assert!(of("v1 = v12 + i + 1200").iter().all(|&x| x == 0.0));
        assert!(of("md5").iter().any(|&x| x != 0.0));
    }
}
