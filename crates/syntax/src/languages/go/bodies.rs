//! Types, functions and blocks of Go: what each pair of braces is.

use familiar_source::{Fragment, FragmentKind, LineIndex, Token};

use super::declarations::{Declaration, Signatures, type_declaration};
use super::lexer::Kind;
use super::view::{View, bracket};
use crate::finder::{self, Brackets, MIN_BLOCK_STATEMENTS};

/// What a pair of brackets holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Statements: a body or a block by itself.
    Block,
    /// The cases of `switch` or `select`.
    Cases,
    /// Anything else: a literal, a type, a group of parentheses.
    Other,
}

/// An open bracket, or the file.
#[derive(Debug)]
struct Level {
    role: Role,
    /// Position of the bracket; the file has none.
    at: Option<usize>,
    declaration: Option<Declaration>,
    statements: u32,
    /// What the next brace opens, between `for`, `if`, `switch`, `select` or `else` and that brace.
    header: Option<Role>,
    /// The brace after a signature, and the function that it is the body of: none where it opens a literal.
    body: Option<(usize, Option<Declaration>)>,
}

impl Level {
    fn new(role: Role, at: Option<usize>, declaration: Option<Declaration>) -> Self {
        Self { role, at, declaration, statements: 0, header: None, body: None }
    }
}

/// Appends the fragments of `tokens`; false where brackets do not match.
///
/// [`Token::starts_line`] says that a line end ended a statement before the token.
pub(super) fn find(tokens: &[Token], index: &LineIndex, out: &mut Vec<Fragment>) -> bool {
    let brackets = Brackets::of(tokens, bracket);
    let view = View { tokens, brackets: &brackets };
    let mut finder = Finder {
        view,
        index,
        out,
        levels: Vec::new(),
        file: Level::new(Role::Other, None, None),
        functions: 0,
        signatures: Signatures::default(),
    };
    for at in 0..tokens.len() {
        finder.take(at);
    }
    brackets.balanced()
}

/// Marks the tokens that a pretty printer would put first on a line.
pub(super) fn break_lines(tokens: &mut [Token]) {
    let mut header = false;
    let (mut before, mut last) = (Kind::Semicolon as u8, Kind::Semicolon as u8);
    for token in tokens {
        let kind = token.kind;
        let is = |kinds: &[Kind]| kinds.iter().any(|&k| k as u8 == kind);
        let empty = before == Kind::OpenBrace as u8;
        token.starts_line |= if last == Kind::Semicolon as u8 {
            !header
        } else if last == Kind::OpenBrace as u8 {
            kind != Kind::CloseBrace as u8
        } else if last == Kind::CloseBrace as u8 && !empty {
            !is(&[Kind::CloseParen, Kind::CloseBracket, Kind::Comma, Kind::Semicolon])
                && !is(&[Kind::Dot, Kind::OpenParen, Kind::OpenBrace, Kind::Else, Kind::Colon])
        } else {
            kind == Kind::CloseBrace as u8
        };
        header = is(&[Kind::Branch, Kind::Switch]) || header && kind != Kind::OpenBrace as u8;
        (before, last) = (last, kind);
    }
}

struct Finder<'a> {
    view: View<'a>,
    index: &'a LineIndex,
    out: &'a mut Vec<Fragment>,
    levels: Vec<Level>,
    file: Level,
    /// Open bodies of functions.
    functions: u32,
    signatures: Signatures,
}

