//! Two lists of tokens, and the fewest edits that make one of the other.

/// One edit, by the positions of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// A token on the left stands in the place of one on the right.
    Exchanged(usize, usize),
    OnlyLeft(usize),
    OnlyRight(usize),
}

/// Most cells of the table.
const CELLS: usize = 1 << 22;

/// The edits, in order; none where both lists are too long and too different. `alike` says whether one token may take the place of
/// another: if not, two edits are as cheap (Levenshtein 1966; ties go to exchanges).
pub(super) fn edits(left: &[u32], right: &[u32], alike: impl Fn(usize, usize) -> bool) -> Option<Vec<Edit>> {
    let start = left.iter().zip(right).take_while(|(one, other)| one == other).count();
    let (one, other) = (&left[start..], &right[start..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    let width = other.len() + 1;
    let cells = (one.len() + 1).checked_mul(width).filter(|&cells| cells <= CELLS)?;
    let mut costs = vec![0u32; cells];
    for (column, cost) in costs[..width].iter_mut().enumerate() {
        *cost = column as u32;
    }
    for row in 1..=one.len() {
        costs[row * width] = row as u32;
        for column in 1..width {
            let exchange = match one[row - 1] == other[column - 1] {
                true => 0,
                false if alike(start + row - 1, start + column - 1) => 1,
                false => 2,
            };
            let above = (row - 1) * width + column;
            let cost = (costs[above - 1] + exchange).min(costs[above] + 1);
            costs[row * width + column] = cost.min(costs[row * width + column - 1] + 1);
        }
    }
    let (mut row, mut column, mut edits) = (one.len(), width - 1, Vec::new());
    while row > 0 || column > 0 {
        let cost = costs[row * width + column];
        let before = |rows: usize, columns: usize| costs[(row - rows) * width + column - columns];
        let same = row > 0 && column > 0 && one[row - 1] == other[column - 1];
        if same && before(1, 1) == cost {
            (row, column) = (row - 1, column - 1);
        } else if row > 0
            && column > 0
            && before(1, 1) + 1 == cost
            && alike(start + row - 1, start + column - 1)
        {
            (row, column) = (row - 1, column - 1);
            edits.push(Edit::Exchanged(start + row, start + column));
        } else if row > 0 && before(1, 0) + 1 == cost {
            row -= 1;
            edits.push(Edit::OnlyLeft(start + row));
        } else {
            column -= 1;
            edits.push(Edit::OnlyRight(start + column));
        }
    }
    edits.reverse();
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_the_fewest_and_exchange_what_is_alike() {
        let of = |left: &[u32], right: &[u32]| {
            edits(left, right, |one, other| left[one] % 2 == right[other] % 2).expect("they are short")
        };
        assert_eq!(of(&[1, 2, 3], &[1, 2, 3]), []);
        assert_eq!(of(&[1, 2, 3], &[1, 4, 3]), [Edit::Exchanged(1, 1)]);
        // Two that are not alike are one less and one more.
        assert_eq!(of(&[1, 2, 3], &[1, 5, 3]).len(), 2);
        assert_eq!(of(&[1, 2, 3], &[1, 2, 6, 3]), [Edit::OnlyRight(2)]);
        assert_eq!(of(&[7, 1, 3], &[1, 3]), [Edit::OnlyLeft(0)]);
        assert_eq!(of(&[], &[2, 4]), [Edit::OnlyRight(0), Edit::OnlyRight(1)]);
        let long: Vec<u32> = (0..4000).collect();
        let other: Vec<u32> = (5000..9000).collect();
        assert_eq!(edits(&long, &other, |_, _| true), None);
    }
}
