//! The lexer that C and C++ share: bytes to tokens, and where the preprocessor's directives stand.

use familiar_source::{Token, TokenClass};
use logos::{Lexer, Logos, Skip};

use crate::Tokens;
use crate::languages::lexing::{block_length, breaks_between};

/// Kinds of tokens, as the fragment finder tells them apart.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[logos(utf8 = false)]
#[logos(extras = Directing)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip r"\\(\r\n|\r|\n)")]
#[rustfmt::skip]
pub(in crate::languages) enum Kind {
    /// Any operator that has no kind of its own.
    #[token("+")] #[token("-")] #[token("/")] #[token("%")] #[token("^")] #[token("|")] #[token("!")]
    #[token("+=")] #[token("-=")] #[token("*=")] #[token("/=")] #[token("%=")] #[token("^=")] #[token("&=")]
    #[token("|=")] #[token("<<")] #[token("<<=")] #[token(">>=")] #[token("==")] #[token("!=")] #[token("<=")]
    #[token(">=")] #[token("<=>")] #[token("||")] #[token("++")] #[token("--")] #[token("->*")] #[token(".")]
    #[token(".*")] #[token("?")] #[token("##")]
    #[regex(r"(?s-u:.)", priority = 0)]
    Op = 0,
    #[token("(")] LParen,
    #[token(")")] RParen,
    #[token("[")] LBracket,
    #[token("]")] RBracket,
    #[token("{")] #[token("<%")] LBrace,
    #[token("}")] #[token("%>")] RBrace,
    #[token(";")] Semi,
    #[token(",")] Comma,
    #[token(":")] Colon,
    #[token("::")] Scope,
    #[token("=")] Assign,
    #[token("<")] Less,
    #[token(">")] Greater,
    #[token(">>")] ShiftRight,
    #[token("->")] Arrow,
    #[token("*")] Star,
    #[token("&")] Amp,
    #[token("&&")] AmpAmp,
    #[token("~")] Tilde,
    #[token("...")] Dots,
    #[token("#")] Hash,

    #[regex(r"(?-u:[A-Za-z_$\x80-\xFF][A-Za-z0-9_$\x80-\xFF]*)", priority = 2)] Ident,
    #[regex(r"(?-u)\.?[0-9]([0-9A-Za-z_.]|'[0-9A-Za-z_]|[eEpP][+-])*")] Number,
    #[regex(r#"(?s-u)(L|u8|u|U)?"([^"\\\r\n]|\\\r\n|\\.)*"?"#)]
    #[token("R\"", raw_string)] #[token("LR\"", raw_string)] #[token("u8R\"", raw_string)]
    #[token("uR\"", raw_string)] #[token("UR\"", raw_string)]
    Str,
    #[regex(r"(?s-u)(L|u8|u|U)?'([^'\\\r\n]|\\\r\n|\\.)*'?")] Char,

    /// Built-in types.
    #[token("void")] #[token("char")] #[token("short")] #[token("int")] #[token("long")] #[token("float")]
    #[token("double")] #[token("signed")] #[token("unsigned")] #[token("_Bool")] #[token("bool")]
    #[token("_Complex")] #[token("size_t")] #[token("ssize_t")] #[token("ptrdiff_t")] #[token("intptr_t")]
    #[token("uintptr_t")] #[token("int8_t")] #[token("int16_t")] #[token("int32_t")] #[token("int64_t")]
    #[token("uint8_t")] #[token("uint16_t")] #[token("uint32_t")] #[token("uint64_t")] #[token("wchar_t")]
    #[token("char8_t")] #[token("char16_t")] #[token("char32_t")] #[token("auto")] #[token("__int128")]
    Type,

    /// Keywords that may stand before or in a declaration.
    #[token("static")] #[token("inline")] #[token("__inline")] #[token("__inline__")] #[token("__forceinline")]
    #[token("const")] #[token("volatile")] #[token("restrict")] #[token("__restrict")] #[token("__restrict__")]
    #[token("register")] #[token("_Noreturn")] #[token("_Thread_local")] #[token("thread_local")]
    #[token("__thread")] #[token("_Atomic")] #[token("__extension__")] #[token("constexpr")] #[token("typedef")]
    #[token("__const")] #[token("__volatile__")] #[token("__cdecl")] #[token("__stdcall")] #[token("__fastcall")]
    Specifier,
    #[token("extern")] Extern,
    #[token("struct")] Struct,
    #[token("union")] Union,
    #[token("enum")] Enum,
    /// What takes an argument in parentheses without being a call.
    #[token("__attribute__")] #[token("__attribute")] #[token("__declspec")] #[token("alignas")]
    #[token("_Alignas")] #[token("typeof")] #[token("__typeof__")] #[token("__typeof")] #[token("_Static_assert")]
    #[token("static_assert")]
    Attribute,
    #[token("asm")] #[token("__asm__")] #[token("__asm")] Asm,
    #[token("if")] If,
    #[token("else")] Else,
    #[token("for")] For,
    #[token("while")] While,
    #[token("do")] Do,
    #[token("switch")] Switch,
    #[token("case")] Case,
    #[token("default")] Default,
    #[token("return")] #[token("goto")] #[token("break")] #[token("continue")] Jump,
    /// Other keywords.
    #[token("sizeof")] #[token("_Alignof")] #[token("alignof")] #[token("_Generic")] #[token("true")]
    #[token("false")] #[token("nullptr")]
    Word,
    /// Microsoft's structured exception handling.
    #[token("__try")] SehTry,
    #[token("__except")] #[token("__finally")] SehCatch,

