//! How far two texts are apart: the shortest script that makes one of the other (Myers 1986).

use serde::Serialize;

/// Most steps of a comparison. Beyond them nobody knows the shortest script; it is the same on every machine.
const STEPS: usize = 1 << 26;
/// So many edits take at least so many steps.
const EDITS: usize = 11_600;

/// What a shortest script adds and takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    pub added: usize,
    pub removed: usize,
}

/// The shortest script from one list to the other; `None` where finding it takes too long.
pub(super) fn shortest<T: PartialEq>(from: &[T], to: &[T]) -> Option<Edit> {
    let same = from.iter().zip(to).take_while(|(one, two)| one == two).count();
    let (from, to) = (&from[same..], &to[same..]);
    let same = from.iter().rev().zip(to.iter().rev()).take_while(|(one, two)| one == two).count();
    let (from, to) = (&from[..from.len() - same], &to[..to.len() - same]);
    let edits = edits(from, to)?;
    // Each edit adds or takes away, and together they make up for the difference in length.
    Some(Edit {
        added: (edits + to.len()).saturating_sub(from.len()) / 2,
        removed: (edits + from.len()).saturating_sub(to.len()) / 2,
    })
}

/// How many edits the shortest script has.
fn edits<T: PartialEq>(from: &[T], to: &[T]) -> Option<usize> {
    let most = (from.len() + to.len()).min(EDITS);
    // How far each diagonal reached in `from`; diagonal k stands at k + middle.
    let mut reached = vec![0_usize; 2 * most + 3];
    let middle = most + 1;
    let mut steps = 0;
    for edits in 0..=most {
        steps += edits + 1;
        if steps > STEPS {
            return None;
        }
        for at in (middle - edits..=middle + edits).step_by(2) {
            let goes_down =
                at == middle - edits || (at != middle + edits && reached[at - 1] < reached[at + 1]);
            let mut x = if goes_down { reached[at + 1] } else { reached[at - 1] + 1 };
            let Some(mut y) = (x + middle).checked_sub(at) else { continue };
            while x < from.len() && y < to.len() && from[x] == to[y] {
                (x, y, steps) = (x + 1, y + 1, steps + 1);
            }
            reached[at] = x;
            if x >= from.len() && y >= to.len() {
                return Some(edits);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By the longest common part, in a table.
    fn by_table(from: &[u8], to: &[u8]) -> Edit {
        let mut table = vec![vec![0; to.len() + 1]; from.len() + 1];
        for (x, one) in from.iter().enumerate() {
            for (y, two) in to.iter().enumerate() {
                table[x + 1][y + 1] =
                    if one == two { table[x][y] + 1 } else { table[x][y + 1].max(table[x + 1][y]) };
            }
        }
        let common = table[from.len()][to.len()];
        Edit { added: to.len() - common, removed: from.len() - common }
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(shortest(b"abcabba", b"cbabac"), Some(Edit { added: 2, removed: 3 }));
        assert_eq!(shortest(b"", b"abc"), Some(Edit { added: 3, removed: 0 }));
        assert_eq!(shortest(b"abc", b"abc"), Some(Edit { added: 0, removed: 0 }));
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        let (one, two): (Vec<u32>, Vec<u32>) = ((0..20_000).collect(), (20_000..40_000).collect());
        assert_eq!(shortest(&one, &two), None);
    }

    proptest! {
        #[test]
        fn the_script_is_the_shortest(one in prop::collection::vec(0_u8..4, 0..30), two in prop::collection::vec(0_u8..4, 0..30)) {
            prop_assert_eq!(shortest(&one, &two), Some(by_table(&one, &two)));
        }
    }
}
