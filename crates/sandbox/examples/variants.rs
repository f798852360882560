//! Do programs that were rewritten still pass their tests?
//!
//! `cargo run -p familiar-sandbox --example variants -- ROWS.jsonl.zst OUT.jsonl [NAME,NAME… | SET | chains] [SECONDS]`
//!
//! Rows have the keys `id`, `lang`, `code` and `test`; those of Python are read. Where a row has no test, the program runs by itself, and must write the
//! same. Each transformation of Python programs is applied to each, alone, at all of its sites, and
//! the tests run on what comes out, in groups. `OUT` gets one row for each variant: `id`, `name`, `result`. A program that fails its own test within two seconds, or as many as are given, gives rows
//! with the result `untested`. Of what fails, the code is kept, too. Where a transformation does not apply, its row says why. With the name of a composed set, its members are applied one after the
//! other; with `chains`, nine times three of all, as a seed draws them.

use familiar_sandbox::{Job, Language, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use familiar_transform::{ApplyError, Choices, Transformation, Where, apply, catalog};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

/// Programs whose tests run together.
const GROUP: usize = 16;
/// Rows that are read before their tests run.
const BATCH: usize = 40;

struct Row {
    id: String,
    code: String,
    test: String,
}

struct Variant {
    row: usize,
    name: String,
    code: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file of rows with `code` and `test`")?;
    let mut out =
        std::io::BufWriter::new(std::fs::File::create(arguments.next().ok_or("give a file to write")?)?);
    let names = arguments.next();
    let wanted = |it: &&dyn Transformation| {
        names.as_ref().is_none_or(|names| names.split(',').any(|name| name == it.name()))
    };
    let of_python = |it: &&dyn Transformation| it.languages().contains(&Language::Python);
    let members: Vec<_> = catalog::transformations().filter(of_python).filter(wanted).collect();
    let set = names.as_deref().and_then(catalog::Set::named);
    let recipes = match (names.as_deref(), set) {
        (Some("chains"), _) => Recipes::Chains(catalog::transformations().filter(of_python).collect()),
        (_, Some(set)) if set.is_composed => Recipes::Composed(set.name, set.all_members()),
        (_, Some(set)) => Recipes::Alone(set.members(Language::Python)),
        _ => Recipes::Alone(members),
    };
    let rows = rows(&path)?;
    // What is rewritten may take longer than its original.
    let seconds: f64 = arguments.next().map_or(Ok(2.0), |it| it.parse())?;
    let within =
        |seconds| Sandbox::new(Limits::default().within(Duration::from_secs_f64(seconds)), Policy::Confined);
    let (first, sandbox) = (within(seconds)?, within(seconds * 10.0)?);
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for batch in rows.chunks(BATCH) {
        let originals: Vec<_> = batch.iter().map(|row| job(&row.code, &row.test)).collect();
        let again = first.run_all(&originals);
        let outcomes = first.run_all(&originals).into_iter().zip(&again).zip(batch);
        let passes: Vec<_> =
            outcomes.map(|((outcome, again), row)| settled(outcome, again, &row.test)).collect();
        let (variants, refused) = variants(batch, &recipes);
        for (row, name, reason) in refused {
            let fields =
                serde_json::json!({"id": batch[row].id, "name": name, "result": "refused", "reason": reason});
            writeln!(out, "{fields}")?;
        }
        let tested: Vec<_> = variants
            .iter()
            .filter(|it| passes[it.row].is_some())
            .map(|it| job(&it.code, &batch[it.row].test))
            .collect();
        let mut outcomes = sandbox.run_groups(&tested, GROUP).into_iter();
        for Variant { row, name, code } in &variants {
            let count = counts.entry(shown(name)).or_default();
            count[0] += 1;
            let mut fields = serde_json::json!({"id": batch[*row].id, "name": name, "result": "untested"});
            if let Some(original) = &passes[*row] {
                count[1] += 1;
                let outcome = outcomes.next().ok_or("an outcome is missing")?;
                let right = outcome.as_ref().is_ok_and(|it| it.alike(original));
                count[2] += usize::from(right);
                fields["result"] = if right { "right" } else { "wrong" }.into();
                if !right {
                    fields["code"] = code.as_str().into();
                    fields["end"] = format!("{:?}", outcome.map(|it| it.end)).into();
                }
            }
            writeln!(out, "{fields}")?;
        }
    }
    out.flush()?;
    print(&counts)
}

fn print(counts: &BTreeMap<String, [usize; 3]>) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for (name, [applied, tested, right]) in counts {
        writeln!(
            out,
            "{name:40} {applied:5} {tested:5} {right:5}{}",
            if tested == right { "" } else { " WRONG" }
        )?;
    }
    Ok(())
}

