//! JSX: whether an element starts at a `<`, and the tokens of its tags and texts.

use super::kind::Kind;
use super::scanner::{Open, Scanner};
use crate::languages::lexing::{block_length, line_length};

/// Words that a type can start with but no element has as its name.
const TYPE_WORDS: [&[u8]; 17] = [
    b"const",
    b"keyof",
    b"typeof",
    b"readonly",
    b"unique",
    b"infer",
    b"new",
    b"void",
    b"any",
    b"unknown",
    b"never",
    b"string",
    b"number",
    b"boolean",
    b"bigint",
    b"undefined",
    b"null",
];

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_name_part(byte)).count()
}

fn skip_space(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

impl Scanner<'_, '_> {
    /// Whether the `<` that the lexer stands on, where an operand must come, starts an element rather than type
    /// parameters or a cast. The language alone does not tell: elements, casts and generic arrow functions look alike
    /// up to what closes them.
    pub(super) fn is_element(&mut self) -> bool {
        if matches!(self.previous(), Kind::RightBrace | Kind::Function | Kind::Class) {
            return false;
        }
        let rest = self.lexer.remainder();
        match rest.first() {
            Some(b'>') => return true,
            Some(&byte) if is_name_start(byte) => {}
            _ => return false,
        }
        let length =
            rest.iter().take_while(|&&byte| is_name_part(byte) || matches!(byte, b'.' | b'-' | b':')).count();
        let (name, after) = rest.split_at(length);
        if TYPE_WORDS.contains(&name) {
            return false;
        }
        let spaced = skip_space(after);
        match spaced.first() {
            Some(b'>') => self.is_closed(name),
            Some(b'<') => self.has_type_arguments(name, spaced),
            Some(b'/' | b'{') => true,
            Some(&byte) if is_name_start(byte) && spaced.len() < after.len() => !is_constraint(spaced),
            _ => false,
        }
    }

    /// Whether a closing tag of `name` follows somewhere.
    fn is_closed(&mut self, name: &[u8]) -> bool {
        let source = self.source;
        let last =
            *self.last_closing.get_or_insert_with(|| memchr::memmem::rfind(source, b"</").unwrap_or(0));
        let start = self.lexer.span().end;
        if last < start {
            return false;
        }
        let end = source.len().min(last + name.len() + 3);
        let mut at = start;
        while self.fuel > 0
            && let Some(found) = memchr::memmem::find(&source[at..end], b"</")
        {
            at += found + 2;
            // A search for two bytes runs at memory speed: it costs a fraction of what a byte read by hand does.
            self.fuel -= (found / 16 + 1).min(self.fuel);
            let tag = skip_space(&source[at..end.min(at + name.len() + 64)]);
            if tag.starts_with(name) && !tag.get(name.len()).is_some_and(|&byte| is_name_part(byte)) {
                return true;
            }
        }
        false
    }

    /// Whether a tag goes on after the type arguments at the start of `text`.
    fn has_type_arguments(&mut self, name: &[u8], text: &[u8]) -> bool {
        let mut depth = 0u32;
        for (at, &byte) in text.iter().enumerate().take(300) {
            match byte {
                b'<' => depth += 1,
                b'>' if at > 0 && text[at - 1] == b'=' => {}
                b'>' => depth -= 1,
                b'(' | b')' | b';' => return false,
                _ => {}
            }
            if depth == 0 {
                let rest = &text[at + 1..];
                let spaced = skip_space(rest);
                return match spaced.first() {
                    Some(b'>') => self.is_closed(name),
                    Some(b'/' | b'{') => true,
                    Some(&byte) => is_name_start(byte) && spaced.len() < rest.len(),
                    None => false,
                };
            }
        }
        false
    }

    /// Reads tags and texts until an expression or the end of the outermost element comes.
    pub(super) fn markup(&mut self) {
        loop {
            match self.stack.last() {
                Some(&Open::Tag { closing, angles }) => self.tag(closing, angles),
                Some(Open::Children) => self.text(),
                _ => return,
            }
            if self.tokens.is_full() {
                return;
            }
        }
    }

    /// One token inside a tag.
    fn tag(&mut self, closing: bool, angles: u32) {
        let rest = self.lexer.remainder();
        let at = self.lexer.span().end;
        let Some(&byte) = rest.first() else {
            return self.cut_off();
        };
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => {
                self.lexer.bump(rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count().max(1));
            }
            b'/' if rest.get(1) == Some(&b'/') => self.lexer.bump(line_length(rest)),
            b'/' if rest.get(1) == Some(&b'*') => self.lexer.bump(2 + block_length(&rest[2..])),
            b'{' => {
                self.lexer.bump(1);
                self.open_expression(at);
            }
            b'"' | b'\'' => {
                let length = memchr::memchr(byte, &rest[1..]).map_or(rest.len(), |found| found + 2);
                self.lexer.bump(length);
                self.push_at(Kind::JsxString, at, at + length);
            }
            b'=' if angles > 0 && rest.get(1) == Some(&b'>') => {
                self.lexer.bump(2);
                self.push_at(Kind::JsxPunct, at, at + 2);
            }
            b'<' => self.less_in_tag(closing, angles, at),
            b'>' => self.greater_in_tag(closing, angles, at),
            _ => {
                let word = rest.iter().take_while(|&&byte| is_name_part(byte) || byte == b'-').count();
                let kind = if word > 0 { Kind::JsxName } else { Kind::JsxPunct };
                self.lexer.bump(word.max(1));
                self.push_at(kind, at, at + word.max(1));
            }
        }
    }

    /// An element as the value of an attribute, or type arguments.
    fn less_in_tag(&mut self, closing: bool, angles: u32, at: usize) {
        let is_value = angles == 0 && self.last_byte() == Some(b'=');
        self.lexer.bump(1);
        self.push_at(Kind::JsxPunct, at, at + 1);
        if is_value {
            self.stack.push(Open::Tag { closing: false, angles: 0 });
        } else if let Some(open) = self.stack.last_mut() {
            *open = Open::Tag { closing, angles: angles + 1 };
        }
    }

    fn greater_in_tag(&mut self, closing: bool, angles: u32, at: usize) {
        let closes_itself = self.last_byte() == Some(b'/');
        self.lexer.bump(1);
        self.push_at(Kind::JsxPunct, at, at + 1);
        let open = self.stack.last_mut().expect("the caller saw the tag on the stack");
        if angles > 0 {
            *open = Open::Tag { closing, angles: angles - 1 };
        } else if closing {
            self.stack.pop();
            if self.stack.last() == Some(&Open::Children) {
                self.stack.pop();
            }
        } else if closes_itself {
            self.stack.pop();
        } else {
            *open = Open::Children;
        }
    }

    /// Text up to a tag or an expression, and that tag's `<`.
    fn text(&mut self) {
        let rest = self.lexer.remainder();
        let at = self.lexer.span().end;
        let length = memchr::memchr2(b'<', b'{', rest).unwrap_or(rest.len());
        let text = rest[..length].trim_ascii();
        if !text.is_empty() {
            let start = at + length - rest[..length].trim_ascii_start().len();
            self.push_at(Kind::JsxText, start, start + text.len());
        }
        match rest.get(length) {
            None => {
                self.lexer.bump(length);
                self.cut_off();
            }
            Some(b'{') => {
                self.lexer.bump(length + 1);
                self.open_expression(at + length);
            }
            Some(_) => {
                let start = at + length;
                let closing = skip_space(&rest[length + 1..]).first() == Some(&b'/');
                let tag =
                    if closing { rest[length..].iter().position(|&b| b == b'/').unwrap_or(0) } else { 0 };
                self.lexer.bump(length + 1 + tag);
                self.push_at(Kind::JsxPunct, start, start + 1 + tag);
                self.stack.push(Open::Tag { closing, angles: 0 });
            }
        }
    }

    /// The source ends inside an element.
    fn cut_off(&mut self) {
        self.clean = false;
        while matches!(self.stack.last(), Some(Open::Tag { .. } | Open::Children)) {
            self.stack.pop();
        }
    }

    fn last_byte(&self) -> Option<u8> {
        self.tokens.last().map(|token| self.source[token.end as usize - 1])
    }
}

/// Whether `text`, which follows a name after `<`, is the constraint of a type parameter and no attribute.
fn is_constraint(text: &[u8]) -> bool {
    let length = word_length(text);
    if &text[..length] != b"extends" {
        return false;
    }
    !matches!(skip_space(&text[length..]).first(), Some(b'=' | b'>' | b'/'))
}
