//! How many tokens have to be put in, taken out or exchanged to make one text of another (Levenshtein 1966).

use familiar_source::Language;
use familiar_syntax::{Parser, Want};
use xxhash_rust::xxh3::xxh3_64;

/// The tokens of a text, each by a hash of how it is written.
pub(super) fn tokens(parser: &mut Parser, language: Language, text: &[u8]) -> Vec<u64> {
    let tokens = parser.parse(language, text, Want::default()).tokens;
    tokens.iter().map(|token| xxh3_64(&text[token.start as usize..token.end as usize])).collect()
}

/// The edit distance of two lists of tokens, if it is at most `most`. Takes time in proportion to their length times `most`
/// (Ukkonen 1985).
pub(super) fn within(one: &[u64], other: &[u64], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let far = most + 1;
    // The distances of a part of `one` from each part of `other`; those that lie beyond the band are far.
    let mut last: Vec<usize> = (0..=other.len()).map(|at| at.min(far)).collect();
    let mut next = vec![far; other.len() + 1];
    for (row, token) in one.iter().enumerate() {
        let (first, end) = (row.saturating_sub(most), (row + most + 1).min(other.len()));
        next[first] = if first == 0 { (row + 1).min(far) } else { far };
        for column in first..end {
            let exchange = last[column] + usize::from(*token != other[column]);
            next[column + 1] = exchange.min(last[column + 1] + 1).min(next[column] + 1).min(far);
        }
        if let Some(beyond) = next.get_mut(end + 1) {
            *beyond = far;
        }
        std::mem::swap(&mut last, &mut next);
    }
    last.last().copied().filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    fn plain(one: &[u64], other: &[u64]) -> usize {
        let mut last: Vec<usize> = (0..=other.len()).collect();
        for (row, token) in one.iter().enumerate() {
            let mut next = vec![row + 1];
            for (column, theirs) in other.iter().enumerate() {
                let exchange = last[column] + usize::from(token != theirs);
                next.push(exchange.min(last[column + 1] + 1).min(next[column] + 1));
            }
            last = next;
        }
        last[other.len()]
    }

    #[test]
    fn the_band_gives_what_the_whole_table_gives() {
        let mut random = SplitMix(5);
        for _ in 0..2000 {
            let mut drawn =
                || -> Vec<u64> { (0..random.below(14)).map(|_| random.below(4) as u64).collect() };
            let (one, other) = (drawn(), drawn());
            let most = random.below(7);
            let expected = Some(plain(&one, &other)).filter(|&it| it <= most);
            assert_eq!(within(&one, &other, most), expected, "{one:?} {other:?} {most}");
        }
    }
}
