//! The source text of the files that hold findings, in packs.

use std::io;

use familiar_source::{LineIndex, SourceText, TokenClass};
use serde::Serialize;

use super::columns::Column;
use super::files::Files;
use super::safe::to_json;
use super::sink::Sink;
use super::view::ResultView;
use crate::{FragmentRow, NoText};

/// What became of a file.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// It stands in this pack and has as many lines.
    Packed { pack: u32, lines: u32 },
    /// Why its text is not here.
    Missing(String),
}

/// Bytes of text after which a pack is full: a browser is slow to forget what it has loaded, so that little is loaded for a file.
const PACK: usize = 64 << 10;

/// The number that stands for a comment in a run, after those of the token classes.
const COMMENT: u32 = 8;

#[derive(Serialize)]
struct PackedFile {
    text: String,
    /// Gap before the run, then its length times sixteen plus its class; in UTF-16 units.
    runs: Column,
}

/// Files that are put in packs, one after another.
#[derive(Default)]
pub(crate) struct Packs {
    pack: Vec<PackedFile>,
    size: usize,
    number: u32,
}

impl Packs {
    pub(crate) fn push(&mut self, source: &SourceText, lines: u32, sink: &mut dyn Sink) -> io::Result<Read> {
        let read = Read::Packed { pack: self.number, lines };
        self.size += source.text.len();
        self.pack.push(packed(source));
        if self.size >= PACK {
            self.flush(sink)?;
        }
        Ok(read)
    }

    /// Puts the pack that is not full.
    pub(crate) fn finish(mut self, sink: &mut dyn Sink) -> io::Result<()> {
        if self.pack.is_empty() { Ok(()) } else { self.flush(sink) }
    }

    fn flush(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        sink.put(&format!("source-{}", self.number), &to_json(&self.pack)?)?;
        *self = Self { number: self.number + 1, ..Self::default() };
        Ok(())
    }
}

/// Puts the packs, and tells what became of each file. Files are read one at a time.
pub(crate) fn put_packs(
    report: &ResultView<'_>,
    files: &Files,
    sink: &mut dyn Sink,
) -> io::Result<Vec<Read>> {
    let (mut packs, mut read) = (Packs::default(), Vec::new());
    for file in files.ranges() {
        let fragments = &report.fragments[file];
        let source = report.sources.source(fragments[0]).and_then(|source| unchanged(source, fragments));
        read.push(match source {
            Ok((source, lines)) => packs.push(&source, lines, sink)?,
            Err(error) => Read::Missing(error.to_string()),
        });
    }
    packs.finish(sink)?;
    Ok(read)
}

/// The source and its number of lines, unless the fragments stand on other lines of it than they did.
fn unchanged(source: SourceText, fragments: &[&FragmentRow]) -> Result<(SourceText, u32), NoText> {
    let index = LineIndex::new(&source.text);
    let stands = |fragment: &&FragmentRow| {
        let (start, end) = (fragment.start_byte, fragment.end_byte);
        start >= source.shift
            && start < end
            && (end - source.shift) as usize <= source.text.len()
            && index.line(start - source.shift) == fragment.start_line
            && index.line(end - 1 - source.shift) == fragment.end_line
    };
    if !fragments.iter().all(stands) {
        return Err(NoText::Changed);
    }
    let lines = index.count(source.text.len());
    Ok((source, lines))
}

/// How many lines a text has.
pub(crate) fn lines(source: &SourceText) -> u32 {
    LineIndex::new(&source.text).count(source.text.len())
}

fn packed(source: &SourceText) -> PackedFile {
    let mut place = Units { bytes: &source.text, at: 0, units: 0 };
    let mut runs = Column::default();
    let mut end = 0;
    let mut push = |start: u32, stop: u32, class: u32| {
        runs.push(start - end);
        runs.push((stop - start) << 4 | class);
        end = stop;
    };
    let comment = |place: &mut Units<'_>, from: usize, to: usize, push: &mut dyn FnMut(u32, u32, u32)| {
        let gap = &source.text[from..to];
        let inside = gap.trim_ascii();
        if !inside.is_empty() {
            let start = from + (gap.len() - gap.trim_ascii_start().len());
            push(place.units_at(start), place.units_at(start + inside.len()), COMMENT);
        }
    };
    let mut before = 0;
    for token in &source.tokens {
        let (start, stop) = (token.start as usize, token.end as usize);
        if start < before || stop > source.text.len() {
            continue;
        }
        comment(&mut place, before, start, &mut push);
        before = stop;
        // Names and punctuation are told by their characters.
        if !matches!(token.class, TokenClass::Operator | TokenClass::Identifier) {
            push(place.units_at(start), place.units_at(stop), token.class as u32);
        }
    }
    comment(&mut place, before, source.text.len(), &mut push);
    PackedFile { text: String::from_utf8_lossy(&source.text).into_owned(), runs }
}

/// Counts UTF-16 units up to byte offsets that do not fall, where bytes that are not UTF-8 are replaced.
struct Units<'t> {
    bytes: &'t [u8],
    at: usize,
    units: u32,
}

impl Units<'_> {
    fn units_at(&mut self, byte: usize) -> u32 {
        let part = &self.bytes[self.at.min(byte)..byte];
        self.units += if part.is_ascii() {
            part.len() as u32
        } else {
            String::from_utf8_lossy(part).encode_utf16().count() as u32
        };
        self.at = self.at.max(byte);
        self.units
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Token;

    use super::*;

    #[test]
    fn runs_count_as_the_browser_does_and_gaps_with_text_are_comments() {
        let text = "if 'é𝄞': # 𝄞\n  a".as_bytes().to_vec();
        let token = |class, part: &str| {
            let start = String::from_utf8_lossy(&text).find(part).expect("there");
            Token::new(class, 0, start, start + part.len())
        };
        let tokens = vec![
            token(TokenClass::Keyword, "if"),
            token(TokenClass::String, "'é𝄞'"),
            token(TokenClass::Operator, ":"),
            token(TokenClass::Identifier, "a"),
        ];
        let packed = packed(&SourceText { text, shift: 0, tokens });
        let expected = [0, 2 << 4 | 1, 1, 5 << 4 | 5, 2, 4 << 4 | COMMENT];
        assert_eq!(
            serde_json::to_string(&packed.runs).expect("a string"),
            serde_json::to_string(&Column::from_iter(expected)).expect("a string")
        );
    }
}
