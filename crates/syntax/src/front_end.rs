//! The small trait in the middle: what every front end gives.

use familiar_source::{Fragment, LineIndex, Token, memory};

/// Turns the bytes of one file into tokens and fragments. Never fails and never panics, whatever the bytes.
pub trait FrontEnd: Sync {
    /// Appends the tokens of `source` in order to `out.tokens`, hidden ones included, and, where `want.fragments`,
    /// the classes, functions and blocks (not the file itself) to `out.fragments`, with token spans that count the
    /// hidden tokens too. `out` comes cleared; `out.lines` is built for `source` where `want.fragments`.
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence;
}

/// What the caller will look at; the rest need not be computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// Fragments and, with them, line numbers.
    pub fragments: bool,
    /// [`Token::starts_line`] as a pretty printer would set it.
    pub line_starts: bool,
}

/// How sure a front end is of the fragments that it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    Sure,
    /// Brackets that do not match, or a construct that it could not place: another front end may know better.
    Unsure,
    /// The file would take more work or memory than it may: tokens of a simpler kind, and no fragments.
    GaveUp,
}

/// What one file may take while it is parsed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most tokens.
    pub tokens: usize,
    /// Most bytes of memory for a syntax tree.
    pub tree: usize,
}

impl Limits {
    /// What one file may take while it is parsed within a memory setting.
    pub fn of_memory(setting: usize) -> Self {
        Self { tokens: memory::file_budget(setting) / size_of::<Token>(), tree: memory::tree_budget(setting) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { tokens: usize::MAX, tree: usize::MAX }
    }
}

/// Where a front end puts what it finds; reused from file to file.
#[derive(Debug, Default)]
pub struct Output {
    pub tokens: Tokens,
    pub fragments: Vec<Fragment>,
    pub lines: LineIndex,
    /// How much it may hold.
    pub limits: Limits,
}

impl Output {
    pub fn within(limits: Limits) -> Self {
        Self { tokens: Tokens::with_limit(limits.tokens), limits, ..Self::default() }
    }
}

/// The tokens of one file, up to a limit that bounds memory.
#[derive(Debug)]
pub struct Tokens {
    list: Vec<Token>,
    limit: usize,
    overflowed: bool,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { list: Vec::new(), limit: usize::MAX, overflowed: false }
    }
}

impl Tokens {
    fn with_limit(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Appends a token, or drops it where the limit is reached.
    #[inline]
    pub fn push(&mut self, token: Token) {
        if self.list.len() < self.limit {
            self.list.push(token);
        } else {
            self.overflowed = true;
        }
    }

    /// Whether the limit was reached; a lexer may then stop early.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.overflowed
    }

    /// Says that tokens were left out elsewhere.
    pub(crate) fn overflow(&mut self) {
        self.overflowed = true;
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.overflowed = false;
    }

    pub fn as_slice(&self) -> &[Token] {
        &self.list
    }

    pub fn as_mut_slice(&mut self) -> &mut [Token] {
        &mut self.list
    }

    pub(crate) fn list_mut(&mut self) -> &mut Vec<Token> {
        &mut self.list
    }
}

impl std::ops::Deref for Tokens {
    type Target = [Token];

    fn deref(&self) -> &[Token] {
        &self.list
    }
}
