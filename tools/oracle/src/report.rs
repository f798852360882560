//! Numbers and differences for the terminal, and as JSON.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use familiar_source::{Language, LineIndex};
use familiar_syntax::tree::{Grammar, TreeFrontEnd};
use familiar_syntax::{FrontEnd, Output, Want, languages};
use serde_json::json;

use crate::compare::{Counts, Difference, Side, Tally};

/// Prints the sums and the first `show` differences.
pub(crate) fn print(language: Language, counts: &Counts, show: usize) {
    println!(
        "{}: {} files, {:.1} MB; {} clean for tree-sitter, {} given up, {} of the clean unsure for us",
        language.name(),
        counts.files,
        counts.bytes as f64 / 1e6,
        counts.clean,
        counts.given_up,
        counts.unsure
    );
    for tally in &counts.tallies {
        println!(
            "{}: {} in both, {} only tree-sitter, {} only ours: agreement {:.3} %",
            tally.kind.name(),
            tally.both,
            tally.only_tree,
            tally.only_ours,
            tally.agreement()
        );
        tally.differences.iter().take(show).for_each(print_difference);
    }
}

fn print_difference(one: &Difference) {
    println!(
        "{}:{}-{} only {} {:?} ({}): {}",
        one.path.display(),
        one.lines.0,
        one.lines.1,
        side(one.side),
        one.name,
        one.cause,
        one.first_line
    );
}

/// Writes everything to `path`.
pub(crate) fn write_json(path: &Path, language: Language, counts: &Counts) -> Result<()> {
    let all = json!({
        "language": language.name(),
        "files": counts.files,
        "clean": counts.clean,
        "given_up": counts.given_up,
        "unsure": counts.unsure,
        "bytes": counts.bytes,
        "kinds": counts.tallies.iter().map(kind).collect::<Vec<_>>(),
    });
    std::fs::write(path, format!("{all:#}\n")).with_context(|| format!("cannot write {}", path.display()))
}

fn kind(tally: &Tally) -> serde_json::Value {
    let difference = |one: &Difference| {
        json!({
            "path": one.path.display().to_string(),
            "side": side(one.side),
            "start": one.lines.0,
            "end": one.lines.1,
            "name": one.name,
            "cause": one.cause,
            "text": one.first_line,
        })
    };
    json!({
        "kind": tally.kind.name(),
        "both": tally.both,
        "only_tree_sitter": tally.only_tree,
        "only_ours": tally.only_ours,
        "agreement": tally.agreement(),
        "differences": tally.differences.iter().map(difference).collect::<Vec<_>>(),
    })
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Ours => "ours",
        Side::TreeSitter => "tree-sitter",
    }
}

/// Prints the speed of each front end over `files`, held in memory: the best of three rounds.
pub(crate) fn speed(language: Language, grammar: &'static Grammar, files: &[PathBuf]) -> Result<()> {
    const ENOUGH: usize = 64 << 20;
    let mut sources: Vec<Vec<u8>> = Vec::new();
    let mut bytes = 0;
    for path in files {
        let source = std::fs::read(path)?;
        bytes += source.len();
        sources.push(source);
        if bytes > ENOUGH {
            break;
        }
    }
    let trees = TreeFrontEnd(grammar);
    let own = languages::definition(language).front_end;
    let only_tokens = Want::default();
    let all = Want { fragments: true, line_starts: true };
    let mut line = String::new();
    let rounds: [(&str, &dyn FrontEnd, Want); 3] = [
        ("tokens", own, only_tokens),
        ("tokens and fragments", own, all),
        ("tree-sitter, both", &trees, all),
    ];
    for (what, front_end, want) in rounds {
        let best = (0..3).map(|_| round(front_end, want, &sources)).min().unwrap_or_default();
        write!(line, "{what} {:.1} MB/s; ", bytes as f64 / 1e6 / best.as_secs_f64().max(1e-9))?;
    }
    println!("{}", line.trim_end_matches("; "));
    Ok(())
}

fn round(front_end: &dyn FrontEnd, want: Want, sources: &[Vec<u8>]) -> Duration {
    let mut out = Output::default();
    let start = clock();
    for source in sources {
        out.tokens.clear();
        out.fragments.clear();
        if want.fragments {
            out.lines = LineIndex::new(source);
        }
        front_end.parse(source, want, &mut out);
    }
    clock().saturating_sub(start)
}

/// The processor time of this thread where the system tells it, so that other programs do not count; else the time.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
