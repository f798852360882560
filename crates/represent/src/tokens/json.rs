//! Tokens as JSON.

use super::model::{Token, Tokens};
use crate::text::{number, string};

/// Writes the tokens of one program as CodeNet's tokenizer does: an array of objects, one a line.
pub fn program(tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"[");
    for (at, token) in tokens.list.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"\n" } else { b",\n" });
        out.extend_from_slice(b"{ \"line\": ");
        number(token.line, out);
        out.extend_from_slice(b", \"column\": ");
        number(token.column, out);
        out.extend_from_slice(b", \"class\": \"");
        out.extend_from_slice(token.class.name().as_bytes());
        out.extend_from_slice(b"\", \"length\": ");
        number(token.end - token.start, out);
        out.extend_from_slice(b", \"token\": ");
        string(tokens.text_of(token), out);
        if token.directive {
            out.extend_from_slice(b", \"directive\": true");
        }
        out.extend_from_slice(b" }");
    }
    out.extend_from_slice(b"\n]\n");
}

/// Writes the tokens of one of many programs: an object on a line.
pub fn row(id: &str, tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    string(id.as_bytes(), out);
    out.extend_from_slice(b",\"tokens\":[");
    for (at, token) in tokens.list.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.push(b'{');
        fields(token, tokens, out);
        out.push(b'}');
    }
    out.extend_from_slice(b"]}\n");
}

/// Writes each token of a program on a line.
pub fn lines(tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    for token in tokens.list {
        out.push(b'{');
        fields(token, tokens, out);
        out.extend_from_slice(b"}\n");
    }
}

fn fields(token: &Token, tokens: &Tokens<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"line\":");
    number(token.line, out);
    out.extend_from_slice(b",\"column\":");
    number(token.column, out);
    out.extend_from_slice(b",\"class\":\"");
    out.extend_from_slice(token.class.name().as_bytes());
    out.extend_from_slice(b"\",\"token\":");
    string(tokens.text_of(token), out);
    if token.directive {
        out.extend_from_slice(b",\"directive\":true");
    }
}
