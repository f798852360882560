//! What is known of Java, C, C++, JavaScript, TypeScript and Go, and the transformations of their programs.
//!
//! # Files
//!
//! `grammar` hides where the grammars name the same part in other ways. `names` says which names are one variable, `types` which built-in
//! type an expression has, `wide` what TypeScript knows of numbers, `effects` what code reads, writes and may raise.
//! `code` makes pieces of new code, `negate` turns a condition, and
//! `limits` says which code is left alone. `native` knows types of C and C++ that are not built in. `variable_rename` and the files of `branches`, `loops`, `expressions`, `statements` and `layout` are one
//! transformation each.

mod branches;
mod code;
mod effects;
mod expressions;
mod grammar;
mod layout;
mod limits;
mod loops;
pub(crate) mod names;
mod native;
mod negate;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod variable_rename;
mod wide;

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal, Transformation};

pub(crate) use grammar::{LANGUAGES, is_c};

/// The transformations of programs in these languages, in the order of the list that people read.
pub(crate) static TRANSFORMATIONS: &[&dyn Transformation] = &[
    &Guarded(&variable_rename::RULE),
    &Guarded(&branches::conditional::RULE),
    &Guarded(&loops::for_while::RULE),
    &Guarded(&loops::while_for::RULE),
    &Guarded(&branches::if_else_flip::RULE),
    &Guarded(&branches::conditional_nested::RULE),
    &Guarded(&branches::early_exit::RULE),
    &Guarded(&branches::ternary::RULE),
    &Guarded(&branches::switch_if::RULE),
    &Guarded(&branches::boolean_exchange::RULE),
    &Guarded(&statements::statement_swap::RULE),
    &Guarded(&statements::member_reorder::RULE),
    &Guarded(&statements::try_wrap::RULE),
    &Guarded(&expressions::array_pointer::RULE),
    &Guarded(&statements::declaration_split::RULE),
    &Guarded(&statements::declaration_merge::RULE),
    &Guarded(&loops::unroll::RULE),
    &Guarded(&loops::infinite::RULE),
    &Guarded(&loops::while_condition::RULE),
    &Guarded(&loops::continue_else::RULE),
    &Guarded(&loops::do_while::RULE),
    &Guarded(&loops::single_round::RULE),
    &Guarded(&expressions::operand_swap::RULE),
    &Guarded(&expressions::comparison_swap::RULE),
    &Guarded(&expressions::comparison_rewrite::RULE),
    &Guarded(&expressions::literal_rewrite::RULE),
    &Guarded(&expressions::increment_rewrite::RULE),
    &Guarded(&expressions::augmented::RULE),
    &Guarded(&layout::blank_lines::RULE),
    &Guarded(&layout::blank_lines_removed::RULE),
    &Guarded(&layout::comments_removed::RULE),
    &Guarded(&layout::indent::RULE),
];

/// A rule that leaves code alone whose meaning is hidden.
struct Guarded(&'static Rule);

impl Transformation for Guarded {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn summary(&self) -> &'static str {
        self.0.summary()
    }

    fn languages(&self) -> &[Language] {
        self.0.languages()
    }

    fn candidates<'p>(&self, program: &'p Program) -> Vec<Node<'p>> {
        self.0.candidates(program)
    }

    fn rewrite(
        &self,
        program: &Program,
        site: Node<'_>,
        choices: &mut Choices,
    ) -> Result<Vec<Edit>, Refusal> {
        limits::check(program, site)?;
        self.0.rewrite(program, site, choices)
    }
}
