//! What stands before a `{` among declarations: a function's head, a class's, a namespace's, or an initialiser.

use super::branches::{Code, is_opening};
use super::lexer::Kind;
use crate::languages::lexing::breaks_between;

/// The declaration that is being read, from its first token on.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a mark of its own that a declaration has or has not"
)]
pub(super) struct Header {
    pub(super) start: usize,
    /// The parenthesis that opens the parameters.
    pub(super) params: Option<usize>,
    /// The last parenthesis that may do where angle brackets misled.
    group: Option<usize>,
    /// `class`, `struct`, `union` or `enum`.
    pub(super) class_key: Option<usize>,
    /// `operator`.
    pub(super) operator: Option<usize>,
    /// Open angle brackets.
    angles: u32,
    /// `=` was seen.
    pub(super) assigned: bool,
    /// The initialisers of a constructor have begun.
    pub(super) initialisers: bool,
    /// A class's list of bases has begun.
    bases: bool,
    pub(super) namespace: bool,
    /// `catch` after a function whose body is a `try`.
    pub(super) catching: bool,
    /// A comma after the parameters: a list of variables.
    listed: bool,
    /// A return type follows the parameters.
    arrow: bool,
    /// It starts as a statement does.
    pub(super) statement: bool,
}

impl Header {
    pub(super) fn at(start: usize) -> Self {
        Self { start, ..Self::default() }
    }

    /// Whether a `{` now opens a function's body (or, in a constructor, a member's initialiser).
    pub(super) fn is_function(&self) -> bool {
        self.params.is_some() && !self.listed && !self.statement && !self.bases
    }

    /// Takes note of the token at `at`; gives the position of the next one to look at.
    pub(super) fn read<const CPP: bool>(&mut self, at: usize, source: &[u8], code: &Code) -> usize {
        let kind = code.kind(at);
        if kind == Kind::LParen as u8 {
            self.parenthesis(at, source, code);
            return code.after(at);
        } else if kind == Kind::LBracket as u8 {
            return code.after(at);
        } else if kind == Kind::Assign as u8 {
            self.assigned = true;
        } else if kind == Kind::Comma as u8 {
            self.listed |= self.params.is_some() && !self.initialisers && !self.arrow;
        } else if kind == Kind::Arrow as u8 {
            self.arrow = true;
        } else if [Kind::Class, Kind::Struct, Kind::Union, Kind::Enum].iter().any(|&key| key as u8 == kind) {
            if self.class_key.is_none() && self.params.is_none() && !self.assigned && self.angles == 0 {
                self.class_key = Some(at);
            }
        } else if CPP {
            return self.read_cpp(at, kind, code);
        }
        at + 1
    }

    fn read_cpp(&mut self, at: usize, kind: u8, code: &Code) -> usize {
        let open = self.params.is_none() && !self.assigned;
        if kind == Kind::Colon as u8 {
            self.initialisers |= self.params.is_some();
            self.bases |= self.params.is_none() && self.class_key.is_some();
        } else if kind == Kind::Less as u8 && open && at > self.start && code.is(at - 1, Kind::Ident) {
            self.angles += 1;
        } else if kind == Kind::Greater as u8 {
            self.angles = self.angles.saturating_sub(1);
        } else if kind == Kind::ShiftRight as u8 {
            self.angles = self.angles.saturating_sub(2);
        } else if kind == Kind::Operator as u8 && open {
            self.operator = Some(at);
            self.angles = 0;
            return after_operator_symbol(at, code);
        } else if kind == Kind::Requires as u8 && !self.assigned {
            return after_requires(at, code);
        }
        at + 1
    }

