//! How much time Java programs take alone and with a compiler that starts once for several, and whether both say the same.
//!
//! `cargo run --release -p familiar-sandbox --example compilers -- programs.jsonl.zst problems.jsonl.zst [PROGRAMS]`
//!
//! Programs have the keys `code` and `problem_id`, problems `problem_id` and `samples` with `in`, of which the first is the input.
//! CPU seconds are user and system time of all processes that the sandbox starts.

use familiar_sandbox::{Job, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use familiar_source::Language;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (programs, problems) =
        arguments.next().zip(arguments.next()).ok_or("give the files of programs and problems")?;
    let most = arguments.next().map_or(Ok(usize::MAX), |most| most.parse())?;
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let inputs: BTreeMap<String, String> = rows(&problems)?
        .iter()
        .map(|row| (text(row, "problem_id"), text(&row["samples"][0], "in")))
        .collect();
    let jobs: Vec<Job> = rows(&programs)?
        .iter()
        .take(most)
        .map(|row| {
            let input = inputs.get(&text(row, "problem_id")).cloned().unwrap_or_default().into_bytes();
            let program = Program { language: Language::Java, text: text(row, "code") };
            Job { program, test: Test::Stdio { input } }
        })
        .collect();
    let sandbox = Sandbox::new(Limits::default(), Policy::Confined)?;
    sandbox.toolchain(Language::Java)?;
    let mut out = std::io::stdout().lock();
    let alone = measured(&mut out, "alone", jobs.len(), || {
        jobs.iter().map(|job| sandbox.run(&job.program, &job.test)).collect()
    })?;
    let together = measured(&mut out, "together", jobs.len(), || sandbox.run_all(&jobs))?;
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let mut differ = 0;
    for (number, (one, two)) in alone.iter().zip(&together).enumerate() {
        let (Ok(one), Ok(two)) = (one, two) else { return Err("a program could not be started".into()) };
        *ends.entry(format!("{:?}", one.end)).or_default() += 1;
        if (&one.end, &one.stdout) != (&two.end, &two.stdout) {
            differ += 1;
            writeln!(out, "program {number}: {:?} alone, {:?} together", one.end, two.end)?;
        }
    }
    writeln!(out, "{differ} of {} programs differ in their end or output; {ends:?}", jobs.len())?;
    Ok(())
}

fn rows(path: &str) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let lines = BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines();
    lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

fn measured(
    out: &mut dyn Write,
    name: &str,
    programs: usize,
    run: impl FnOnce() -> Vec<Result<Outcome, SandboxError>>,
) -> Result<Vec<Result<Outcome, SandboxError>>, Box<dyn std::error::Error>> {
    let used = || -> nix::Result<f64> {
        let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        Ok((used.user_time().num_microseconds() + used.system_time().num_microseconds()) as f64 / 1e6)
    };
    let (start, before) = (Instant::now(), used()?);
    let outcomes = run();
    let (cpu, seconds) = (used()? - before, start.elapsed().as_secs_f64());
    let each = cpu / programs.max(1) as f64;
    writeln!(out, "{name}: {programs} programs, {cpu:.1} CPU seconds, {each:.3} each, {seconds:.1} s")?;
    Ok(outcomes)
}
