//! Identical problems: those with the same statement, and those with many near-duplicates between them.
//!
//! Project CodeNet publishes clusters of such problems (Puri et al. 2021, Section 5.2), and draws them as a graph (Figure 2).
//!
//! `statement` is the text of a statement, `graph` the picture, `evidence` what shows that two problems are one, and `page` all of it
//! for a browser. `decisions` are what people say of pairs, and `groups` joins problems. `names` looks whether several sets mean the same
//! problems.

mod decisions;
mod evidence;
mod graph;
mod groups;
mod names;
mod page;
mod statement;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};
use std::path::PathBuf;

use familiar_source::Progress;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::DataError;
use crate::duplicates::{self, Duplicates, DuplicatesError, DuplicatesOptions};
use crate::layout::Layout;
use crate::set::Set;
use crate::skipped::Skipped;

pub use decisions::{DecisionsError, ProblemDecision, ProblemDecisions, Verdict};
use evidence::Evidence;
use groups::{Between, Groups};
pub(crate) use names::check as check_names;

/// Pairs of which evidence is shown.
const SHOWN: usize = 200;
/// Problems with one statement of which all pairs are told, at most.
const ALL_PAIRS: usize = 128;

/// What is compared, and when problems are identical.
#[derive(Clone, Debug)]
pub struct ProblemsOptions {
    pub duplicates: DuplicatesOptions,
    /// So many pairs of near-duplicates make two problems identical.
    pub pairs: u64,
    /// What people decided.
    pub decisions: ProblemDecisions,
    /// Whether statements and programs are kept, for a page.
    pub evidence: bool,
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
    /// What people decided about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Verdict>,
    /// Whether they count as one problem, by themselves or by way of a third one.
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
    /// Pairs with a near-duplicate, the same statement or a decision, sorted.
    pub pairs: Vec<ProblemPair>,
    /// Problems that count as one, each cluster sorted.
    pub clusters: Vec<Vec<String>>,
    pub skipped: Vec<Skipped>,
    /// What shows that problems are one, by their pair. Only where it was asked for.
    #[serde(skip)]
    evidence: BTreeMap<[String; 2], Evidence>,
}

/// Compares all problems of a data set.
pub fn run(options: &ProblemsOptions, progress: &dyn Progress) -> Result<IdenticalProblems, DuplicatesError> {
    check_names(&options.duplicates.data)?;
    let mut found = duplicates::run(&options.duplicates, progress)?;
    progress.stage("reading statements", 0);
    add_problems_without_samples(&mut found)?;
    let same = same_statements(&options.duplicates.data, &found.problem_names);
    let mut problems = of(&found, &same, options.pairs, &options.decisions)?;
    problems.skipped.extend(options.decisions.on_others(&found.problem_names));
    if options.evidence {
        progress.stage("reading programs", 0);
        problems.evidence = evidence::gather(&found, &problems.to_look_at(), options.duplicates.memory)?;
    }
    Ok(problems)
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

/// The identical problems among those of `found`. `same` are groups with one statement, by their places in `problem_names`.
pub(crate) fn of(
    found: &Duplicates,
    same: &[Vec<u32>],
    threshold: u64,
    decisions: &ProblemDecisions,
) -> Result<IdenticalProblems, DecisionsError> {
    let known = found.problem_names.len();
    let (names, mut between) = decided(found, decisions);
    for (pair, count) in found.pairs_between_problems() {
        between.entry(pair).or_default().near_duplicates = count;
    }
    add_statements(same, &mut between);
    // Samples whose problem nobody knows are of none.
    between.retain(|pair, _| pair.iter().all(|&at| !names[at as usize].is_empty()));
    let groups = Groups::of(names.len(), &between, threshold).map_err(|pair| {
        let [one, two] = pair.map(|at| names[at as usize].to_owned());
        DecisionsError::Contradiction(one, two)
    })?;
    let mut pairs: Vec<ProblemPair> = between
        .into_iter()
        .filter(|(pair, _)| pair.iter().all(|&at| (at as usize) < known))
        .map(|(pair, Between { near_duplicates, same_statement, decision })| {
            let mut both = pair.map(|at| names[at as usize].to_owned());
            both.sort();
            let [left, right] = both;
            let identical = groups.are_one(pair);
            ProblemPair { left, right, near_duplicates, same_statement, decision, identical }
        })
        .collect();
    pairs.sort_by(|one, two| (&one.left, &one.right).cmp(&(&two.left, &two.right)));
    let mut clusters: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (at, name) in (0..).zip(&found.problem_names) {
        clusters.entry(groups.root(at)).or_default().push(name.clone());
    }
    let mut clusters: Vec<Vec<String>> = clusters.into_values().filter(|cluster| cluster.len() > 1).collect();
    for cluster in &mut clusters {
        cluster.sort();
    }
    clusters.sort();
    Ok(IdenticalProblems {
        schema: "familiar.codenet-problems/1",
        threshold,
        problems: found.problem_names.iter().filter(|name| !name.is_empty()).count() as u64,
        pairs,
        clusters,
        skipped: found.skipped.clone(),
        evidence: BTreeMap::new(),
    })
}

/// The names of all problems, and what was decided. Behind the names of `found` stand those that decisions alone know: two problems
/// may be one by way of a third that has no sample here.
fn decided<'n>(
    found: &'n Duplicates,
    decisions: &'n ProblemDecisions,
) -> (Vec<&'n str>, BTreeMap<[u32; 2], Between>) {
    let mut names: Vec<&str> = found.problem_names.iter().map(String::as_str).collect();
    let mut numbers: HashMap<&str, u32> = names.iter().copied().zip(0..).collect();
    let mut between: BTreeMap<[u32; 2], Between> = BTreeMap::new();
    for (pair, verdict) in decisions.pairs() {
        let mut pair = pair.each_ref().map(|name| {
            *numbers.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() as u32 - 1
            })
        });
        pair.sort_unstable();
        between.entry(pair).or_default().decision = Some(verdict);
    }
    (names, between)
}

