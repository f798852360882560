//! What each transformation makes of each program.
//!
//! `cargo run -p familiar-sandbox --example rewritten -- ROWS.jsonl.zst`
//!
//! Rows have the keys `id`, `lang` and `code`. One line for each variant comes out, with the keys `id`, `name` and `code`. A fault of a
//! transformation has `fault` in the place of `code`.

use familiar_sandbox::Language;
use familiar_transform::{ApplyError, Program, Where, apply, catalog};
use std::io::{BufRead, BufReader, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give a file of rows with `id`, `lang` and `code`")?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let Some(language) = Language::from_name(text("lang")) else { continue };
        let Ok(program) = Program::parse(language, text("code").as_bytes(), usize::MAX) else { continue };
        for member in catalog::transformations().filter(|it| it.languages().contains(&language)) {
            let (id, name) = (text("id"), member.name());
            let row = match apply(&program, member, Where::All, 1) {
                Ok(variant) => serde_json::json!({"id": id, "name": name, "code": variant.program.text()}),
                Err(ApplyError::NotApplicable(_)) => continue,
                Err(fault @ ApplyError::Broken { .. }) => {
                    serde_json::json!({"id": id, "name": name, "fault": fault.to_string()})
                }
            };
            writeln!(out, "{row}")?;
        }
    }
    Ok(())
}
