//! Numbers that are joined with one another: which are together?

/// Disjoint sets of the numbers from 0 on.
#[derive(Debug, Default)]
pub(crate) struct DisjointSets {
    /// Another number of the same set, or the number itself where it stands for the set.
    parents: Vec<usize>,
}

impl DisjointSets {
    /// So many numbers, each alone.
    pub(crate) fn new(numbers: usize) -> Self {
        Self { parents: (0..numbers).collect() }
    }

    /// The next number, alone.
    pub(crate) fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    /// Makes one set of those of two numbers; the number that stands for it.
    pub(crate) fn join(&mut self, left: usize, right: usize) -> usize {
        let (left, right) = (self.of(left), self.of(right));
        self.parents[left.max(right)] = left.min(right);
        left.min(right)
    }

    /// The number that stands for the set of a number: the least in it.
    pub(crate) fn of(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_stands_for_all_that_are_joined() {
        let mut sets = DisjointSets::new(4);
        assert_eq!(sets.add(), 4);
        sets.join(3, 4);
        assert_eq!(sets.join(1, 3), 1);
        assert_eq!([0, 1, 2, 3, 4].map(|number| sets.of(number)), [0, 1, 2, 1, 1]);
    }
}
