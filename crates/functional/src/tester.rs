//! The steps of a test, from two texts to a report.

use crate::compare::{How, Seen};
use crate::faults::{Original, detected};
use crate::matching::{Match, matched};
use crate::names::lacks;
use crate::options::Options;
use crate::prepare::program;
use crate::report::{Cause, Pair, Report, Side, Verdict};
use crate::run::{Broken, broken, has_old_members, of_name};
use crate::shrink::size;
use crate::signature::functions;
use crate::stage::{Both, Stage};
use crate::verdict::{Judge, Judged, LEAST_MUTANTS};
use familiar_sandbox::{Call, Inputs, Limits, Sandbox, SandboxError, Test, standard_inputs};
use familiar_source::Language;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Tests pairs.
#[derive(Debug)]
pub struct Tester {
    sandbox: Sandbox,
    options: Options,
}

impl Tester {
    /// A tester with a sandbox of its own. Fails where the system cannot confine programs.
    pub fn new(options: Options) -> Result<Self, SandboxError> {
        let limits = Limits::default().within(Duration::from_secs(15));
        let sandbox = Sandbox::new(limits, options.policy)?.at_a_time(options.at_a_time);
        Ok(Self { sandbox, options })
    }

    /// Tests many pairs, several at a time. The reports are in the order of the pairs.
    pub fn test_all(&self, pairs: &[Pair]) -> Vec<Result<Report, SandboxError>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(pair) = pairs.get(place) else { return done };
                done.push((place, self.test(pair)));
            }
        };
        let mut all: Vec<(usize, Result<Report, SandboxError>)> = std::thread::scope(|scope| {
            let threads = self.options.at_a_time.clamp(1, pairs.len().max(1));
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, report)| report).collect()
    }

    /// Tests one pair.
    pub fn test(&self, pair: &Pair) -> Result<Report, SandboxError> {
        let report = self.tried(pair)?;
        // Where nothing can be said, a name that is missing is the better answer.
        let vague =
            [Cause::SignaturesDiffer, Cause::UnknownType, Cause::TimesOut, Cause::NoNormalInput].map(Some);
        if report.verdict == Verdict::CannotRun && vague.contains(&report.cause) {
            for (place, side) in [&pair.first, &pair.second].into_iter().enumerate() {
                if let Some((cause, detail)) = self.lacks(side)? {
                    return Ok(Report { entry: report.entry, ..Report::cannot(cause, Some(place), detail) });
                }
            }
        }
        Ok(report)
    }

    /// Why a side cannot be loaded, or lacks a name, before it is given anything: the cause, with what was said.
    pub fn lacks(&self, side: &Side) -> Result<Option<(Cause, String)>, SandboxError> {
        match self.broken_side(side)? {
            Some(broken) => Ok(Some(broken)),
            None => lacks(&self.sandbox, side, self.options.patience),
        }
    }

    fn tried(&self, pair: &Pair) -> Result<Report, SandboxError> {
        for (side, language) in [pair.first.language, pair.second.language].into_iter().enumerate() {
            match self.sandbox.toolchain(language) {
                Ok(_) => {}
                Err(SandboxError::NoToolchain { reason, .. }) => {
                    return Ok(Report::cannot(Cause::NoToolchain, Some(side), reason));
                }
                Err(error) => return Err(error),
            }
        }
        let programs = [&pair.first, &pair.second].map(is_program);
        if programs == [true, true] {
            return self.as_programs(pair);
        }
        let found = match matched(pair) {
            Ok(found) => found,
            Err((cause, side, detail)) => {
                // What does not parse has no functions either, and that is the better answer.
                if let Some((side, (cause, detail))) = self.broken(pair)? {
                    return Ok(Report::cannot(cause, Some(side), detail));
                }
                return Ok(Report::cannot(cause, side, detail));
            }
        };
        self.as_functions(pair, found)
    }

    /// The first side that cannot even be compiled or loaded.
    fn broken(&self, pair: &Pair) -> Result<Option<(usize, Broken)>, SandboxError> {
        for (place, side) in [&pair.first, &pair.second].into_iter().enumerate() {
            if let Some(broken) = self.broken_side(side)? {
                return Ok(Some((place, broken)));
            }
        }
        Ok(None)
    }

    fn broken_side(&self, side: &Side) -> Result<Option<Broken>, SandboxError> {
        let program = program(&side.code, side.language);
        let test = if is_program(side) {
            Test::Stdio { input: Vec::new() }
        } else {
            Test::Values { calls: Vec::new(), patience: self.options.patience, cover: false }
        };
        let outcome = self.sandbox.run(&program, &test)?;
        // Without input, some raise what they do not raise with some.
        Ok(broken(&outcome, &program).filter(|(cause, _)| *cause != Cause::NoNormalInput))
    }

    /// Compares what two programs print for the same standard input.
    fn as_programs(&self, pair: &Pair) -> Result<Report, SandboxError> {
        let sides = [&pair.first, &pair.second].map(|side| program(&side.code, side.language));
        let samples = vec![pair.samples.clone().into_bytes()];
        let samples = if pair.samples.is_empty() { Vec::new() } else { samples };
        if let Some((side, (cause, detail))) = self.broken(pair)? {
            return Ok(Report::cannot(cause, Some(side), detail));
        }
        let quick = sides.iter().all(|side| side.language == Language::Python);
        // One input says as much as many of a program that reads none.
        let (inputs, mutants) = match ([&pair.first, &pair.second].into_iter().any(reads), quick) {
            (false, _) => (1, 0),
            (true, true) => (20, self.options.mutants),
            (true, false) => (8, self.options.mutants.min(5)),
        };
        let inputs = Inputs::Stdio(standard_inputs(&sides[0], &samples, self.options.seed, inputs));
        let agreement = self.sandbox.compare(&sides[0], &sides[1], &inputs, mutants)?;
        if let Some(difference) = &agreement.difference {
            let test = Test::Stdio { input: difference.input.clone().into_bytes() };
            for (side, program) in sides.iter().enumerate() {
                let (one, other) = (self.sandbox.run(program, &test)?, self.sandbox.run(program, &test)?);
                if !one.alike(&other) {
                    return Ok(Report::cannot(Cause::NotDeterministic, Some(side), ""));
                }
            }
        }
        Ok(crate::verdict::of_programs(&agreement))
    }

    fn as_functions(&self, pair: &Pair, found: Match) -> Result<Report, SandboxError> {
        let names = found.functions.each_ref().map(|function| function.name.clone());
        let with_names = |report: Report| Report { entry: Some(names.clone()), ..report };
        let mut stage = Stage::new(&self.sandbox, &self.options, pair, found);
        let rows = stage.rows();
        let mut both = match stage.both(rows)? {
            Ok(both) => both,
            Err((side, (cause, detail))) => return Ok(with_names(Report::cannot(cause, Some(side), detail))),
        };
        stage.widen(&mut both)?;
        let judge = Judge {
            how: How { across: pair.first.language != pair.second.language },
            guessed: stage.found.guessed,
            languages: [pair.first.language, pair.second.language],
            functions: stage.found.functions.clone(),
            silent: silent(&both),
        };
        let mut judged = judge.of(&both);
        let ordinary = both.rows.len();
        if why_none(&both, &judged, pair).is_none() {
            let differing: Vec<usize> = judged.differing.iter().map(|(place, _)| *place).collect();
            let excused = stage.excused(&both, &differing)?;
            if excused.len() == differing.len() {
                both.leave_out(&excused);
                stage.add_edges(&judge, &mut both)?;
                judged = judge.of(&both);
            }
        }
        let coverage = [0, 1].map(|side| {
            let covered = both.runs[side].covered?;
            let all = stage.marks[side].unwrap_or(covered.all);
            (all > 0).then(|| f64::from(covered.ran) / f64::from(all))
        });
        let counted = |report: Report| Report {
            inputs: judged.compared,
            normal: judged.normal.len(),
            results: judged.results,
            coverage,
            ..with_names(report)
        };
        if let Some(report) = why_none(&both, &judged, pair) {
            return Ok(counted(report));
        }
        if let Some(smallest) = judged.differing.iter().min_by_key(|(place, _)| size(&both.rows[*place])) {
            let difference = match stage.shrunk(&judge, &both, *smallest, both.rows.len() > ordinary)? {
                Ok(difference) => difference,
                Err(side) => return Ok(counted(Report::cannot(Cause::NotDeterministic, Some(side), ""))),
            };
            let mut report = Report::cannot(Cause::NoNormalInput, None, "");
            report.verdict = Verdict::Differs;
            report.cause = None;
            report.difference = Some(difference);
            report.differing = judged.differing.len();
            return Ok(counted(report));
        }
        let (mutants, detected) = self.faults(&stage, &both, &judged)?;
        let mut report = Report::cannot(Cause::NoNormalInput, None, "");
        report.cause = None;
        (report.mutants, report.detected) = (mutants, detected);
        report.verdict = crate::verdict::strength(judged.normal.len(), judged.results, mutants, detected);
        Ok(counted(report))
    }

    /// Mutants of the first side that are detected, or of the second where those say more.
    fn faults(
        &self,
        stage: &Stage<'_>,
        both: &Both,
        judged: &Judged,
    ) -> Result<(usize, usize), SandboxError> {
        let (mut best, mut all) = ((0, 0), (0, 0));
        for side in [0, 1] {
            let own = stage.side(side);
            let calls: Vec<Call> =
                judged.normal.iter().map(|place| both.calls[side][*place].clone()).collect();
            let seen: Vec<Seen> =
                judged.normal.iter().map(|place| both.runs[side].seen[*place].clone()).collect();
            let original = Original {
                code: &own.code,
                language: own.language,
                function: &stage.found.functions[side],
                calls: &calls,
                seen: &seen,
                patience: self.options.patience,
            };
            let (mutants, found) = detected(&self.sandbox, &original, self.options.mutants)?;
            all = (all.0 + mutants, all.1 + found);
            // Compared as parts, without a division.
            if found * best.0.max(1) > best.1 * mutants.max(1) || best.0 == 0 {
                best = (mutants, found);
            }
            if crate::verdict::enough(best.0, best.1) {
                break;
            }
        }
        // A side with a single one says too little by itself.
        Ok(if best.0 < LEAST_MUTANTS { all } else { best })
    }
}

