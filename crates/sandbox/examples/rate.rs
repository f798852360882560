//! How many Python programs with tests run in a second: one process each, and in groups.
//!
//! `cargo run --release -p familiar-sandbox --example rate -- python_functions_with_tests.jsonl.zst [SIZE OF A GROUP] [PROGRAMS AT A TIME]`
//!
//! Rows have the keys `code` and `test`. Those that pass within two seconds run eight times over, two at a time, without a cache.
//! CPU seconds are user and system time of this process and of all processes that it and its servers start, from the start of the
//! servers to their end.

use familiar_sandbox::{Confinement, Job, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

/// A way to run all programs.
type Way<'a> = (&'a str, &'a dyn Fn(&Sandbox) -> Vec<Result<Outcome, SandboxError>>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file of rows with `code` and `test`")?;
    let size = arguments.next().map_or(Ok(16), |size| size.parse())?;
    let at_a_time = arguments.next().map_or(Ok(2), |programs| programs.parse())?;
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
    // What the servers have started comes to this process when they end, so that its time is counted.
    nix::sys::prctl::set_child_subreaper(true)?;
    drop(sandbox);
    used()?;
    let ways: [Way<'_>; 2] = [
        ("one process each", &|sandbox| sandbox.run_all(&often)),
        ("in groups", &|sandbox| sandbox.run_groups(&often, size)),
    ];
    for (name, way) in ways {
        let sandbox = Sandbox::new(limits, Policy::Confined)?.at_a_time(at_a_time);
        sandbox.toolchain(familiar_source::Language::Python)?;
        let (start, before) = (Instant::now(), used()?);
        let outcomes = way(&sandbox);
        let seconds = start.elapsed().as_secs_f64();
        drop(sandbox);
        let (cpu, faults) = used()?;
        let count = outcomes.len() as f64;
        let passed = outcomes.iter().flatten().filter(|outcome| outcome.passed()).count();
        writeln!(
            out,
            "{name}: {count} programs, {passed} passed, {seconds:.2} s, {:.0} a second; of each {:.2} ms of CPU and {:.0} page faults",
            count / seconds,
            (cpu - before.0) * 1e3 / count,
            (faults - before.1) as f64 / count,
        )?;
    }
    Ok(())
}

/// The CPU seconds and page faults so far, of this process and of all those that have ended.
fn used() -> nix::Result<(f64, i64)> {
    while nix::sys::wait::wait().is_ok() {}
    let [own, ended] = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].map(getrusage);
    let (own, ended) = (own?, ended?);
    let times = [own.user_time(), own.system_time(), ended.user_time(), ended.system_time()];
    let seconds = times.iter().map(|time| time.num_microseconds() as f64 / 1e6).sum();
    Ok((seconds, own.minor_page_faults() + ended.minor_page_faults()))
}