    // C++ alone; plain identifiers in C.
    #[token("class")] Class,
    #[token("namespace")] Namespace,
    #[token("template")] Template,
    #[token("operator")] Operator,
    #[token("friend")] Friend,
    #[token("using")] Using,
    #[token("public")] #[token("private")] #[token("protected")] Access,
    #[token("try")] Try,
    #[token("catch")] Catch,
    #[token("requires")] Requires,
    #[token("export")] Export,
    #[token("mutable")] Mutable,
    #[token("noexcept")] #[token("throw")] Exception,
    #[token("explicit")] #[token("decltype")] CppAttribute,
    #[token("virtual")] #[token("consteval")] #[token("constinit")] CppSpecifier,
    #[token("typename")] #[token("concept")] #[token("this")] #[token("co_await")] #[token("co_return")]
    #[token("co_yield")] #[token("typeid")] #[token("static_cast")] #[token("dynamic_cast")]
    #[token("const_cast")] #[token("reinterpret_cast")] #[token("and")] #[token("or")] #[token("not")]
    CppWord,
    #[token("new")] #[token("delete")] NewDelete,
    // Identifiers by class, but with a meaning in some places.
    #[token("import")] Import,
    #[token("module")] Module,
    #[token("final")] #[token("override")] Final,

    /// Never given out.
    #[token("//", line_comment)] #[token("/*", block_comment)]
    Comment,
}

const KINDS: usize = Kind::Comment as usize + 1;

const fn class_of(kind: u8) -> TokenClass {
    const TYPE: u8 = Kind::Type as u8;
    if kind < Kind::Ident as u8 {
        TokenClass::Operator
    } else if kind == Kind::Ident as u8 || kind >= Kind::Import as u8 {
        TokenClass::Identifier
    } else if kind == Kind::Number as u8 {
        TokenClass::Number
    } else if kind == Kind::Str as u8 {
        TokenClass::String
    } else if kind == Kind::Char as u8 {
        TokenClass::Char
    } else if kind == TYPE {
        TokenClass::Type
    } else {
        TokenClass::Keyword
    }
}

const CLASSES: [TokenClass; KINDS] = {
    let mut classes = [TokenClass::Operator; KINDS];
    let mut at = 0;
    while at < KINDS {
        classes[at] = class_of(at as u8);
        at += 1;
    }
    classes
};

/// Where the directive that is being read ends, for comments that carry it over lines.
#[derive(Debug, Default)]
pub(in crate::languages) struct Directing {
    end: usize,
}

/// The end of the line that holds `from`, or of the last line that a backslash joins to it.
fn line_end(source: &[u8], mut from: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &source[from..]) {
        let at = from + found;
        if at == 0 || source[at - 1] != b'\\' {
            return at;
        }
        from = at + if source[at..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    source.len()
}

fn line_comment(lexer: &mut Lexer<Kind>) -> Skip {
    let end = line_end(lexer.source(), lexer.span().end);
    lexer.bump(end - lexer.span().end);
    Skip
}

fn block_comment(lexer: &mut Lexer<Kind>) -> Skip {
    let rest = lexer.remainder();
    lexer.bump(block_length(rest));
    let (start, end) = (lexer.span().start, lexer.span().end);
    if start < lexer.extras.end && lexer.extras.end < end {
        lexer.extras.end = line_end(lexer.source(), end);
    }
    Skip
}

/// `R"delimiter( … )delimiter"`; what does not start so ends with its line.
fn raw_string(lexer: &mut Lexer<Kind>) {
    let rest = lexer.remainder();
    let delimiter = rest.iter().take(17).position(|&byte| byte == b'(');
    let len = match delimiter {
        Some(len)
            if !rest[..len].iter().any(|&byte| byte.is_ascii_whitespace() || b")\\\"".contains(&byte)) =>
        {
            let mut end = [0; 18];
            end[0] = b')';
            end[1..=len].copy_from_slice(&rest[..len]);
            end[len + 1] = b'"';
            memchr::memmem::find(rest, &end[..len + 2]).map_or(rest.len(), |at| at + len + 2)
        }
        _ => rest
            .iter()
            .position(|&byte| matches!(byte, b'"' | b'\r' | b'\n'))
            .map_or(rest.len(), |at| at + usize::from(rest[at] == b'"')),
    };
    lexer.bump(len);
}

/// What a directive is to the fragment finder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::languages) enum Sort {
    If,
    /// `#if 0`, and in C `#ifdef __cplusplus`.
    IfNever,
    Else,
    End,
    Include,
    Other,
}

