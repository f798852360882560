//! Statements and expressions inside functions: where blocks, lambdas, local classes and nested functions open.

use familiar_source::FragmentKind;

use super::lexer::Kind;
use super::scopes::{Finder, Frame, Position, Scope, Statements, Then};

/// What a `{` inside an expression opens.
enum Brace {
    Lambda,
    Values,
}

impl<const CPP: bool> Finder<'_, CPP> {
    fn statements(&mut self) -> &mut Statements {
        match self.frames.last_mut().map(|frame| &mut frame.scope) {
            Some(Scope::Body(statements)) => statements,
            _ => unreachable!("called in a body only"),
        }
    }

    /// Reads one token of a body.
    pub(super) fn statement(&mut self, at: usize) -> usize {
        let kind = self.code.kind(at);
        if self.statements().position == Position::Within {
            self.within(at, kind)
        } else {
            self.begin(at, kind)
        }
    }

    /// Reads the first token of a statement.
    fn begin(&mut self, at: usize, kind: u8) -> usize {
        let code = self.code;
        if kind == Kind::LBrace as u8 {
            self.statements().begin(at);
            if code.partner(at).is_none() {
                self.statements().position = Position::Start;
                return at + 1;
            }
            return self.open(at, Scope::Body(Statements::default()), Then::Next, false);
        }
        if kind == Kind::LBracket as u8 && code.is(at + 1, Kind::LBracket) {
            return code.after(at);
        }
        if kind == Kind::Case as u8 || (kind == Kind::Default as u8 && code.is(at + 1, Kind::Colon)) {
            return self.case(at);
        }
        if kind == Kind::Ident as u8 && code.is(at + 1, Kind::Colon) {
            let list = self.statements();
            list.begin(at);
            list.position = Position::Controlled;
            return at + 2;
        }
        let list = self.statements();
        if kind == Kind::While as u8 && list.position == Position::Start && list.dos > 0 {
            list.dos -= 1;
            list.position = Position::Controlled;
        }
        let goes_on = [Kind::Else, Kind::Catch, Kind::SehCatch].iter().any(|&word| word as u8 == kind);
        if goes_on {
            list.position = Position::Controlled;
        }
        list.begin(at);
        list.dos += u32::from(kind == Kind::Do as u8);
        if [Kind::If, Kind::For, Kind::While, Kind::Switch, Kind::Catch, Kind::SehCatch]
            .iter()
            .any(|&word| word as u8 == kind)
        {
            list.control = true;
            // `__finally` has no head.
            if kind == Kind::SehCatch as u8 && !code.is(at + 1, Kind::LParen) {
                list.position = Position::Controlled;
            }
            return at + 1;
        }
        if [Kind::Else, Kind::Do, Kind::Try, Kind::SehTry].iter().any(|&word| word as u8 == kind) {
            list.position = Position::Controlled;
            return at + 1;
        }
        self.within(at, kind)
    }

    /// Reads `case … :` or `default :`.
    fn case(&mut self, at: usize) -> usize {
        let code = self.code;
        let close = self.frames.last().map_or(at, |frame| frame.close);
        let mut next = at + 1;
        while next < close && !code.is(next, Kind::Colon) {
            if code.is(next, Kind::Semi) || code.is(next, Kind::LBrace) {
                break;
            }
            next = code.after(next);
        }
        let list = self.statements();
        list.count += 1;
        list.has_cases = true;
        list.position = Position::Start;
        next + usize::from(next < close && code.is(next, Kind::Colon))
    }

    fn within(&mut self, at: usize, kind: u8) -> usize {
        if kind > Kind::Arrow as u8 && kind < Kind::Struct as u8 {
            return at + 1;
        }
        if kind == Kind::Semi as u8 || kind == Kind::RBrace as u8 {
            self.statements().position = Position::Start;
        } else if kind == Kind::LParen as u8 || kind == Kind::LBracket as u8 {
            return self.group(at, kind);
        } else if kind == Kind::LBrace as u8 {
            return self.open_in_statement(at);
        } else if kind == Kind::Arrow as u8 {
            self.statements().lambda |= CPP && self.ends_lambda_head(at - 1);
        } else if [Kind::Class, Kind::Struct, Kind::Union, Kind::Enum].iter().any(|&key| key as u8 == kind) {
            let list = self.statements();
            list.class_key = list.class_key.or(Some(at));
        }
        at + 1
    }

    /// Reads the `(` or `[` at `at` and, where no brace is in it, all of its group.
    fn group(&mut self, at: usize, kind: u8) -> usize {
        let braceless = self.is_braceless(at);
        let list = self.statements();
        let head = list.control && kind == Kind::LParen as u8;
        list.control &= !head;
        let then = if head { Then::Controlled } else { Then::Continue };
        if self.code.partner(at).is_none() {
            return at + 1;
        }
        if braceless {
            self.statements().closed(then);
            return self.code.after(at);
        }
        self.open(at, Scope::Group, then, false)
    }

    /// Reads a `{` inside a statement.
    fn open_in_statement(&mut self, at: usize) -> usize {
        let code = self.code;
        let list = self.statements();
        let (first, class_key, lambda) =
            (list.first, list.class_key.take(), std::mem::take(&mut list.lambda));
        let Some(close) = code.partner(at) else {
            list.position = Position::Start;
            return at + 1;
        };
        if let Some(key) = class_key
            && self.is_class(key, at)
        {
            return self.class(key, at, close);
        }
        let body = Scope::Body(Statements::default());
        if code.is(at - 1, Kind::RParen)
            && let Some(open) = code.partner(at - 1)
            && open > first
        {
            // `for_each(x, list) { … }`: a macro, read as a control structure.
            if open == first + 1 && code.is(first, Kind::Ident) {
                return self.open(at, body, Then::Next, false);
            }
            if self.is_nested_function(first, open) {
                self.emit(FragmentKind::Function, self.declared_name(open), first, close);
                return self.open(at, body, Then::Next, true);
            }
        }
        // `forever { … }`
        let ends = !code.is(close + 1, Kind::Semi)
            && !code.is(close + 1, Kind::Op)
            && !code.is(close + 1, Kind::LParen);
        if at == first + 1 && code.is(first, Kind::Ident) && ends {
            return self.open(at, body, Then::Next, false);
        }
        match self.brace(at, lambda) {
            Brace::Lambda => self.open(at, body, Then::Continue, false),
            Brace::Values => self.open(at, Scope::Values, Then::Continue, false),
        }
    }

    /// Whether the `{` at `at` opens the body of the class whose keyword stands at `key`.
    fn is_class(&self, key: usize, at: usize) -> bool {
        let code = self.code;
        let mut names = 0;
        let mut next = key + 1;
        while next < at {
            let kind = code.kind(next);
            if kind == Kind::Colon as u8 {
                return true;
            }
            let other = kind == Kind::Assign as u8
                || kind == Kind::Star as u8
                || kind == Kind::Amp as u8
                || kind == Kind::Comma as u8;
            let call = kind == Kind::LParen as u8 && code.is(next - 1, Kind::Ident);
            if other || call {
                return false;
            }
            names += usize::from(kind == Kind::Ident as u8);
            next = code.after(next);
        }
        names <= 1
    }

    /// Whether `first..params` reads as the head of a function: a type and a name, nothing else.
    fn is_nested_function(&self, first: usize, params: usize) -> bool {
        const TYPE: [Kind; 7] =
            [Kind::Ident, Kind::Type, Kind::Specifier, Kind::Struct, Kind::Union, Kind::Star, Kind::Scope];
        let code = self.code;
        let typed = |at: usize| TYPE.iter().any(|&kind| code.is(at, kind)) || (CPP && code.is(at, Kind::Amp));
        first + 2 <= params
            && params - first < 24
            && code.is(params - 1, Kind::Ident)
            && (first..params - 1).all(typed)
            && !code.is(first, Kind::Star)
            && !code.is(params - 2, Kind::Scope)
    }

    /// Whether the token at `at` is the end of a lambda's parameters or of what may follow them.
    fn ends_lambda_head(&self, at: usize) -> bool {
        let code = self.code;
        if code.is(at, Kind::Mutable) || code.is(at, Kind::Exception) {
            return true;
        }
        let Some(open) = code.partner(at).filter(|&open| open > 0 && open < at) else { return false };
        let before = code.kind(open - 1);
        if code.is(at, Kind::RBracket) {
            let subscript =
                [Kind::Ident, Kind::RBracket, Kind::RParen].iter().any(|&kind| kind as u8 == before);
            return !subscript;
        }
        code.is(at, Kind::RParen)
            && [Kind::RBracket, Kind::Exception, Kind::Greater].iter().any(|&kind| kind as u8 == before)
    }

    fn brace(&self, at: usize, lambda: bool) -> Brace {
        if CPP && (lambda || self.ends_lambda_head(at - 1)) { Brace::Lambda } else { Brace::Values }
    }

    /// Reads one token in parentheses or in an initialiser.
    pub(super) fn expression(&mut self, at: usize) -> usize {
        let code = self.code;
        let kind = code.kind(at);
        let opens = kind == Kind::LParen as u8 || kind == Kind::LBracket as u8 || kind == Kind::LBrace as u8;
        if !opens || code.partner(at).is_none() {
            return at + 1;
        }
        if kind != Kind::LBrace as u8 {
            return if self.is_braceless(at) {
                code.after(at)
            } else {
                self.open(at, Scope::Group, Then::Continue, false)
            };
        }
        let group = matches!(self.frames.last(), Some(Frame { scope: Scope::Group, .. }));
        let before = code.kind(at - 1);
        // `({ … })` and `MACRO(x, { … })` hold statements.
        let statements = group && (before == Kind::LParen as u8 || before == Kind::Comma as u8);
        let scope = match self.brace(at, self.is_lambda_type(at)) {
            Brace::Values if !statements => Scope::Values,
            _ => Scope::Body(Statements::default()),
        };
        self.open(at, scope, Then::Continue, false)
    }

    /// Whether the `{` at `at` follows the return type of a lambda.
    fn is_lambda_type(&self, at: usize) -> bool {
        let code = self.code;
        if !CPP
            || !(code.is(at - 1, Kind::Ident)
                || code.is(at - 1, Kind::Type)
                || code.is(at - 1, Kind::Greater)
                || code.is(at - 1, Kind::Star)
                || code.is(at - 1, Kind::Amp))
        {
            return false;
        }
        let arrow = (0..at).rev().take(16).find(|&at| code.is(at, Kind::Arrow));
        arrow.is_some_and(|arrow| arrow > 0 && self.ends_lambda_head(arrow - 1))
    }
}
