//! Reads tokens and fragments off a tree, in one walk without recursion.

use familiar_source::{FragmentKind, Span, Token, TokenClass};
use tree_sitter::{Node, TreeCursor};

use super::classes::Role;
use super::names;
use super::parse::Parsed;
use super::place::Found;
use crate::Tokens;
use crate::finder::MIN_BLOCK_STATEMENTS;

/// Where tokens go, if anywhere.
pub(super) struct Sink<'o> {
    pub(super) tokens: Option<&'o mut Tokens>,
    pub(super) line_starts: bool,
}

/// A node that the walk is inside of.
struct Frame<'t> {
    node: Node<'t>,
    role: Role,
    /// What holds for everything below.
    inherited: Role,
    statements: u32,
    children: u32,
    has_body: bool,
}

struct Walk<'w, 't> {
    parsed: &'w Parsed,
    source: &'w [u8],
    sink: &'w mut Sink<'w>,
    found: Option<&'w mut Vec<Found>>,
    frames: Vec<Frame<'t>>,
    /// How many function nodes the walk is inside of.
    functions: u32,
    /// How many nodes whose imports are not the file's.
    locals: u32,
    /// The end of what has been given as tokens or comments.
    covered: usize,
    /// The end of the last leaf that is no comment.
    code_end: u32,
    /// The next token starts a line.
    line: bool,
}

/// Gives the tokens of `source` to `sink` and, where wanted, its fragments to `found`, inner ones first.
pub(super) fn walk<'w>(
    parsed: &'w Parsed,
    source: &'w [u8],
    sink: &'w mut Sink<'w>,
    found: Option<&'w mut Vec<Found>>,
) {
    let mut cursor = parsed.tree.walk();
    let frames = Vec::new();
    let mut walk = Walk {
        parsed,
        source,
        sink,
        found,
        frames,
        functions: 0,
        locals: 0,
        covered: 0,
        code_end: 0,
        line: true,
    };
    loop {
        if walk.enter(&mut cursor) {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                walk.fill(source.len());
                return;
            }
            walk.leave();
        }
    }
}

