//! Identical problems: those with the same statement, and those with many near-duplicates between them.
//!
//! Project CodeNet publishes clusters of such problems (Puri et al. 2021, Section 5.2), and draws them as a graph (Figure 2).
//!
//! `statement` is the text of a statement, `graph` the picture. `names` looks whether several sets mean the same problems.

mod graph;
mod names;
mod statement;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use familiar_source::Progress;
use serde::Serialize;

use crate::DataError;
use crate::duplicates::{self, Duplicates, DuplicatesError, DuplicatesOptions};
use crate::layout::Layout;
use crate::set::Set;
use crate::skipped::Skipped;

pub(crate) use names::check as check_names;

/// What is compared, and when problems are identical.
#[derive(Clone, Debug)]
pub struct ProblemsOptions {
    pub duplicates: DuplicatesOptions,
    /// So many pairs of near-duplicates make two problems identical.
    pub pairs: u64,
}

impl ProblemsOptions {
    /// Fewer can be an accident of short programs.
    pub const PAIRS: u64 = 20;
}

/// Two problems that have something in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemPair {
    pub left: String,
    pub right: String,
    /// Pairs of near-duplicates, one for each problem.
    pub near_duplicates: u64,
    pub same_statement: bool,
    /// Whether they count as one problem.
    pub identical: bool,
}

/// The problems of a data set, and which are identical.
#[derive(Clone, Debug, Serialize)]
pub struct IdenticalProblems {
    /// `familiar.codenet-problems/1`.
    pub schema: &'static str,
    /// From how many pairs of near-duplicates on problems are identical.
    pub threshold: u64,
    pub problems: u64,
    /// Pairs with a near-duplicate or the same statement, sorted.
    pub pairs: Vec<ProblemPair>,
    /// Problems that count as one, each cluster sorted.
    pub clusters: Vec<Vec<String>>,
    pub skipped: Vec<Skipped>,
}

/// Compares all problems of a data set.
pub fn run(options: &ProblemsOptions, progress: &dyn Progress) -> Result<IdenticalProblems, DuplicatesError> {
    check_names(&options.duplicates.data)?;
    let mut found = duplicates::run(&options.duplicates, progress)?;
    progress.stage("reading statements", 0);
    add_problems_without_samples(&mut found)?;
    let same = same_statements(&options.duplicates.data, &found.problem_names);
    Ok(of(&found, &same, options.pairs))
}

/// Adds the problems of sets that have no sample: their statements may be those of others.
fn add_problems_without_samples(found: &mut Duplicates) -> Result<(), DuplicatesError> {
    let mut known: BTreeSet<String> = found.problem_names.iter().cloned().collect();
    for path in found.data.iter().filter(|path| Layout::is_set(path)) {
        for problem in Set::open(path).and_then(|set| set.problem_list()).map_err(DataError::from)? {
            if known.insert(problem.id.clone()) {
                found.problem_names.push(problem.id);
            }
        }
    }
    Ok(())
}

/// The identical problems among those of `found`. `same` are pairs with the same statement, by their places in `problem_names`.
pub(crate) fn of(found: &Duplicates, same: &[[u32; 2]], threshold: u64) -> IdenticalProblems {
    let mut between: BTreeMap<[u32; 2], (u64, bool)> = BTreeMap::new();
    for (pair, count) in found.pairs_between_problems() {
        between.entry(pair).or_default().0 = count;
    }
    for &pair in same {
        between.entry(pair).or_default().1 = true;
    }
    let names = &found.problem_names;
    let mut groups: Vec<u32> = (0..names.len() as u32).collect();
    let mut pairs = Vec::new();
    for ([one, two], (near_duplicates, same_statement)) in between {
        // Samples whose problem nobody knows are of none.
        if [one, two].iter().any(|&at| names[at as usize].is_empty()) {
            continue;
        }
        let identical = same_statement || near_duplicates >= threshold;
        if identical {
            join(&mut groups, one, two);
        }
        let [left, right] = [&names[one as usize], &names[two as usize]].map(Clone::clone);
        let (left, right) = if left <= right { (left, right) } else { (right, left) };
        pairs.push(ProblemPair { left, right, near_duplicates, same_statement, identical });
    }
    pairs.sort_by(|one, two| (&one.left, &one.right).cmp(&(&two.left, &two.right)));
    let mut clusters: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (at, name) in (0..).zip(names) {
        clusters.entry(root(&groups, at)).or_default().push(name.clone());
    }
    let mut clusters: Vec<Vec<String>> = clusters.into_values().filter(|cluster| cluster.len() > 1).collect();
    for cluster in &mut clusters {
        cluster.sort();
    }
    clusters.sort();
    IdenticalProblems {
        schema: "familiar.codenet-problems/1",
        threshold,
        problems: names.iter().filter(|name| !name.is_empty()).count() as u64,
        pairs,
        clusters,
        skipped: found.skipped.clone(),
    }
}

