//! How long a search takes for each candidate, with a detector that costs nothing and finds longer programs less alike.
//!
//! `cargo run --release -p familiar-transform --example rates -- FILE.py [SET] [STEPS]`

use std::convert::Infallible;
use std::io::Write;
use std::time::Instant;

use familiar_source::Language;
use familiar_transform::{Program, SearchOptions, catalog, search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file of Python")?;
    let set =
        catalog::Set::named(&arguments.next().unwrap_or_else(|| "all".to_owned())).ok_or("no such set")?;
    let steps = arguments.next().map_or(Ok(10), |it| it.parse())?;
    let original = Program::parse(Language::Python, &std::fs::read(path)?, usize::MAX)?;
    let members = set.members(Language::Python);
    let mut bytes = 0;
    let mut score = |texts: &[Vec<u8>]| {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        bytes += lengths.iter().sum::<usize>();
        Ok::<_, Infallible>(lengths.iter().map(|length| 1000.0 / (1000.0 + *length as f64)).collect())
    };
    let start = Instant::now();
    let options = SearchOptions { steps, ..SearchOptions::default() };
    let Ok(attack) = search(&original, &members, &options, &mut score);
    let seconds = start.elapsed().as_secs_f64();
    writeln!(
        std::io::stdout(),
        "{} candidates of {} bytes, {:.3} ms each; the longest: {:?}",
        attack.tried,
        bytes / attack.tried.max(1),
        seconds * 1e3 / attack.tried.max(1) as f64,
        attack.steps.iter().map(|it| it.name).collect::<Vec<_>>()
    )?;
    Ok(())
}