fn rows(path: &str) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        if text("lang") == "python" {
            rows.push(Row { id: text("id"), code: text("code"), test: text("test") });
        }
    }
    Ok(rows)
}

/// Runs the test of a row, or the program by itself where it has none.
fn job(code: &str, test: &str) -> Job {
    let test = match test {
        "" => Test::Stdio { input: Vec::new() },
        _ => Test::Asserts { code: test.to_owned() },
    };
    Job { program: Program::python(code.to_owned()), test }
}

/// The outcome of a program that may be compared: it ended well, wrote something where it has no test, and did the same twice.
fn settled(
    first: Result<Outcome, SandboxError>,
    again: &Result<Outcome, SandboxError>,
    test: &str,
) -> Option<Outcome> {
    let first = first.ok().filter(|it| it.passed() && (!test.is_empty() || !it.stdout.is_empty()))?;
    again.as_ref().is_ok_and(|again| first.alike(again)).then_some(first)
}

type Refused = (usize, String, String);

/// What is applied to each program.
enum Recipes {
    Alone(Vec<&'static dyn Transformation>),
    Composed(&'static str, Vec<&'static dyn Transformation>),
    Chains(Vec<&'static dyn Transformation>),
}

/// Chains are counted together.
fn shown(name: &str) -> String {
    if name.contains(" > ") { "chains".to_owned() } else { name.to_owned() }
}

/// What the recipes make of each row, and why some make nothing.
fn variants(batch: &[Row], recipes: &Recipes) -> (Vec<Variant>, Vec<Refused>) {
    let (mut variants, mut refused) = (Vec::new(), Vec::new());
    for (row, Row { code, .. }) in batch.iter().enumerate() {
        let Ok(program) = parsed(code) else { continue };
        let all: Vec<(String, Vec<&'static dyn Transformation>)> = match recipes {
            Recipes::Alone(members) => members.iter().map(|it| (it.name().to_owned(), vec![*it])).collect(),
            Recipes::Composed(name, members) => vec![((*name).to_owned(), members.clone())],
            Recipes::Chains(members) => {
                let mut choices = Choices::new(&program, code.len() as u64);
                let chain =
                    |choices: &mut Choices| (0..3).map(|_| members[choices.below(members.len())]).collect();
                let chains =
                    (0..9).map(|_| chain(&mut choices)).map(|chain: Vec<&'static dyn Transformation>| {
                        (chain.iter().map(|it| it.name()).collect::<Vec<_>>().join(" > "), chain)
                    });
                chains.collect()
            }
        };
        for (name, steps) in all {
            match composed(code, &steps, row as u64) {
                Ok(code) => variants.push(Variant { row, name, code }),
                Err(reason) => refused.push((row, name, reason)),
            }
        }
    }
    (variants, refused)
}

fn parsed(code: &str) -> Result<familiar_transform::Program, String> {
    familiar_transform::Program::parse(Language::Python, code.as_bytes(), usize::MAX)
        .map_err(|error| error.to_string())
}

/// The steps one after the other, those that apply.
fn composed(code: &str, steps: &[&'static dyn Transformation], seed: u64) -> Result<String, String> {
    let mut program = parsed(code)?;
    let mut refusal = Err("no step applies".to_owned());
    for step in steps {
        match apply(&program, *step, Where::All, seed) {
            Ok(variant) => {
                program = variant.program;
                refusal = Ok(program.text().to_owned());
            }
            Err(ApplyError::NotApplicable(reason)) => refusal = refusal.or(Err(reason.to_string())),
            Err(fault @ ApplyError::Broken { .. }) => return Err(format!("FAULT {fault}")),
        }
    }
    refusal
}
