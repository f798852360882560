//! Submissions on the sample input of their problem: does the judge's status hold?
//!
//! Programs run in the sandbox, and `output` compares what they write with the sample output. A sample is not the judge's tests: an
//! accepted program must pass it, and a rejected one may.

mod output;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use familiar_files::named;
use familiar_sandbox::{End, Job, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use familiar_source::words::counted;
use familiar_source::{Progress, language_called};
use serde::Serialize;

use crate::select::Condition;
use crate::set::{OfProblem, Set, SetError};
use crate::skipped::Skipped;
use crate::status::ACCEPTED;
use crate::submission::Submission;

/// Most bytes of an input or an output.
const SAMPLE_BYTES: u64 = 16 << 20;
/// Programs that are handed over together, at most, and about the bytes of their inputs.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 64 << 20;
/// Problems without a sample that are named.
const NAMED: usize = 20;
/// What Python raises where a text is no program, before it runs.
const SYNTAX: [&str; 3] = ["SyntaxError", "IndentationError", "TabError"];

/// What is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub set: PathBuf,
    /// Only submissions that this takes.
    pub only: Option<Condition>,
    /// At most so many of a problem, the first; all where 0.
    pub of_each_problem: usize,
    /// By how much numbers with a fraction may differ, or by which share of them; 0 where outputs are compared as texts.
    pub tolerance: f64,
    /// Whether programs may run with the user's own rights.
    pub unsandboxed: bool,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// Why nothing is run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Set(#[from] SetError),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error("no problem of {} has a sample input in derived/input_output", .0.display())]
    NoSamples(PathBuf),
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// What a program did with the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Did {
    /// It wrote the sample output, or what counts as the same.
    Passed,
    /// It wrote something else.
    WrongOutput,
    DoesNotCompile,
    /// It ended before its end.
    Failed,
    TimedOut,
    /// It was not run, for a reason that is not its own.
    NotRun,
}

/// A submission that was run.
#[derive(Clone, Debug, Serialize)]
pub struct RunRow {
    pub submission_id: String,
    pub problem_id: String,
    pub language: String,
    pub status: String,
    pub did: Did,
    /// Whether that fits the status: accepted programs pass, and those with a compile error do not compile, or are no Python that can
    /// be read; `null` where it cannot be said.
    pub agrees: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How many submissions of each status did what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    pub counts: BTreeMap<(String, Did), u64>,
    pub agree: u64,
    pub disagree: u64,
    /// Problems whose submissions were not run, with how many those are.
    pub without_sample: BTreeMap<String, u64>,
    /// Rows of the metadata that are none of a submission.
    pub skipped: Vec<Skipped>,
}

/// Runs the submissions, and gives each row to `out`, in the order of the set.
pub fn run(
    options: &RunOptions,
    progress: &dyn Progress,
    out: &mut dyn FnMut(&RunRow) -> io::Result<()>,
) -> Result<RunSummary, RunError> {
    let set = Set::open(&options.set)?;
    let policy = if options.unsandboxed { Policy::Unsandboxed } else { Policy::Confined };
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    };
    let sandbox = Sandbox::new(Limits::default(), policy)?.at_a_time(threads);
    progress.stage("running", 0);
    let mut summary = RunSummary::default();
    let of = |problem: &String| sample(&set.layout.samples(problem));
    if set.problems.iter().all(|problem| of(problem).is_none()) {
        return Err(RunError::NoSamples(options.set.clone()));
    }
    for problem in &set.problems {
        let OfProblem { mut submissions, skipped } = set.submissions(problem)?;
        summary.skipped.extend(skipped);
        submissions.retain(|it| options.only.as_ref().is_none_or(|only| only.takes(it)));
        if options.of_each_problem > 0 {
            submissions.truncate(options.of_each_problem);
        }
        let sample = of(problem);
        if sample.is_none() && !submissions.is_empty() {
            summary.without_sample.insert(problem.clone(), submissions.len() as u64);
        }
        let input = sample.as_ref().map_or(0, |[input, _]| input.len());
        for submissions in submissions.chunks((BATCH_BYTES / input.max(1)).clamp(1, BATCH)) {
            let rows = match &sample {
                Some(sample) => rows(&set, &sandbox, submissions, sample, options.tolerance),
                None => submissions.iter().map(RunRow::without_sample).collect(),
            };
            progress.advance(rows.len() as u64);
            for row in rows {
                summary.add(&row);
                out(&row)?;
            }
        }
    }
    Ok(summary)
}

/// The sample input and output of a problem.
fn sample(folder: &Path) -> Option<[Vec<u8>; 2]> {
    let read = |name: &str| named::read(&folder.join(name), SAMPLE_BYTES).ok();
    Some([read("input.txt")?, read("output.txt")?])
}

fn rows(
    set: &Set,
    sandbox: &Sandbox,
    submissions: &[Submission],
    [input, output]: &[Vec<u8>; 2],
    tolerance: f64,
) -> Vec<RunRow> {
    let programs: Vec<Result<Program, String>> =
        submissions.iter().map(|it| program(set, sandbox, it)).collect();
    let jobs: Vec<Job> = programs
        .iter()
        .flatten()
        .map(|program| Job { program: program.clone(), test: Test::Stdio { input: input.clone() } })
        .collect();
    let mut outcomes = sandbox.run_all(&jobs).into_iter();
    let did = programs.into_iter().map(|program| match program {
        Err(reason) => Ran::not_run(reason),
        Ok(_) => match outcomes.next() {
            Some(Ok(outcome)) => judged(&outcome, output, tolerance),
            Some(Err(error)) => Ran::not_run(error.to_string()),
            None => Ran::not_run("nothing is known of it".to_owned()),
        },
    });
    submissions.iter().zip(did).map(|(submission, ran)| RunRow::of(submission, ran)).collect()
}

