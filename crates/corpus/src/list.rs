//! A file that lists sources, one a line.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use familiar_source::words::{counted, size};

use crate::SourceError;
use familiar_files::bounded::read_within;
use familiar_files::named;

/// Most bytes of a list; some millions of packages.
const LIST_BYTES: u64 = 256 << 20;

/// Most lines that an error names.
const SHOWN_ERRORS: usize = 10;

/// Why a list cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    #[error("{}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: it is larger than {}", path.display(), size(LIST_BYTES))]
    TooLarge { path: PathBuf },
    #[error("{}: it is not text in UTF-8", path.display())]
    NotText { path: PathBuf },
    #[error("{}: {}", path.display(), lines.join("\n  "))]
    Lines { path: PathBuf, lines: Vec<String> },
}

/// The sources that a text means.
#[derive(Debug, Default)]
pub struct Names {
    /// Their one names, each once.
    pub names: Vec<String>,
    /// Those that cannot be read, and why.
    pub failed: Vec<SourceError>,
}

impl Names {
    /// All names, or the first source that cannot be read.
    pub fn all(self) -> Result<Vec<String>, SourceError> {
        self.failed.into_iter().next().map_or(Ok(self.names), Err)
    }
}

/// Lists the canonical names of the sources in a file, each once, in the order of the lines. `#` starts a comment at the
/// start of a line and behind a blank. `canonical` names the source that a line means, `is_of_reading` says whether it failed since that cannot be read. An error names all lines that mean
/// no source. Sources that cannot be read are told beside the others.
pub(crate) fn sources<E: Display>(
    path: &Path,
    canonical: impl Fn(&str) -> Result<String, E>,
    is_of_reading: impl Fn(&E) -> bool,
) -> Result<Names, ListError> {
    let unreadable = |source| ListError::Read { path: path.to_owned(), source };
    let file = named::open(path).map_err(unreadable)?;
    let bytes = read_within(file, LIST_BYTES).map_err(unreadable)?;
    let bytes = bytes.ok_or_else(|| ListError::TooLarge { path: path.to_owned() })?;
    let text = String::from_utf8(bytes).map_err(|_| ListError::NotText { path: path.to_owned() })?;
    let (mut names, mut failed) = (Vec::new(), Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    let mut errors = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        if line.starts_with("list:") {
            errors.push(format!("line {number}: {line}: a list cannot name another list"));
            continue;
        }
        match canonical(line) {
            Ok(name) => {
                if seen.insert(name.clone()) {
                    names.push(name);
                }
            }
            Err(error) if is_of_reading(&error) => {
                failed.push(SourceError::format(path, format!("line {number}: {error}")));
            }
            Err(error) => errors.push(format!("line {number}: {error}")),
        }
    }
    if errors.is_empty() {
        return Ok(Names { names, failed });
    }
    let more = errors.len().saturating_sub(SHOWN_ERRORS);
    errors.truncate(SHOWN_ERRORS);
    if more > 0 {
        errors.push(format!("and {}", counted(more as u64, "more line")));
    }
    Err(ListError::Lines { path: path.to_owned(), lines: errors })
}

fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').map(|(at, _)| at);
    let mut starts = comment.filter(|&at| line[..at].is_empty() || line[..at].ends_with([' ', '\t']));
    starts.next().map_or(line, |at| &line[..at]).trim()
}