    fn parenthesis(&mut self, at: usize, source: &[u8], code: &Code) {
        if self.assigned || self.initialisers || self.bases || at == self.start || code.partner(at).is_none()
        {
            return;
        }
        let before = code.kind(at - 1);
        let named = before == Kind::Ident as u8 || before >= Kind::Import as u8;
        // `struct PACKED(1) name`: a macro.
        if named && self.class_key.is_some_and(|key| key + 2 == at) {
            return;
        }
        if let Some(old) = self.params {
            if named {
                self.second_parenthesis(old, at, source, code);
            }
            return;
        }
        let opened = code.partner(at - 1).filter(|&open| before == Kind::RParen as u8 && open > self.start);
        let declarator = opened.is_some_and(|open| !is_attribute(code.kind(open - 1)));
        let taken = named || declarator || self.operator.is_some() || before == Kind::Greater as u8;
        if taken && self.angles == 0 {
            self.params = Some(at);
        } else if taken {
            self.group = Some(at);
        }
    }

    /// Two names with parentheses: a function and an attribute's macro, or a macro and then the function?
    fn second_parenthesis(&mut self, old: usize, at: usize, source: &[u8], code: &Code) {
        let (name, first_name) = (name_text(at, source, code), name_text(old, source, code));
        let next = code.after(old);
        let new_line = breaks_between(source, code.tokens[next - 1].end, code.tokens[next].start);
        let again = at == next + 1 && (name == first_name || (is_caps(name) && is_caps(first_name)));
        let declared = at > next + 1
            && !is_caps(name)
            && is_declaration_word(code.kind(next))
            && !is_const(code.tokens[next].text(source));
        if new_line && (again || declared) {
            // `MACRO(x)` on lines of its own: it is not part of the function.
            *self = Self { params: Some(at), ..Self::at(next) };
        } else if is_caps(first_name) && !is_caps(name) {
            self.params = Some(at);
        }
    }

    /// Whether the word at `at` starts a declaration anew, after what looked like a head but was a macro.
    pub(super) fn starts_anew(&self, at: usize, kind: u8, source: &[u8], code: &Code) -> bool {
        let Some(params) = self.params.filter(|&params| code.after(params) == at) else { return false };
        if self.assigned || self.initialisers {
            return false;
        }
        let class = [Kind::Class, Kind::Struct, Kind::Union, Kind::Enum].iter().any(|&key| key as u8 == kind);
        if class {
            return is_caps(name_text(params, source, code));
        }
        let word = code.tokens[at].text(source);
        kind == Kind::Extern as u8
            || (kind == Kind::Specifier as u8 && [&b"static"[..], b"inline", b"typedef"].contains(&word))
    }

    /// At a `{`: angle brackets that never closed were comparisons.
    pub(super) fn settle(&mut self) {
        if self.angles > 0 {
            self.params = self.params.or(self.group);
            self.angles = 0;
        }
    }

    /// Where the declaration starts without the macros on lines of their own before it.
    pub(super) fn start_without_macros(&self, source: &[u8], code: &Code) -> usize {
        let Some(params) = self.params else { return self.start };
        let mut start = self.start;
        while code.is(start, Kind::Ident) && start + 1 < params {
            let text = code.tokens[start].text(source);
            let next = if code.is(start + 1, Kind::LParen) { code.after(start + 1) } else { start + 1 };
            let marks_region =
                [&b"_NAMESPACE"[..], b"_DECLS", b"_BEGIN", b"_END", b"_PUSH", b"_POP", b"_OBJECT"]
                    .iter()
                    .any(|end| text.ends_with(end));
            let alone = next >= params
                || !is_caps(text)
                || (next == start + 1 && !marks_region)
                || !is_declaration_word(code.kind(next))
                || !breaks_between(source, code.tokens[next - 1].end, code.tokens[next].start);
            if alone {
                break;
            }
            start = next;
        }
        start
    }
}

/// The text of the token before the parenthesis at `at`.
fn name_text<'s>(at: usize, source: &'s [u8], code: &Code) -> &'s [u8] {
    if at == 0 { b"" } else { code.tokens[at - 1].text(source) }
}

