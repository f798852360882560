//! The steps of a test, from two texts to a report.

use crate::chance::Chance;
use crate::compare::{How, Seen};
use crate::faults::{Original, detected};
use crate::inputs::{Literals, Maker, smaller};
use crate::matching::{Match, choices, matched};
use crate::prepare::{CLASS, FILE_NAMES, Prepared, asks_for_files, prepared, program};
use crate::report::{Cause, Difference, Pair, Report, Side, Verdict, Where};
use crate::rows::call;
use crate::run::{Broken, Run, broken, has_old_members, of_name, run};
use crate::signature::functions;
use crate::types::Type;
use crate::value::Value;
use crate::verdict::{Judge, Judged};
use crate::{cover, sample};
use familiar_sandbox::{Call, Inputs, Limits, Policy, Sandbox, SandboxError, Test, standard_inputs};
use familiar_source::Language;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How a test is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The same seed gives the same inputs.
    pub seed: u64,
    /// How many inputs there are at most.
    pub inputs: usize,
    /// How many mutants are tried at most.
    pub mutants: usize,
    /// How many thousandths of a second a call may take.
    pub patience: u32,
    /// Whether programs may run where the system cannot confine them.
    pub policy: Policy,
    /// How many pairs are tested at a time.
    pub at_a_time: usize,
}

impl Default for Options {
    fn default() -> Self {
        let at_a_time = std::thread::available_parallelism().map_or(1, usize::from);
        Self { seed: 1, inputs: 48, mutants: 12, patience: 500, policy: Policy::Confined, at_a_time }
    }
}

/// So many choices of types are tried for parameters that say none.
const CHOICES: usize = 30;
/// Rounds of looking for a smaller input.
const SHRINKS: usize = 5;
/// Inputs of each such round.
const SMALLER: usize = 24;

/// Tests pairs.
#[derive(Debug)]
pub struct Tester {
    sandbox: Sandbox,
    options: Options,
}

/// Both sides, ready to run.
struct Ready<'p> {
    pair: &'p Pair,
    found: Match,
    sides: [Prepared; 2],
    /// How many places of each side are marked.
    marks: [Option<u32>; 2],
}

impl<'p> Ready<'p> {
    /// The sides with marks where their language has them.
    fn new(pair: &'p Pair, found: Match) -> Self {
        let mut marks = [None, None];
        let sides = [(0, &pair.first), (1, &pair.second)].map(|(place, side)| {
            let marked = cover::marked(&side.code, side.language);
            marks[place] = marked.as_ref().map(|(_, count)| *count);
            let code = marked.map_or_else(|| side.code.clone(), |(code, _)| code);
            prepared(&code, side.language, &found.functions[place], CLASS)
        });
        Self { pair, found, sides, marks }
    }

    fn side(&self, side: usize) -> &'p Side {
        if side == 0 { &self.pair.first } else { &self.pair.second }
    }

    fn calls(&self, side: usize, rows: &[Vec<Value>]) -> Vec<Option<Call>> {
        let language = self.side(side).language;
        rows.iter().map(|row| call(&self.found, side, language, &self.sides[side].function, row)).collect()
    }
}

