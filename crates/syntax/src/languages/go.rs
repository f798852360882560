//! Go.

mod bodies;
mod declarations;
mod lexer;
mod view;

use familiar_source::{Language, Token, TokenClass};
use logos::Logos;

use self::lexer::Kind;
use super::Definition;
use super::lexing::byte_order_mark;
#[cfg(feature = "trees")]
use crate::tree::Grammar;
use crate::{Confidence, FrontEnd, Output, Tokens, Want};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Go,
    extensions: &["go"],
    file_names: &[],
    interpreters: &[],
    front_end: &Go,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

/// Node kinds of tree-sitter-go.
#[cfg(feature = "trees")]
static GRAMMAR: Grammar = Grammar {
    functions: &["function_declaration", "method_declaration", "func_literal"],
    classes: &["type_spec"],
    bodies: &["struct_type", "interface_type"],
    blocks: &["block"],
    statement_lists: &["statement_list"],
    lists: &[
        "source_file",
        "field_declaration_list",
        "expression_case",
        "type_case",
        "default_case",
        "communication_case",
    ],
    comments: &["comment"],
    identifiers: &["identifier", "field_identifier", "type_identifier", "package_identifier", "label_name"],
    keywords: &["fallthrough_statement", "iota"],
    numbers: &["int_literal", "float_literal", "imaginary_literal"],
    strings: &["interpreted_string_literal", "raw_string_literal"],
    chars: &["rune_literal"],
    imports: &["import_declaration", "package_clause"],
    ..Grammar::new(|| tree_sitter_go::LANGUAGE.into())
};

/// The fast path: tokens with the ends of statements, then bodies by their braces.
struct Go;

impl FrontEnd for Go {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        let sound = read(source, &mut out.tokens);
        let placed = !want.fragments || bodies::find(&out.tokens, &out.lines, &mut out.fragments);
        if want.line_starts {
            bodies::break_lines(out.tokens.as_mut_slice());
        }
        if sound && placed { Confidence::Sure } else { Confidence::Unsure }
    }
}

/// Reads all tokens. [`Token::starts_line`] comes set on those that a line end parts from the statement before.
fn read(source: &[u8], tokens: &mut Tokens) -> bool {
    let mut lex = Kind::lexer(source);
    lex.bump(byte_order_mark(source));
    let mut last = Kind::Semicolon;
    let mut parted = false;
    let mut import = Import::No;
    while let Some(result) = lex.next() {
        let kind = result.unwrap_or(Kind::Operator);
        match kind {
            Kind::NewLine => parted |= last.may_end_statement(),
            // A general comment over several lines ends the line that it starts on.
            Kind::Comment => {
                parted |= last.may_end_statement() && memchr::memchr2(b'\n', b'\r', lex.slice()).is_some();
            }
            _ => {
                import = import.after(kind, parted);
                let class = if import == Import::No { kind.class() } else { TokenClass::Import };
                let span = lex.span();
                let mut token = Token::new(class, kind as u8, span.start, span.end);
                token.starts_line = parted;
                tokens.push(token);
                if tokens.is_full() {
                    break;
                }
                (last, parted) = (kind, false);
            }
        }
    }
    !lex.extras
}

/// Whether a token belongs to an import or package clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Import {
    No,
    Line,
    Group,
    /// The token that ends the group, and what follows on its line.
    End,
}

impl Import {
    /// The state of the token `kind`; `parted` says that a statement ended before it.
    #[inline]
    fn after(self, kind: Kind, parted: bool) -> Self {
        match self {
            _ if kind == Kind::Import => Self::Line,
            Self::No | Self::End => Self::No,
            Self::Line if parted => Self::No,
            Self::Line if kind == Kind::OpenParen => Self::Group,
            Self::Line if kind == Kind::Semicolon => Self::End,
            Self::Line => Self::Line,
            Self::Group if kind == Kind::CloseParen => Self::End,
            Self::Group => Self::Group,
        }
    }
}

#[cfg(test)]
mod tests;
