//! How long one question to a corpus takes: `find_latency CORPUS FILE…`, each file asked three times, the last counts.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::{Duration, Instant};

use familiar_library::{FindOptions, Library, QueryReader};

// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let corpus = arguments.next().ok_or("name a corpus and files")?;
    let (flags, files): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument == "--licenses");
    let start = Instant::now();
    let library = Library::open(Path::new(&corpus))?;
    println!("opened in {:.1} ms: {} blobs", millis(start.elapsed()), library.blobs());
    let options = FindOptions { licenses: !flags.is_empty(), ..FindOptions::default() };
    let mut reader = QueryReader::new(1 << 30);
    let (mut times, mut blobs) = (Vec::new(), 0);
    for round in 0..3 {
        for file in &files {
            let bytes = std::fs::read(file)?;
            let start = Instant::now();
            let Ok(asked) = reader.read(file, &bytes, None, None) else { continue };
            let found = library.find(&asked, &options)?;
            if round == 2 {
                times.push((start.elapsed(), file));
                blobs += found.blobs.len() + found.more_blobs as usize;
            }
        }
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{} questions, {blobs} blobs found", times.len());
    for share in [0.5, 0.9, 0.99, 1.0] {
        println!("p{:<3} {:.2} ms  {}", share * 100.0, millis(at(share).0), at(share).1);
    }
    Ok(())
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
