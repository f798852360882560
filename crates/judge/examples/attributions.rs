//! What the comments of files name of some origins, line by line, for somebody who reads them and says whether that is right.
//!
//! `cargo run --release -p familiar-judge --example attributions -- ORIGINS FILE…`: ORIGINS has a line for each origin, with tabs between:
//! what corpora call the project (`npm/lodash`), its links and its holders, each with spaces or semicolons between.

use std::fs;

use familiar_judge::attribution::{Copied, EvidenceKind, Original, Text};
use familiar_license::copyrights;

#[expect(clippy::print_stdout, reason = "it is what the example is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let origins = fs::read_to_string(arguments.next().ok_or("ORIGINS is missing")?)?;
    let origins: Vec<Original> = origins.lines().map(origin).collect();
    for path in arguments {
        let bytes = fs::read(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let claims = copyrights(&text);
        let looked_through = Text::claimed(&text, &claims);
        let copied = Copied::new(&looked_through, (1, lines.len() as u32));
        for origin in &origins {
            let found = copied.attribution(origin);
            for one in found.evidence.iter().filter(|one| one.kind != EvidenceKind::License) {
                let line = lines.get(one.line as usize - 1).unwrap_or(&"").trim();
                println!("{}\t{}\t{path}:{}\t{line}", origin.projects[0], one, one.line);
            }
        }
    }
    Ok(())
}

fn origin(line: &str) -> Original {
    let mut fields = line.split('\t');
    let mut next = |separator: char| {
        let list = fields.next().unwrap_or_default().split(separator).map(str::trim).map(str::to_owned);
        list.filter(|one| !one.is_empty()).collect::<Vec<_>>()
    };
    Original { projects: next(' '), links: next(' '), holders: next(';'), ..Original::default() }
}
