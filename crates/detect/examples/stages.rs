//! Where the processor time of a search goes, stage by stage:
//! `cargo run --release -p familiar-detect --example stages -- MEASURE MEMORY OUTPUT TREE…`, with the memory in MiB. Every
//! pair is written to OUTPUT as `familiar clones --format ndjson` writes it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use familiar_detect::{CloneOptions, Scope, Search, pool};
use familiar_files::dir::{self, WalkOptions};
use familiar_files::input::Input;
use familiar_index::Side;
use familiar_report::{Format, Style};
use familiar_search::Measure;
use familiar_source::Progress;

/// Prints what each stage took when the next begins.
struct Stages(Mutex<(String, f64)>);

impl Stages {
    #[expect(clippy::print_stdout, reason = "it is what the example is for")]
    fn begin(&self, name: &str) {
        let mut stage = self.0.lock().expect("nothing panics while it is held");
        let now = processor_seconds();
        println!("{:8.2} s  {}", now - stage.1, stage.0);
        *stage = (name.to_owned(), now);
    }
}

impl Progress for Stages {
    fn stage(&self, name: &str, _total: u64) {
        self.begin(name);
    }

    fn advance(&self, _done: u64) {}
}

/// User and system seconds of this process; Linux counts them in hundredths.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect()).unwrap_or_default();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let measure = arguments.next().ok_or("give a measure")?;
    let measure = Measure::ALL.into_iter().find(|one| one.name() == measure).ok_or("no such measure")?;
    let mebibytes: usize = arguments.next().ok_or("give the memory in MiB")?.parse()?;
    let output = arguments.next().ok_or("give an output")?;
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let options = CloneOptions { paths, measure, memory: mebibytes << 20, ..CloneOptions::default() };
    let stages = Stages(Mutex::new(("start".to_owned(), 0.0)));
    let pool = pool(0)?;
    let report = pool.install(|| -> Result<_, Box<dyn std::error::Error + Send + Sync>> {
        stages.begin("listing files");
        let listing = dir::walk(&options.paths, &WalkOptions::default())?;
        let search = Search::read(&options, Input::of_files(listing.documents), |_| Side::Both, &stages)?;
        let scope = Scope {
            trees: options.paths.len(),
            roots: options.paths.clone(),
            skips: listing.skips,
            ..Scope::default()
        };
        Ok(search.within(scope).report(None, &stages, pool.clone())?)
    });
    let report = report.map_err(|error| error.to_string())?;
    stages.begin("writing every pair");
    let mut out = BufWriter::new(File::create(output)?);
    familiar_report::write(&report, Format::Ndjson, Style::default(), &mut out)?;
    out.flush()?;
    stages.begin("end");
    Ok(())
}
