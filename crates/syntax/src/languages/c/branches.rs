//! The code that the fragment finder reads: no directives, and of `#if` branches that do not stand alone only one.
//!
//! Branches whose brackets balance are all kept, as tree-sitter keeps them; of those that do not (both open the same
//! function, say), the first one of the group stands for all.

use familiar_source::Token;

use super::lexer::{Directive, Kind, Sort};
use crate::finder::NONE;

/// Tokens without directives, with their brackets matched.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) tokens: Vec<Token>,
    partner: Vec<u32>,
    /// Positions of the opening braces, in order.
    pub(super) braces: Vec<u32>,
    /// Whether every bracket found its partner.
    pub(super) balanced: bool,
    /// Where stretches of `tokens` start, here and among all tokens.
    runs: Vec<(u32, u32)>,
}

impl Code {
    pub(super) fn new(all: &[Token], directives: &[Directive]) -> Self {
        let mut dropped = Groups::default().dropped(all, directives);
        dropped.extend(directives.iter().map(|directive| (directive.first, directive.end)));
        dropped.sort_unstable();
        let mut code = Self { balanced: true, ..Self::default() };
        code.tokens.reserve(all.len());
        let mut from = 0;
        for (first, end) in dropped {
            code.keep(all, from, first);
            from = from.max(end);
        }
        code.keep(all, from, all.len() as u32);
        code.match_brackets();
        code
    }

    fn keep(&mut self, all: &[Token], first: u32, end: u32) {
        if first < end {
            self.runs.push((self.tokens.len() as u32, first));
            self.tokens.extend_from_slice(&all[first as usize..end as usize]);
        }
    }

    /// Braces match braces whatever stands between them: in code full of macros, a lost parenthesis must not take the
    /// rest of the function with it. That is where this differs from [`crate::finder::Brackets`].
    fn match_brackets(&mut self) {
        self.partner.resize(self.tokens.len(), NONE);
        let mut open: Vec<(u8, u32)> = Vec::new();
        // How many braces are open.
        let mut depth = 0u32;
        for (at, token) in self.tokens.iter().enumerate() {
            let kind = token.kind;
            if kind < Kind::LParen as u8 || kind > Kind::RBrace as u8 {
                continue;
            }
            if kind == Kind::LBrace as u8 {
                self.braces.push(at as u32);
                depth += 1;
            }
            let opening = kind - 1;
            match kind {
                _ if is_opening(kind) => open.push((kind, at as u32)),
                _ if kind == Kind::RBrace as u8 => {
                    self.balanced &= depth > 0;
                    while depth > 0
                        && let Some((opened, start)) = open.pop()
                    {
                        if opened == opening {
                            depth -= 1;
                            self.partner[start as usize] = at as u32;
                            self.partner[at] = start;
                            break;
                        }
                        self.balanced = false;
                    }
                }
                _ if open.last().is_some_and(|&(opened, _)| opened == opening) => {
                    let (_, start) = open.pop().expect("the last one was just looked at");
                    self.partner[start as usize] = at as u32;
                    self.partner[at] = start;
                }
                _ => self.balanced = false,
            }
        }
        self.balanced &= open.is_empty();
    }

    /// The position of the other bracket.
    #[inline]
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        match self.partner[at] {
            NONE => None,
            partner => Some(partner as usize),
        }
    }

    /// The position after the group that opens at `at`, or after `at` where none does.
    #[inline]
    pub(super) fn after(&self, at: usize) -> usize {
        self.partner(at).filter(|&partner| partner > at).unwrap_or(at) + 1
    }

    /// The kind of the token at `at`; an operator past the end.
    #[inline]
    pub(super) fn kind(&self, at: usize) -> u8 {
        self.tokens.get(at).map_or(Kind::Op as u8, |token| token.kind)
    }

    #[inline]
    pub(super) fn is(&self, at: usize, kind: Kind) -> bool {
        self.kind(at) == kind as u8
    }

    /// The position among all tokens of the one at `at` here.
    pub(super) fn original(&self, at: usize) -> usize {
        let run = self.runs.partition_point(|&(here, _)| here as usize <= at) - 1;
        let (here, there) = self.runs[run];
        at - here as usize + there as usize
    }
}