/// Whether neither side ever returns a value: then what they print counts.
fn silent(both: &Both) -> bool {
    let mut all = both.runs.iter().flat_map(|run| run.seen.iter().filter_map(Seen::normal));
    all.all(|exchanged| exchanged.value.is_null())
}

/// Why nothing can be said of the results: names are missing more often than not, or no input ends normally on both sides.
fn why_none(both: &Both, judged: &Judged, pair: &Pair) -> Option<Report> {
    let sides = [&pair.first, &pair.second];
    for (place, side) in sides.into_iter().enumerate() {
        let seen = &both.runs[place].seen;
        let missing: Vec<&str> = seen.iter().filter_map(Seen::missing).collect();
        if let Some(name) = missing.first().filter(|_| missing.len() > judged.normal.len()) {
            return Some(Report::cannot(of_name(name, side.language), Some(place), *name));
        }
        let refused = seen.iter().filter(|seen| seen.refused()).count();
        let old = seen.iter().filter(|seen| seen.is_old()).count();
        let members = refused > judged.normal.len() && has_old_members(&side.code, side.language);
        if members || old > judged.normal.len() {
            return Some(Report::cannot(Cause::Python2, Some(place), "it takes values to be as in Python 2"));
        }
    }
    if !judged.normal.is_empty() || !judged.differing.is_empty() {
        return None;
    }
    for side in [0, 1] {
        let seen = &both.runs[side].seen;
        if seen.iter().filter(|seen| seen.over_a_limit()).count() * 2 > seen.len() {
            return Some(Report::cannot(Cause::TimesOut, Some(side), ""));
        }
    }
    let side = both.runs.iter().position(|run| run.seen.iter().all(|seen| seen.normal().is_none()));
    let said = side.and_then(|side| both.runs[side].seen.first()).map(Seen::text).unwrap_or_default();
    Some(Report::cannot(Cause::NoNormalInput, side, said))
}

/// Whether a side may read its standard input.
fn reads(side: &Side) -> bool {
    let words = ["System.in", "stdin", "input", "scanf", "cin", "getchar", "gets", "Scan", "readFileSync"];
    words.iter().any(|word| side.code.contains(word))
}

/// Whether a side runs by itself: a `main`, or statements without a function.
fn is_program(side: &Side) -> bool {
    let all = functions(&side.code, side.language);
    match side.language {
        Language::Python | Language::JavaScript => all.is_empty() && !side.code.trim().is_empty(),
        _ => all.iter().any(crate::signature::Function::is_main),
    }
}
