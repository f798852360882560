//! One program: its functions of instructions, and what is known of them.

use familiar_source::Language;
use familiar_syntax::languages::definition;
use familiar_syntax::tree::Nodes;
use thiserror::Error;

use super::model::{Function, Variable};
use super::{build, calls, control, form, languages, outside, reaching};

/// Why there is no graph of a text.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    #[error("no graphs are made of {}", .0.name())]
    Language(Language),
    #[error("it is too long or too deeply nested to be parsed")]
    TooCostly,
}

/// The instructions of one text, with all that is known of them.
pub struct Program<'t> {
    pub(super) text: &'t str,
    pub(super) language: &'static dyn form::Language,
    pub(super) functions: Vec<Function<'t>>,
    pub(super) variables: Vec<Variable<'t>>,
    pub(super) outside: Vec<outside::Outside>,
    pub(super) facts: Vec<Facts>,
}

/// What is known of the instructions of one function.
pub(super) struct Facts {
    pub(super) control: control::Control,
    /// Ordered by instruction.
    pub(super) accesses: Vec<reaching::Access>,
    pub(super) data: Vec<reaching::Reach>,
    pub(super) is_whole: bool,
}

/// The tree of a text, as [`Program::of`] takes it. `memory` bounds the bytes that it may take.
pub fn parse(language: Language, text: &str, memory: usize) -> Result<Nodes, GraphError> {
    let known = languages::of(language).is_some();
    let grammar = definition(language).tree.filter(|_| known).ok_or(GraphError::Language(language))?;
    Nodes::parse(grammar, text, memory).ok_or(GraphError::TooCostly)
}

impl<'t> Program<'t> {
    /// Reads a program off its tree, which may have errors.
    pub fn of(language: Language, nodes: &'t Nodes, text: &'t str) -> Result<Self, GraphError> {
        let language = languages::of(language).ok_or(GraphError::Language(language))?;
        let (mut functions, variables) = build::build(language, nodes.root(), text);
        outside::capture(&mut functions, &variables);
        calls::resolve(language, &mut functions);
        let (outside, all_calls) = outside::outside(language, &functions, &variables);
        let facts = (0..functions.len())
            .map(|at| {
                let (accesses, all_accesses) =
                    outside::accesses(language, &functions, &variables, &outside, at as u32);
                let function = &functions[at];
                let count = function.instructions.len();
                let ways = function.flow.iter().map(|edge| reaching::Way {
                    from: edge.from,
                    to: edge.to,
                    before_writing: edge.is_before_writing(function.instructions[edge.from as usize].kind),
                });
                let ways: Vec<_> = ways.collect();
                let (data, is_whole) = reaching::reaching(count, &ways, &accesses);
                Facts {
                    control: control::control(count, &function.flow),
                    accesses,
                    data,
                    is_whole: is_whole && all_calls && all_accesses,
                }
            })
            .collect();
        Ok(Self { text, language, functions, variables, outside, facts })
    }
}