/// A directive's tokens, `first..end`.
#[derive(Clone, Copy, Debug)]
pub(in crate::languages) struct Directive {
    pub(in crate::languages) sort: Sort,
    pub(in crate::languages) first: u32,
    pub(in crate::languages) end: u32,
}

/// The sort of the directive whose text after `#` starts `text`.
fn sort_of<const CPP: bool>(text: &[u8]) -> Sort {
    let text = text.trim_ascii_start();
    let len =
        text.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(text.len());
    let condition = text[len..].trim_ascii();
    match &text[..len] {
        b"if" => match condition {
            [b'0'] | [b'0', b' ' | b'\t' | b'/', ..] => Sort::IfNever,
            b"defined(__cplusplus)" | b"defined (__cplusplus)" | b"defined __cplusplus" if !CPP => {
                Sort::IfNever
            }
            _ => Sort::If,
        },
        b"ifdef" if !CPP && condition.starts_with(b"__cplusplus") => Sort::IfNever,
        b"ifdef" | b"ifndef" => Sort::If,
        b"else" | b"elif" | b"elifdef" | b"elifndef" => Sort::Else,
        b"endif" => Sort::End,
        b"include" | b"include_next" | b"import" | b"using" => Sort::Include,
        _ => Sort::Other,
    }
}

/// Appends the tokens of `source` to `out` and its directives to `directives`.
pub(in crate::languages) fn lex<const CPP: bool>(
    source: &[u8],
    out: &mut Tokens,
    directives: &mut Vec<Directive>,
) {
    let mut state = State::<CPP> {
        out,
        directives,
        open: None,
        fresh: Fresh::Yes,
        depth: 0,
        depths: Vec::new(),
        local: None,
        import: None,
    };
    let mut lexer = Kind::lexer(source);
    while let Some(kind) = lexer.next() {
        let mut kind = kind.unwrap_or(Kind::Op);
        if !CPP && kind >= Kind::Class && kind < Kind::Comment {
            kind = Kind::Ident;
        }
        let start = lexer.span().start;
        if let Some(sort) = state.open {
            if start < lexer.extras.end {
                state.in_directive(sort, kind, &mut lexer);
                continue;
            }
            state.close_directive();
        }
        if kind == Kind::Hash && state.at_line_start(source, start) {
            lexer.extras.end = line_end(source, start);
            let sort = sort_of::<CPP>(&source[start + 1..lexer.extras.end]);
            state.open_directive(sort, start);
            continue;
        }
        state.code(kind, start, lexer.span().end);
        if state.out.is_full() {
            break;
        }
    }
    if state.open.is_some() {
        state.close_directive();
    }
}

/// Whether the next token starts a line of a pretty printer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fresh {
    No,
    Yes,
    /// Yes, unless it is a mark that goes with the closing brace before it.
    AfterBrace,
}

struct State<'o, const CPP: bool> {
    out: &'o mut Tokens,
    directives: &'o mut Vec<Directive>,
    /// The directive that is being read.
    open: Option<Sort>,
    fresh: Fresh,
    /// Open parentheses in the innermost braces, and in those around them.
    depth: u32,
    depths: Vec<u32>,
    /// How many braces are open around the outermost one that holds no declarations of the file: what is imported or included in
    /// it is code like any other.
    local: Option<usize>,
    /// First token of what may turn out to be a `using` or `import` statement.
    import: Option<usize>,
}

