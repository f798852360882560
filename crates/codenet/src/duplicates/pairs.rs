//! Near-duplicates as pairs.

use std::io::{self, Write};

use super::bags::Overlap;
use super::found::Duplicates;

/// Two samples that are near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub left: u32,
    pub right: u32,
    pub overlap: Overlap,
}

impl Duplicates {
    /// Gives every pair to `each`, the smaller id first, sorted by both ids, until it fails.
    pub fn each_pair<E>(&self, each: &mut dyn FnMut(Pair) -> Result<(), E>) -> Result<(), E> {
        let (samples, partners) = (self.samples_by_bag(), self.partners());
        let mut order: Vec<u32> = (0..self.ids.len() as u32).collect();
        order.sort_by(|&one, &two| self.id(one).cmp(self.id(two)).then(one.cmp(&two)));
        let mut rank = vec![0_u32; order.len()];
        for (place, &sample) in (0..).zip(&order) {
            rank[sample as usize] = place;
        }
        let mut rest = Vec::new();
        for (place, &left) in (0..).zip(&order) {
            let bag = self.bag_of[left as usize];
            rest.clear();
            for &other in std::iter::once(&bag).chain(partners.group(bag)) {
                let after = samples.group(other).iter().map(|&it| rank[it as usize]).filter(|&it| it > place);
                rest.extend(after.map(|it| (it, other)));
            }
            rest.sort_unstable();
            let of = self.bags.bag(bag as usize);
            let mut last = None;
            for &(at, other) in &rest {
                let overlap = match last {
                    Some((known, overlap)) if known == other => overlap,
                    _ => of.overlap(&self.bags.bag(other as usize)),
                };
                last = Some((other, overlap));
                each(Pair { left, right: order[at as usize], overlap })?;
            }
        }
        Ok(())
    }

    /// Writes every pair as a row of CSV: `id1,id2,set_jaccard,multiset_jaccard`.
    pub fn write_pairs(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["id1", "id2", "set_jaccard", "multiset_jaccard"])?;
        self.each_pair(&mut |Pair { left, right, overlap }| {
            let (set, multiset) = (overlap.set.to_string(), overlap.multiset.to_string());
            csv.write_record([self.id(left), self.id(right), &set, &multiset])
        })?;
        csv.flush()
    }

    pub(super) fn id(&self, sample: u32) -> &str {
        &self.ids[sample as usize]
    }
}
