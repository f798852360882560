//! Types and functions that are declared: from the first word to the brace of the body.

use familiar_source::FragmentKind;

use super::lexer::Kind;
use super::view::View;

/// A type or a function that is declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    pub(super) kind: FragmentKind,
    pub(super) first: usize,
    pub(super) name: Option<usize>,
}

/// Finds bodies; remembers how far it has read, so that no signature is read twice.
#[derive(Debug, Default)]
pub(super) struct Signatures {
    /// Every `func` before this position is part of a signature that was read: a type.
    read: usize,
}

impl Signatures {
    /// The brace of the body of the function at `func` with the function, or the brace of a literal whose elements
    /// are of a function type, with none; `None` for a type by itself or a declaration without a body.
    pub(super) fn body(
        &mut self,
        view: View<'_>,
        func: usize,
        declared: bool,
    ) -> Option<(usize, Option<Declaration>)> {
        if func < self.read {
            return None;
        }
        let element = is_element_type(view, func);
        let mut at = func + 1;
        let mut name = None;
        if declared {
            // A receiver stands before the name, the type parameters after it.
            let method = view.is(at, Kind::OpenParen).then(|| view.brackets.after(at));
            let word = method.unwrap_or(at);
            if view.is_name(word)
                && (view.is(word + 1, Kind::OpenParen) || view.is(word + 1, Kind::OpenBracket))
            {
                name = Some(word);
                at = word + 1;
                if view.is(at, Kind::OpenBracket) {
                    at = view.brackets.after(at);
                }
            }
        }
        if !view.is(at, Kind::OpenParen) {
            return None;
        }
        at = after_type(view, view.brackets.after(at));
        self.read = at;
        let brace = view.is(at, Kind::OpenBrace) && !view.parted(at);
        let function = (!element).then_some(Declaration { kind: FragmentKind::Function, first: func, name });
        brace.then_some((at, function))
    }
}

/// The type declaration whose `struct` or `interface` stands at `word`, inside the bracket at `parent`.
pub(super) fn type_declaration(view: View<'_>, word: usize, parent: Option<usize>) -> Option<Declaration> {
    let mut name = word.checked_sub(1)?;
    if view.is(name, Kind::CloseBracket) {
        // Type parameters, or the length of an array.
        let open = view.brackets.partner(name).filter(|&open| open < name)?;
        if name - open < 3 || !view.is_name(open + 1) || view.is(open + 2, Kind::Operator) {
            return None;
        }
        name = open.checked_sub(1)?;
    }
    let grouped = || {
        let group =
            parent.is_some_and(|open| view.is(open, Kind::OpenParen) && view.before(open, Kind::TypeWord));
        group && (parent == name.checked_sub(1) || view.parted(name) || view.before(name, Kind::Semicolon))
    };
    let declared = view.is_name(name) && (view.before(name, Kind::TypeWord) || grouped());
    declared.then_some(Declaration { kind: FragmentKind::Class, first: name, name: Some(name) })
}

/// Whether the type at `func` is that of a slice's, map's or channel's elements, where no function can stand.
fn is_element_type(view: View<'_>, func: usize) -> bool {
    if view.parted(func) {
        return false;
    }
    let before = (0..func).rev().find(|&at| !view.is(at, Kind::Star));
    before.is_some_and(|at| view.is(at, Kind::CloseBracket) || view.is(at, Kind::Chan))
}

/// The position after the type that starts at `at`, or `at` where none does.
fn after_type(view: View<'_>, mut at: usize) -> usize {
    loop {
        let Some(token) = view.tokens.get(at).filter(|token| !token.starts_line) else { return at };
        let is = |kind: Kind| token.kind == kind as u8;
        if is(Kind::Star) || is(Kind::Arrow) || is(Kind::Chan) || is(Kind::Map) {
            at += 1;
        } else if is(Kind::OpenBracket) {
            at = view.brackets.after(at);
        } else if is(Kind::Func) && view.is(at + 1, Kind::OpenParen) {
            at = view.brackets.after(at + 1);
        } else if is(Kind::Body) && view.is(at + 1, Kind::OpenBrace) {
            return view.brackets.after(at + 1);
        } else if is(Kind::OpenParen) {
            return view.brackets.after(at);
        } else if is(Kind::Name) || is(Kind::Type) {
            return after_name(view, at);
        } else {
            return at;
        }
    }
}

/// The position after a type's name with its package and type arguments.
fn after_name(view: View<'_>, mut at: usize) -> usize {
    at += 1;
    if view.is(at, Kind::Dot) && view.is_name(at + 1) {
        at += 2;
    }
    if view.is(at, Kind::OpenBracket) && !view.parted(at) { view.brackets.after(at) } else { at }
}
