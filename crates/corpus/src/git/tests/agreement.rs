//! Random histories agree with the definition taken literally, and an update with a fresh reading.

use std::collections::{BTreeMap, BTreeSet};

use familiar_source::BlobId;
use gix::ObjectId;

use super::sample::{Read, Sample, blob};

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

type Files = BTreeMap<&'static str, String>;

struct Made {
    id: ObjectId,
    time: i64,
    parents: Vec<usize>,
    files: Files,
}

const PATHS: [&str; 7] = ["a", "a/b", "a/c/d", "e.py", "f/g.py", "f/h.py", "a-b"];

/// A history with merges, reverts, renames and clocks that are wrong. `a` is now a file, now a folder.
fn random(sample: &Sample, dice: &mut Dice, count: usize) -> Vec<Made> {
    let mut made: Vec<Made> = Vec::new();
    for number in 0..count {
        let some = dice.below(8);
        let mut parents: Vec<usize> = match some {
            _ if number == 0 => vec![],
            0 => vec![],
            1..=3 => (0..2 + dice.below(2)).map(|_| number - 1 - dice.below(number.min(6))).collect(),
            _ => vec![number - 1 - dice.below(number.min(3))],
        };
        parents.dedup();
        let side = |dice: &mut Dice| parents.get(dice.below(parents.len().max(1))).copied();
        let mut files = side(dice).map_or_else(Files::new, |at| made[at].files.clone());
        for path in PATHS {
            // Merges take a file from any side, whoever changed it.
            if let Some(other) = side(dice).filter(|_| dice.below(2) == 0) {
                match made[other].files.get(path) {
                    Some(text) => files.insert(path, text.clone()),
                    None => files.remove(path),
                };
            }
        }
        for _ in 0..dice.below(3) {
            let path = PATHS[dice.below(PATHS.len())];
            match dice.below(4) {
                0 => drop(files.remove(path)),
                _ => drop(files.insert(path, format!("text {}", dice.below(9)))),
            }
        }
        if files.contains_key("a") {
            files.remove("a/b");
            files.remove("a/c/d");
        }
        let listed: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let late = if dice.below(4) == 0 { dice.below(100) } else { 0 };
        let time = (1000 + number * 10 - late).cast_signed() as i64;
        let ids: Vec<ObjectId> = parents.iter().map(|&at| made[at].id).collect();
        let id = sample.commit(time, &ids, &listed);
        made.push(Made { id, time, parents, files });
    }
    made
}

/// Introducing commit, removing commit, time of the last sight.
type Ends = (Option<String>, Option<String>, Option<i64>);

/// What the definition says, commit by commit and file by file.
fn literal(made: &[Made], tips: &[usize]) -> BTreeMap<(BlobId, String), Ends> {
    let mut reached = BTreeSet::new();
    let mut waiting = tips.to_vec();
    while let Some(at) = waiting.pop() {
        if reached.insert(at) {
            waiting.extend(&made[at].parents);
        }
    }
    let mut order: Vec<&Made> = reached.iter().map(|&at| &made[at]).collect();
    order.sort_by_key(|commit| (commit.time, commit.id));
    let places: BTreeSet<(&str, &String)> =
        order.iter().flat_map(|commit| commit.files.iter().map(|(path, text)| (*path, text))).collect();
    let mut found = BTreeMap::new();
    for (path, text) in places {
        let has = |at: &usize| made[*at].files.get(path) == Some(text);
        let first = order
            .iter()
            .find(|commit| commit.files.get(path) == Some(text) && !commit.parents.iter().any(has));
        let takes = |commit: &&&Made| {
            let now = commit.files.get(path);
            commit.parents.iter().any(has) && commit.parents.iter().all(|&at| made[at].files.get(path) != now)
        };
        let drops = |commit: &&&Made| commit.files.get(path) != Some(text) && commit.parents.iter().any(has);
        let standing = tips.iter().filter(|at| has(at)).map(|&at| made[at].time).max();
        let last = order.iter().rfind(takes).or_else(|| order.iter().rfind(drops));
        let last = last.filter(|_| standing.is_none());
        let ends = (
            first.map(|commit| commit.id.to_string()),
            last.map(|commit| commit.id.to_string()),
            standing.or(last.map(|commit| commit.time)),
        );
        found.insert((blob(text), path.to_owned()), ends);
    }
    found
}

fn ends(read: &Read) -> BTreeMap<(BlobId, String), Ends> {
    read.rows
        .iter()
        .map(|(key, row)| (key.clone(), (row.introduced_by.clone(), row.removed_by.clone(), row.last_seen)))
        .collect()
}

/// Commits that no other has for a parent, and some that have.
fn tips(made: &[Made], count: usize, dice: &mut Dice) -> Vec<usize> {
    let parents: BTreeSet<usize> = made[..count].iter().flat_map(|commit| commit.parents.clone()).collect();
    (0..count).filter(|at| !parents.contains(at) || dice.below(9) == 0).collect()
}

fn set_branches(sample: &Sample, made: &[Made], tips: &[usize]) {
    let heads = sample.path().join("refs/heads");
    std::fs::remove_dir_all(&heads).expect("it is there");
    for &at in tips {
        sample.branch(&format!("b{at}"), made[at].id);
    }
}

#[test]
fn random_histories_agree_with_the_definition() {
    for seed in 0..12 {
        let (sample, mut dice) = (Sample::new(), Dice(seed));
        let made = random(&sample, &mut dice, 40);
        let tips = tips(&made, made.len(), &mut dice);
        set_branches(&sample, &made, &tips);
        let read = Read::of(&sample.source());
        assert_eq!(ends(&read), literal(&made, &tips), "seed {seed}");
    }
}

#[test]
fn an_update_gives_what_a_fresh_reading_gives() {
    for seed in 0..12 {
        let (sample, mut dice) = (Sample::new(), Dice(seed + 1000));
        let made = random(&sample, &mut dice, 40);
        let mut read: Option<Read> = None;
        for count in [15, 25, 26, 40] {
            // All that was there is still reached, whatever branches went.
            let tips = tips(&made, count, &mut dice);
            set_branches(&sample, &made, &tips);
            let fresh = Read::of(&sample.source());
            let updated = match &read {
                Some(before) => Read::since(&sample.source(), before).after(before),
                None => Read::of(&sample.source()),
            };
            assert!(updated.continues || read.is_none());
            assert_eq!(updated.rows, fresh.rows, "seed {seed}, {count} commits");
            assert_eq!(updated.lineage, fresh.lineage, "seed {seed}, {count} commits");
            assert_eq!(updated.project, fresh.project);
            read = Some(updated);
        }
    }
}
