//! What is imported, and how.

use std::path::PathBuf;

use familiar_source::memory;

use crate::table::ROW_BYTES;

/// What is imported, and how.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// A folder in CodeNet's layout, a table, or a folder or an archive whose paths say everything.
    pub source: PathBuf,
    /// The folder of the new set.
    pub output: PathBuf,
    /// Columns of tables under other names: ours, and the one in the table.
    pub columns: Vec<(String, String)>,
    /// Statuses under other names: the one in the data, and ours.
    pub statuses: Vec<(String, String)>,
    /// Which folder of a path says what.
    pub paths: Option<PathPattern>,
    /// A table of the problems.
    pub problems: Option<PathBuf>,
    /// A limit for the memory in bytes.
    pub memory: usize,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

impl ImportOptions {
    /// Most bytes of a row and of a text: what is made of it on the way fits into the memory.
    pub(super) fn text_bytes(&self) -> u64 {
        (memory::budget(self.memory) as u64 / 8).min(ROW_BYTES)
    }
}

/// What a part of a path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPart {
    Problem,
    User,
    Status,
    Language,
    Id,
    Ignored,
}

/// Which folder of a path says what: `{problem}/{user}/{status}`. What stands behind is the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern(pub Vec<PathPart>);

impl PathPattern {
    /// The words between braces.
    pub const WORDS: [(&str, PathPart); 6] = [
        ("problem", PathPart::Problem),
        ("user", PathPart::User),
        ("status", PathPart::Status),
        ("language", PathPart::Language),
        ("id", PathPart::Id),
        ("", PathPart::Ignored),
    ];
}

impl std::str::FromStr for PathPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        let part = |part: &str| {
            let word = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
            let word = word.or((part == "*").then_some("")).ok_or_else(|| InvalidPattern(part.to_owned()))?;
            let known = Self::WORDS.iter().find(|(name, _)| *name == word);
            known.map(|&(_, part)| part).ok_or_else(|| InvalidPattern(part.to_owned()))
        };
        Ok(Self(text.trim_matches('/').split('/').map(part).collect::<Result<_, _>>()?))
    }
}

/// A part of a pattern that says nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} says nothing: the parts are {{problem}}, {{user}}, {{status}}, {{language}}, {{id}} and *")]
pub struct InvalidPattern(String);
