//! Tokens of Go with their brackets matched, and what stands where among them.

use familiar_source::Token;

use super::lexer::Kind;
use crate::finder::{Bracket, Brackets};

/// The tokens with their brackets matched.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) brackets: &'a Brackets,
}

impl View<'_> {
    pub(super) fn is(&self, at: usize, kind: Kind) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == kind as u8)
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        self.is(at, Kind::Name) || self.is(at, Kind::Type) || self.is(at, Kind::Constant)
    }

    /// Whether a line end ended a statement before the token.
    pub(super) fn parted(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.starts_line)
    }

    pub(super) fn before(&self, at: usize, kind: Kind) -> bool {
        at > 0 && self.is(at - 1, kind)
    }

    /// Whether the token before `at` ends an operand, so that a bracket at `at` would index or call it.
    pub(super) fn operand_before(&self, at: usize) -> bool {
        const ENDS: [Kind; 6] =
            [Kind::Name, Kind::Type, Kind::String, Kind::CloseParen, Kind::CloseBracket, Kind::CloseBrace];
        ENDS.iter().any(|&kind| self.before(at, kind))
    }
}

/// What a token is to the matching of brackets.
pub(super) fn bracket(token: &Token) -> Bracket {
    const KINDS: [(Kind, Bracket); 6] = [
        (Kind::OpenParen, Bracket::Open(0)),
        (Kind::OpenBracket, Bracket::Open(1)),
        (Kind::OpenBrace, Bracket::Open(2)),
        (Kind::CloseParen, Bracket::Close(0)),
        (Kind::CloseBracket, Bracket::Close(1)),
        (Kind::CloseBrace, Bracket::Close(2)),
    ];
    // The six kinds stand in a row.
    if token.kind < Kind::CloseParen as u8 || token.kind > Kind::OpenBrace as u8 {
        return Bracket::No;
    }
    KINDS.iter().find(|(kind, _)| *kind as u8 == token.kind).map_or(Bracket::No, |&(_, bracket)| bracket)
}
