//! Making a graph as Malkov and Yashunin (2018) do, but in batches, so that it is the same for any number of threads.
//!
//! The vectors of a batch are compared with each other and looked for in the graph of the batches before, all at once; then
//! what links to each vector is collected, and each is given its new links by itself. So nothing depends on who comes first.

use rayon::prelude::*;

use super::codes::Codes;
use super::graph::{Graph, LINKS, Seen};
use super::scored::{Best, Scored};

/// Vectors of a batch.
const BATCH: usize = 1024;

/// How many vectors are looked at for the links of a new one.
const CONSIDERED: usize = 160;

/// The links that new vectors get: level, place, and those it links to.
type Chosen = (usize, u32, Vec<u32>);

/// The graph of vectors that are in the order of their levels.
pub(super) fn graph(codes: &Codes) -> Graph {
    let mut graph = Graph::new(codes.len());
    for start in (0..codes.len()).step_by(BATCH) {
        let end = codes.len().min(start + BATCH);
        let forward: Vec<Chosen> = (start..end)
            .into_par_iter()
            .map_init(|| Seen::new(codes.len()), |seen, place| links_of(&graph, codes, start, place, seen))
            .flatten_iter()
            .collect();
        let mut back: Vec<(usize, u32, u32)> = Vec::new();
        for (level, place, links) in forward {
            graph.levels[level].set(place, &links);
            back.extend(links.iter().map(|&link| (level, link, place)));
        }
        back.sort_unstable();
        let of_one: Vec<&[(usize, u32, u32)]> = back.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).collect();
        let joined: Vec<Chosen> = of_one.into_par_iter().map(|links| join(&graph, codes, links)).collect();
        for (level, place, links) in joined {
            graph.levels[level].set(place, &links);
        }
    }
    graph
}

/// What a new vector links to on each of its levels; the batch begins at `start`.
fn links_of(graph: &Graph, codes: &Codes, start: usize, place: usize, seen: &mut Seen) -> Vec<Chosen> {
    let query = codes.query_at(place as u32);
    let own_levels = graph.levels.iter().take_while(|level| place < level.places()).count();
    let width = |level| (level < own_levels).then_some(CONSIDERED);
    let batch: Vec<Scored> =
        (start as u32..place as u32).map(|other| Scored::new(codes.score(&query, other), other)).collect();
    let mut chosen = Vec::with_capacity(own_levels);
    let mut at_level = |level: usize, found: &[Scored]| {
        if level < own_levels {
            let mut best = Best::new(CONSIDERED);
            found.iter().chain(&batch).for_each(|&scored| _ = best.offer(scored));
            let candidates: Vec<Scored> = best.sorted();
            let candidates =
                candidates.into_iter().map(|it| Scored::new(it.score() * query.scale, it.place()));
            chosen.push((level, place as u32, diverse(codes, candidates, LINKS)));
        }
    };
    graph.descend(codes, &query, start, width, &mut at_level, seen);
    chosen
}

/// What a vector links to when others link to it.
fn join(graph: &Graph, codes: &Codes, links: &[(usize, u32, u32)]) -> Chosen {
    let (level, place, _) = links[0];
    let degree = graph.levels[level].degree;
    let mut all: Vec<u32> = graph.levels[level].links(place).collect();
    all.extend(links.iter().map(|link| link.2));
    if all.len() > degree {
        let query = codes.query_at(place);
        let scored = |&link: &u32| Scored::new(codes.cosine(&query, link), link);
        let mut candidates: Vec<Scored> = all.iter().map(scored).collect();
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        all = diverse(codes, candidates, degree);
    }
    (level, place, all)
}

/// Of candidates with the best first, those that are nearer to the vector than to any chosen before (algorithm 4 of the
/// paper): a link into each direction rather than many into the nearest.
fn diverse(codes: &Codes, candidates: impl IntoIterator<Item = Scored>, most: usize) -> Vec<u32> {
    let mut chosen: Vec<u32> = Vec::with_capacity(most);
    for candidate in candidates {
        if chosen.len() == most {
            break;
        }
        let query = codes.query_at(candidate.place());
        let is_nearest = |&other: &u32| codes.cosine(&query, other) < candidate.score();
        if chosen.iter().all(is_nearest) {
            chosen.push(candidate.place());
        }
    }
    chosen
}
