//! What is set on the tokens before any fragment is looked for: import statements, and where a printer breaks lines.

use familiar_source::{Token, TokenClass};

use super::kind::Kind;
use crate::languages::lexing::breaks_between;

fn kind_at(tokens: &[Token], at: usize) -> Option<Kind> {
    tokens.get(at).map(|token| Kind::of(token.kind))
}

/// Gives the tokens of import statements their class; `imports` are the positions of the keyword.
pub(super) fn mark_imports(tokens: &mut [Token], imports: &[u32]) {
    for &at in imports {
        let at = at as usize;
        if let Some(end) = import_end(tokens, at) {
            for token in &mut tokens[at..end] {
                token.class = TokenClass::Import;
            }
        }
    }
}

/// The position after the import statement at `at`; nothing for `import(…)`, `import.meta` and keys of that name.
fn import_end(tokens: &[Token], start: usize) -> Option<usize> {
    let mut at = start + 1;
    if kind_at(tokens, at)? != Kind::String {
        let mut depth = 0i32;
        loop {
            match kind_at(tokens, at)? {
                Kind::From if depth == 0 && kind_at(tokens, at + 1) == Some(Kind::String) => {
                    at += 1;
                    break;
                }
                Kind::Assign if depth == 0 => return alias_end(tokens, at + 1),
                Kind::LeftBrace => depth += 1,
                Kind::RightBrace => depth -= 1,
                Kind::Comma | Kind::Star | Kind::String if at > start + 1 || depth > 0 => {}
                Kind::Star => {}
                Kind::Import => return None,
                kind if kind.is_word() => {}
                _ => return None,
            }
            at += 1;
        }
    }
    at += 1;
    if matches!(kind_at(tokens, at), Some(Kind::With | Kind::Assert))
        && kind_at(tokens, at + 1) == Some(Kind::LeftBrace)
    {
        let close = tokens[at..].iter().take(200).position(|token| token.kind == Kind::RightBrace as u8);
        at += close.map_or(0, |found| found + 1);
    }
    Some(at + usize::from(kind_at(tokens, at) == Some(Kind::Semicolon)))
}

/// The end of `import a = require("b");` and `import a = b.c;`, from after the `=`.
fn alias_end(tokens: &[Token], mut at: usize) -> Option<usize> {
    kind_at(tokens, at).filter(|kind| kind.is_word())?;
    at += 1;
    while kind_at(tokens, at) == Some(Kind::Dot) {
        at += 2;
    }
    if kind_at(tokens, at) == Some(Kind::LeftParen) {
        at += 3;
    }
    at += usize::from(kind_at(tokens, at) == Some(Kind::Semicolon));
    Some(at.min(tokens.len()))
}

/// Sets [`Token::starts_line`]: after `;` outside of parentheses, after `{`, before and after `}`, and where a line
/// end ends a statement by itself.
pub(super) fn mark_lines(source: &[u8], tokens: &mut [Token]) {
    // For each open bracket whether statements stand in it.
    let mut holds_lines: Vec<bool> = Vec::new();
    let mut breaks = true;
    let mut previous: Option<Token> = None;
    for token in tokens {
        let kind = Kind::of(token.kind);
        let in_lines = holds_lines.last().copied().unwrap_or(true);
        let keeps_line = matches!(kind, Kind::Semicolon | Kind::Comma | Kind::RightParen | Kind::Dot);
        let ends_by_itself = || {
            in_lines
                && begins_statement(kind)
                && previous.is_some_and(|left| {
                    ends_statement(Kind::of(left.kind)) && breaks_between(source, left.end, token.start)
                })
        };
        token.starts_line =
            kind == Kind::RightBrace || (breaks && !keeps_line) || (!breaks && ends_by_itself());
        breaks = match kind {
            Kind::LeftBrace => {
                holds_lines.push(true);
                true
            }
            Kind::LeftParen | Kind::LeftBracket | Kind::TemplateOpen | Kind::JsxLeft => {
                holds_lines.push(false);
                false
            }
            Kind::RightBrace => {
                holds_lines.pop();
                true
            }
            Kind::RightParen | Kind::RightBracket | Kind::TemplateClose | Kind::JsxRight => {
                holds_lines.pop();
                false
            }
            Kind::Semicolon => in_lines,
            _ => false,
        };
        previous = Some(*token);
    }
}

/// Whether an operand or a statement can end with the token.
fn ends_statement(kind: Kind) -> bool {
    kind.ends_operand() || matches!(kind, Kind::RightBrace | Kind::Break | Kind::Continue | Kind::Return)
}

/// Whether the token starts a statement where it stands on a new line after the end of an operand.
pub(super) fn begins_statement(kind: Kind) -> bool {
    match kind {
        Kind::In | Kind::Instanceof | Kind::Extends => false,
        Kind::Private
        | Kind::Number
        | Kind::String
        | Kind::Regex
        | Kind::JsxOpen
        | Kind::LeftBrace
        | Kind::At
        | Kind::Bang
        | Kind::Tilde
        | Kind::PlusPlus
        | Kind::MinusMinus => true,
        kind => kind.is_word(),
    }
}
