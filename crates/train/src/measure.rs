//! MAP@R of vectors, to see how training goes.

use familiar_source::Language;
use rayon::prelude::*;

use crate::batch::{Batch, View};
use crate::data::Data;
use crate::device;
use crate::network::Network;
use crate::step::{CHUNK, CHUNK_ON_GPU};

/// Most examples of a group: the figure is for following the training alone.
const OF_GROUP: usize = 60;

/// The first examples of each group, each with the number of its group.
pub(crate) fn members(groups: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let first = |(group, members)| {
        let members: &Vec<u32> = members;
        members.iter().take(OF_GROUP).map(move |&member| (group, member))
    };
    (0u32..).zip(groups).flat_map(first).collect()
}

/// MAP@R of the examples of `groups`, by `network` as it is now; among examples in other languages alone where it is `across` them.
pub fn of_groups(
    network: &Network,
    data: &Data,
    groups: &[Vec<u32>],
    blind: bool,
    across: bool,
) -> candle_core::Result<f64> {
    let mut members = members(groups);
    members.sort_by_key(|(_, member)| data.examples[*member as usize].sequence.len());
    let vectors = |chunk: &[(u32, u32)]| {
        let view = |&(_, member): &(u32, u32)| {
            let sequence = &data.examples[member as usize].sequence;
            if blind { View::blind(sequence, &network.sizes) } else { View::plain(sequence, &network.sizes) }
        };
        let views: Vec<View<'_>> = chunk.iter().map(view).collect();
        network.forward(&Batch::new(&views))?.detach().flatten_all()?.to_vec1::<f32>()
    };
    let together = device::together(&network.device, CHUNK, CHUNK_ON_GPU);
    let values = device::each(&network.device, members.chunks(together).collect(), vectors)?;
    let candidate = candidates(data, &members, across);
    let groups: Vec<u32> = members.iter().map(|(group, _)| *group).collect();
    Ok(map_at_r(&values.concat(), network.sizes.output, &groups, candidate))
}

/// Which of `members` are compared with which: all, or only those in other languages.
pub(crate) fn candidates(
    data: &Data,
    members: &[(u32, u32)],
    across: bool,
) -> impl Fn(usize, usize) -> bool + Sync + use<> {
    let languages: Vec<Language> =
        members.iter().map(|&(_, member)| data.examples[member as usize].language).collect();
    move |query, other| !across || languages[query] != languages[other]
}

/// Mean average precision at R (Musgrave et al. 2020, section 3.4) of `values`, in rows of `dimensions` numbers each. A query is
/// compared with the rows that are its `candidate`s.
pub fn map_at_r(
    values: &[f32],
    dimensions: usize,
    groups: &[u32],
    candidate: impl Fn(usize, usize) -> bool + Sync,
) -> f64 {
    let row = |at: usize| &values[at * dimensions..(at + 1) * dimensions];
    map_at_r_by(groups, candidate, |query, scores| {
        for (other, score) in scores.iter_mut().enumerate() {
            *score = row(query).iter().zip(row(other)).map(|(a, b)| a * b).sum();
        }
    })
}

/// The same of any similarity: `fill` gives the scores of all rows, which are 0 before, for a query.
pub fn map_at_r_by(
    groups: &[u32],
    candidate: impl Fn(usize, usize) -> bool + Sync,
    fill: impl Fn(usize, &mut [f32]) + Sync,
) -> f64 {
    let of_query = |query: usize| -> Option<f64> {
        let is_candidate = |other: usize| other != query && candidate(query, other);
        let alike = (0..groups.len()).filter(|&other| groups[other] == groups[query]);
        let relevant = alike.filter(|&other| is_candidate(other)).count();
        if relevant == 0 {
            return None;
        }
        let mut scores = vec![0_f32; groups.len()];
        fill(query, &mut scores);
        let mut ranked: Vec<(f32, u32)> = (0_u32..)
            .zip(scores)
            .filter(|(other, _)| is_candidate(*other as usize))
            .map(|(other, it)| (it, other))
            .collect();
        let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        ranked.select_nth_unstable_by(relevant - 1, order);
        ranked.truncate(relevant);
        ranked.sort_unstable_by(order);
        let (mut hits, mut sum) = (0, 0.0);
        for (rank, (_, other)) in (1..).zip(&ranked) {
            if groups[*other as usize] == groups[query] {
                hits += 1;
                sum += f64::from(hits) / f64::from(rank);
            }
        }
        Some(sum / relevant as f64)
    };
    let precisions: Vec<f64> = (0..groups.len()).into_par_iter().filter_map(of_query).collect();
    precisions.iter().sum::<f64>() / precisions.len().max(1) as f64
}