/// Whether a name is written as macros are.
fn is_caps(text: &[u8]) -> bool {
    text.len() > 1
        && text.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

fn is_const(text: &[u8]) -> bool {
    text == b"const" || text == b"volatile"
}

fn is_attribute(kind: u8) -> bool {
    [Kind::Attribute, Kind::CppAttribute, Kind::Asm, Kind::Exception].iter().any(|&word| word as u8 == kind)
}

/// Whether a declaration may start with a token of this kind.
fn is_declaration_word(kind: u8) -> bool {
    const WORDS: [Kind; 13] = [
        Kind::Ident,
        Kind::Type,
        Kind::Specifier,
        Kind::Extern,
        Kind::Struct,
        Kind::Union,
        Kind::Enum,
        Kind::Attribute,
        Kind::Class,
        Kind::CppSpecifier,
        Kind::CppAttribute,
        Kind::Template,
        Kind::Tilde,
    ];
    WORDS.iter().any(|&word| word as u8 == kind)
}

/// The position after `operator` and the symbol that it names; a conversion's type is left to be read.
fn after_operator_symbol(at: usize, code: &Code) -> usize {
    let next = code.kind(at + 1);
    if next == Kind::LParen as u8 || next == Kind::LBracket as u8 {
        return code.after(at + 1);
    }
    if next == Kind::NewDelete as u8 {
        return if code.is(at + 2, Kind::LBracket) { code.after(at + 2) } else { at + 2 };
    }
    if next == Kind::Str as u8 {
        return at + 2 + usize::from(code.is(at + 2, Kind::Ident));
    }
    let symbol = next < Kind::Ident as u8 && next != Kind::Scope as u8 && next != Kind::LBrace as u8;
    (at + 1 + usize::from(symbol)).min(code.tokens.len())
}

/// Most tokens between two angle brackets that are looked through.
const MAX_ANGLE_TOKENS: usize = 256;

/// The position after the angle brackets that open at `at`; after the first one where they never close.
pub(super) fn after_angles(at: usize, code: &Code) -> usize {
    let mut depth = 0u32;
    let mut next = at;
    for _ in 0..MAX_ANGLE_TOKENS {
        let kind = code.kind(next);
        if kind == Kind::Less as u8 {
            depth += 1;
        } else if kind == Kind::Greater as u8 || kind == Kind::ShiftRight as u8 {
            depth = depth.saturating_sub(if kind == Kind::Greater as u8 { 1 } else { 2 });
            if depth == 0 {
                return next + 1;
            }
        } else if is_opening(kind) && (kind != Kind::LBrace as u8 || code.after(next) == next + 2) {
            // Of braces only `{}`: others open what the angle brackets stand before.
            next = code.after(next);
            continue;
        } else if kind == Kind::Semi as u8 || kind == Kind::LBrace as u8 || kind == Kind::RBrace as u8 {
            return at + 1;
        }
        next += 1;
    }
    at + 1
}

/// The position after the `requires` at `at` and its constraint.
pub(super) fn after_requires(at: usize, code: &Code) -> usize {
    let mut next = at + 1;
    loop {
        next = after_constraint(next, code);
        let kind = code.kind(next);
        let joined = kind == Kind::AmpAmp as u8
            || (kind == Kind::Op as u8
                && code.tokens.get(next).is_some_and(|token| token.end == token.start + 2));
        if !joined {
            return next.min(code.tokens.len());
        }
        next += 1;
    }
}

/// One operand of a `requires` clause: `(…)`, `name<…>::value`, `requires (…) {…}` or a constant.
fn after_constraint(mut at: usize, code: &Code) -> usize {
    if code.is(at, Kind::Requires) {
        at += 1;
        if code.is(at, Kind::LParen) {
            at = code.after(at);
        }
        return if code.is(at, Kind::LBrace) { code.after(at) } else { at };
    }
    if code.is(at, Kind::LParen) {
        return code.after(at);
    }
    loop {
        at += 1;
        if code.is(at, Kind::Less) {
            at = after_angles(at, code);
        }
        if !code.is(at, Kind::Scope) {
            return at;
        }
        at += 1;
    }
}
