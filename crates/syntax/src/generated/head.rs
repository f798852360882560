//! The head of a file: its comments before any code, as words.

/// Ends a sentence, or whatever else a phrase does not go across.
pub(crate) const STOP: &str = "|";
/// Ends a paragraph.
pub(crate) const PARAGRAPH: &str = "¶";

/// Openings of comments over lines, and of the strings that document a module, with what ends them.
const BLOCKS: [(&[u8], &[u8]); 13] = [
    (b"/*", b"*/"),
    (b"<!--", b"-->"),
    (b"<%--", b"--%>"),
    (b"--[[", b"]]"),
    (b"{-", b"-}"),
    (b"{#", b"#}"),
    (b"(*", b"*)"),
    (b"#|", b"|#"),
    (b"<#", b"#>"),
    (b"\"\"\"", b"\"\"\""),
    (b"'''", b"'''"),
    (b"r\"\"\"", b"\"\"\""),
    (b"=begin", b"=end"),
];
const LINES: [&[u8]; 11] = [b"//", b"#", b"--", b";", b"%", b"!", b"dnl ", b"rem ", b"REM ", b"::", b".\\\""];
/// Line comments of one character that mean something else where neither a blank nor a ruled line follows.
const LINES_WITH_BLANK: [&[u8]; 3] = [b"'", b"\"", b"*"];
/// What may stand before the first comment and is no code that anybody would read.
const PRELUDES: [&[u8]; 23] = [
    b"#!",
    b"<?xml",
    b"<!doctype",
    b"<!DOCTYPE",
    b"@charset",
    b"'use strict'",
    b"\"use strict\"",
    b"@echo off",
    b"@ECHO OFF",
    b"#ifndef ",
    b"#ifdef ",
    b"#if ",
    b"#pragma ",
    b"#nullable ",
    b"#region ",
    b"%{",
    b"<?php",
    b"<?",
    b"---",
    b"#endregion",
    b"#line ",
    b"#define YY_",
    b"#define  YY_",
];
const DIRECTIVES: [&[u8]; 11] = [
    b"define", b"elif", b"else", b"endif", b"error", b"if", b"import", b"include", b"line", b"pragma",
    b"undef",
];

/// The words of the comments at the head of `source`, in lower case, with [`STOP`] and [`PARAGRAPH`] between them.
pub(crate) fn words(source: &[u8]) -> String {
    let mut head = Head { words: String::from(PARAGRAPH), block: None };
    let source = source.strip_prefix("\u{feff}".as_bytes()).unwrap_or(source);
    for line in source.split(|&byte| byte == b'\n') {
        if !head.line(line.trim_ascii()) {
            break;
        }
    }
    head.words
}

/// A script without the comments that it begins with, as far as they end.
pub(super) fn code(mut script: &[u8]) -> &[u8] {
    loop {
        script = script.trim_ascii_start();
        let (start, end): (&[u8], &[u8]) =
            if script.starts_with(b"//") { (b"//", b"\n") } else { (b"/*", b"*/") };
        let Some(rest) = script.strip_prefix(start) else { return script };
        let Some(at) = memchr::memmem::find(rest, end) else { return &[] };
        script = &rest[at + end.len()..];
    }
}

struct Head {
    words: String,
    /// What ends the comment that is open.
    block: Option<&'static [u8]>,
}

impl Head {
    /// Takes in a line; false where code starts.
    fn line(&mut self, mut line: &[u8]) -> bool {
        loop {
            if let Some(close) = self.block {
                let Some(at) = memchr::memmem::find(line, close) else {
                    self.text(line);
                    return true;
                };
                self.text(&line[..at]);
                self.block = None;
                line = line[at + close.len()..].trim_ascii();
                if line.is_empty() {
                    return true;
                }
            } else if line.is_empty() {
                self.end(PARAGRAPH);
                return true;
            }
            if let Some(&(open, close)) = BLOCKS.iter().find(|(open, _)| line.starts_with(open)) {
                self.block = Some(close);
                line = &line[open.len()..];
            } else if let Some(rest) = line.strip_prefix(b"<?php".as_slice()) {
                line = rest.trim_ascii();
            } else if is_prelude(line) {
                return true;
            } else {
                return self.line_comment(line);
            }
        }
    }

    fn line_comment(&mut self, line: &[u8]) -> bool {
        let sign = LINES.iter().find(|sign| line.starts_with(sign)).copied().or_else(|| {
            let ends = |sign: &[u8]| {
                line.get(sign.len()).is_none_or(|next| next.is_ascii_whitespace() || b"-=".contains(next))
            };
            LINES_WITH_BLANK.iter().copied().find(|sign| line.starts_with(sign) && ends(sign))
        });
        let Some(sign) = sign.filter(|_| !is_directive(line)) else { return false };
        self.text(&line[sign.len()..]);
        true
    }

    /// Takes in the text of a comment's line.
    fn text(&mut self, text: &[u8]) {
        let frame = |byte: &u8| b"*#/;-=~!%|+: \t\r'\"".contains(byte);
        let Some(first) = text.iter().position(|byte| !frame(byte)) else { return self.end(PARAGRAPH) };
        let text = &text[first..];
        // A tag begins its line, too.
        if text[0].is_ascii_uppercase() || matches!(text[0], b'<' | b'@') {
            self.end(STOP);
        }
        for part in text.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
            self.part(part);
        }
    }

    /// Takes in what stands between blanks: a word, perhaps with marks around it, or several with marks between.
    fn part(&mut self, part: &[u8]) {
        let in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"@_.+/\\<".contains(&byte) || byte >= 0x80;
        for piece in part.split_inclusive(|&byte| !in_word(byte)) {
            let (word, mark) = match piece.split_last() {
                Some((&last, word)) if !in_word(last) => (word, last),
                _ => (piece, b' '),
            };
            let ends = word.ends_with(b".");
            let word = word.strip_suffix(b".").unwrap_or(word);
            if !word.is_empty() {
                self.words.push(' ');
                self.words.extend(word.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
            }
            let within = matches!(mark, b'\'' | b' ' | b',' | b'*' | b'`' | b'=' | b'"')
                || mark == b'-' && !word.is_empty();
            if ends || !within {
                self.end(STOP);
            }
        }
    }

    fn end(&mut self, mark: &str) {
        if !self.words.ends_with(PARAGRAPH) && !self.words.ends_with(mark) {
            self.words.push(' ');
            self.words.push_str(mark);
        }
    }
}

fn is_prelude(line: &[u8]) -> bool {
    // `#define NAME`, or with a 1: the guard of a header.
    let guard = line.strip_prefix(b"#define ".as_slice());
    let guard = guard.map(|name| name.strip_suffix(b" 1".as_slice()).unwrap_or(name).trim_ascii());
    PRELUDES.iter().any(|start| line.starts_with(start))
        || guard.is_some_and(|name| !name.is_empty() && !name.iter().any(u8::is_ascii_whitespace))
}

fn is_directive(line: &[u8]) -> bool {
    line.strip_prefix(b"#").is_some_and(|rest| {
        let word = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        DIRECTIVES.contains(&&rest[..word])
    })
}
