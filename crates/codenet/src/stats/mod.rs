//! Statistics of a set, as Puri et al. 2021 give them for Project CodeNet (Section 4, Figures 1 and 3).
//!
//! `page` draws them.

mod page;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::Path;

use familiar_source::{Progress, time};
use serde::Serialize;

use crate::duplicates::{self, ClusterRule, DuplicatesError, DuplicatesOptions};
use crate::set::{OfProblem, Set, SetError};
use crate::skipped::Skipped;
use crate::status::{ACCEPTED, is_judged};
use crate::submission::Submission;

/// The numbers of submissions for which problems are counted.
const AT_LEAST: [u64; 9] = [1, 10, 20, 50, 100, 200, 500, 1000, 5000];
/// Longer chains until acceptance count as the last.
const LONGEST_CHAIN: usize = 10;

/// Why there are no statistics.
#[derive(Debug, thiserror::Error)]
pub enum StatsError {
    #[error(transparent)]
    Set(#[from] SetError),
    #[error(transparent)]
    Duplicates(#[from] DuplicatesError),
}

/// What a set holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// `familiar.codenet-stats/1`.
    pub schema: &'static str,
    pub submissions: u64,
    pub accepted: u64,
    pub problems: u64,
    pub problems_without_submissions: u64,
    pub users: u64,
    /// UTC, of the first and the last submission.
    pub dates: Option<[String; 2]>,
    pub languages: BTreeMap<String, Counted>,
    pub statuses: BTreeMap<String, u64>,
    pub problems_with_at_least: Vec<AtLeast>,
    /// Bytes.
    pub code_size: Option<Quantiles>,
    /// Milliseconds, of accepted submissions.
    pub cpu_time: Option<Quantiles>,
    /// Kilobytes, of accepted submissions.
    pub memory: Option<Quantiles>,
    pub evolution: Evolution,
    /// Where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<DuplicateCounts>,
    /// Rows that do not count.
    #[serde(skip)]
    pub skipped: Vec<Skipped>,
}

/// How many submissions there are, and how many are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counted {
    pub submissions: u64,
    pub accepted: u64,
}

/// How many problems have so many submissions or more (Figure 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AtLeast {
    pub submissions: u64,
    /// Problems with so many accepted ones.
    pub accepted: u64,
    /// Problems with so many others.
    pub rejected: u64,
}

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    pub least: i64,
    pub tenth: i64,
    pub median: i64,
    pub nine_tenths: i64,
    pub most: i64,
    pub mean: f64,
}

/// What users send in for one problem, one after the other. Submissions that the judge did not judge and those without a date do
/// not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Evolution {
    /// Pairs of a user and a problem.
    pub chains: u64,
    /// Those with two submissions or more.
    pub chains_of_several: u64,
    /// Submissions that were rejected, with an accepted one of the same user as the next.
    pub from_rejected_to_accepted: u64,
    /// How many chains were accepted for the first time with their first, second, … submission; the last counts all later ones.
    pub accepted_with: Vec<u64>,
    /// Chains without an accepted submission.
    pub never_accepted: u64,
}

/// How many near-duplicates there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DuplicateCounts {
    pub clusters: u64,
    pub samples: u64,
}

/// Counts what a set holds, and its near-duplicates where `duplicates` says how.
pub fn run(
    root: &Path,
    duplicates: Option<&DuplicatesOptions>,
    progress: &dyn Progress,
) -> Result<Stats, StatsError> {
    let set = Set::open(root)?;
    progress.stage("counting", 0);
    let (mut counting, mut skipped) = (Counting::default(), Vec::new());
    let problems = set.problem_list()?;
    for problem in &problems {
        let OfProblem { submissions, skipped: repeated } = if set.problems.contains(&problem.id) {
            set.submissions(&problem.id)?
        } else {
            OfProblem::default()
        };
        progress.advance(submissions.len() as u64);
        counting.problem(&submissions);
        skipped.extend(repeated);
    }
    let mut stats = Stats { skipped, ..counting.stats() };
    if let Some(options) = duplicates {
        let clusters = duplicates::run(options, progress)?.clusters(ClusterRule::Every);
        let samples = clusters.iter().map(|cluster| 1 + cluster.members.len() as u64).sum();
        stats.duplicates = Some(DuplicateCounts { clusters: clusters.len() as u64, samples });
    }
    Ok(stats)
}

/// A submission of a chain: when, which, and whether it was accepted.
type Attempt<'s> = (i64, &'s str, bool);

/// What is counted from problem to problem.
#[derive(Default)]
struct Counting {
    stats: Stats,
    users: HashSet<String>,
    dates: Option<[i64; 2]>,
    /// Accepted and rejected submissions of each problem.
    of_problems: Vec<[u64; 2]>,
    code_size: Vec<i64>,
    cpu_time: Vec<i64>,
    memory: Vec<i64>,
}

