//! Samples and n-grams: what is equal has equal ones, wherever it stands.

use std::collections::BTreeSet;

use familiar_index::grams::{self, GramCounts, Postings};
use familiar_index::{Periodic, Sampler, Samples, Sampling};
use proptest::prelude::*;

fn sample(symbols: &[u32], tokens: u32) -> Samples {
    let mut out = Samples::default();
    Sampler::new(Sampling::for_runs(tokens)).sample(symbols, 0, &mut out);
    out
}

fn stream(symbols: u32) -> impl Strategy<Value = Vec<u32>> {
    let piece = (prop::collection::vec(0..symbols, 1..9), 1usize..6);
    let pieces = prop::collection::vec(piece, 0..4);
    pieces.prop_map(|pieces| pieces.into_iter().flat_map(|(piece, times)| piece.repeat(times)).collect())
}

/// Whether the tokens from `start` to `end` lie in a stretch that repeats a short piece.
fn is_periodic(samples: &Samples, start: usize, end: usize) -> bool {
    samples.periodic.iter().any(|it| it.start as usize <= start && end <= it.end as usize)
}

/// The grams of some symbols, by their definition: the windows of three, or all where there are fewer.
fn windows(symbols: &[u32]) -> BTreeSet<Vec<u32>> {
    symbols.windows(symbols.len().clamp(1, 3)).map(<[u32]>::to_vec).collect()
}

fn distinct(symbols: &[u32]) -> Vec<u32> {
    let mut out = vec![9, 9];
    grams::distinct(symbols, 3, &mut out);
    out
}

proptest! {
    #[test]
    fn equal_runs_have_a_common_sample_or_repeat_a_short_piece(
        around in prop::collection::vec(stream(4), 4),
        run in prop::collection::vec(0u32..4, 12..30),
        tokens in 4u32..12,
    ) {
        let [left, right] =
            [[&around[0][..], &run, &around[1]].concat(), [&around[2][..], &run, &around[3]].concat()];
        let (a, b) = (sample(&left, tokens), sample(&right, tokens));
        let wanted = Sampling::for_runs(tokens).tokens();
        for at in 0..=run.len() - wanted {
            let (here, there) = (around[0].len() + at, around[2].len() + at);
            let inside = |start: usize| move |&&(_, position): &&(u32, u32)| {
                (start..start + wanted).contains(&(position as usize))
            };
            let samples = |of: &Samples, start: usize| -> BTreeSet<(u32, usize)> {
                of.kgrams.iter().filter(inside(start)).map(|&(hash, at)| (hash, at as usize - start)).collect()
            };
            let common = samples(&a, here).intersection(&samples(&b, there)).next().is_some();
            let periodic = is_periodic(&a, here, here + wanted) && is_periodic(&b, there, there + wanted);
            prop_assert!(common || periodic, "{at}");
        }
    }

    #[test]
    fn positions_count_from_the_offset_and_nothing_is_kept_between_streams(
        streams in prop::collection::vec(stream(3), 1..4),
        tokens in 4u32..12,
        offset in 0u32..1000,
    ) {
        let mut sampler = Sampler::new(Sampling::for_runs(tokens));
        let (mut together, mut expected) = (Samples::default(), Samples::default());
        for (number, stream) in (0u32..).zip(&streams) {
            let first = offset + number * 1000;
            sampler.sample(stream, first, &mut together);
            let alone = sample(stream, tokens);
            expected.kgrams.extend(alone.kgrams.iter().map(|&(hash, at)| (hash, at + first)));
            expected.periodic.extend(alone.periodic.iter().map(|it| Periodic {
                start: it.start + first,
                end: it.end + first,
                ..*it
            }));
        }
        prop_assert_eq!(together, expected);
    }

    #[test]
    fn there_are_as_many_grams_as_different_windows(symbols in prop::collection::vec(0u32..4, 0..60)) {
        let found = distinct(&symbols);
        prop_assert!(found.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(found.len(), windows(&symbols).len());
        let reversed: Vec<u32> = symbols.iter().rev().copied().collect();
        let common = found.iter().filter(|gram| distinct(&reversed).contains(gram)).count();
        prop_assert_eq!(common, windows(&symbols).intersection(&windows(&reversed)).count());
    }

    #[test]
    fn lists_are_found_by_their_grams(
        lists in prop::collection::vec(prop::collection::btree_set((0u32..40).prop_map(|gram| gram << 26 | gram), 0..12), 0..12),
    ) {
        let lists: Vec<Box<[u32]>> = lists.into_iter().map(|list| list.into_iter().collect()).collect();
        let postings = Postings::new(&lists);
        let with = |gram: u32, from: usize| -> Vec<u32> {
            let all = lists.iter().enumerate().skip(from);
            all.filter(|(_, list)| list.contains(&gram)).map(|(number, _)| number as u32).collect()
        };
        for gram in (0..41).map(|gram| gram << 26 | gram) {
            prop_assert_eq!(postings.get(gram), with(gram, 0));
        }
        for (number, list) in lists.iter().enumerate() {
            let later = list.iter().map(|&gram| with(gram, number + 1)).filter(|lists| !lists.is_empty());
            let mut expected: Vec<Vec<u32>> = later.collect();
            let mut found: Vec<Vec<u32>> = postings.later(number as u32).map(<[u32]>::to_vec).collect();
            found.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn of_many_grams_the_rarest_stay(
        lists in prop::collection::vec(prop::collection::btree_set((0u32..60).prop_map(|gram| gram << 22), 1..40), 1..10),
        rarest in 1usize..8,
        more in 0usize..8,
    ) {
        let counts = GramCounts::new(1 << 10);
        for list in &lists {
            counts.add(&list.iter().copied().collect::<Vec<u32>>());
        }
        let count = |gram: &u32| lists.iter().filter(|list| list.contains(gram)).count();
        for list in &lists {
            let shared: Vec<u32> = list.iter().copied().filter(|gram| count(gram) >= 2).collect();
            let mut kept: Vec<u32> = list.iter().copied().collect();
            counts.keep(rarest, rarest + more, &mut kept, &mut Vec::new());
            prop_assert_eq!(kept.len(), shared.len().min(rarest + more));
            prop_assert!(kept.is_sorted() && kept.iter().all(|gram| shared.contains(gram)));
            let mut by_count = shared.clone();
            by_count.sort_by_key(|gram| (count(gram), *gram));
            prop_assert!(by_count.iter().take(rarest).all(|gram| kept.contains(gram)));
        }
    }
}
