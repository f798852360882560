//! What the functional test says of the pairs of a data set, by verdict and by cause.
//!
//! `cargo run --release -p familiar-functional --example pairs -- FILE.jsonl.zst [--half 0|1] [--language java] [--rows 100] [--skip 0] [--out FILE]`
//!
//! Rows have the keys `code1` and `code2`, and `lang1` and `lang2` or one `lang` for both. `--half` takes the rows whose texts have an
//! even or odd hash, so that one half can be looked at, and the other one measured. The reports go to a file as JSON lines.
//! A pair *loads by itself* if both sides parse and compile, and no name is missing: that is asked before anything is called.

use familiar_functional::{Language, Options, Pair, Report, Side, Tester, Verdict};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("give a file of rows with `code1` and `code2`")?;
    let flag = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).cloned()
    };
    let half: Option<u64> = flag("--half").map(|half| half.parse()).transpose()?;
    let most: usize = flag("--rows").map_or(Ok(usize::MAX), |rows| rows.parse())?;
    let skip: usize = flag("--skip").map_or(Ok(0), |rows| rows.parse())?;
    let (wanted, other) = (flag("--language"), flag("--other"));
    let (mut rows, mut pairs) = (Vec::new(), Vec::new());
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let languages =
            ["lang1", "lang2"].map(|key| if row[key].is_null() { text("lang") } else { text(key) });
        let code = text("code1") + &text("code2");
        let hash = code.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let one = wanted.as_ref().is_none_or(|wanted| *wanted == languages[0]);
        let two = other.as_ref().is_none_or(|other| *other == languages[1]);
        if half.is_some_and(|half| (hash >> 20) % 2 != half) || !one || !two {
            continue;
        }
        let [first, second] = languages.each_ref().map(|name| Language::from_name(name));
        let (Some(first), Some(second)) = (first, second) else { continue };
        let pair = Pair {
            first: Side { language: first, code: text("code1") },
            second: Side { language: second, code: text("code2") },
            samples: String::new(),
        };
        rows.push((hash.rotate_left(17), row["id"].clone(), languages.join(" ")));
        pairs.push(pair);
    }
    // Neighbours of a data set are alike: rows are taken in the order of their hashes.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|place| rows[*place].0);
    let order: Vec<usize> = order.into_iter().skip(skip).take(most).collect();
    let pairs: Vec<Pair> = order.iter().map(|place| pairs[*place].clone()).collect();
    let start = Instant::now();
    let tester = Tester::new(Options::default())?;
    let reports = tester.test_all(&pairs);
    let seconds = start.elapsed().as_secs_f64();
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut loading: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut file = flag("--out").map(std::fs::File::create).transpose()?;
    for ((place, pair), report) in order.iter().zip(&pairs).zip(reports) {
        let report: Report = report?;
        let (_, id, languages) = &rows[*place];
        let mut key = serde_json::to_value(report.verdict)?.as_str().unwrap_or_default().to_owned();
        if report.verdict == Verdict::CannotRun {
            key = format!("{key}: {}", serde_json::to_value(report.cause)?.as_str().unwrap_or_default());
        }
        let loads = tester.lacks(&pair.first)?.is_none() && tester.lacks(&pair.second)?.is_none();
        if loads {
            let [all, run] = loading.entry(languages.clone()).or_default();
            *all += 1;
            *run += usize::from(report.verdict != Verdict::CannotRun);
        }
        *counts.entry(languages.clone()).or_default().entry(key).or_default() += 1;
        if let Some(file) = &mut file {
            writeln!(
                file,
                "{}",
                serde_json::json!({"id": id, "languages": languages, "loads": loads, "report": report})
            )?;
        }
    }
    let mut out = std::io::stdout().lock();
    for (languages, counts) in counts {
        let [all, run] = loading.get(&languages).copied().unwrap_or_default();
        let pairs = counts.values().sum::<usize>();
        writeln!(out, "{languages}: {pairs} pairs, {all} load by themselves, {run} of these are run")?;
        for (key, count) in counts {
            writeln!(out, "  {count:5} {key}")?;
        }
    }
    writeln!(out, "{seconds:.1} s")?;
    Ok(())
}