impl RunRow {
    fn of(submission: &Submission, Ran { did, reason, is_syntax }: Ran) -> Self {
        Self {
            submission_id: submission.submission_id.clone(),
            problem_id: submission.problem_id.clone(),
            language: submission.language.clone(),
            agrees: agrees(&submission.status, did, is_syntax),
            status: submission.status.clone(),
            did,
            reason,
        }
    }

    fn without_sample(submission: &Submission) -> Self {
        Self::of(submission, Ran::not_run("its problem has no sample".to_owned()))
    }
}

/// What a program did.
struct Ran {
    did: Did,
    reason: Option<String>,
    /// Whether it ended since its language does not allow its text.
    is_syntax: bool,
}

impl Ran {
    fn not_run(reason: String) -> Self {
        Self { did: Did::NotRun, reason: Some(reason), is_syntax: false }
    }
}

fn program(set: &Set, sandbox: &Sandbox, submission: &Submission) -> Result<Program, String> {
    let language = language_called(&submission.language);
    let language = language.ok_or_else(|| format!("{} is not known", submission.language))?;
    sandbox.toolchain(language).map_err(|error| error.to_string())?;
    let text = set.text(submission).map_err(|error| error.to_string())?;
    Ok(Program { language, text: String::from_utf8_lossy(&text).into_owned() })
}

fn judged(outcome: &Outcome, expected: &[u8], tolerance: f64) -> Ran {
    let did = match &outcome.end {
        // A program may end itself with 0 where it has written everything.
        End::Finished | End::Exited(0) if output::is_same(&outcome.stdout, expected, tolerance) => {
            Did::Passed
        }
        End::Finished | End::Exited(0) => Did::WrongOutput,
        End::DoesNotCompile => Did::DoesNotCompile,
        End::TimedOut => Did::TimedOut,
        end => {
            let is_syntax = matches!(end, End::Raised(class) if SYNTAX.contains(&class.as_str()));
            return Ran { did: Did::Failed, reason: Some(end.to_string()), is_syntax };
        }
    };
    Ran { did, reason: None, is_syntax: false }
}

fn agrees(status: &str, did: Did, is_syntax: bool) -> Option<bool> {
    match (status, did) {
        ("", _) | (_, Did::NotRun) => None,
        (ACCEPTED, did) => Some(did == Did::Passed),
        ("Compile Error", did) => Some(did == Did::DoesNotCompile || is_syntax),
        // A rejected program fails some test, which need not be the sample.
        (_, Did::DoesNotCompile) => Some(false),
        _ => None,
    }
}

impl RunSummary {
    fn add(&mut self, row: &RunRow) {
        *self.counts.entry((row.status.clone(), row.did)).or_default() += 1;
        match row.agrees {
            Some(true) => self.agree += 1,
            Some(false) => self.disagree += 1,
            None => {}
        }
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "submissions  what it did        status")?;
        for ((status, did), count) in &self.counts {
            let did = match did {
                Did::Passed => "passed",
                Did::WrongOutput => "wrong output",
                Did::DoesNotCompile => "does not compile",
                Did::Failed => "failed",
                Did::TimedOut => "timed out",
                Did::NotRun => "not run",
            };
            writeln!(out, "{count:>11}  {did:<18} {}", if status.is_empty() { "(none)" } else { status })?;
        }
        writeln!(out, "\n{} agree with their status, {} do not", self.agree, self.disagree)?;
        if self.without_sample.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.without_sample.keys().take(NAMED).map(String::as_str).collect();
        let more = match self.without_sample.len() - names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(
            out,
            "without a sample, so not run: {} of {} ({}{more})",
            counted(self.without_sample.values().sum(), "submission"),
            counted(self.without_sample.len() as u64, "problem"),
            names.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_held_against_what_a_program_did() {
        let ended = |end: End| {
            let (stdout, stderr) = (b"3 \n\n".to_vec(), Vec::new());
            judged(&Outcome { end, stdout, stderr, calls: Vec::new(), covered: None }, b"3\n", 0.0)
        };
        for (end, status, did, agreed, reason) in [
            (End::Finished, ACCEPTED, Did::Passed, Some(true), None),
            (End::DoesNotCompile, "Compile Error", Did::DoesNotCompile, Some(true), None),
            (
                End::Raised("SyntaxError".to_owned()),
                "Compile Error",
                Did::Failed,
                Some(true),
                Some("nobody caught its SyntaxError"),
            ),
            // Judges take a program of Python that cannot be read for one that ended early, too.
            (
                End::Raised("TabError".to_owned()),
                "Runtime Error",
                Did::Failed,
                None,
                Some("nobody caught its TabError"),
            ),
            (End::Killed(11), "Compile Error", Did::Failed, Some(false), Some("the signal 11 ended it")),
            (End::TimedOut, "Time Limit Exceeded", Did::TimedOut, None, None),
        ] {
            let ran = ended(end);
            assert_eq!((ran.did, ran.reason.as_deref()), (did, reason), "{status}");
            assert_eq!(agrees(status, ran.did, ran.is_syntax), agreed, "{status}");
        }
    }
}