/// Adds which problems have the same statement. Of very many with one statement each is paired with the first one, and with those
/// with which it has something else in common.
fn add_statements(same: &[Vec<u32>], between: &mut BTreeMap<[u32; 2], Between>) {
    for group in same {
        let firsts = if group.len() <= ALL_PAIRS { group.len() } else { 1 };
        for (at, &one) in group.iter().enumerate().take(firsts) {
            for &two in &group[at + 1..] {
                between.entry([one, two]).or_default().same_statement = true;
            }
        }
    }
    let group_of: HashMap<u32, usize> =
        (0..).zip(same).flat_map(|(at, group)| group.iter().map(move |&problem| (problem, at))).collect();
    for ([one, two], it) in between {
        it.same_statement |= group_of.get(one).is_some_and(|group| group_of.get(two) == Some(group));
    }
}

/// Groups of problems whose statements say the same, each in the order of `problems`.
pub(crate) fn same_statements(data: &[PathBuf], problems: &[String]) -> Vec<Vec<u32>> {
    let (mut known, mut groups) = (HashMap::new(), Vec::<Vec<u32>>::new());
    for (at, problem) in (0..).zip(problems).filter(|(_, problem)| !problem.is_empty()) {
        let Some(text) = statement::read(data, problem).map(|text| statement::words(&text)) else { continue };
        // A statement without words says nothing.
        if text.is_empty() {
            continue;
        }
        let group = *known.entry(xxh3_128(text.as_bytes())).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(at);
    }
    groups.retain(|group| group.len() > 1);
    groups
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
    /// The pairs of which evidence is shown: those that are one, then those with the most near-duplicates.
    fn to_look_at(&self) -> Vec<[String; 2]> {
        let mut pairs: Vec<&ProblemPair> = self.pairs.iter().collect();
        pairs.sort_by_key(|it| std::cmp::Reverse((it.identical, it.decision.is_some(), it.near_duplicates)));
        pairs.truncate(SHOWN);
        pairs.into_iter().map(|pair| [pair.left.clone(), pair.right.clone()]).collect()
    }

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
        csv.write_record([
            "problem1",
            "problem2",
            "near_duplicates",
            "same_statement",
            "identical",
            "decision",
        ])?;
        for pair in &self.pairs {
            csv.write_record([
                pair.left.as_str(),
                &pair.right,
                &pair.near_duplicates.to_string(),
                &pair.same_statement.to_string(),
                &pair.identical.to_string(),
                pair.decision.map_or("", Verdict::name),
            ])?;
        }
        csv.flush()
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let identical: usize = self.clusters.iter().map(Vec::len).sum();
        let is_decided = self.pairs.iter().any(|pair| pair.decision.is_some());
        writeln!(
            out,
            "{identical} of {} problems in {} clusters of identical ones (same statement, {}{} pairs of near-duplicates or more{})",
            self.problems,
            self.clusters.len(),
            if is_decided { "" } else { "or " },
            self.threshold,
            if is_decided { ", or a decision" } else { "" },
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
            let decided = pair.decision.map(|it| format!(", {} by decision", it.name())).unwrap_or_default();
            writeln!(out, "{:>15}  {} and {}{same}{decided}", pair.near_duplicates, pair.left, pair.right)?;
        }
        Ok(())
    }
}
