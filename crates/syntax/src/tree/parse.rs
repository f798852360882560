//! Bytes to a tree, within a budget of work.
//!
//! Hostile input can make a parser of this kind work far more than in proportion to its length. The budget counts the
//! parser's own steps and the chunks of text that its lexer asks for, so that the same file always gets the same
//! answer, however busy the machine is.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

use tree_sitter::{ParseOptions, ParseState, Tree};

use super::classes::Classes;
use super::grammar::Grammar;

/// Longer files are not parsed.
const MOST_BYTES: usize = 16 << 20;
/// What a tree of dense code takes for each byte of it, as measured; most take half of that.
const MEMORY_PER_BYTE: usize = 100;
/// Bytes that the lexer gets at a time.
const CHUNK: usize = 4096;
/// The parser reports each hundred steps; real code takes under one step for each byte.
const BYTES_PER_REPORT: usize = 10;
const LEAST_REPORTS: usize = 20_000;
/// How often, on average, a chunk may be asked for.
const READS_PER_CHUNK: usize = 200;
const LEAST_READS: usize = 5_000;
/// Where the parser drops a stack with several ways through each node it calls itself for each, some 112 bytes deep;
/// there are at most as many nodes as bytes. Longer files get a thread with a stack that is large enough.
const MOST_BYTES_IN_PLACE: usize = 4096;
const STACK_PER_BYTE: usize = 192;
const LEAST_STACK: usize = 1 << 20;

/// A tree and how to read it.
pub(super) struct Parsed {
    pub(super) grammar: &'static Grammar,
    pub(super) tree: Tree,
    pub(super) classes: Rc<Classes>,
    pub(super) clean: bool,
}

/// The tree of `source`: of the first variant that meets no error, or of the first one. `None` where the first one
/// would cost more than the budget of work, or more than `memory` bytes.
pub(super) fn parse(grammar: &'static Grammar, source: &[u8], memory: usize) -> Option<Parsed> {
    if source.len() > MOST_BYTES.min(memory / MEMORY_PER_BYTE) {
        return None;
    }
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

/// The tree of the first of the grammar's variants that reads `source` without an error, within `memory` bytes. It ends at the first error,
/// since what comes after one costs the most.
pub(super) fn clean(grammar: &'static Grammar, source: &[u8], memory: usize) -> Option<Tree> {
    let read = |language: &tree_sitter::Language| {
        tree_within_budget(language, source, AtError::End).filter(|tree| !tree.root_node().has_error())
    };
    if source.len() > MOST_BYTES.min(memory / MEMORY_PER_BYTE) {
        return None;
    }
    read(&(grammar.language)()).or_else(|| grammar.variants.iter().find_map(|variant| read(&variant())))
}

/// What is done where the grammar does not allow what stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtError {
    GoOn,
    End,
}

fn parse_as(grammar: &'static Grammar, language: &tree_sitter::Language, source: &[u8]) -> Option<Parsed> {
    let tree = tree_within_budget(language, source, AtError::GoOn)?;
    let clean = !tree.root_node().has_error();
    Some(Parsed { grammar, tree, classes: Classes::of(grammar, language), clean })
}

fn tree_within_budget(language: &tree_sitter::Language, source: &[u8], at_error: AtError) -> Option<Tree> {
    thread_local! {
        static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language).ok()?;
        if source.len() <= MOST_BYTES_IN_PLACE {
            return spend_budget(parser, source, at_error);
        }
        let stack = LEAST_STACK + source.len() * STACK_PER_BYTE;
        std::thread::scope(|scope| {
            let parse = || spend_budget(parser, source, at_error);
            let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, parse).ok()?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

fn spend_budget(parser: &mut tree_sitter::Parser, source: &[u8], at_error: AtError) -> Option<Tree> {
    let reports = Cell::new(LEAST_REPORTS + source.len() / BYTES_PER_REPORT);
    let reads = Cell::new(LEAST_READS + source.len() / CHUNK * READS_PER_CHUNK);
    let mut report = |state: &ParseState| {
        let is_over = at_error == AtError::End && state.has_error();
        let may_go_on = spend(&reports) && reads.get() > 0 && !is_over;
        if may_go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let last = Cell::new((0, 0));
    let mut read = |at: usize, _| {
        if spend(&reads) {
            let end = source.len().min(at + CHUNK);
            last.set((at, end));
            return source.get(at..end).unwrap_or_default();
        }
        // The lexer reads a place twice where a character reaches over the end of a chunk, and then trusts that there
        // is something.
        let again = last.replace((at, at + 1));
        if (again.0..again.1).contains(&at) && source.get(at).is_some_and(|byte| !byte.is_ascii()) {
            &b"?"[..]
        } else {
            &[]
        }
    };
    let options = ParseOptions::new().progress_callback(&mut report);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        parser.reset();
    }
    tree.filter(|_| reads.get() > 0)
}

/// Takes one from what is left; whether there was any.
fn spend(left: &Cell<usize>) -> bool {
    let now = left.get();
    left.set(now.saturating_sub(1));
    now > 0
}
