//! The words of a text from a place on, without comment leaders, markup and escapes. Read only as far as somebody asks.

use super::marks::{Mark, MarkKind};
use super::markup::{
    MOST_LEADER, MOST_WORD, enclosed, ends_comment, is_contact, leader, near, sign, word_length,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// A mark of copyright, as in [`MarkKind`].
    Mark(MarkKind),
    /// An address, a link or a user's name: `<holder@example.org>`, `https://example.org`.
    Contact,
    /// What a template leaves to be filled in: `<year>`, `[name of copyright owner]`, `{{ holder }}`.
    Placeholder,
    /// The end of a line. Its text is what the next line begins with before its words: white space and comment leader.
    Line,
    /// The end of a paragraph, a comment, a string or the text. Nothing follows.
    Stop,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub text: String,
    /// The punctuation that followed it: `,`, `;`, `:`.
    pub trail: Option<char>,
    /// Lines below the first one.
    pub line: u32,
    /// The byte after it.
    pub end: usize,
}

/// What is read at most. Longer statements end there.
const MOST_BYTES: usize = 64 << 10;

pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    limit: usize,
    line: u32,
    read: Vec<Token>,
    stopped: bool,
    quoted: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, mark: Mark) -> Self {
        let limit = (mark.at + MOST_BYTES).min(text.len());
        Self { text, at: mark.at, limit, line: 0, read: Vec::new(), stopped: false, quoted: false }
    }

    /// The token of this number. After the last one there are stops for ever.
    pub(super) fn get(&mut self, number: usize) -> &Token {
        while self.read.len() <= number {
            let token = if self.stopped { self.token(Kind::Stop, "") } else { self.next() };
            self.read.push(token);
        }
        &self.read[number]
    }

    pub(super) fn kind(&mut self, number: usize) -> Kind {
        self.get(number).kind
    }

    /// The word of this number in lower case; empty for whatever is no word.
    pub(super) fn lower(&mut self, number: usize) -> String {
        let token = self.get(number);
        if token.kind == Kind::Word { token.text.to_lowercase() } else { String::new() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn token(&self, kind: Kind, text: &str) -> Token {
        Token { kind, text: text.to_owned(), trail: None, line: self.line, end: self.at }
    }

    /// The token of what stands in the next `bytes`.
    fn take(&mut self, kind: Kind, bytes: usize) -> Token {
        let text = &self.rest()[..bytes];
        self.at += bytes;
        let mut token = self.token(kind, text);
        self.trail(&mut token);
        token
    }

    fn stop(&mut self) -> Token {
        self.stopped = true;
        self.token(Kind::Stop, "")
    }

    /// Takes the punctuation at the place.
    fn trail(&mut self, token: &mut Token) {
        while let Some(sign @ (',' | ';' | ':')) = self.rest().chars().next() {
            token.trail = token.trail.or(Some(sign));
            self.at += 1;
        }
    }

    fn next(&mut self) -> Token {
        loop {
            if self.at >= self.limit {
                return self.stop();
            }
            let rest = self.rest();
            if let Some(bytes) = sign(rest) {
                return self.take(Kind::Mark(MarkKind::Sign), bytes);
            }
            if rest.starts_with("(c)") || rest.starts_with("(C)") {
                return self.take(Kind::Mark(MarkKind::Letter), 3);
            }
            if rest.starts_with("&amp;") {
                let mut token = self.take(Kind::Word, "&amp;".len());
                "&".clone_into(&mut token.text);
                return token;
            }
            if ends_comment(rest) {
                return self.stop();
            }
            if let Some(bytes) =
                ["&nbsp;", "&#160;", "&quot;", "\\t", "\\ "].iter().find(|gap| rest.starts_with(**gap))
            {
                self.at += bytes.len();
                continue;
            }
            let first = rest.chars().next().expect("before the limit");
            let token = match first {
                '\n' => Some(self.newline()),
                '\\' => self.escape(),
                '"' | '`' => self.quote(),
                '<' => self.angle("<", ">"),
                '&' if rest.starts_with("&lt;") => self.angle("&lt;", "&gt;"),
                '[' => self.bracket(),
                '(' => self.parenthesis(),
                '{' | '$' | '%' => Some(self.placeholder()),
                _ if first.is_whitespace() || first == '=' || first == '>' => {
                    self.at += first.len_utf8();
                    None
                }
                _ => self.word(),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// Goes to the words of the next line.
    fn newline(&mut self) -> Token {
        self.at += 1;
        self.line += 1;
        let leader = leader(self.rest());
        let text = &self.rest()[..leader];
        let token = self.token(Kind::Line, text);
        self.at += leader;
        let empty = self.rest().is_empty() || self.rest().starts_with('\n');
        if empty || leader >= MOST_LEADER || text.contains("*/") || text.contains("-->") {
            self.stop()
        } else {
            token
        }
    }

    /// `\n` in a string ends a line; another backslash stands for nothing.
    fn escape(&mut self) -> Option<Token> {
        self.at += 1;
        let rest = self.rest();
        if !rest.starts_with('n')
            || rest[1..].starts_with(|next: char| next.is_alphanumeric() && next.is_lowercase())
        {
            return None;
        }
        self.at += 1;
        let rest = self.rest();
        let gap = rest.bytes().take(MOST_LEADER).take_while(|byte| b"\\\"' ,+\r\t".contains(byte)).count();
        if rest[gap..].starts_with("\\n") {
            return Some(self.stop());
        }
        self.at += gap;
        Some(if self.rest().starts_with('\n') { self.newline() } else { self.token(Kind::Line, "") })
    }

    /// A quotation mark opens, closes or ends the string in which the statement stands.
    fn quote(&mut self) -> Option<Token> {
        let opens = self.rest()[1..].starts_with(char::is_alphanumeric);
        let before = self.text[..self.at].chars().next_back();
        let apart = before.is_none_or(|before| before.is_whitespace() || "u:=(".contains(before));
        let held = self.read.iter().any(|token| token.kind == Kind::Word);
        self.at += 1;
        if opens && apart && !self.quoted {
            self.quoted = held;
            return None;
        }
        if self.quoted || !held {
            self.quoted = false;
            return None;
        }
        Some(self.stop())
    }

    /// An address, a link, a tag or something to be filled in.
    fn angle(&mut self, open: &str, close: &str) -> Option<Token> {
        let rest = self.rest();
        let Some(inner) = enclosed(rest, open, close) else {
            self.at += open.len();
            return Some(self.stop());
        };
        let bytes = open.len() + inner.len() + close.len();
        if is_contact(inner) && !inner.starts_with("a ") && !inner.starts_with("A ") {
            let mut token = self.take(Kind::Contact, bytes);
            token.text = format!("<{}>", inner.trim());
            return Some(token);
        }
        let name =
            inner.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default().to_ascii_lowercase();
        self.at += bytes;
        match name.as_str() {
            "a" | "abbr" | "b" | "bdi" | "code" | "copyright" | "em" | "font" | "holder" | "i" | "kbd"
            | "small" | "span" | "strong" | "sup" | "time" | "tt" | "u" | "year" => None,
            _ if inner.starts_with('/') || BREAKS.contains(&name.as_str()) => Some(self.stop()),
            _ => Some(self.token(Kind::Placeholder, inner)),
        }
    }

    /// `[name](link)`, `[holder@example.org]` or something to be filled in.
    fn bracket(&mut self) -> Option<Token> {
        let rest = self.rest();
        let Some(inner) = enclosed(rest, "[", "]") else { return Some(self.placeholder()) };
        if rest[inner.len() + 2..].starts_with(['(', '[']) {
            self.at += 1;
            return None;
        }
        let kind = if is_contact(inner) { Kind::Contact } else { Kind::Placeholder };
        Some(self.take(kind, inner.len() + 2))
    }

    /// `(holder@example.org)`, `(1999)` or a part of a name; `(see AUTHORS)` ends the statement.
    fn parenthesis(&mut self) -> Option<Token> {
        let Some(inner) = enclosed(self.rest(), "(", ")") else {
            self.at += 1;
            return None;
        };
        let lower = inner.to_lowercase();
        if lower.starts_with("see") || lower.contains("licen") || inner.split_whitespace().count() > 6 {
            return Some(self.stop());
        }
        if is_contact(inner) {
            return Some(self.take(Kind::Contact, inner.len() + 2));
        }
        let short = inner.len() < 60 && inner.starts_with(char::is_alphabetic);
        if short && self.read.iter().any(|token| token.kind == Kind::Word) && !inner.contains(['(', '"']) {
            return Some(self.take(Kind::Word, inner.len() + 2));
        }
        self.at += 1;
        None
    }

    fn placeholder(&mut self) -> Token {
        let rest = near(self.rest());
        let bytes = rest.find(char::is_whitespace).unwrap_or(rest.len()).max(1);
        self.take(Kind::Placeholder, bytes)
    }

    fn word(&mut self) -> Option<Token> {
        let rest = self.rest();
        let link = ["http://", "https://", "www.", "ftp://"].iter().any(|scheme| rest.starts_with(scheme));
        let bytes = word_length(rest, link);
        if bytes >= MOST_WORD {
            return Some(self.stop());
        }
        let word = rest[..bytes].trim_end_matches([',', ';', ':']);
        let bare = word.trim_matches(['*', '_', '\'', '~', '|', '#', '!', ')', ']', '}', '’']);
        let closes = word.ends_with(['\'', ']', '}']) && !rest[bytes..].starts_with(' ');
        let kept =
            bare.chars().any(char::is_alphanumeric) || matches!(bare, "-" | "–" | "—" | "&" | "+" | "--");
        if !kept {
            self.at += bytes.max(rest.chars().next().map_or(1, char::len_utf8));
            let sign = rest.chars().next().filter(|sign| ",;:".contains(*sign));
            if let Some(last) = self.read.last_mut() {
                last.trail = last.trail.or(sign);
            }
            return closes.then(|| self.stop());
        }
        self.at += word.len();
        let bare = bare.strip_prefix("u'").unwrap_or(bare);
        let mut token = self.token(kind_of(bare, link), bare);
        self.trail(&mut token);
        if closes {
            self.stopped = true;
        }
        // The link that a Markdown text leads to.
        if self.rest().starts_with("](") || self.rest().starts_with("][") {
            self.at += 1;
            self.at += near(self.rest()).find([')', ']', '\n']).unwrap_or(0);
            token.end = self.at;
        }
        Some(token)
    }
}

/// Tags that end a paragraph.
const BREAKS: &[&str] = &[
    "br", "p", "div", "li", "td", "tr", "hr", "h1", "h2", "h3", "h4", "ul", "ol", "table", "footer", "body",
    "script", "img",
];

fn kind_of(word: &str, link: bool) -> Kind {
    let lower = word.trim_end_matches('.').to_lowercase();
    let between = lower.find('@').is_some_and(|at| at > 0 && at + 1 < lower.len());
    match lower.as_str() {
        _ if link || (between && lower.contains('.')) => Kind::Contact,
        "copyright" | "copyrights" | "copyrighted" | "copr" => Kind::Mark(MarkKind::Word),
        "yyyy" | "19yy" | "20yy" | "20xx" | "19xx" | "xxxx" => Kind::Placeholder,
        "spdx-filecopyrighttext" | "spdx-snippetcopyrighttext" => Kind::Mark(MarkKind::Tag),
        ".co" => Kind::Mark(MarkKind::Macro),
        _ if word == "YEAR" => Kind::Placeholder,
        _ if lower.starts_with('@') && lower.ends_with('@') => Kind::Placeholder,
        _ if lower.starts_with('@') => Kind::Contact,
        _ => Kind::Word,
    }
}
