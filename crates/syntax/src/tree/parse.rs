//! Bytes to a tree, within a budget of work.
//!
//! Hostile input can make a parser of this kind work far more than in proportion to its length. The budget counts the
//! parser's own steps and the chunks of text that its lexer asks for, so that the same file always gets the same
//! answer, however busy the machine is.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

use tree_sitter::{ParseOptions, ParseState, Tree};

use super::Grammar;
use super::classes::Classes;

/// Longer files are not parsed: a tree takes some thirty times the memory of its text.
const MOST_BYTES: usize = 16 << 20;
/// Bytes that the lexer gets at a time.
const CHUNK: usize = 4096;
/// The parser reports each hundred steps; real code takes under one step for each byte.
const BYTES_PER_REPORT: usize = 10;
const LEAST_REPORTS: usize = 20_000;
/// How often, on average, a chunk may be asked for.
const READS_PER_CHUNK: usize = 200;
const LEAST_READS: usize = 5_000;

/// A tree and how to read it.
pub(super) struct Parsed {
    pub(super) grammar: &'static Grammar,
    pub(super) tree: Tree,
    pub(super) classes: Rc<Classes>,
    pub(super) clean: bool,
}

/// The tree of `source`: of the first variant that meets no error, or of the first one. `None` where the first one
/// would cost more than the budget.
pub(super) fn parse(grammar: &'static Grammar, source: &[u8]) -> Option<Parsed> {
    let first = parse_as(grammar, &(grammar.language)(), source)?;
    if first.clean {
        return Some(first);
    }
    let better = grammar
        .variants
        .iter()
        .find_map(|variant| parse_as(grammar, &variant(), source).filter(|parsed| parsed.clean));
    Some(better.unwrap_or(first))
}

fn parse_as(grammar: &'static Grammar, language: &tree_sitter::Language, source: &[u8]) -> Option<Parsed> {
    let tree = tree_within_budget(language, source)?;
    let clean = !tree.root_node().has_error();
    Some(Parsed { grammar, tree, classes: Classes::of(grammar, language), clean })
}

fn tree_within_budget(language: &tree_sitter::Language, source: &[u8]) -> Option<Tree> {
    thread_local! {
        static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
    }
    if source.len() > MOST_BYTES {
        return None;
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language).ok()?;
        let reports = Cell::new(LEAST_REPORTS + source.len() / BYTES_PER_REPORT);
        let reads = Cell::new(LEAST_READS + source.len() / CHUNK * READS_PER_CHUNK);
        let mut report = |_: &ParseState| {
            if spend(&reports) && reads.get() > 0 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let mut read = |at: usize, _| {
            if spend(&reads) {
                source.get(at..source.len().min(at + CHUNK)).unwrap_or_default()
            } else {
                &[][..]
            }
        };
        let options = ParseOptions::new().progress_callback(&mut report);
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.filter(|_| reads.get() > 0)
    })
}

/// Takes one from what is left; whether there was any.
fn spend(left: &Cell<usize>) -> bool {
    let now = left.get();
    left.set(now.saturating_sub(1));
    now > 0
}
