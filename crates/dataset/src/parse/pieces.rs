//! A text in pieces: its functions, and the statements outside of them.

use std::ops::Range;

use familiar_source::{Language, Token, TokenClass};

use super::check::Code;

/// A function with its comments, or a statement outside of functions.
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    /// The number of the function.
    pub(super) function: Option<usize>,
}

/// The code in pieces, in their order. Blank lines are in none.
pub(super) fn pieces(code: &Code<'_>) -> Vec<Piece> {
    let Code { language, text: code, functions, .. } = code;
    let mut pieces = Vec::new();
    let mut at = 0;
    for (number, function) in functions.iter().enumerate() {
        let end = function.bytes.end as usize;
        let start =
            start_with_comments(*language, code, function.bytes.start as usize).clamp(at.min(end), end);
        outside(code, at..start, &mut pieces);
        // A semicolon or a comment may stand behind it, on its line.
        let line_end = code[end..].find('\n').map_or(code.len(), |it| end + it + 1);
        let next = functions.get(number + 1).map_or(code.len(), |it| it.bytes.start as usize);
        at = if line_end <= next { line_end } else { end };
        pieces.push(Piece { range: start..at, function: Some(number) });
    }
    outside(code, at..code.len(), &mut pieces);
    pieces
}

/// Adds the statements in a range: each begins with a line at the margin that closes no bracket.
fn outside(code: &str, range: Range<usize>, pieces: &mut Vec<Piece>) {
    let mut at = range.start;
    for line in code[range].split_inclusive('\n') {
        let begins = line.starts_with(|c: char| !c.is_whitespace() && !")]}".contains(c));
        match pieces.last_mut().filter(|_| !begins) {
            Some(piece) if piece.function.is_none() => piece.range.end = at + line.len(),
            _ if line.trim().is_empty() => {}
            _ => pieces.push(Piece { range: at..at + line.len(), function: None }),
        }
        at += line.len();
    }
}

/// An identifier of the code.
pub(super) struct Name<'c> {
    pub(super) at: usize,
    pub(super) text: &'c str,
    /// Whether a value is given to it, and whether it is called, as far as the words say.
    pub(super) is_given: bool,
    pub(super) is_called: bool,
    /// Whether it is a member of something else.
    pub(super) is_member: bool,
}

/// The identifiers of the code, in their order.
pub(super) fn names<'c>(code: &Code<'c>) -> Vec<Name<'c>> {
    let name = |(number, token): (usize, &Token)| {
        let next = code.tokens.get(number + 1).map(|it| code.of(it)).unwrap_or_default();
        let (is_given, is_called) = (matches!(next, "=" | ":" | ":="), next == "(");
        let before = |count: usize| number.checked_sub(count).map_or("", |it| code.of(&code.tokens[it]));
        let is_member = matches!(before(1), "." | "->" | "?.") && !matches!(before(2), "this" | "self");
        Name { at: token.start as usize, text: code.of(token), is_given, is_called, is_member }
    };
    let is_name = |(_, token): &(usize, &Token)| token.class == TokenClass::Identifier;
    code.tokens.iter().enumerate().filter(is_name).map(name).collect()
}

/// The names in a range of the code.
pub(super) fn within<'n, 'c>(names: &'n [Name<'c>], range: &Range<usize>) -> &'n [Name<'c>] {
    let [from, to] = [range.start, range.end].map(|end| names.partition_point(|it| it.at < end));
    &names[from..to]
}

/// Where the comments and decorators that stand directly before a function begin.
fn start_with_comments(language: Language, code: &str, start: usize) -> usize {
    let has_macros = matches!(language, Language::C | Language::Cpp | Language::CSharp);
    let mut start = code[..start].rfind('\n').map_or(0, |at| at + 1);
    while let Some(before) = code[..start].strip_suffix('\n') {
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before[line_start..].trim();
        if !line.starts_with(['#', '/', '*', '@', '['])
            || is_import(line)
            || has_macros && line.starts_with('#')
        {
            break;
        }
        start = line_start;
    }
    start
}

pub(super) fn is_import(line: &str) -> bool {
    const STARTS: [&str; 8] =
        ["import ", "from ", "#include", "using ", "use ", "package ", "require", "const "];
    let line = line.trim_start();
    STARTS.iter().any(|start| line.starts_with(start))
        && (!line.starts_with("const ") || line.contains("require("))
}