impl Counting {
    fn problem(&mut self, submissions: &[Submission]) {
        let stats = &mut self.stats;
        stats.problems += 1;
        stats.problems_without_submissions += u64::from(submissions.is_empty());
        let mut chains: BTreeMap<&str, Vec<Attempt<'_>>> = BTreeMap::new();
        let mut counts = [0; 2];
        for submission in submissions {
            let accepted = submission.status == ACCEPTED;
            stats.submissions += 1;
            stats.accepted += u64::from(accepted);
            // What was not judged is neither.
            if is_judged(&submission.status) {
                counts[usize::from(!accepted)] += 1;
            }
            let language = stats.languages.entry(submission.language.clone()).or_default();
            language.submissions += 1;
            language.accepted += u64::from(accepted);
            *stats.statuses.entry(submission.status.clone()).or_default() += 1;
            if let Some(date) = submission.date {
                let [first, last] = self.dates.get_or_insert([date; 2]);
                (*first, *last) = ((*first).min(date), (*last).max(date));
            }
            self.code_size.extend(submission.code_size);
            if accepted {
                self.cpu_time.extend(submission.cpu_time);
                self.memory.extend(submission.memory);
            }
            if !submission.user_id.is_empty() {
                if !self.users.contains(&submission.user_id) {
                    self.users.insert(submission.user_id.clone());
                }
                // Without a date nobody knows what follows what.
                if let Some(date) = submission.date.filter(|_| is_judged(&submission.status)) {
                    let chain = chains.entry(&submission.user_id).or_default();
                    chain.push((date, &submission.submission_id, accepted));
                }
            }
        }
        self.of_problems.push(counts);
        let evolution = &mut stats.evolution;
        evolution.accepted_with.resize(LONGEST_CHAIN, 0);
        for chain in chains.values_mut() {
            chain.sort_unstable();
            evolution.chains += 1;
            evolution.chains_of_several += u64::from(chain.len() > 1);
            let changes = chain.windows(2).filter(|pair| !pair[0].2 && pair[1].2).count();
            evolution.from_rejected_to_accepted += changes as u64;
            match chain.iter().position(|(_, _, accepted)| *accepted) {
                Some(at) => evolution.accepted_with[at.min(LONGEST_CHAIN - 1)] += 1,
                None => evolution.never_accepted += 1,
            }
        }
    }

    fn stats(mut self) -> Stats {
        let mut stats = self.stats;
        stats.schema = "familiar.codenet-stats/1";
        stats.users = self.users.len() as u64;
        stats.dates = self.dates.map(|dates| dates.map(time::utc));
        stats.problems_with_at_least = AT_LEAST
            .iter()
            .map(|&submissions| {
                let with = |which: usize| {
                    self.of_problems.iter().filter(|counts| counts[which] >= submissions).count() as u64
                };
                AtLeast { submissions, accepted: with(0), rejected: with(1) }
            })
            .collect();
        stats.code_size = quantiles(&mut self.code_size);
        stats.cpu_time = quantiles(&mut self.cpu_time);
        stats.memory = quantiles(&mut self.memory);
        stats
    }
}

fn quantiles(values: &mut [i64]) -> Option<Quantiles> {
    values.sort_unstable();
    let at =
        |share: f64| values.get(((values.len().checked_sub(1)?) as f64 * share).round() as usize).copied();
    let sum: f64 = values.iter().map(|&value| value as f64).sum();
    Some(Quantiles {
        least: at(0.0)?,
        tenth: at(0.1)?,
        median: at(0.5)?,
        nine_tenths: at(0.9)?,
        most: at(1.0)?,
        mean: sum / values.len() as f64,
    })
}

impl Stats {
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{} submissions of {} problems ({} without any) by {} users; {} accepted",
            self.submissions, self.problems, self.problems_without_submissions, self.users, self.accepted
        )?;
        if let Some([first, last]) = &self.dates {
            writeln!(out, "from {first} to {last}")?;
        }
        writeln!(out, "\nsubmissions    accepted  language")?;
        for (language, counted) in by_count(&self.languages, |counted| counted.submissions) {
            writeln!(out, "{:>11} {:>11}  {language}", counted.submissions, counted.accepted)?;
        }
        writeln!(out, "\nsubmissions  status")?;
        for (status, count) in by_count(&self.statuses, |&count| count) {
            writeln!(out, "{count:>11}  {}", if status.is_empty() { "(none)" } else { status })?;
        }
        writeln!(out, "\n      at least  problems (accepted)  problems (rejected)")?;
        for row in self.problems_with_at_least.iter().filter(|row| row.accepted + row.rejected > 0) {
            writeln!(out, "{:>14} {:>20} {:>20}", row.submissions, row.accepted, row.rejected)?;
        }
        writeln!(out)?;
        for (name, unit, values) in self.spreads() {
            writeln!(
                out,
                "{name}: median {} {unit}, 10 % {}, 90 % {}, most {}",
                values.median, values.tenth, values.nine_tenths, values.most
            )?;
        }
        let evolution = &self.evolution;
        writeln!(
            out,
            "{} chains of a user and a problem, {} of two submissions or more, {} changes from rejected to accepted",
            evolution.chains, evolution.chains_of_several, evolution.from_rejected_to_accepted
        )?;
        if let Some(duplicates) = self.duplicates {
            writeln!(out, "{} near-duplicates in {} clusters", duplicates.samples, duplicates.clusters)?;
        }
        Ok(())
    }

    /// The values that are spread, with their units.
    fn spreads(&self) -> impl Iterator<Item = (&'static str, &'static str, Quantiles)> {
        let all = [
            ("code size", "bytes", self.code_size),
            ("run time", "ms", self.cpu_time),
            ("memory", "kB", self.memory),
        ];
        all.into_iter().filter_map(|(name, unit, values)| Some((name, unit, values?)))
    }
}

/// The entries of a map, the largest count first.
fn by_count<V>(map: &BTreeMap<String, V>, count: impl Fn(&V) -> u64) -> Vec<(&str, &V)> {
    let mut entries: Vec<_> = map.iter().map(|(name, value)| (name.as_str(), value)).collect();
    entries.sort_by_key(|(_, value)| std::cmp::Reverse(count(value)));
    entries
}