impl<const CPP: bool> State<'_, CPP> {
    fn at_line_start(&self, source: &[u8], start: usize) -> bool {
        let Some(last) = self.out.last() else { return true };
        breaks_between(source, last.end, start as u32)
    }

    fn open_directive(&mut self, sort: Sort, start: usize) {
        self.open = Some(sort);
        let first = self.out.len() as u32;
        self.directives.push(Directive { sort, first, end: first });
        let class = if self.imports(sort) { TokenClass::Import } else { TokenClass::Operator };
        let token = Token::new(class, Kind::Hash as u8, start, start + 1);
        self.out.push(Token { starts_line: true, ..token });
    }

    fn imports(&self, sort: Sort) -> bool {
        sort == Sort::Include && self.local.is_none()
    }

    fn in_directive(&mut self, sort: Sort, kind: Kind, lexer: &mut Lexer<Kind>) {
        let start = lexer.span().start;
        let mut class = CLASSES[kind as usize];
        if sort == Sort::Include {
            let rest = &lexer.source()[start..lexer.extras.end];
            if rest[0] == b'<'
                && let Some(close) = memchr::memchr(b'>', rest)
            {
                let end = lexer.span().end;
                lexer.bump((start + close + 1).saturating_sub(end));
                class = TokenClass::String;
            }
            if self.imports(sort) {
                class = TokenClass::Import;
            }
        }
        let end = lexer.span().end;
        if lexer.extras.end < end {
            lexer.extras.end = line_end(lexer.source(), end);
        }
        self.out.push(Token::new(class, kind as u8, start, end));
    }

    fn close_directive(&mut self) {
        self.open = None;
        self.fresh = Fresh::Yes;
        if let Some(directive) = self.directives.last_mut() {
            directive.end = self.out.len() as u32;
        }
    }

    #[inline]
    fn code(&mut self, kind: Kind, start: usize, end: usize) {
        let starts_line = match self.fresh {
            Fresh::No => kind == Kind::RBrace,
            Fresh::Yes => true,
            Fresh::AfterBrace => !matches!(kind, Kind::Semi | Kind::Comma | Kind::RParen),
        };
        let fresh = self.fresh;
        self.fresh = Fresh::No;
        let token = Token::new(CLASSES[kind as usize], kind as u8, start, end);
        self.out.push(Token { starts_line, ..token });
        if self.out.is_full() {
            return;
        }
        match kind {
            Kind::LParen => self.depth += 1,
            Kind::RParen => self.depth = self.depth.saturating_sub(1),
            Kind::LBrace => {
                if self.local.is_none() && !self.opens_namespace() {
                    self.local = Some(self.depths.len());
                }
                self.depths.push(self.depth);
                self.depth = 0;
                self.fresh = Fresh::Yes;
                self.import = None;
            }
            Kind::RBrace => {
                self.depth = self.depths.pop().unwrap_or(0);
                self.local = self.local.filter(|&around| around < self.depths.len());
                self.fresh = Fresh::AfterBrace;
                self.import = None;
            }
            Kind::Semi if self.depth == 0 => {
                self.fresh = Fresh::Yes;
                self.end_import();
            }
            Kind::Assign => self.import = None,
            Kind::Using if self.local.is_none() => self.import = Some(self.out.len() - 1),
            Kind::Import | Kind::Module if self.depths.is_empty() => self.maybe_import(fresh),
            _ => {}
        }
    }

    /// Whether the brace that was just read opens a namespace, `extern "C"` or `export`: what stands in it is the file's.
    fn opens_namespace(&self) -> bool {
        /// Longest name that is looked through: `a::b::c::d`, with an attribute.
        const LONGEST: usize = 12;
        let mut before = self.out.iter().rev().skip(1);
        let Some(last) = before.next() else { return false };
        let second = before.next().map(|token| token.kind);
        if last.kind == Kind::Str as u8 && second == Some(Kind::Extern as u8)
            || last.kind == Kind::Export as u8
        {
            return true;
        }
        let named = self.out.iter().rev().skip(1).take(LONGEST);
        CPP && named
            .map(|token| token.kind)
            .take_while(|&kind| {
                kind != Kind::Semi as u8 && kind != Kind::LBrace as u8 && kind != Kind::RBrace as u8
            })
            .any(|kind| kind == Kind::Namespace as u8)
    }

    /// `import x;` or `module x;`, perhaps after `export`.
    fn maybe_import(&mut self, fresh: Fresh) {
        let at = self.out.len() - 1;
        if fresh != Fresh::No {
            self.import = Some(at);
        } else if at > 0 && self.out[at - 1].kind == Kind::Export as u8 {
            self.import = Some(at - 1);
        }
    }

    fn end_import(&mut self) {
        let Some(first) = self.import.take() else { return };
        let tokens = &mut self.out.as_mut_slice()[first..];
        // A variable or a call that happens to be named so is no import.
        let call = tokens[0].kind != Kind::Using as u8
            && tokens.iter().any(|token| token.kind == Kind::LParen as u8);
        if !call {
            for token in tokens {
                token.class = TokenClass::Import;
            }
        }
    }
}