/// What both sides did on some rows.
struct Both {
    rows: Vec<Vec<Value>>,
    calls: [Vec<Call>; 2],
    runs: [Run; 2],
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
            let program = program(&side.code, side.language);
            let test = Test::Values { calls: Vec::new(), patience: self.options.patience, cover: false };
            let outcome = self.sandbox.run(&program, &test)?;
            if let Some(broken) = broken(&outcome, &program) {
                return Ok(Some((place, broken)));
            }
        }
        Ok(None)
    }

    /// Compares what two programs print for the same standard input.
    fn as_programs(&self, pair: &Pair) -> Result<Report, SandboxError> {
        let sides = [&pair.first, &pair.second].map(|side| program(&side.code, side.language));
        let samples = vec![pair.samples.clone().into_bytes()];
        let samples = if pair.samples.is_empty() { Vec::new() } else { samples };
        if let Some((side, (cause, detail))) = self.broken(pair)? {
            // Without input, some raise what they do not raise with some.
            if cause != Cause::NoNormalInput {
                return Ok(Report::cannot(cause, Some(side), detail));
            }
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
        Ok(crate::verdict::of_programs(&agreement))
    }

    fn as_functions(&self, pair: &Pair, found: Match) -> Result<Report, SandboxError> {
        let names = found.functions.each_ref().map(|function| function.name.clone());
        let with_names = |report: Report| Report { entry: Some(names.clone()), ..report };
        let mut ready = Ready::new(pair, found);
        let rows = self.rows(&ready);
        let mut both = match self.both(&mut ready, rows)? {
            Ok(both) => both,
            Err((side, (cause, detail))) => return Ok(with_names(Report::cannot(cause, Some(side), detail))),
        };
        self.widen(&mut ready, &mut both)?;
        let judge = Judge {
            how: How { across: pair.first.language != pair.second.language },
            guessed: ready.found.guessed,
            languages: [pair.first.language, pair.second.language],
            functions: ready.found.functions.clone(),
            silent: silent(&both),
        };
        let judged = judge.all(&both.runs[0].seen, &both.runs[1].seen);
        let coverage = [0, 1].map(|side| {
            let covered = both.runs[side].covered?;
            let all = ready.marks[side].unwrap_or(covered.all);
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
            let difference = self.shrunk(&mut ready, &judge, &both, *smallest)?;
            let mut report = Report::cannot(Cause::NoNormalInput, None, "");
            report.verdict = Verdict::Differs;
            report.cause = None;
            report.difference = Some(difference);
            report.differing = judged.differing.len();
            return Ok(counted(report));
        }
        let (mutants, detected) = self.faults(&ready, &both, &judged)?;
        let mut report = Report::cannot(Cause::NoNormalInput, None, "");
        report.cause = None;
        (report.mutants, report.detected) = (mutants, detected);
        report.verdict = crate::verdict::strength(judged.normal.len(), judged.results, mutants, detected);
        Ok(counted(report))
    }

    /// Runs one side. Where the marks do not compile, it runs without them.
    fn side(
        &self,
        ready: &mut Ready<'_>,
        side: usize,
        calls: &[Call],
    ) -> Result<Result<Run, Broken>, SandboxError> {
        let first = run(&self.sandbox, &ready.sides[side], calls, self.options.patience, true)?;
        if first.is_ok() || ready.marks[side].is_none() {
            return Ok(first);
        }
        ready.marks[side] = None;
        let own = ready.side(side);
        ready.sides[side] = prepared(&own.code, own.language, &ready.found.functions[side], CLASS);
        let run = run(&self.sandbox, &ready.sides[side], calls, self.options.patience, true)?;
        Ok(run.map(|run| Run { covered: None, ..run }))
    }

    /// Runs both sides on the rows that both can be given.
    fn both(
        &self,
        ready: &mut Ready<'_>,
        rows: Vec<Vec<Value>>,
    ) -> Result<Result<Both, (usize, Broken)>, SandboxError> {
        let written = [ready.calls(0, &rows), ready.calls(1, &rows)];
        let [first, second] = written;
        let (mut kept, mut one, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for ((row, first), second) in rows.into_iter().zip(first).zip(second) {
            if let (Some(first), Some(second)) = (first, second) {
                kept.push(row);
                one.push(first);
                other.push(second);
            }
        }
        if kept.is_empty() {
            let types = "no value can be written in both languages".to_owned();
            return Ok(Err((0, (Cause::UnknownType, types))));
        }
        let left = match self.side(ready, 0, &one)? {
            Ok(run) => run,
            Err(broken) => return Ok(Err((0, broken))),
        };
        let right = match self.side(ready, 1, &other)? {
            Ok(run) => run,
            Err(broken) => return Ok(Err((1, broken))),
        };
        Ok(Ok(Both { rows: kept, calls: [one, other], runs: [left, right] }))
    }

    /// The inputs. Where types have to be guessed, the choices that one side takes best are used.
    fn rows(&self, ready: &Ready<'_>) -> Vec<Vec<Value>> {
        let sides = [&ready.pair.first, &ready.pair.second];
        let mut literals = Literals::default();
        for side in sides {
            let (integers, texts) = sample::literals(&side.code, side.language);
            literals.integers.extend(integers);
            literals.texts.extend(texts);
            if side.language == Language::Python && asks_for_files(&side.code) {
                literals.texts.extend(FILE_NAMES.map(str::to_owned));
            }
        }
        let mut maker = Maker { literals: &literals, chance: Chance::new(self.options.seed) };
        let slots = &ready.found.slots;
        if slots.is_empty() {
            return vec![Vec::new()];
        }
        let most = self.options.inputs;
        let mut rows: Vec<Vec<Value>> = Vec::new();
        let add = |rows: &mut Vec<Vec<Value>>, row: Vec<Value>| {
            if rows.len() < most && row.len() == slots.len() && !rows.contains(&row) {
                rows.push(row);
            }
        };
        for row in
            sample::calls(&ready.pair.samples, &ready.found.functions[0].name, ready.pair.first.language)
        {
            add(&mut rows, row);
        }
        let samples = rows.clone();
        for _ in 0..most {
            if let Some(sample) = maker.chance.one(&samples).filter(|_| rows.len() * 2 < most) {
                let row = sample.iter().map(|value| maker.changed(value)).collect();
                add(&mut rows, row);
            }
        }
        let kinds = self.taken(ready, &mut maker);
        for round in 0..most * 3 {
            // The likeliest choice gets the most rows.
            let choice = if round % 3 == 2 { round / 3 % kinds.len().max(1) } else { 0 };
            let Some(kinds) = kinds.get(choice) else { break };
            let row = match maker.chance.one(&rows).filter(|_| round % 5 == 4) {
                Some(row) => row.iter().map(|value| maker.changed(value)).collect(),
                None => maker.row(kinds, round),
            };
            add(&mut rows, row);
        }
        rows
    }

    /// Where few inputs end normally, changes of those are tried, too.
    fn widen(&self, ready: &mut Ready<'_>, both: &mut Both) -> Result<(), SandboxError> {
        let normal = |place: &usize| both.runs.iter().all(|run| run.seen[*place].normal().is_some());
        let good: Vec<usize> = (0..both.rows.len()).filter(normal).collect();
        if good.is_empty() || good.len() * 2 >= self.options.inputs || ready.found.slots.is_empty() {
            return Ok(());
        }
        let literals = Literals::default();
        let mut maker = Maker { literals: &literals, chance: Chance::new(self.options.seed ^ 1) };
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for _ in 0..self.options.inputs {
            let Some(place) = maker.chance.one(&good).copied() else { break };
            let row: Vec<Value> = both.rows[place].iter().map(|value| maker.changed(value)).collect();
            if !rows.contains(&row) && !both.rows.contains(&row) {
                rows.push(row);
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        if let Ok(more) = self.both(ready, rows)? {
            let Both { rows, calls, runs } = more;
            both.rows.extend(rows);
            for (side, (calls, run)) in calls.into_iter().zip(runs).enumerate() {
                both.calls[side].extend(calls);
                both.runs[side].seen.extend(run.seen);
                // Each of both parts is covered in a run of its own: the larger one is what is known for sure.
                let known = both.runs[side].covered;
                both.runs[side].covered = match (known, run.covered) {
                    (Some(one), Some(other)) if other.ran > one.ran => Some(other),
                    (one, other) => one.or(other),
                };
            }
        }
        Ok(())
    }

    /// The choices of types with which both sides end normally, the best first. All of them where nothing has to be tried.
    fn taken(&self, ready: &Ready<'_>, maker: &mut Maker<'_>) -> Vec<Vec<Type>> {
        const TRIES: usize = 3;
        let all = choices(&ready.found.slots, CHOICES);
        if all.len() < 2 {
            return all;
        }
        let rows: Vec<Vec<Value>> = all
            .iter()
            .flat_map(|kinds| (0..TRIES).map(|round| maker.row(kinds, round)).collect::<Vec<_>>())
            .collect();
        let mut ends = vec![0_usize; all.len()];
        let mut normal = vec![true; rows.len()];
        for side in [0, 1] {
            let calls = ready.calls(side, &rows);
            let held: Vec<(usize, Call)> =
                calls.into_iter().enumerate().filter_map(|(place, call)| Some((place, call?))).collect();
            let only: Vec<Call> = held.iter().map(|(_, call)| call.clone()).collect();
            let patience = self.options.patience.min(200);
            let Ok(Ok(run)) = run(&self.sandbox, &ready.sides[side], &only, patience, false) else {
                return all;
            };
            let mut here = vec![false; rows.len()];
            for ((place, _), seen) in held.iter().zip(&run.seen) {
                here[*place] = seen.normal().is_some();
            }
            for (place, ends) in here.into_iter().enumerate() {
                normal[place] &= ends;
            }
        }
        for (place, normal) in normal.into_iter().enumerate() {
            ends[place / TRIES] += usize::from(normal);
        }
        let mut order: Vec<usize> = (0..all.len()).filter(|place| ends[*place] > 0).collect();
        order.sort_by_key(|place| std::cmp::Reverse(ends[*place]));
        order.truncate(3);
        if order.is_empty() { all } else { order.into_iter().map(|place| all[place].clone()).collect() }
    }

    /// A smaller input that shows the same kind of difference.
    fn shrunk(
        &self,
        ready: &mut Ready<'_>,
        judge: &Judge,
        both: &Both,
        (place, kind): (usize, Where),
    ) -> Result<Difference, SandboxError> {
        let mut row = both.rows[place].clone();
        let mut seen = [both.runs[0].seen[place].clone(), both.runs[1].seen[place].clone()];
        for _ in 0..SHRINKS {
            let mut rows: Vec<Vec<Value>> = Vec::new();
            for (slot, value) in row.iter().enumerate() {
                for less in smaller(value) {
                    let mut next = row.clone();
                    next[slot] = less;
                    rows.push(next);
                }
            }
            rows.sort_by_key(|row| size(row));
            rows.truncate(SMALLER);
            if rows.is_empty() {
                break;
            }
            let Ok(next) = self.both(ready, rows)? else { break };
            let judged = judge.all(&next.runs[0].seen, &next.runs[1].seen);
            let same = judged.differing.iter().filter(|(_, other)| *other == kind);
            let Some((place, _)) = same.min_by_key(|(place, _)| size(&next.rows[*place])) else { break };
            row.clone_from(&next.rows[*place]);
            seen = [next.runs[0].seen[*place].clone(), next.runs[1].seen[*place].clone()];
        }
        Ok(judge.difference(&row, &seen, kind))
    }

    /// Mutants of the first side that are detected, or of the second where those say more.
    fn faults(
        &self,
        ready: &Ready<'_>,
        both: &Both,
        judged: &Judged,
    ) -> Result<(usize, usize), SandboxError> {
        let mut best = (0, 0);
        for side in [0, 1] {
            let own = ready.side(side);
            let calls: Vec<Call> =
                judged.normal.iter().map(|place| both.calls[side][*place].clone()).collect();
            let seen: Vec<Seen> =
                judged.normal.iter().map(|place| both.runs[side].seen[*place].clone()).collect();
            let original = Original {
                code: &own.code,
                language: own.language,
                function: &ready.found.functions[side],
                calls: &calls,
                seen: &seen,
                patience: self.options.patience,
            };
            let (mutants, found) = detected(&self.sandbox, &original, self.options.mutants)?;
            // Compared as parts, without a division.
            if found * best.0.max(1) > best.1 * mutants.max(1) || best.0 == 0 {
                best = (mutants, found);
            }
            if crate::verdict::enough(best.0, best.1) {
                break;
            }
        }
        Ok(best)
    }
}

fn size(row: &[Value]) -> usize {
    row.iter().map(Value::size).sum()
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
        if refused > judged.normal.len() && has_old_members(&side.code, side.language) {
            return Some(Report::cannot(Cause::Python2, Some(place), "a method that Python 3 does not have"));
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
