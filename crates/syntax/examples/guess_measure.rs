//! Measures guesses of languages over the rows that `benches/guess_rows.py` prints, on standard input.
//!
//! `guess_measure LINES [--likely LANGUAGE] [--by-set] [--show]` cuts each row that no weight was learnt from to that many lines that are not blank,
//! from one on that depends on the row alone, and prints for each language how many guesses are right, right but for the
//! dialect (C for C++, JavaScript for TypeScript and the other way round), wrong, and none.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

#[path = "guess/rows.rs"]
mod rows;

use familiar_source::Language;
use familiar_syntax::guess;
use rows::{cut, hash};

#[derive(Clone, Copy, Default)]
struct Counts {
    right: u32,
    dialect: u32,
    wrong: u32,
    none: u32,
}

impl Counts {
    fn add(&mut self, truth: Option<Language>, found: Option<Language>) -> bool {
        let count = match (found, truth) {
            (None, _) => &mut self.none,
            (Some(found), Some(truth)) if found == truth => &mut self.right,
            (Some(found), Some(truth)) if found.family() == truth.family() => &mut self.dialect,
            _ => &mut self.wrong,
        };
        *count += 1;
        found != truth
    }

    fn print(self, name: &str) {
        let Self { right, dialect, wrong, none } = self;
        let (guessed, rows) = (right + dialect + wrong, right + dialect + wrong + none);
        let percent = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
        println!(
            "{name:34} {rows:6} {right:6} {dialect:7} {wrong:5} {none:5} {:8.1} % {:8.1} %",
            percent(right + dialect, guessed),
            percent(guessed, rows)
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let most = args.first().and_then(|lines| lines.parse().ok()).expect("a number of lines");
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let (show, by_set) = (has("--show"), has("--by-set"));
    let likely = args.iter().skip_while(|arg| *arg != "--likely").nth(1);
    let likely = likely.map(|name| Language::from_name(name).expect("a language"));
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    let mut all = Counts::default();
    for row in rows::read().filter(|row| !row.is_learnt()) {
        let piece = cut(&row.code, most, hash(&row.code));
        let truth = Language::from_name(&row.lang).filter(|&truth| truth != Language::Other);
        let found = guess::language(piece.as_bytes(), likely);
        let set = row.source.split(' ').next().unwrap_or_default();
        let name = if by_set { format!("{} {set}", row.lang) } else { row.lang.clone() };
        let differs = counts.entry(name).or_default().add(truth, found);
        if truth.is_some() {
            all.add(truth, found);
        }
        if show && differs {
            println!("== {} {set}, guessed {}\n{piece}", row.lang, found.map_or("none", Language::name));
        }
    }
    println!(
        "{:34} {:>6} {:>6} {:>7} {:>5} {:>5} {:>10} {:>10}",
        "language", "rows", "right", "dialect", "wrong", "none", "precision", "guessed"
    );
    for (name, counts) in counts {
        counts.print(&name);
    }
    all.print("all code");
}
