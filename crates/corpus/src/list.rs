//! A file that lists sources, one a line.

use std::path::Path;

use familiar_source::words::{counted, size};

use crate::content::read_within;
use crate::named;
use crate::spec::SpecError;

/// Most bytes of a list; some millions of packages.
const LIST_BYTES: u64 = 256 << 20;

/// Most lines that an error tells of.
const TOLD: usize = 10;

/// The one names of the sources that a file lists, each once, in the order of the lines. `#` starts a comment at the start
/// of a line and behind a blank. `canonical` says what a line means; an error names all lines that mean nothing.
pub(crate) fn sources(
    path: &Path,
    canonical: impl Fn(&str) -> Result<String, SpecError>,
) -> Result<Vec<String>, SpecError> {
    let unreadable = |source| SpecError::Read { path: path.to_owned(), source };
    let file = named::open(path).map_err(unreadable)?;
    let bytes = read_within(file, LIST_BYTES).map_err(unreadable)?;
    let wrong = |reason: String| SpecError::List { path: path.to_owned(), reason };
    let bytes = bytes.ok_or_else(|| wrong(format!("it is larger than {}", size(LIST_BYTES))))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text in UTF-8".to_owned()))?;
    let mut names = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut errors = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        let name = if line.starts_with("list:") {
            Err(SpecError::List { path: line.into(), reason: "a list cannot name another list".to_owned() })
        } else {
            canonical(line)
        };
        match name {
            Ok(name) => {
                if seen.insert(name.clone()) {
                    names.push(name);
                }
            }
            Err(error) => errors.push(format!("line {number}: {error}")),
        }
    }
    if errors.is_empty() {
        return Ok(names);
    }
    let more = errors.len().saturating_sub(TOLD);
    errors.truncate(TOLD);
    if more > 0 {
        errors.push(format!("and {}", counted(more as u64, "more line")));
    }
    Err(wrong(errors.join("\n  ")))
}

fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').map(|(at, _)| at);
    let mut starts = comment.filter(|&at| line[..at].is_empty() || line[..at].ends_with([' ', '\t']));
    starts.next().map_or(line, |at| &line[..at]).trim()
}
