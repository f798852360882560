//! Prints the fragments of a file as the fast path finds them.
#![allow(clippy::print_stdout)]
use familiar_source::{Language, LineIndex};
use familiar_syntax::{Output, Want, languages};
fn main() {
    let mut args = std::env::args().skip(1);
    let language = Language::from_name(&args.next().expect("a language")).expect("known");
    for path in args {
        let source = std::fs::read(path).expect("file");
        let mut out = Output { lines: LineIndex::new(&source), ..Output::default() };
        let sure = languages::definition(language).front_end.parse(
            &source,
            Want { fragments: true, line_starts: true },
            &mut out,
        );
        println!("{sure:?} {} tokens", out.tokens.len());
        for f in &out.fragments {
            println!(
                "{} {} {}-{}",
                f.kind.name(),
                String::from_utf8_lossy(&source[f.name.range()]),
                f.lines.start,
                f.lines.end
            );
        }
    }
}
