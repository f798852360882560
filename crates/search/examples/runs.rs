//! Measures the run search on a tree: `cargo run --release --example runs -- DIR [min tokens] [gap]`.
//!
//! Files are split into words and punctuation, which is what a lexer does as far as speed is concerned.

#![allow(clippy::print_stdout)]

use familiar_index::{Collection, FileEntry, Side, TokenStore};
use familiar_search::runs::{Fingerprinter, RunSettings, find_with};
use familiar_source::TokenClass;
use familiar_syntax::normal::{Renaming, Symbol};
use std::path::{Path, PathBuf};

const KEYWORDS: &[&[u8]] = &[
    b"and", b"as", b"assert", b"break", b"class", b"def", b"del", b"elif", b"else", b"except", b"finally",
    b"for", b"if", b"in", b"is", b"lambda", b"not", b"or", b"pass", b"raise", b"return", b"try", b"while",
    b"with", b"yield",
];

fn files(folder: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_unstable_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            files(&entry.path(), out)?;
        } else if kind.is_file() {
            out.push(entry.path());
        }
    }
    Ok(())
}

fn symbols(source: &[u8]) -> Box<[u32]> {
    let mut out = Vec::new();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    for line in source.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii();
        let import = line.starts_with(b"import ") || line.starts_with(b"from ");
        let mut at = 0;
        while at < line.len() && line[at] != b'#' {
            let start = at;
            let class = match line[at] {
                b' ' | b'\t' => {
                    at += 1;
                    continue;
                }
                quote @ (b'"' | b'\'') => {
                    at += 1;
                    while at < line.len() && line[at] != quote {
                        at += 1;
                    }
                    at = (at + 1).min(line.len());
                    TokenClass::String
                }
                first if word(first) => {
                    while at < line.len() && word(line[at]) {
                        at += 1;
                    }
                    if KEYWORDS.contains(&&line[start..at]) {
                        TokenClass::Keyword
                    } else if first.is_ascii_digit() {
                        TokenClass::Number
                    } else {
                        TokenClass::Identifier
                    }
                }
                _ => {
                    at += 1;
                    TokenClass::Operator
                }
            };
            let class = if import { TokenClass::Import } else { class };
            out.push(Symbol::new(class, &line[start..at]).0);
        }
    }
    out.into()
}

/// A line of `/proc/self/status`.
fn status(key: &str) -> String {
    let all = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    all.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("?").trim().to_string()
}

/// Seconds of processor time that all threads have used, in steps of a hundredth.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).and_then(|n| n.parse().ok()).unwrap_or(default);
    let mut paths = Vec::new();
    files(Path::new(arguments.first().map_or(".", String::as_str)), &mut paths)?;
    let mut tokens = TokenStore::new(usize::MAX, std::env::temp_dir());
    for path in &paths {
        tokens.push(&symbols(&std::fs::read(path)?))?;
    }
    let entry = FileEntry { family: 0, side: Side::Both, tests_from: u32::MAX, is_markup: false };
    let files = vec![entry; paths.len()];
    let line_starts = TokenStore::new(0, std::env::temp_dir());
    let scopes = TokenStore::new(0, std::env::temp_dir());
    let collection = Collection { tokens, line_starts, scopes, files, fragments: Vec::new() };
    println!("{} files, {} tokens, {}", paths.len(), collection.tokens.total(), status("VmRSS:"));
    for (type_2, renaming) in
        [(false, Renaming::Blind), (true, Renaming::Blind), (true, Renaming::Consistent)]
    {
        let settings = RunSettings {
            min_tokens: number(1, 50),
            type_2,
            renaming,
            max_gap_tokens: number(2, 0),
            max_equal_gap: 0,
            cross_families: false,
            import_barriers: true,
            memory: usize::MAX,
        };
        let start = cpu();
        let mut fingerprinter = Fingerprinter::new(&settings);
        let mut buffer = Vec::new();
        let mut fingerprints = Vec::with_capacity(paths.len());
        for file in 0..paths.len() as u32 {
            fingerprints.push(fingerprinter.file(collection.tokens.file(file, &mut buffer)?));
        }
        let sampled = cpu() - start;
        let start = cpu();
        let runs = find_with(&collection, &settings, None, &fingerprints)?;
        let found = cpu() - start;
        let places: usize = runs.groups.iter().map(|group| group.members.len()).sum();
        let largest = runs.groups.iter().map(|group| group.members.len()).max().unwrap_or(0);
        let periodic = runs.groups.iter().filter(|group| group.period > 0).count();
        println!(
            "type 2 {type_2} {renaming:?}: fingerprints {sampled:.2} s, find {found:.2} s; {} samples, {} groups \
             ({periodic} periodic), {places} places, largest {largest}, {} merged; now {}, peak {}",
            runs.samples,
            runs.groups.len(),
            runs.pairs.len(),
            status("VmRSS:"),
            status("VmHWM:"),
        );
    }
    Ok(())
}
