//! A text in pieces: its functions, and the statements outside of them.

use std::ops::Range;

use familiar_source::{Language, TokenClass};

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

/// The statements of a text with functions, as they would be cut outside of functions.
pub(super) fn statements(text: &str) -> impl Iterator<Item = &str> {
    let mut pieces = Vec::new();
    outside(text, 0..text.len(), &mut pieces);
    pieces.into_iter().map(|it| &text[it.range])
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
    /// Whether a value or a type is given to it, and whether it is called, as far as the words say.
    pub(super) is_given: bool,
    pub(super) is_called: bool,
    /// Whether it is a variable that gets a value, and no argument with a name.
    pub(super) is_set: bool,
    /// Whether it is a member of something else.
    pub(super) is_member: bool,
    /// Whether it is a parameter of one of the outermost functions.
    pub(super) is_parameter: bool,
}

/// The identifiers of the code, in their order.
pub(super) fn names<'c>(code: &Code<'c>) -> Vec<Name<'c>> {
    // Elsewhere an arrow stands before the type of a result.
    let has_pointers = matches!(code.language, Language::C | Language::Cpp | Language::Php);
    let mut functions = code.functions.iter().map(|it| it.name.start).peekable();
    let (mut names, mut depth, mut is_head) = (Vec::new(), 0, false);
    for (number, token) in code.tokens.iter().enumerate() {
        let text = |at: Option<usize>| at.and_then(|at| code.tokens.get(at)).map_or("", |it| code.of(it));
        let before = |count: usize| text(number.checked_sub(count));
        match code.of(token) {
            "(" if is_head => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ => {}
        }
        is_head &= depth > 0;
        if functions.next_if_eq(&token.start).is_some() {
            is_head = text(Some(number + 1)) == "(";
        }
        if token.class != TokenClass::Identifier {
            continue;
        }
        let next = text(Some(number + 1));
        names.push(Name {
            at: token.start as usize,
            text: code.of(token),
            is_given: matches!(next, "=" | ":" | ":="),
            is_called: next == "(",
            is_set: next == ":=" || next == "=" && !matches!(before(1), "(" | ","),
            is_member: (matches!(before(1), "." | "?.") || before(1) == "->" && has_pointers)
                && !matches!(before(2), "this" | "self"),
            is_parameter: depth == 1 && matches!(before(1), "(" | "," | "*" | "**" | "&"),
        });
    }
    names
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
