//! Tokens as CSV: what CodeNet's tokenizer writes, and the same with the program's name in front for many programs.

use super::model::{Class, Token, Tokens};
use crate::text::{number, quoted};

/// The first line for one program.
pub const HEADER: &[u8] = b"line,column,class,token\n";

/// The first line for many programs.
pub const HEADER_OF_MANY: &[u8] = b"id,line,column,class,token\n";

/// Writes the tokens of one program, without the first line.
pub fn program(tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    for token in tokens.list {
        line(token, tokens, out);
    }
}

/// Writes the tokens of one of many programs, without the first line.
pub fn rows(id: &str, tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    let mut name = Vec::new();
    if id.contains(['"', ',', '\n', '\r']) {
        quoted(id.as_bytes(), &mut name);
    } else {
        name.extend_from_slice(id.as_bytes());
    }
    name.push(b',');
    for token in tokens.list {
        out.extend_from_slice(&name);
        line(token, tokens, out);
    }
}

fn line(token: &Token, tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    number(token.line, out);
    out.push(b',');
    number(token.column, out);
    out.push(b',');
    out.extend_from_slice(token.class.name().as_bytes());
    out.push(b',');
    let text = tokens.text_of(token);
    let always = matches!(
        token.class,
        Class::String | Class::LineComment | Class::BlockComment | Class::Newline | Class::Continuation
    );
    if always || text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
        quoted(text, out);
    } else {
        out.extend_from_slice(text);
    }
    out.push(b'\n');
}