fn root(groups: &[u32], mut at: u32) -> u32 {
    while groups[at as usize] != at {
        at = groups[at as usize];
    }
    at
}

fn join(groups: &mut [u32], one: u32, two: u32) {
    let (one, two) = (root(groups, one), root(groups, two));
    groups[one.max(two) as usize] = one.min(two);
}

/// Pairs of problems whose statements say the same.
pub(crate) fn same_statements(data: &[PathBuf], problems: &[String]) -> Vec<[u32; 2]> {
    let mut first: HashMap<String, u32> = HashMap::new();
    let mut pairs = Vec::new();
    for (at, problem) in (0..).zip(problems).filter(|(_, problem)| !problem.is_empty()) {
        let text = data
            .iter()
            .filter(|path| Layout::is_set(path))
            .find_map(|path| fs::read(Layout::new(path).description(problem)).ok());
        let Some(text) = text.map(|text| statement::words(&String::from_utf8_lossy(&text))) else { continue };
        // A statement without words says nothing.
        if text.is_empty() {
            continue;
        }
        match first.get(&text) {
            Some(&other) => pairs.push([other, at]),
            None => drop(first.insert(text, at)),
        }
    }
    pairs
}

impl Duplicates {
    /// How many pairs of near-duplicates two problems have, for each pair that has some, by their numbers.
    fn pairs_between_problems(&self) -> BTreeMap<[u32; 2], u64> {
        let samples = self.samples_by_bag();
        let counts = |bag: u32| {
            let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
            for &sample in samples.group(bag) {
                *counts.entry(self.problems[sample as usize]).or_default() += 1;
            }
            counts
        };
        let mut between: BTreeMap<[u32; 2], u64> = BTreeMap::new();
        let mut add = |one: u32, two: u32, count: u64| {
            if one != two {
                *between.entry([one.min(two), one.max(two)]).or_default() += count;
            }
        };
        for bag in 0..self.bags.len() as u32 {
            let counts: Vec<_> = counts(bag).into_iter().collect();
            for (at, (one, of_one)) in counts.iter().enumerate() {
                for (two, of_two) in &counts[at + 1..] {
                    add(*one, *two, of_one * of_two);
                }
            }
        }
        for &[one, two] in &self.pairs {
            let others = counts(two);
            for (one, of_one) in counts(one) {
                for (two, of_two) in &others {
                    add(one, *two, of_one * of_two);
                }
            }
        }
        between
    }
}

impl IdenticalProblems {
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// A cluster a line, ids separated by commas, as CodeNet's `identical_problem_clusters`.
    pub fn write_clusters(&self, out: &mut dyn Write) -> io::Result<()> {
        self.clusters.iter().try_for_each(|cluster| writeln!(out, "{}", cluster.join(",")))
    }

    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["problem1", "problem2", "near_duplicates", "same_statement", "identical"])?;
        for pair in &self.pairs {
            csv.write_record([
                &pair.left,
                &pair.right,
                &pair.near_duplicates.to_string(),
                &pair.same_statement.to_string(),
                &pair.identical.to_string(),
            ])?;
        }
        csv.flush()
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let identical: usize = self.clusters.iter().map(Vec::len).sum();
        writeln!(
            out,
            "{identical} of {} problems in {} clusters of identical ones (same statement, or {} pairs of near-duplicates or more)",
            self.problems,
            self.clusters.len(),
            self.threshold
        )?;
        for cluster in &self.clusters {
            writeln!(out, "  {}", cluster.join(", "))?;
        }
        let mut pairs: Vec<_> = self.pairs.iter().collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.near_duplicates));
        if !pairs.is_empty() {
            writeln!(out, "\nnear-duplicates  problems")?;
        }
        for pair in pairs.iter().take(20) {
            let same = if pair.same_statement { ", same statement" } else { "" };
            writeln!(out, "{:>15}  {} and {}{same}", pair.near_duplicates, pair.left, pair.right)?;
        }
        Ok(())
    }
}
