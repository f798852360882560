//! Counterparts: pairs of fragments in different languages of which each is the nearest that the other has in its language.
//!
//! A translation need not be as near as a copy is: it is enough that nothing else in its language is nearer. So counterparts are
//! looked for where a cosine alone would say little, and which pairs are counterparts does not depend on the probability that is
//! asked for: a stricter one finds nothing that a looser one does not.

use familiar_index::vectors::{Neighbor, VectorError, VectorIndex, VectorIndexBuilder};
use familiar_index::{FileEntry, Side};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Most neighbors of a fragment in another language that are looked at.
const NEAREST: usize = 4;

/// Fragments by family and side: counterparts are of different families, on sides that are compared.
pub(super) struct Groups {
    /// The group of each fragment, by its number.
    pub(super) of: Vec<u16>,
    groups: Vec<(u8, Side)>,
}

impl Groups {
    /// Of fragments in these files.
    pub(super) fn new<'f>(files: impl Iterator<Item = &'f FileEntry>) -> Self {
        let mut groups: Vec<(u8, Side)> = Vec::new();
        let group = |file: &FileEntry| {
            let is = |group: &(u8, Side)| *group == (file.family, file.side);
            let known = groups.iter().position(is);
            known.unwrap_or_else(|| {
                groups.push((file.family, file.side));
                groups.len() - 1
            }) as u16
        };
        let of = files.map(group).collect();
        Self { of, groups }
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether these two fragments are of groups that are compared.
    pub(super) fn are_across(&self, [a, b]: [u32; 2]) -> bool {
        self.are_compared(self.of[a as usize], self.of[b as usize])
    }

    pub(super) fn are_compared(&self, a: u16, b: u16) -> bool {
        let [(family, on), (other, against)] = [a, b].map(|group| self.groups[usize::from(group)]);
        family != other && on.pairs_with(against)
    }

    /// Pairs of which each is among the nearest of the other in its group, by number, the smaller first; with their cosines.
    pub(super) fn candidates(&self, index: &VectorIndex) -> Result<Vec<(u32, u32, f32)>, VectorError> {
        let groups = 0..self.groups.len() as u16;
        let parts: Vec<Part> =
            groups.map(|group| self.part(index, group)).collect::<Result<_, VectorError>>()?;
        let nearest = |number: u32| -> Vec<(u32, u32, f32)> {
            let Some(vector) = index.vector(number) else { return Vec::new() };
            let own = self.of[number as usize];
            let others = parts.iter().filter(|part| self.are_compared(own, part.group));
            let found = others.flat_map(|part| part.nearest(&vector));
            found.map(|other| (number, other.number, other.cosine)).collect()
        };
        let mut found: Vec<(u32, u32, f32)> =
            (0..self.of.len() as u32).into_par_iter().flat_map_iter(nearest).collect();
        for pair in &mut found {
            (pair.0, pair.1) = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        found.par_sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        // What both sides found stands there twice.
        Ok(found
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .filter(|same| same.len() > 1)
            .map(|same| same[0])
            .collect())
    }

    /// The vectors of one group.
    fn part(&self, index: &VectorIndex, group: u16) -> Result<Part, VectorError> {
        let numbers: Vec<u32> =
            (0..self.of.len() as u32).filter(|&number| self.of[number as usize] == group).collect();
        let mut part = VectorIndexBuilder::new(index.dimensions(), index.encoder());
        for &number in &numbers {
            part.push_stored(index, number)?;
        }
        Ok(Part { group, numbers, index: part.build() })
    }

    /// For each pair of fragments, which ascend and have how much speaks for them, whether each is the other's best in its group.
    pub(super) fn are_mutual(&self, pairs: &[([u32; 2], f64)]) -> Vec<bool> {
        let mut best: FxHashMap<(u32, u16), usize> = FxHashMap::default();
        let sides =
            |pair: [u32; 2]| [(pair[0], self.of[pair[1] as usize]), (pair[1], self.of[pair[0] as usize])];
        for (at, &(pair, evidence)) in pairs.iter().enumerate() {
            for side in sides(pair) {
                let known = best.entry(side).or_insert(at);
                // Of equal ones the first counts.
                if evidence > pairs[*known].1 {
                    *known = at;
                }
            }
        }
        pairs
            .iter()
            .enumerate()
            .map(|(at, &(pair, _))| sides(pair).iter().all(|side| best[side] == at))
            .collect()
    }
}

/// The vectors of one group, and the fragments that they are of.
struct Part {
    group: u16,
    numbers: Vec<u32>,
    index: VectorIndex,
}

impl Part {
    fn nearest(&self, vector: &[f32]) -> impl Iterator<Item = Neighbor> {
        let found = self.index.nearest(vector, NEAREST).into_iter();
        found.map(|it| Neighbor { number: self.numbers[it.number as usize], ..it })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors in a plane, by their angles in degrees.
    fn index(angles: &[f32]) -> VectorIndex {
        let mut index = VectorIndexBuilder::new(2, "angles");
        for angle in angles {
            let (y, x) = angle.to_radians().sin_cos();
            index.push(&[x, y]).expect("two dimensions");
        }
        index.build()
    }

    fn groups(of: &[(u8, Side)]) -> Groups {
        let files: Vec<FileEntry> = of
            .iter()
            .map(|&(family, side)| FileEntry { family, side, tests_from: u32::MAX, is_markup: false })
            .collect();
        Groups::new(files.iter())
    }

    #[test]
    fn counterparts_are_each_the_nearest_of_the_other_in_its_language() {
        let java = (0, Side::Both);
        let python = (1, Side::Both);
        // 4 is nearest to 0 in Python, but 1 is nearer to it; nothing else is near 2 and 5, however far they are apart.
        let angles = [0.0, 20.0, 90.0, 22.0, 15.0, 140.0];
        let groups = groups(&[java, java, java, python, python, python]);
        let candidates = groups.candidates(&index(&angles)).expect("the vectors have two dimensions");
        assert_eq!(candidates.len(), 9);
        let pairs: Vec<([u32; 2], f64)> =
            candidates.iter().map(|&(a, b, cosine)| ([a, b], f64::from(cosine))).collect();
        let mutual = groups.are_mutual(&pairs);
        let mutual: Vec<[u32; 2]> =
            pairs.iter().zip(mutual).filter(|(_, is)| *is).map(|(pair, _)| pair.0).collect();
        assert_eq!(mutual, [[1, 3], [2, 5]]);
    }

    #[test]
    fn counterparts_are_looked_for_in_each_language_by_itself_and_on_the_other_side() {
        let groups = groups(&[
            (0, Side::Query),
            (1, Side::Query),
            (1, Side::Against),
            (2, Side::Against),
            (0, Side::Against),
        ]);
        let candidates = groups.candidates(&index(&[0.0, 1.0, 30.0, 40.0, 2.0])).expect("two dimensions");
        let pairs: Vec<[u32; 2]> = candidates.iter().map(|&(a, b, _)| [a, b]).collect();
        assert_eq!(pairs, [[0, 2], [0, 3], [1, 3], [1, 4]]);
        assert!(groups.are_across([0, 3]) && !groups.are_across([0, 1]) && !groups.are_across([0, 4]));
    }
}
