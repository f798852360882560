//! Stepping over types, type arguments and type parameters.

use super::finder::Finder;
use super::kind::Kind;

impl Finder<'_> {
    /// The position after the type that starts at `at`; `at` itself where none does.
    pub(super) fn after_type(&mut self, mut at: usize) -> usize {
        // `extends` and `?` of conditional types that wait for their `?` and `:`.
        let (mut constraints, mut conditions) = (0u32, 0u32);
        loop {
            let (after, more) = self.after_type_operand(at);
            at = after;
            if more {
                continue;
            }
            at = self.after_type_suffixes(at);
            let line = at;
            match self.kind(at) {
                Kind::Or | Kind::And => at += 1,
                Kind::Is if !self.breaks_before(at) => at += 1,
                Kind::Extends => {
                    constraints += 1;
                    at += 1;
                }
                Kind::Question if constraints > 0 => {
                    constraints -= 1;
                    conditions += 1;
                    at += 1;
                }
                Kind::Colon if conditions > 0 => {
                    conditions -= 1;
                    at += 1;
                }
                _ => return line,
            }
        }
    }

    /// The position after an operand of a type or after a part of one, and whether it goes on with another operand.
    fn after_type_operand(&mut self, at: usize) -> (usize, bool) {
        match self.kind(at) {
            Kind::LeftParen => {
                let after = self.brackets.after(at);
                let is_function = self.kind(after) == Kind::Arrow && self.starts_parameters(at + 1);
                (after + usize::from(is_function), is_function)
            }
            Kind::LeftBrace | Kind::LeftBracket => (self.brackets.after(at), false),
            Kind::Less => match self.after_angles(at) {
                Some(after) => (after, self.kind(after) == Kind::LeftParen),
                None => (at, false),
            },
            Kind::Or | Kind::And | Kind::Minus | Kind::New => (at + 1, true),
            Kind::Typeof | Kind::Keyof | Kind::Readonly | Kind::Infer | Kind::TypePrefix | Kind::Abstract
                if self.starts_type(at + 1) =>
            {
                (at + 1, true)
            }
            Kind::TemplateHead | Kind::TemplateOpen => (self.after_template(at), false),
            Kind::Import => (self.brackets.after(at + 1), false),
            Kind::String | Kind::Number | Kind::Template => (at + 1, false),
            kind if kind.is_name() || matches!(kind, Kind::Value | Kind::Void | Kind::Const) => {
                (at + 1, false)
            }
            _ => (at, false),
        }
    }

    /// Whether what follows a `(` in a type reads like parameters rather than like a type in parentheses.
    fn starts_parameters(&self, at: usize) -> bool {
        let after = match self.kind(at) {
            Kind::RightParen | Kind::Spread => return true,
            Kind::LeftBrace | Kind::LeftBracket => self.brackets.after(at),
            kind if kind.is_word() => at + 1,
            _ => return false,
        };
        matches!(
            self.kind(after),
            Kind::Colon | Kind::Comma | Kind::Question | Kind::Assign | Kind::RightParen
        )
    }

    /// Whether the token at `at` goes on with the type that a prefix such as `keyof` started.
    fn starts_type(&self, at: usize) -> bool {
        let kind = self.kind(at);
        let opens = matches!(
            kind,
            Kind::LeftBrace | Kind::LeftParen | Kind::LeftBracket | Kind::String | Kind::Import | Kind::New
        );
        (opens || kind.is_name() || matches!(kind, Kind::Value | Kind::Typeof))
            && !matches!(kind, Kind::Is)
            && !self.breaks_before(at)
    }

    /// `.name`, `[index]` and `<arguments>` after a type.
    fn after_type_suffixes(&mut self, mut at: usize) -> usize {
        loop {
            match self.kind(at) {
                Kind::Dot => at += 2,
                Kind::LeftBracket if !self.breaks_before(at) => at = self.brackets.after(at),
                Kind::Less => match self.after_angles(at) {
                    Some(after) => at = after,
                    None => return at,
                },
                _ => return at,
            }
        }
    }

    /// The position after the template with substitutions at `at`.
    fn after_template(&self, mut at: usize) -> usize {
        loop {
            match self.kind(at) {
                Kind::TemplateTail => return at + 1,
                Kind::TemplateHead | Kind::TemplateMiddle => at += 1,
                Kind::TemplateOpen => at = self.brackets.after(at),
                _ => return at,
            }
        }
    }

    /// The position after the `>` that closes the `<` at `at`, where only what types are made of lies between them.
    pub(super) fn after_angles(&mut self, at: usize) -> Option<usize> {
        let mut depth = 0u32;
        let mut here = at;
        while self.fuel > 0 && here < self.tokens.len() {
            self.fuel -= 1;
            let kind = self.kind(here);
            match kind {
                Kind::Less => depth += 1,
                Kind::Less2 => depth += 2,
                Kind::Greater => depth -= 1,
                Kind::Greater2 => depth = depth.checked_sub(2)?,
                Kind::Greater3 => depth = depth.checked_sub(3)?,
                Kind::LeftParen | Kind::LeftBrace | Kind::LeftBracket | Kind::TemplateOpen => {
                    self.brackets.partner(here)?;
                    here = self.brackets.after(here) - 1;
                }
                kind if is_type_part(kind) => {}
                _ => return None,
            }
            here += 1;
            if depth == 0 {
                return Some(here);
            }
        }
        self.sure &= self.fuel > 0;
        None
    }

    /// Whether the `<` at `at`, which stands after an operand, opens type arguments: the position after them.
    pub(super) fn after_type_arguments(&mut self, at: usize) -> Option<usize> {
        let after = self.after_angles(at)?;
        let kind = self.kind(after);
        let called =
            matches!(kind, Kind::LeftParen | Kind::Template | Kind::TemplateHead | Kind::TemplateOpen);
        let starts_operand = kind.is_word() && !matches!(kind, Kind::In | Kind::Instanceof | Kind::Extends)
            || matches!(
                kind,
                Kind::Number
                    | Kind::String
                    | Kind::Regex
                    | Kind::LeftBracket
                    | Kind::LeftBrace
                    | Kind::Private
                    | Kind::Plus
                    | Kind::Minus
                    | Kind::Bang
                    | Kind::Tilde
                    | Kind::Less
                    | Kind::Greater
            );
        let is_binary = matches!(kind, Kind::As | Kind::Satisfies | Kind::Implements);
        (called || is_binary || !starts_operand || self.breaks_before(after)).then_some(after)
    }

    /// The position after the type parameters at `at`, or `at` where there are none.
    pub(super) fn after_type_parameters(&mut self, at: usize) -> usize {
        if self.typed && self.kind(at) == Kind::Less { self.after_angles(at).unwrap_or(at) } else { at }
    }
}

/// What types are made of, brackets aside.
fn is_type_part(kind: Kind) -> bool {
    let is_operator = matches!(
        kind,
        Kind::Comma
            | Kind::Dot
            | Kind::Or
            | Kind::And
            | Kind::Arrow
            | Kind::Question
            | Kind::Colon
            | Kind::Minus
            | Kind::Assign
            | Kind::Spread
    );
    let is_literal = matches!(
        kind,
        Kind::String
            | Kind::Number
            | Kind::Template
            | Kind::TemplateHead
            | Kind::TemplateMiddle
            | Kind::TemplateTail
    );
    let is_keyword = matches!(
        kind,
        Kind::Extends
            | Kind::Typeof
            | Kind::Void
            | Kind::Value
            | Kind::New
            | Kind::In
            | Kind::Import
            | Kind::Const
    );
    is_operator || is_literal || is_keyword || kind.is_name()
}