impl Finder<'_> {
    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().unwrap_or(&mut self.file)
    }

    #[inline]
    fn take(&mut self, at: usize) {
        let token = self.view.tokens[at];
        let kind = token.kind;
        if kind >= Kind::CloseParen as u8 && kind <= Kind::CloseBrace as u8 {
            return self.close(at);
        }
        let header = self.top().header.is_some();
        let after_open = self.top().at.is_some_and(|open| open + 1 == at);
        let boundary =
            token.starts_line || after_open || at == 0 || !header && self.view.before(at, Kind::Semicolon);
        let level = self.top();
        if boundary {
            level.header = None;
            level.statements += u32::from(kind != Kind::Semicolon as u8);
        }
        if kind == Kind::OpenBrace as u8 {
            self.open_brace(at, boundary);
        } else if kind == Kind::OpenParen as u8 || kind == Kind::OpenBracket as u8 {
            self.open(at, Role::Other, None);
        } else if kind == Kind::Branch as u8 || kind == Kind::Else as u8 {
            level.header = Some(Role::Block);
        } else if kind == Kind::Switch as u8 {
            level.header = Some(Role::Cases);
        } else if kind == Kind::Func as u8 {
            let declared = boundary && self.levels.is_empty();
            if let Some(body) = self.signatures.body(self.view, at, declared) {
                self.top().body = Some(body);
            }
        }
    }

    fn open(&mut self, at: usize, role: Role, declaration: Option<Declaration>) {
        // A bracket without a partner never closes and would only shift what follows.
        if self.view.brackets.partner(at).is_some() {
            self.functions += u32::from(is_function(declaration));
            self.levels.push(Level::new(role, Some(at), declaration));
        }
    }

    fn open_brace(&mut self, at: usize, boundary: bool) {
        let view = self.view;
        let parent = self.levels.last().and_then(|level| level.at);
        let level = self.top();
        let inside = level.role != Role::Other;
        if let Some((_, declaration)) = level.body.take_if(|(body, _)| *body == at) {
            self.open(at, if declaration.is_some() { Role::Block } else { Role::Other }, declaration);
        } else if view.before(at, Kind::Body) {
            self.open(at, Role::Other, type_declaration(view, at - 1, parent));
        } else if let Some(role) = level.header.take_if(|_| !composite_in_header(view, at)) {
            self.open(at, role, None);
        } else if inside && (boundary || view.before(at, Kind::Colon)) {
            self.open(at, Role::Block, None);
        } else {
            self.open(at, Role::Other, None);
        }
    }

    fn close(&mut self, at: usize) {
        if self.view.brackets.partner(at).is_none() {
            return;
        }
        let Some(level) = self.levels.pop() else { return };
        let open = level.at.unwrap_or(at);
        if level.role == Role::Block && level.statements >= MIN_BLOCK_STATEMENTS && self.functions > 0 {
            self.add(FragmentKind::Block, None, open, at);
        }
        self.functions -= u32::from(is_function(level.declaration));
        if let Some(declaration) = level.declaration {
            self.add(declaration.kind, declaration.name, declaration.first, at);
        }
    }

    fn add(&mut self, kind: FragmentKind, name: Option<usize>, first: usize, last: usize) {
        self.out.push(finder::fragment(kind, name, first, last, self.view.tokens, self.index));
    }
}

fn is_function(declaration: Option<Declaration>) -> bool {
    declaration.is_some_and(|declaration| declaration.kind == FragmentKind::Function)
}

/// Whether the brace at `at`, in the header of a statement, opens a literal such as `[]int{1, 2}` and not the body.
fn composite_in_header(view: View<'_>, at: usize) -> bool {
    let partner_before = |close: usize| view.brackets.partner(close).filter(|&open| open < close);
    let mut at = at;
    if view.before(at, Kind::CloseBrace) {
        return partner_before(at - 1).is_some_and(|open| view.before(open, Kind::Body));
    }
    // Type arguments.
    if view.before(at, Kind::CloseBracket) {
        match partner_before(at - 1) {
            Some(open) => at = open,
            None => return false,
        }
    }
    if at == 0 || !view.is_name(at - 1) {
        return false;
    }
    at -= 1;
    while view.before(at, Kind::Dot) && at > 1 && view.is_name(at - 2) {
        at -= 2;
    }
    while view.before(at, Kind::Star) {
        at -= 1;
    }
    if !view.before(at, Kind::CloseBracket) {
        return false;
    }
    while view.before(at, Kind::CloseBracket) {
        match partner_before(at - 1) {
            Some(open) => at = open,
            None => return false,
        }
    }
    !view.operand_before(at)
}
