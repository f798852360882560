//! How many Python programs with tests run in a second: one process each, and in groups.
//!
//! `cargo run --release -p familiar-sandbox --example rate -- python_functions_with_tests.jsonl.zst [SIZE OF A GROUP]`
//!
//! Rows have the keys `code` and `test`. Those that pass within two seconds run eight times over, on two servers, without a cache.

use familiar_sandbox::{Confinement, Job, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

/// A way to run all programs.
type Way<'a> = (&'a str, &'a dyn Fn() -> Vec<Result<Outcome, SandboxError>>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file of rows with `code` and `test`")?;
    let size = arguments.next().map_or(Ok(16), |size| size.parse())?;
    let mut jobs = Vec::new();
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        jobs.push(Job { program: Program::python(text("code")), test: Test::Asserts { code: text("test") } });
    }
    let limits = Limits::default().within(Duration::from_secs(2));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:?}", Confinement::of_this_system())?;
    let sandbox = Sandbox::new(limits, Policy::Confined)?;
    writeln!(out, "{:?}", sandbox.toolchain(familiar_source::Language::Python)?)?;
    let outcomes = sandbox.run_all(&jobs);
    let passed = |outcome: &Result<Outcome, SandboxError>| outcome.as_ref().is_ok_and(Outcome::passed);
    let all = jobs.len();
    for (job, outcome) in jobs.iter().zip(&outcomes).filter(|(_, outcome)| !passed(outcome)) {
        let end = outcome.as_ref().map(|outcome| &outcome.end);
        writeln!(out, "  left out: {:.50?} {end:?}", job.program.text)?;
    }
    let kept = jobs.into_iter().zip(&outcomes).filter(|(_, outcome)| passed(outcome));
    let jobs: Vec<Job> = kept.map(|(job, _)| job).collect();
    writeln!(out, "{} of {all} pass", jobs.len())?;
    let often: Vec<Job> = std::iter::repeat_n(&jobs, 8).flatten().cloned().collect();
    let ways: [Way<'_>; 2] = [
        ("one process each", &|| sandbox.run_all(&often)),
        ("in groups", &|| sandbox.run_groups(&often, size)),
    ];
    for (name, way) in ways {
        let start = Instant::now();
        let outcomes = way();
        let seconds = start.elapsed().as_secs_f64();
        let passed = outcomes.iter().flatten().filter(|outcome| outcome.passed()).count();
        let rate = outcomes.len() as f64 / seconds;
        writeln!(
            out,
            "{name}: {} programs, {passed} passed, {seconds:.2} s, {rate:.0} a second",
            outcomes.len()
        )?;
    }
    Ok(())
}
