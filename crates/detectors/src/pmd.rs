//! PMD's CPD: `pmd cpd --minimum-tokens 50 --format xml --dir SYSTEM > cpd.xml`, or `--format csv`.
//!
//! A duplication has two places and more, of which all pairs are taken. The CSV has no last lines, but how many lines a place has.
//!
//! # How to get it
//!
//! `pmd-dist-VERSION-bin.zip` is at the releases of pmd/pmd on GitHub (BSD). Unpack it, and run `bin/pmd`. It needs Java 8 or later.

use std::io::Read as _;
use std::path::Path;

use quick_xml::events::{BytesStart, Event};

use crate::error::DetectorError;
use crate::input;
use crate::pair::{Region, Reported, all_pairs};

pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let mut start = [0; 64];
    let count = input::open(path)?
        .read(&mut start)
        .map_err(|source| DetectorError::Read { path: path.to_owned(), source })?;
    if start[..count].trim_ascii_start().starts_with(b"<") { xml(path, each) } else { csv(path, each) }
}

fn xml(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let mut reader = quick_xml::Reader::from_reader(input::open(path)?);
    let failed = |reason: String| DetectorError::format(path, reason);
    let (mut buffer, mut members, mut lines, mut inside) = (Vec::new(), Vec::new(), 0, false);
    loop {
        match reader.read_event_into(&mut buffer).map_err(|error| failed(error.to_string()))? {
            Event::Eof => return Ok(()),
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                "duplication" => {
                    inside = true;
                    lines = number(&tag, "lines").unwrap_or(1);
                }
                "file" if inside => {
                    let start =
                        number(&tag, "line").ok_or_else(|| failed("a file without line".to_owned()))?;
                    let path = text(&tag, "path").ok_or_else(|| failed("a file without path".to_owned()))?;
                    let end = number(&tag, "endline").unwrap_or(start + lines.max(1) - 1);
                    members.push(Region { path, start, end });
                }
                _ => {}
            },
            Event::End(tag) if tag.local_name().as_ref() == "duplication" => {
                inside = false;
                all_pairs(&members, each);
                members.clear();
            }
            _ => {}
        }
        buffer.clear();
    }
}

fn text(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

fn number(tag: &BytesStart<'_>, name: &str) -> Option<u32> {
    text(tag, name)?.parse().ok()
}

/// `lines,tokens,occurrences` and then `startLine,path` for each place; with line counts, `tokens,occurrences` and then
/// `startLine,lineCount,path`.
fn csv(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(input::open(path)?);
    let heading = rows.headers().map_err(|error| DetectorError::format(path, error.to_string()))?.clone();
    let by_place = match heading.get(0) {
        Some("lines") => false,
        Some("tokens") => true,
        _ => return Err(DetectorError::format(path, "its heading is not that of PMD's CPD")),
    };
    let (before, each_place) = if by_place { (2, 3) } else { (3, 2) };
    for row in rows.records() {
        let row = row.map_err(|error| DetectorError::format(path, error.to_string()))?;
        let line = row.position().map_or(0, csv::Position::line);
        let wrong = || DetectorError::line(path, line, "a place without its line");
        let number = |at: usize| row.get(at).and_then(|it| it.parse::<u32>().ok()).ok_or_else(wrong);
        let mut members = Vec::new();
        for at in (before..row.len()).step_by(each_place) {
            let lines = if by_place { number(at + 1)? } else { number(0)? };
            let (start, file) = (number(at)?, row.get(at + each_place - 1).ok_or_else(wrong)?);
            members.push(Region { path: file.to_owned(), start, end: start + lines.max(1) - 1 });
        }
        all_pairs(&members, each);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Reported> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("cpd");
        std::fs::write(&file, text).expect("it is written");
        let mut pairs = Vec::new();
        read(&file, &mut |pair| pairs.push(pair)).expect("it is read");
        pairs
    }

    #[test]
    fn xml_and_csv_give_the_same_pairs() {
        let xml = "<?xml version=\"1.0\"?>\n<pmd-cpd xmlns=\"https://pmd-code.org/schema/cpd-report\" version=\"1.0.0\">\n\
            <file path=\"/s/A.java\" totalNumberOfTokens=\"9\"/>\n<duplication lines=\"4\" tokens=\"50\">\n\
            <file column=\"1\" endcolumn=\"2\" endline=\"6\" line=\"3\" path=\"/s/A &amp; B.java\"/>\n\
            <file endline=\"14\" line=\"11\" path=\"/s/C.java\"/>\n<file line=\"21\" path=\"/s/D.java\"/>\n\
            <codefragment><![CDATA[a < b]]></codefragment>\n</duplication>\n</pmd-cpd>\n";
        let csv = "lines,tokens,occurrences\n4,50,3,3,/s/A & B.java,11,/s/C.java,21,/s/D.java\n";
        let by_place = "tokens,occurrences\n50,3,3,4,/s/A & B.java,11,4,/s/C.java,21,4,/s/D.java\n";
        let pairs = of(xml);
        assert_eq!(pairs.len(), 3);
        assert_eq!((pairs[2].left.start, pairs[2].left.end, pairs[2].right.end), (11, 14, 24));
        assert_eq!(of(csv), pairs);
        assert_eq!(of(by_place), pairs);
    }
}
