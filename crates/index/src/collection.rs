//! The tables that detection works on: files, fragments and the tokens of both.

use std::io;
use std::ops::Range;

use crate::TokenStore;

/// Files and fragments as numbers, in the order of the results: by path, then by start.
#[derive(Debug)]
pub struct Collection {
    pub tokens: TokenStore,
    /// For each file the ascending positions of the tokens that start a statement; empty where nobody asks for them.
    pub line_starts: TokenStore,
    /// For each file the first token and the end of every function and class, ordered by the first; empty where nobody
    /// asks for them.
    pub scopes: TokenStore,
    pub files: Vec<FileEntry>,
    /// Ordered by file, then as the front end gave them.
    pub fragments: Vec<FragmentEntry>,
}

impl Collection {
    /// Replaces `out` by the positions in `fragment`, counted from its first token, that start a statement.
    pub fn line_starts_of(&self, fragment: &FragmentEntry, out: &mut Vec<u32>) -> io::Result<()> {
        self.line_starts_in(fragment.file, fragment.first..fragment.first + fragment.tokens, out)
    }

    /// The same for any tokens of a file.
    pub fn line_starts_in(&self, file: u32, tokens: Range<u32>, out: &mut Vec<u32>) -> io::Result<()> {
        let mut buffer = Vec::new();
        let starts = self.line_starts.file(file, &mut buffer)?;
        let from = starts.partition_point(|&at| at < tokens.start);
        let inside = starts[from..].iter().take_while(|&&at| at < tokens.end);
        out.clear();
        out.extend(inside.map(|at| at - tokens.start));
        Ok(())
    }
}

/// One file: its number is its position in [`Collection::files`] and in [`Collection::tokens`].
#[derive(Clone, Copy, Debug)]
pub struct FileEntry {
    /// Only fragments of the same family are compared, unless the search crosses families.
    pub family: u8,
    pub side: Side,
    /// The token from which on it holds tests, in which set-up and checks are alike without being copies.
    pub tests_from: u32,
    /// Whether it is markup or settings, in which neighbors are alike without being copies.
    pub is_markup: bool,
}

impl FileEntry {
    /// Whether the tokens from `first` on stand in a test.
    pub fn is_test(&self, first: u32) -> bool {
        first >= self.tests_from
    }
}

/// Which side of a search a file stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// One tree against itself: every file is on both sides.
    Both,
    Query,
    Against,
}

impl Side {
    /// Whether a pair of files on these sides is one that the search asks for.
    pub fn pairs_with(self, other: Self) -> bool {
        self == Self::Both || other == Self::Both || self != other
    }
}

/// One fragment: its number is its position in [`Collection::fragments`].
#[derive(Clone, Copy, Debug)]
pub struct FragmentEntry {
    pub file: u32,
    /// Position among the fragments of its file.
    pub ordinal: u32,
    /// The number of its `FragmentKind`.
    pub kind: u8,
    /// Whether it is a function without a name that a test is made of.
    pub test_callback: bool,
    /// A hash of its name without case and signs; 0 for what has none.
    pub name: u32,
    /// First token in the file's token stream.
    pub first: u32,
    /// Number of tokens.
    pub tokens: u32,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Hash of the Type-1 form.
    pub exact: u64,
    /// Hash of the Type-2 form.
    pub renamed: u64,
}