impl<'t> Walk<'_, 't> {
    /// Takes in the node under the cursor; whether the cursor went down to its first child.
    fn enter(&mut self, cursor: &mut TreeCursor<'t>) -> bool {
        let node = cursor.node();
        let mut role = self.parsed.classes.role(node.kind_id());
        if self.locals > 0 {
            role = role.without(Role::IMPORT.and(Role::CALL));
        }
        let mut inherited = Role::default();
        if let Some(parent) = self.frames.last_mut() {
            inherited = parent.inherited;
            if parent.role.has(Role::BODIED) && !parent.has_body {
                let field = cursor.field_id();
                parent.has_body =
                    role.has(Role::BODY) || field.is_some() && field == self.parsed.classes.body;
            }
            self.line |= role.has(Role::LINE) || starts_line(parent, role);
            if parent.role.has(Role::LINE) && self.sink.line_starts {
                let field = cursor.field_id();
                self.line |= field.is_some() && field == self.parsed.classes.body;
            }
            parent.children += 1;
            let other = Role::TEXT.and(Role::COMMENT).and(Role::NOT_STATEMENT).and(Role::STATEMENTS);
            parent.statements +=
                u32::from(!role.has(other) && parent.role.has(Role::COUNTS) && !node.is_extra());
        }
        if role.has(Role::COMMENT) {
            self.cover(node);
            return false;
        }
        // An identifier may have parts too, as PHP's variables have their dollar sign.
        let literal = role.has(Role::STRING.and(Role::CHAR).and(Role::NUMBER).and(Role::IDENTIFIER));
        if literal {
            self.token(node, role, inherited);
            inherited = inherited.and(Role::MUTED);
        }
        let all_said = literal && self.found.is_none();
        if all_said || !cursor.goto_first_child() {
            if !node.byte_range().is_empty() {
                self.code_end = node.end_byte() as u32;
            }
            if !literal {
                self.token(node, role, inherited);
            }
            return false;
        }
        inherited = inherited.and(role.only(Role::INHERITED));
        if role.has(Role::CLASS) && role.has(Role::IMPORT) && node.child_by_field_name("body").is_some() {
            inherited = self.frames.last().map_or(Role::default(), |parent| parent.inherited);
        }
        if role.has(Role::CALL) && self.is_import_call(node) {
            inherited = inherited.and(Role::IMPORT);
        }
        self.functions += u32::from(role.has(Role::FUNCTION));
        self.locals += u32::from(role.is_local());
        self.frames.push(Frame { node, role, inherited, statements: 0, children: 0, has_body: false });
        true
    }

    /// Closes the innermost node, which may be a fragment.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.line |= frame.role.has(Role::LINES.and(Role::LINE));
        self.functions -= u32::from(frame.role.has(Role::FUNCTION));
        self.locals -= u32::from(frame.role.is_local());
        if frame.role.has(Role::STATEMENTS)
            && let Some(parent) = self.frames.last_mut()
        {
            parent.statements += frame.statements;
        }
        let Some(found) = &mut self.found else { return };
        let kind = if frame.role.has(Role::BODIED) {
            if !frame.has_body && !frame.role.has(Role::ALWAYS_BODIED) {
                return;
            }
            if frame.role.has(Role::FUNCTION) { FragmentKind::Function } else { FragmentKind::Class }
        } else if frame.role.has(Role::BLOCK)
            && self.functions > 0
            && frame.statements >= MIN_BLOCK_STATEMENTS
        {
            FragmentKind::Block
        } else {
            return;
        };
        let mut bytes = trimmed(self.source, frame.node);
        // Comments that trail a body at its indentation (Python) belong to the node, not to the fragment.
        bytes.end = bytes.end.min(self.code_end);
        if bytes.end <= bytes.start {
            return;
        }
        let name = if kind == FragmentKind::Block {
            Span::default()
        } else {
            let above = self.frames.last().map(|frame| frame.node);
            names::name(frame.node, above, kind == FragmentKind::Class)
        };
        found.push(Found { kind, name, bytes });
    }

    fn is_import_call(&self, node: Node) -> bool {
        let name = node.child(0).map(|first| &self.source[first.byte_range()]);
        name.is_some_and(|name| self.parsed.grammar.import_calls.iter().any(|call| call.as_bytes() == name))
    }

    /// Gives a leaf, or a literal, as one token.
    fn token(&mut self, node: Node, role: Role, inherited: Role) {
        if inherited.has(Role::MUTED) || self.sink.tokens.is_none() {
            return;
        }
        let bytes = trimmed(self.source, node);
        self.fill(bytes.start as usize);
        if bytes.is_empty() || (bytes.start as usize) < self.covered {
            return;
        }
        self.covered = bytes.end as usize;
        let text = &self.source[bytes.range()];
        let class = if inherited.and(role).has(Role::IMPORT) {
            TokenClass::Import
        } else {
            class(role, inherited, node.kind(), text)
        };
        self.push(class, bytes);
    }

    fn push(&mut self, class: TokenClass, bytes: Span) {
        let Some(tokens) = &mut self.sink.tokens else { return };
        let mut token = Token::new(class, 0, bytes.start as usize, bytes.end as usize);
        if self.sink.line_starts && self.line && !b";,)".contains(&self.source[token.start as usize]) {
            token.starts_line = true;
            self.line = false;
        }
        token.hidden = self.parsed.grammar.line_ends_statements && self.source[bytes.range()] == *b";";
        tokens.push(token);
    }

    fn cover(&mut self, node: Node) {
        self.fill(node.start_byte());
        self.covered = self.covered.max(node.end_byte());
    }

    /// Gives tokens for the bytes before `end` that no node stands for, as inside an error.
    fn fill(&mut self, end: usize) {
        while self.covered < end && self.sink.tokens.is_some() {
            let rest = &self.source[self.covered..end];
            let start = self.covered + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let word = self.source[start..end].iter().take_while(|&&byte| is_word(byte)).count();
            self.covered = end.min(start + word.max(1));
            let line_joint = self.source.get(start) == Some(&b'\\')
                && self.source.get(start + 1).is_some_and(u8::is_ascii_whitespace);
            if start == end || line_joint {
                continue;
            }
            let class = match self.source[start] {
                byte if byte.is_ascii_digit() => TokenClass::Number,
                _ if word > 0 => TokenClass::Identifier,
                _ => TokenClass::Operator,
            };
            self.push(class, Span::new(start as u32, self.covered as u32));
        }
    }
}

/// Whether a child with `role` opens a line of its own inside `parent`.
fn starts_line(parent: &Frame, role: Role) -> bool {
    parent.role.has(Role::LINES)
        && if role.has(Role::TEXT) {
            role.has(Role::CLOSER) && parent.children > 0
        } else {
            !role.has(Role::COMMENT)
        }
}

fn class(role: Role, inherited: Role, kind: &str, text: &[u8]) -> TokenClass {
    let starts_word = is_word(text[0]) || matches!(text[0], b'@' | b'#');
    if role.has(Role::STRING) {
        TokenClass::String
    } else if role.has(Role::CHAR) {
        TokenClass::Char
    } else if role.has(Role::NUMBER) {
        TokenClass::Number
    } else if starts_word && inherited.and(role).has(Role::TYPE) {
        TokenClass::Type
    } else if role.has(Role::KEYWORD) && role.has(Role::TEXT) && !kind.as_bytes().eq_ignore_ascii_case(text) {
        // An anonymous node named after what it stands for, not after its text.
        TokenClass::Identifier
    } else if role.has(Role::KEYWORD) {
        TokenClass::Keyword
    } else if role.has(Role::IDENTIFIER) {
        TokenClass::Identifier
    } else if role.has(Role::TEXT) || !starts_word {
        TokenClass::Operator
    } else if kind.as_bytes() == text || kind.ends_with("modifier") || kind.ends_with("specifier") {
        TokenClass::Keyword
    } else if text[0].is_ascii_digit() {
        TokenClass::Number
    } else {
        TokenClass::Identifier
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The bytes of `node` without white space around them.
fn trimmed(source: &[u8], node: Node) -> Span {
    let text = &source[node.byte_range()];
    let before = text.len() - text.trim_ascii_start().len();
    let start = node.start_byte() + before;
    Span::new(start as u32, (start + text.trim_ascii().len()) as u32)
}