pub(super) fn is_opening(kind: u8) -> bool {
    kind == Kind::LParen as u8 || kind == Kind::LBracket as u8 || kind == Kind::LBrace as u8
}

/// A branch of an `#if`: its tokens, and how many braces and parentheses it leaves open.
#[derive(Clone, Copy, Debug, Default)]
struct Branch {
    first: u32,
    end: u32,
    braces: i32,
    parens: i32,
    /// Kind of the last token.
    last: Option<u8>,
    never: bool,
}

impl Branch {
    fn read(&mut self, tokens: &[Token]) {
        for token in tokens {
            self.braces +=
                i32::from(token.kind == Kind::LBrace as u8) - i32::from(token.kind == Kind::RBrace as u8);
            self.parens +=
                i32::from(token.kind == Kind::LParen as u8) - i32::from(token.kind == Kind::RParen as u8);
        }
        self.last = tokens.last().map(|token| token.kind).or(self.last);
    }

    fn add(&mut self, other: &Self) {
        self.braces += other.braces;
        self.parens += other.parens;
        self.last = other.last.or(self.last);
    }

    fn balanced(&self) -> bool {
        self.braces == 0 && self.parens == 0
    }

    /// Whether the branch ends inside a statement.
    fn open_ended(&self) -> bool {
        const ENDS: [Kind; 5] = [Kind::Semi, Kind::LBrace, Kind::RBrace, Kind::Comma, Kind::Colon];
        self.last.is_some_and(|last| !ENDS.iter().any(|&end| end as u8 == last))
    }
}

/// Reads the `#if` groups of a file.
#[derive(Default)]
struct Groups {
    /// The branches of the open groups, and where those of each group start.
    branches: Vec<Branch>,
    starts: Vec<u32>,
    dropped: Vec<(u32, u32)>,
}

impl Groups {
    /// The stretches of tokens that are left out.
    fn dropped(mut self, all: &[Token], directives: &[Directive]) -> Vec<(u32, u32)> {
        let mut from = 0;
        for directive in directives {
            let segment = &all[from as usize..directive.first as usize];
            from = directive.end;
            if let Some(branch) = self.branches.last_mut() {
                branch.read(segment);
                branch.end = directive.first;
            }
            let branch = Branch { first: directive.end, end: directive.end, ..Branch::default() };
            match directive.sort {
                Sort::If | Sort::IfNever => {
                    self.starts.push(self.branches.len() as u32);
                    self.branches.push(Branch { never: directive.sort == Sort::IfNever, ..branch });
                }
                Sort::Else if !self.starts.is_empty() => self.branches.push(branch),
                Sort::End => self.end(all.get(directive.end as usize)),
                _ => {}
            }
        }
        self.dropped
    }

    fn end(&mut self, next: Option<&Token>) {
        let Some(group) = self.starts.pop() else { return };
        let branches = &self.branches[group as usize..];
        let body_follows = next.is_some_and(|token| token.kind == Kind::LBrace as u8);
        let stands_alone = |branch: &Branch| branch.balanced() && !(body_follows && branch.open_ended());
        let chosen = branches.iter().position(|branch| !branch.never).unwrap_or(branches.len());
        let mut kept = Branch::default();
        for (at, branch) in branches.iter().enumerate() {
            if at == chosen || stands_alone(branch) {
                kept.add(branch);
            } else {
                self.dropped.push((branch.first, branch.end));
            }
        }
        self.branches.truncate(group as usize);
        if let Some(outer) = self.branches.last_mut() {
            outer.add(&kept);
        }
    }
}
