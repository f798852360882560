//! Measures lexing and finding over a tree held in memory: `speed LANG DIR`.
#![allow(clippy::print_stdout)]
use std::{fs, path::Path, time::Instant};

use familiar_source::Language;
use familiar_syntax::{Output, Want, languages};

fn walk(dir: &Path, endings: &[&str], out: &mut Vec<Vec<u8>>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            walk(&path, endings, out);
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e)) {
            out.extend(fs::read(&path));
        }
    }
}

/// Processor time of this thread in seconds: the wall clock says little on a shared machine.
fn cpu() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux machine");
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).expect("nanoseconds first") / 1e9
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let language = Language::from_name(&args[1]).expect("a language");
    let definition = languages::definition(language);
    let mut files = Vec::new();
    walk(Path::new(&args[2]), definition.extensions, &mut files);
    let bytes: usize = files.iter().map(Vec::len).sum();
    let mut out = Output::default();
    for round in 0..5 {
        for want in [Want::default(), Want { fragments: true, line_starts: false }] {
            let (mut tokens, mut fragments, mut unsure) = (0, 0, 0);
            let (start, wall) = (cpu(), Instant::now());
            let mut index = 0.0;
            for file in &files {
                out.tokens.clear();
                out.fragments.clear();
                if want.fragments {
                    let begin = Instant::now();
                    out.lines.rebuild(file);
                    index += begin.elapsed().as_secs_f64();
                }
                let confidence = definition.front_end.parse(file, want, &mut out);
                unsure += usize::from(confidence == familiar_syntax::Confidence::Unsure);
                tokens += out.tokens.len();
                fragments += out.fragments.len();
            }
            let seconds = cpu() - start;
            let wall = wall.elapsed().as_secs_f64();
            println!(
                "{round} fragments={} {} files {:.1} MB {tokens} tokens {fragments} fragments {unsure} unsure: {:.3} s {:.0} MB/s (line index {index:.3} s, wall {wall:.3} s)",
                want.fragments,
                files.len(),
                bytes as f64 / 1e6,
                seconds,
                bytes as f64 / 1e6 / seconds
            );
        }
    }
}
