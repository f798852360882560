//! The kinds of tokens of JavaScript and TypeScript, and the generated lexer of what needs no context.

use familiar_source::TokenClass;
use logos::Logos;

use crate::finder::Bracket;
use crate::languages::lexing::{block_comment, line_comment};

macro_rules! kinds {
    ($($(#[$attribute:meta])* $name:ident,)*) => {
        /// What a token is. The numbers are those of [`familiar_source::Token::kind`].
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[logos(utf8 = false)]
        #[logos(skip r"[ \t\r\n\x0b\x0c]+")]
        #[logos(subpattern start = r"[A-Za-z_$\\\x80-\xff]")]
        #[logos(subpattern part = r"[A-Za-z0-9_$\\\x80-\xff]")]
        #[repr(u8)]
        pub(super) enum Kind {
            $($(#[$attribute])* $name,)*
        }

        impl Kind {
            const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

kinds! {
    #[token("//", line_comment)]
    #[token("/*", block_comment)]
    Comment,

    // Words: `FIRST_WORD..=LAST_WORD`. After a dot all of them are names.
    #[regex(r"(?-u)[A-Za-z_$\\\x80-\xff][A-Za-z0-9_$\\\x80-\xff]*", priority = 1)]
    Ident,

    // Words that mean something in some places only.
    #[token("accessor")] #[token("override")]
    #[token("private")] #[token("protected")] #[token("public")]
    Modifier,
    #[token("readonly")] Readonly,
    #[token("abstract")] Abstract,
    #[token("declare")] Declare,
    #[token("implements")] Implements,
    #[token("interface")] Interface,
    #[token("namespace")] Namespace,
    #[token("keyof")] Keyof,
    #[token("infer")] Infer,
    #[token("satisfies")] Satisfies,
    #[token("module")] Module,
    #[token("global")] Global,
    #[token("type")] Type,
    #[token("unique")] #[token("asserts")] TypePrefix,
    #[token("is")] Is,
    #[token("as")] As,
    #[token("get")] #[token("set")] Accessor,
    #[token("of")] Of,
    #[token("from")] From,
    #[token("assert")] Assert,
    #[token("using")] Using,
    #[token("any")] #[token("unknown")] #[token("never")] #[token("string")] #[token("number")]
    #[token("boolean")] #[token("symbol")] #[token("object")] #[token("bigint")]
    TypeName,

    // Words that are keywords in every language of the family: `FIRST_KEYWORD..=LAST_WORD`.
    #[token("async")] Async,
    #[token("static")] Static,
    #[token("let")] Let,
    #[token("const")] Const,
    #[token("var")] Var,
    #[token("await")] Await,
    #[token("yield")] Yield,
    #[token("break")] Break,
    #[token("continue")] Continue,
    #[token("case")] Case,
    #[token("catch")] Catch,
    #[token("class")] Class,
    #[token("debugger")] Debugger,
    #[token("default")] Default,
    #[token("delete")] Delete,
    #[token("do")] Do,
    #[token("else")] Else,
    #[token("enum")] Enum,
    #[token("export")] Export,
    #[token("extends")] Extends,
    #[token("finally")] Finally,
    #[token("for")] For,
    #[token("function")] Function,
    #[token("if")] If,
    #[token("in")] In,
    #[token("instanceof")] Instanceof,
    #[token("new")] New,
    #[token("return")] Return,
    #[token("switch")] Switch,
    #[token("throw")] Throw,
    #[token("try")] Try,
    #[token("typeof")] Typeof,
    #[token("void")] Void,
    #[token("while")] While,
    #[token("with")] With,
    #[token("this")] #[token("super")] #[token("null")] #[token("true")] #[token("false")]
    Value,
    #[token("import")] Import,

    // Literals.
    #[regex(r"(?-u)#[A-Za-z_$\\\x80-\xff][A-Za-z0-9_$\\\x80-\xff]*")] Private,
    #[regex(r"0[xX][0-9a-fA-F_]+n?|0[oO][0-7_]+n?|0[bB][01_]+n?")]
    #[regex(r"[0-9][0-9_]*n?(\.[0-9_]*)?([eE][+-]?[0-9_]+)?")]
    #[regex(r"\.[0-9][0-9_]*([eE][+-]?[0-9_]+)?")]
    Number,
    #[regex(r#"(?-u)"([^"\\\r\n]|\\(\r\n|[\x00-\xff]))*"?"#)]
    #[regex(r#"(?-u)'([^'\\\r\n]|\\(\r\n|[\x00-\xff]))*'?"#)]
    String,
    /// A regular expression.
    Regex,
    /// A template without substitutions, or its text before the first, between two, after the last one.
    Template,
    TemplateHead,
    TemplateMiddle,
    TemplateTail,

    // JSX: `JsxOpen` starts an outermost element; the other kinds stand inside of one only.
    JsxOpen,
    JsxPunct,
    JsxName,
    JsxText,
    JsxString,

    // Punctuation.
    #[token(";")] Semicolon,
    #[token(",")] Comma,
    #[token(":")] Colon,
    #[token(".")] Dot,
    /// `?.`
    OptionalDot,
    #[token("...")] Spread,
    #[token("=>")] Arrow,
    #[token("=")] Assign,
    #[token("@")] At,
    #[token("<<")] Less2,
    #[token(">")] Greater,
    #[token(">>")] Greater2,
    #[token(">>>")] Greater3,
    #[token("|")] Or,
    #[token("&")] And,
    #[token("-")] Minus,
    #[token("+")] Plus,
    #[token("*")] Star,
    #[token("~")] Tilde,
    #[token("++")] PlusPlus,
    /// `!` after an operand.
    NonNull,
    #[token("**")] #[token("%")] #[token("^")] #[token("&&")] #[token("||")] #[token("??")]
    #[token("==")] #[token("===")] #[token("!=")] #[token("!==")] #[token("<=")] #[token(">=")]
    #[token("+=")] #[token("-=")] #[token("*=")] #[token("%=")] #[token("**=")]
    #[token("<<=")] #[token(">>=")] #[token(">>>=")] #[token("&=")] #[token("|=")] #[token("^=")]
    #[token("&&=")] #[token("||=")] #[token("??=")]
    Binary,
    /// Bytes that belong to nothing.
    Unknown,
    TemplateOpen,
    TemplateClose,
    JsxLeft,
    JsxRight,

    // What the scanner must look at more closely: `FIRST_SPECIAL` and later.
    #[token("[")] LeftBracket,
    #[token("]")] RightBracket,
    #[token("(")] LeftParen,
    #[token(")")] RightParen,
    #[token("{")] LeftBrace,
    #[token("}")] RightBrace,
    #[token("<")] Less,
    #[token("/")] Slash,
    #[token("/=")] SlashAssign,
    #[token("?")] Question,
    #[token("!")] Bang,
    #[token("--")] MinusMinus,
    #[token("`")] Backtick,
    #[token("<!--")] HtmlComment,
}

impl Kind {
    const LAST_WORD: Self = Self::Import;
    const FIRST_KEYWORD: Self = Self::Async;
    const FIRST_SPECIAL: Self = Self::LeftBracket;

    /// The kind with this number.
    #[inline]
    pub(super) fn of(number: u8) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or(Self::Unknown)
    }

    /// Whether the token reads like a name, keywords included.
    #[inline]
    pub(super) fn is_word(self) -> bool {
        Self::Ident <= self && self <= Self::LAST_WORD
    }

    /// Whether the token is a name in most places: a word that is no reserved keyword.
    #[inline]
    pub(super) fn is_name(self) -> bool {
        Self::Ident <= self && self <= Self::Yield && !matches!(self, Self::Const | Self::Var)
    }

    #[inline]
    pub(super) fn is_special(self) -> bool {
        self >= Self::FIRST_SPECIAL
    }

    /// Whether an expression can end with the token; for brackets the scanner knows better.
    #[inline]
    pub(super) fn ends_operand(self) -> bool {
        (Self::Ident <= self && self <= Self::Let)
            || (Self::Private <= self && self <= Self::Template)
            || matches!(
                self,
                Self::TemplateTail
                    | Self::Value
                    | Self::JsxPunct
                    | Self::NonNull
                    | Self::PlusPlus
                    | Self::MinusMinus
                    | Self::RightBracket
                    | Self::RightParen
            )
    }

    pub(super) fn bracket(self) -> Bracket {
        match self {
            Self::LeftParen => Bracket::Open(0),
            Self::RightParen => Bracket::Close(0),
            Self::LeftBracket => Bracket::Open(1),
            Self::RightBracket => Bracket::Close(1),
            Self::LeftBrace => Bracket::Open(2),
            Self::RightBrace => Bracket::Close(2),
            Self::TemplateOpen => Bracket::Open(3),
            Self::TemplateClose => Bracket::Close(3),
            Self::JsxLeft => Bracket::Open(4),
            Self::JsxRight => Bracket::Close(4),
            _ => Bracket::No,
        }
    }

    const fn class(self, typed: bool) -> TokenClass {
        let number = self as u8;
        match self {
            Self::TypeName if typed => TokenClass::Type,
            Self::Number => TokenClass::Number,
            Self::String
            | Self::Regex
            | Self::Template
            | Self::TemplateHead
            | Self::TemplateMiddle
            | Self::TemplateTail
            | Self::JsxText
            | Self::JsxString => TokenClass::String,
            Self::JsxName | Self::Private => TokenClass::Identifier,
            _ if number > Self::LAST_WORD as u8 => TokenClass::Operator,
            _ if number >= Self::FIRST_KEYWORD as u8 => TokenClass::Keyword,
            // The words of TypeScript that hardly anyone takes for names.
            _ if typed && number >= Self::Modifier as u8 && number <= Self::Satisfies as u8 => {
                TokenClass::Keyword
            }
            _ => TokenClass::Identifier,
        }
    }
}

/// The class of every kind, by number, in one of the two languages.
pub(super) struct Classes([TokenClass; 256]);

impl Classes {
    const fn new(typed: bool) -> Self {
        let mut classes = [TokenClass::Operator; 256];
        let mut at = 0;
        while at < Kind::ALL.len() {
            classes[at] = Kind::ALL[at].class(typed);
            at += 1;
        }
        Self(classes)
    }

    #[inline]
    pub(super) fn of(&self, kind: Kind) -> TokenClass {
        self.0[kind as usize]
    }
}

pub(super) static UNTYPED: Classes = Classes::new(false);
pub(super) static TYPED: Classes = Classes::new(true);
