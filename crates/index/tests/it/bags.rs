//! The join of bags: complete, and the same whatever the order of the bags and the memory.

use std::io;

use familiar_index::bag_join::{Bags, JoinError, Overlap, join};
use familiar_index::{Fraction, Side};
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Given {
    bags: Vec<(Vec<u32>, Side)>,
}

impl Bags for Given {
    fn count(&self) -> u32 {
        self.bags.len() as u32
    }

    fn read(&self, bag: u32, out: &mut Vec<u32>) -> io::Result<()> {
        out.clone_from(&self.bags[bag as usize].0);
        Ok(())
    }

    fn side(&self, bag: u32) -> Side {
        self.bags[bag as usize].1
    }
}

/// How many elements two bags have in common, each as often as both have it.
pub(crate) fn in_common(left: &[u32], right: &[u32]) -> u32 {
    let mut rest = right.to_vec();
    let mut take = |token: &u32| {
        let at = rest.iter().position(|other| other == token);
        at.map(|at| rest.swap_remove(at)).is_some()
    };
    left.iter().filter(|token| take(token)).count() as u32
}

/// Every pair compared with every other.
fn brute_force(given: &Given, threshold: Fraction) -> Vec<Overlap> {
    let mut found = Vec::new();
    for (left, (a, side)) in (0..).zip(&given.bags) {
        for (right, (b, other)) in (0..).zip(&given.bags).skip(left as usize + 1) {
            let (overlap, larger) = (in_common(a, b), a.len().max(b.len()) as u32);
            if overlap > 0 && overlap >= threshold.of(larger) && side.pairs_with(*other) {
                found.push(Overlap { left, right, overlap, larger });
            }
        }
    }
    found
}

/// Bags of which many are others with a few elements changed.
fn bags() -> impl Strategy<Value = Given> {
    let side = prop::sample::select(vec![Side::Both, Side::Both, Side::Query, Side::Against]);
    let bag = (prop::collection::vec(0u32..25, 0..30), 0usize..4, side);
    prop::collection::vec(bag, 0..16).prop_map(|all| {
        let mut bags = Vec::new();
        for (tokens, changes, side) in all {
            let mut changed = tokens.clone();
            for (at, token) in changed.iter_mut().enumerate().take(changes) {
                *token += at as u32 + 1;
            }
            bags.extend([(tokens, side), (changed, side)]);
        }
        Given { bags }
    })
}

fn threshold(percent: u32) -> Fraction {
    Fraction::new(f64::from(percent) / 100.0)
}

proptest! {
    #[test]
    fn the_join_is_what_comparing_all_pairs_gives(
        given in bags(),
        percent in 1u32..=100,
        memory in prop::sample::select(vec![0usize, 4_000, 1 << 30]),
    ) {
        let found = join(&given, threshold(percent), memory).expect("the bags are in memory");
        prop_assert_eq!(found, brute_force(&given, threshold(percent)));
    }

    #[test]
    fn the_order_of_the_bags_does_not_matter(
        (given, order) in bags().prop_flat_map(|given| {
            let order = Just((0..given.bags.len()).collect::<Vec<usize>>()).prop_shuffle();
            (Just(given), order)
        }),
        percent in 30u32..=100,
    ) {
        let other = Given { bags: order.iter().map(|&at| given.bags[at].clone()).collect() };
        let found = join(&other, threshold(percent), 1 << 30).expect("the bags are in memory");
        let number = |bag: u32| order[bag as usize] as u32;
        let mut found: Vec<Overlap> = found
            .into_iter()
            .map(|it| {
                let (a, b) = (number(it.left), number(it.right));
                Overlap { left: a.min(b), right: a.max(b), ..it }
            })
            .collect();
        found.sort_unstable();
        prop_assert_eq!(found, join(&given, threshold(percent), 1 << 30).expect("the bags are in memory"));
    }

    #[test]
    fn a_stricter_threshold_finds_a_part(given in bags(), percent in 1u32..100, more in 1u32..50) {
        let all = join(&given, threshold(percent), 1 << 30).expect("the bags are in memory");
        let stricter = (percent + more).min(100);
        let found = join(&given, threshold(stricter), 1 << 30).expect("the bags are in memory");
        let expected: Vec<Overlap> =
            all.into_iter().filter(|it| it.overlap >= threshold(stricter).of(it.larger)).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_bag_that_cannot_be_read_is_an_error() {
    struct Broken;
    impl Bags for Broken {
        fn count(&self) -> u32 {
            3
        }

        fn read(&self, bag: u32, out: &mut Vec<u32>) -> io::Result<()> {
            *out = vec![1, 2, 3];
            if bag == 1 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
        }
    }
    let error = join(&Broken, Fraction::new(0.5), 1 << 20).expect_err("bag 1 cannot be read");
    let JoinError::Read(error) = error else { panic!("{error}") };
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}
