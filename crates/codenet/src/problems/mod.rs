//! Identical problems: those with the same statement, and those with many near-duplicates between them.
//!
//! Project CodeNet publishes clusters of such problems (Puri et al. 2021, Section 5.2), and draws them as a graph (Figure 2).
//!
//! `statement` is the text of a statement, `graph` the picture, `evidence` what shows that two problems are one, and `page` all of it
//! for a browser. `decisions` are what people say of pairs. `names` looks whether several sets mean the same problems.

mod decisions;
mod evidence;
mod graph;
mod names;
mod page;
mod statement;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};
use std::path::PathBuf;

use familiar_source::Progress;
use serde::Serialize;

use crate::DataError;
use crate::duplicates::{self, Duplicates, DuplicatesError, DuplicatesOptions};
use crate::layout::Layout;
use crate::set::Set;
use crate::skipped::Skipped;

pub use decisions::{DecisionsError, ProblemDecision, ProblemDecisions, Verdict};
use evidence::Evidence;
pub(crate) use names::check as check_names;

/// Pairs of which evidence is shown.
const SHOWN: usize = 200;

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

/// The identical problems among those of `found`. `same` are pairs with the same statement, by their places in `problem_names`.
pub(crate) fn of(
    found: &Duplicates,
    same: &[[u32; 2]],
    threshold: u64,
    decisions: &ProblemDecisions,
) -> Result<IdenticalProblems, DecisionsError> {
    let names = &found.problem_names;
    let mut skipped = found.skipped.clone();
    let mut between: BTreeMap<[u32; 2], Between> = BTreeMap::new();
    for (pair, count) in found.pairs_between_problems() {
        between.entry(pair).or_default().near_duplicates = count;
    }
    for &pair in same {
        between.entry(pair).or_default().same_statement = true;
    }
    // Samples whose problem nobody knows are of none.
    between.retain(|pair, _| pair.iter().all(|&at| !names[at as usize].is_empty()));
    let numbers: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    for (pair, verdict) in decisions.pairs() {
        match pair.each_ref().map(|name| numbers.get(name.as_str()).copied()) {
            [Some(one), Some(two)] => {
                between.entry([one.min(two), one.max(two)]).or_default().decision = Some(verdict);
            }
            [one, _] => {
                let missing = if one.is_none() { &pair[0] } else { &pair[1] };
                let reason = format!("the data have no problem {missing}");
                skipped.push(Skipped { path: format!("decision on {} and {}", pair[0], pair[1]), reason });
            }
        }
    }
    let (groups, identical) = grouped(names, &between, threshold)?;
    let mut pairs: Vec<ProblemPair> = between
        .into_iter()
        .map(|(pair, Between { near_duplicates, same_statement, decision })| {
            let [left, right] = pair.map(|at| names[at as usize].clone());
            let (left, right) = if left <= right { (left, right) } else { (right, left) };
            let identical = identical.contains(&pair);
            ProblemPair { left, right, near_duplicates, same_statement, decision, identical }
        })
        .collect();
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
    Ok(IdenticalProblems {
        schema: "familiar.codenet-problems/1",
        threshold,
        problems: names.iter().filter(|name| !name.is_empty()).count() as u64,
        pairs,
        clusters,
        skipped,
        evidence: BTreeMap::new(),
    })
}

/// What two problems have in common, and what was decided about them.
#[derive(Clone, Copy, Default)]
struct Between {
    near_duplicates: u64,
    same_statement: bool,
    decision: Option<Verdict>,
}

/// Groups of problems that are one, and the pairs in them. Decisions come first, then the strongest evidence. No group has two problems
/// that are different by decision; fails where decisions alone make one.
fn grouped(
    names: &[String],
    between: &BTreeMap<[u32; 2], Between>,
    threshold: u64,
) -> Result<(Vec<u32>, BTreeSet<[u32; 2]>), DecisionsError> {
    let mut groups: Vec<u32> = (0..names.len() as u32).collect();
    let of =
        |verdict| between.iter().filter(move |(_, it)| it.decision == Some(verdict)).map(|(pair, _)| *pair);
    let different: Vec<[u32; 2]> = of(Verdict::Different).collect();
    let mut identical: BTreeSet<[u32; 2]> = of(Verdict::One).collect();
    for &[one, two] in &identical {
        join(&mut groups, one, two);
    }
    if let Some([one, two]) = different.iter().find(|pair| root(&groups, pair[0]) == root(&groups, pair[1])) {
        let [one, two] = [one, two].map(|&at| names[at as usize].clone());
        return Err(DecisionsError::Contradiction(one, two));
    }
    let mut by_evidence: Vec<_> = between
        .iter()
        .filter(|(_, it)| it.decision.is_none() && (it.same_statement || it.near_duplicates >= threshold))
        .map(|(pair, it)| (std::cmp::Reverse((it.same_statement, it.near_duplicates)), *pair))
        .collect();
    by_evidence.sort_unstable();
    for (_, pair) in by_evidence {
        let mut roots = pair.map(|at| root(&groups, at));
        roots.sort_unstable();
        let are_apart = different.iter().any(|pair| {
            let mut apart = pair.map(|at| root(&groups, at));
            apart.sort_unstable();
            apart == roots
        });
        if !are_apart {
            join(&mut groups, pair[0], pair[1]);
            identical.insert(pair);
        }
    }
    Ok((groups, identical))
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
        let Some(text) = statement::read(data, problem).map(|text| statement::words(&text)) else { continue };
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
            let decided = pair.decision.map(|it| format!(", {} by decision", it.name())).unwrap_or_default();
            writeln!(out, "{:>15}  {} and {}{same}{decided}", pair.near_duplicates, pair.left, pair.right)?;
        }
        Ok(())
    }
}
