//! How many programs of a data set pass their tests, by language.
//!
//! `cargo run --release -p familiar-sandbox --example tested -- humaneval_mbpp_multilang.jsonl.zst [ROWS OF EACH LANGUAGE]`
//!
//! Rows have the keys `lang`, `code` and `test`, and `id` for those that do not pass.

use familiar_sandbox::{Job, LANGUAGES, Language, Limits, Policy, Program, Sandbox, Test};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;

/// The jobs of a language, each with the name of its row.
type Jobs = (Language, Vec<(String, Job)>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file of rows with `lang`, `code` and `test`")?;
    let most = arguments.next().map_or(Ok(usize::MAX), |rows| rows.parse())?;
    let mut jobs: BTreeMap<&str, Jobs> = BTreeMap::new();
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let Some(language) = LANGUAGES.into_iter().find(|language| language.name() == text("lang")) else {
            continue;
        };
        let of_language = &mut jobs.entry(language.name()).or_insert((language, Vec::new())).1;
        if of_language.len() < most {
            let program = Program { language, text: text("code") };
            of_language.push((text("id"), Job { program, test: Test::Asserts { code: text("test") } }));
        }
    }
    let sandbox = Sandbox::new(Limits::default(), Policy::Confined)?;
    let mut out = std::io::stdout().lock();
    for (name, (language, jobs)) in jobs {
        if let Err(absent) = sandbox.toolchain(language) {
            writeln!(out, "{name}: skipped, {absent}")?;
            continue;
        }
        let (ids, jobs): (Vec<String>, Vec<Job>) = jobs.into_iter().unzip();
        let start = Instant::now();
        let outcomes = sandbox.run_all(&jobs);
        let seconds = start.elapsed().as_secs_f64();
        let passed = outcomes.iter().flatten().filter(|outcome| outcome.passed()).count();
        writeln!(out, "{name}: {passed} of {} pass, {seconds:.1} s", jobs.len())?;
        for (id, outcome) in ids.iter().zip(outcomes) {
            match outcome {
                Ok(outcome) if outcome.passed() => {}
                Ok(outcome) => {
                    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
                    let line = said.lines().find(|line| line.contains("rror") || line.contains("xception"));
                    writeln!(out, "  {id}: {:?} {}", outcome.end, line.unwrap_or_default())?;
                }
                Err(error) => writeln!(out, "  {id}: {error}")?,
            }
        }
    }
    Ok(())
}
