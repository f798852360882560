//! What shows that two problems are one: their statements, and programs that are near-duplicates.

use std::collections::{BTreeMap, HashMap};

use familiar_source::memory;

use super::statement;
use crate::DataError;
use crate::data::Data;
use crate::duplicates::Duplicates;

/// Pairs of programs of two problems.
const PROGRAMS: usize = 2;
/// Most characters of a statement or a program that are shown.
const SHOWN: usize = 4000;

/// What shows that two problems are one.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Texts, where there are any.
    pub(super) statements: [Option<String>; 2],
    /// Programs that are near-duplicates, with their ids.
    pub(super) programs: Vec<[(String, String); 2]>,
}

/// Two samples, of the first problem and of the second one.
type Samples = [u32; 2];

/// Reads what shows that these pairs of problems are one.
pub(super) fn gather(
    found: &Duplicates,
    pairs: &[[String; 2]],
    memory: usize,
) -> Result<BTreeMap<[String; 2], Evidence>, DataError> {
    let numbers: HashMap<&str, u32> = found.problem_names.iter().map(String::as_str).zip(0..).collect();
    let mut wanted: HashMap<[u32; 2], Vec<Samples>> = HashMap::new();
    let key = |pair: &[String; 2]| pair.each_ref().map(|problem| numbers[problem.as_str()]);
    wanted.extend(pairs.iter().map(|pair| (key(pair), Vec::new())));
    choose(found, &mut wanted);
    let texts = texts(found, wanted.values().flatten().flatten().copied(), memory)?;
    let text = |sample: u32| {
        let text = texts.get(&found.row(sample as usize)).cloned().unwrap_or_default();
        (found.ids[sample as usize].clone(), text)
    };
    let statement = |problem: &str| {
        let text = statement::plain(&statement::read(&found.data, problem)?, '\n');
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        Some(cut(&lines.join("\n"))).filter(|text| !text.is_empty())
    };
    let evidence = |pair: &[String; 2]| {
        let statements = pair.each_ref().map(|problem| statement(problem));
        let programs = wanted[&key(pair)].iter().map(|samples| samples.map(text)).collect();
        (pair.clone(), Evidence { statements, programs })
    };
    Ok(pairs.iter().map(evidence).collect())
}

/// Chooses the first near-duplicates of each pair of problems.
fn choose(found: &Duplicates, wanted: &mut HashMap<[u32; 2], Vec<Samples>>) {
    let samples = found.samples_by_bag();
    // One sample of each problem will do.
    let first = |bag: u32| -> BTreeMap<u32, u32> {
        let samples = samples.group(bag).iter().rev();
        samples.map(|&sample| (found.problems[sample as usize], sample)).collect()
    };
    let mut add = |(one, left): (u32, u32), (two, right): (u32, u32)| {
        for (pair, samples) in [([one, two], [left, right]), ([two, one], [right, left])] {
            if let Some(chosen) = wanted.get_mut(&pair).filter(|chosen| chosen.len() < PROGRAMS) {
                chosen.push(samples);
            }
        }
    };
    for bag in 0..found.bags.len() as u32 {
        if samples.group(bag).len() < 2 {
            continue;
        }
        let of_bag: Vec<(u32, u32)> = first(bag).into_iter().collect();
        for (at, &one) in of_bag.iter().enumerate() {
            of_bag[at + 1..].iter().for_each(|&two| add(one, two));
        }
    }
    for &[one, two] in &found.pairs {
        let others = first(two);
        for left in first(one) {
            others
                .iter()
                .filter(|(problem, _)| **problem != left.0)
                .for_each(|(&problem, &it)| add(left, (problem, it)));
        }
    }
}

/// The codes of some samples, by their rows.
fn texts(
    found: &Duplicates,
    samples: impl Iterator<Item = u32>,
    memory: usize,
) -> Result<HashMap<u64, String>, DataError> {
    let mut wanted: Vec<u64> = samples.map(|sample| found.row(sample as usize)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut wanted = wanted.into_iter().peekable();
    let (mut texts, mut number) = (HashMap::new(), 0);
    for path in &found.data {
        let mut data = Data::open(path, false)?;
        loop {
            let rows = data.batch(memory::batch_budget(memory))?;
            if rows.is_empty() || wanted.peek().is_none() {
                break;
            }
            for row in rows {
                if wanted.next_if_eq(&number).is_some()
                    && let Ok(sample) = row.sample()
                {
                    texts.insert(number, cut(&sample.code));
                }
                number += 1;
            }
        }
    }
    Ok(texts)
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}\n…", &text[..end]),
        None => text.trim_end().to_owned(),
    }
}
