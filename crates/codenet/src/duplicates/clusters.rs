//! Near-duplicates in clusters, as CodeNet publishes them: a representative, and those that are near-duplicates of it.

use std::io::{self, Write};

use super::bags::Overlap;
use super::found::{Duplicates, Grouped};

/// Which pairs make clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterRule {
    /// Every pair of near-duplicates.
    #[default]
    Every,
    /// What CodeNet's own program compares: samples of 20 tokens or more, whose lengths differ by at most 5 %.
    CodeNet,
}

/// A representative with its near-duplicates. All are numbers of samples, in the order of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    pub representative: u32,
    pub members: Vec<Member>,
}

/// A near-duplicate of a representative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub sample: u32,
    pub overlap: Overlap,
}

impl ClusterRule {
    const FEWEST_TOKENS: u32 = 20;
    /// In percent of the longer sample.
    const MOST_APART: u32 = 5;

    fn takes(self, length: u32) -> bool {
        self == Self::Every || length >= Self::FEWEST_TOKENS
    }

    fn compares(self, one: u32, two: u32) -> bool {
        let (shorter, longer) = (u64::from(one.min(two)), u64::from(one.max(two)));
        self == Self::Every || (longer - shorter) * 100 <= longer * u64::from(Self::MOST_APART)
    }
}

impl Duplicates {
    /// Clusters of two samples or more, in the order of their representatives. Each sample that no cluster has yet takes all
    /// those after it that are its near-duplicates and in no cluster, so no two representatives are near-duplicates.
    pub fn clusters(&self, rule: ClusterRule) -> Vec<Cluster> {
        let (samples, partners) = (self.samples_by_bag(), self.partners());
        let mut taken = vec![false; self.bags.len()];
        let mut clusters = Vec::new();
        for (sample, &bag) in (0..).zip(&self.bag_of) {
            let length = self.bags.length(bag as usize);
            if std::mem::replace(&mut taken[bag as usize], true) || !rule.takes(length) {
                continue;
            }
            let mut bags = vec![bag];
            for &partner in partners.group(bag) {
                let other = self.bags.length(partner as usize);
                if !taken[partner as usize] && rule.takes(other) && rule.compares(length, other) {
                    taken[partner as usize] = true;
                    bags.push(partner);
                }
            }
            let members = self.members(sample, bag, &bags, &samples);
            if !members.is_empty() {
                clusters.push(Cluster { representative: sample, members });
            }
        }
        clusters
    }

    /// The samples of `bags` but the representative, in their order.
    fn members(&self, representative: u32, bag: u32, bags: &[u32], samples: &Grouped) -> Vec<Member> {
        let of = self.bags.bag(bag as usize);
        let mut members = Vec::new();
        for &other in bags {
            let overlap = of.overlap(&self.bags.bag(other as usize));
            let samples = samples.group(other).iter().filter(|&&sample| sample != representative);
            members.extend(samples.map(|&sample| Member { sample, overlap }));
        }
        members.sort_by_key(|member| member.sample);
        members
    }

    /// Writes clusters as CodeNet does: the representative and a colon, then a line for each member with both Jaccard indices, and a
    /// blank line between clusters.
    pub fn write_clusters(&self, rule: ClusterRule, out: &mut dyn Write) -> io::Result<()> {
        for (number, cluster) in self.clusters(rule).iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}:", self.ids[cluster.representative as usize])?;
            for Member { sample, overlap } in &cluster.members {
                writeln!(out, "{}:{:.2},{:.2}", self.ids[*sample as usize], overlap.set, overlap.multiset)?;
            }
        }
        Ok(())
    }

    /// Whether each sample stays if of each cluster only the representative does. No two of those that stay are
    /// near-duplicates.
    pub fn kept(&self) -> Vec<bool> {
        self.kept_of(&|_| true)
    }

    /// [`Duplicates::kept`] of the samples that `takes` takes, by their numbers. The others do not stay, and stand for none.
    pub fn kept_of(&self, takes: &dyn Fn(u32) -> bool) -> Vec<bool> {
        let partners = self.partners();
        let mut taken = vec![false; self.bags.len()];
        (0..)
            .zip(&self.bag_of)
            .map(|(sample, &bag)| {
                let stays = takes(sample) && !std::mem::replace(&mut taken[bag as usize], true);
                if stays {
                    for &partner in partners.group(bag) {
                        taken[partner as usize] = true;
                    }
                }
                stays
            })
            .collect()
    }
}
