//! Code that is left alone, whatever a transformation may do.

use familiar_syntax::tree::Node;
use rustc_hash::FxHashSet;

use super::grammar;
use crate::Refusal;
use crate::program::Program;

/// Words that stand for built-in types, which a macro may put together.
const TYPES: &[&str] =
    &["long", "int", "unsigned", "signed", "double", "float", "char", "short", "const", "bool"];

/// Whether a node may be rewritten at all: its function, or the whole program, may hold what hides the meaning of other code.
pub(crate) fn check(program: &Program, site: Node<'_>) -> Result<(), Refusal> {
    let mut outer = grammar::function_of(site);
    while let Some(around) = outer.ancestors().find(|it| grammar::is_function(*it)) {
        outer = around;
    }
    if grammar::is_function(site) && !site.ancestors().any(grammar::is_function) {
        outer = site;
    }
    if grammar::is_c(program.language()) {
        preprocessor(program, outer)?;
    }
    let is_whole = outer.parent().is_none();
    for node in outer.descendants().filter(|it| it.is_named()) {
        if let Some(reason) = reason(program, node, is_whole) {
            return Err(Refusal(reason));
        }
    }
    Ok(())
}

fn reason(program: &Program, node: Node<'_>, is_whole: bool) -> Option<&'static str> {
    match node.kind() {
        "labeled_statement" if !is_whole || grammar::function_of(node).parent().is_none() => {
            Some("its function has a label")
        }
        "goto_statement" => Some("its function has a `goto`"),
        "gnu_asm_expression" | "ms_asm_statement" => Some("its function has assembly"),
        "with_statement" => Some("a `with` hides what names mean"),
        "co_await_expression" | "co_yield_statement" | "co_return_statement" | "seh_try_statement" => {
            Some("its function is a coroutine or handles errors of the system")
        }
        "call_expression" if grammar::is_script(program.language()) => {
            let name = node.child("function").map(|it| program.of(it));
            (name == Some("eval")).then_some("an `eval` sees names as text")
        }
        _ => None,
    }
}

fn preprocessor(program: &Program, function: Node<'_>) -> Result<(), Refusal> {
    let hiding = hiding_macros(program)?;
    let is_whole = function.parent().is_none();
    for node in function.descendants() {
        if node.is_named() && node.kind().starts_with("preproc_") && !is_whole {
            return Err(Refusal("its function has lines of the preprocessor"));
        }
        let is_word =
            node.is_named() && node.kind().ends_with("identifier") && node.children().next().is_none();
        if is_word && !is_whole && hiding.contains(program.of(node)) {
            return Err(Refusal("its function uses a macro that may hide anything"));
        }
    }
    Ok(())
}

/// Names of macros that are more than a number, a name or a type.
fn hiding_macros(program: &Program) -> Result<FxHashSet<&str>, Refusal> {
    let mut hiding = FxHashSet::default();
    for node in program.root().descendants() {
        let Some(name) = node.child("name").map(|it| program.of(it)) else { continue };
        match node.kind() {
            "preproc_function_def" => {
                hiding.insert(name);
            }
            "preproc_def" => {
                if TYPES.contains(&name) || is_keyword(name) {
                    return Err(Refusal("a macro gives another meaning to a word of the language"));
                }
                let value = node.child("value").map_or("", |it| program.of(it)).trim();
                if !is_plain(value) {
                    hiding.insert(name);
                }
            }
            _ => {}
        }
    }
    Ok(hiding)
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "for"
            | "while"
            | "do"
            | "if"
            | "else"
            | "switch"
            | "case"
            | "return"
            | "break"
            | "continue"
            | "void"
            | "goto"
            | "true"
            | "false"
            | "auto"
            | "struct"
            | "static"
            | "class"
            | "private"
            | "public"
            | "main"
    )
}

/// Whether a macro stands for a number, a character, a text, one name, or a built-in type.
fn is_plain(value: &str) -> bool {
    let is_word = |text: &str| text.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '.');
    let words: Vec<&str> = value.split_whitespace().collect();
    let is_literal = |quote: char| {
        value.len() > 1
            && value.starts_with(quote)
            && value.ends_with(quote)
            && value.matches(quote).count() == 2
    };
    !value.is_empty() && is_word(value) && !is_keyword(value)
        || !words.is_empty() && words.iter().all(|it| TYPES.contains(it))
        || is_literal('"')
        || is_literal('\'')
}
