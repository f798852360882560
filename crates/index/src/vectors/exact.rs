//! Every vector compared with every other, in blocks that stay in the cache.

use rayon::prelude::*;

use super::codes::{Codes, Query};
use super::scored::{Best, Scored};

/// Vectors of a block.
const BLOCK: u32 = 64;

/// The best of the first `among` places.
pub(super) fn nearest(codes: &Codes, query: &Query, among: usize, most: usize) -> Vec<Scored> {
    let mut best = Best::new(most);
    for place in 0..among as u32 {
        best.offer(Scored::new(codes.score(query, place), place));
    }
    best.sorted()
}

/// For every place, in order, the best others.
pub(super) fn neighbors(codes: &Codes, least: f32, most: usize) -> Vec<(u32, Vec<Scored>)> {
    let places = codes.len() as u32;
    let blocks = (0..places).step_by(BLOCK as usize).collect::<Vec<u32>>();
    let block = |start: u32| start..places.min(start + BLOCK);
    let of_block = |&left: &u32| -> Vec<(u32, Vec<Scored>)> {
        let mut best: Vec<Best> = block(left).map(|_| Best::new(most)).collect();
        let queries: Vec<Query> = block(left).map(|place| codes.query_at(place)).collect();
        for &right in &blocks {
            for ((best, query), place) in best.iter_mut().zip(&queries).zip(block(left)) {
                for other in block(right).filter(|&other| other != place) {
                    let cosine = codes.cosine(query, other);
                    if cosine >= least {
                        best.offer(Scored::new(cosine, other));
                    }
                }
            }
        }
        block(left).zip(best.into_iter().map(Best::sorted)).collect()
    };
    blocks.par_iter().flat_map_iter(of_block).collect()
}
