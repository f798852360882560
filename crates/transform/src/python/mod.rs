//! What is known of Python, and the transformations of Python programs.
//!
//! # Files
//!
//! `code` reads statements, blocks and their indentation. `scopes` says which names are one variable, `effects` what
//! a statement reads, writes and may raise, `types` which built-in type an expression has. `negate` turns a condition, `values` says which expressions may move. `calls` says which functions may call
//! themselves, `memory` where a function may begin with something of ours. `auto_spt` has the set `new-20`; `names`, `branches`, `loops`, `expressions`,
//! `statements`, `functions` and `layout` have most of the others. Each file of these, and each other file here, is one transformation.

mod auto_spt;
mod branches;
mod calls;
pub(crate) mod code;
mod conditional;
mod conditional_early_exit;
mod conditional_nested;
mod conditional_ternary;
pub(crate) mod effects;
mod expressions;
mod for_while;
mod functions;
mod if_else_flip;
mod layout;
mod loops;
mod memory;
mod names;
mod negate;
pub(crate) mod scopes;
#[cfg(test)]
mod simplifier;
mod statement_swap;
mod statements;
pub(crate) mod types;
mod unroll;
mod values;
mod variable_rename;
mod while_for;

use crate::Transformation;

/// The transformations of Python programs, in the order of the list that people read.
pub(crate) static TRANSFORMATIONS: &[&dyn Transformation] = &[
    &variable_rename::RULE,
    &conditional::RULE,
    &conditional_ternary::RULE,
    &conditional_nested::RULE,
    &conditional_early_exit::RULE,
    &for_while::RULE,
    &while_for::RULE,
    &if_else_flip::RULE,
    &statement_swap::RULE,
    &unroll::RULE,
    &auto_spt::modular_distribution::RULE,
    &auto_spt::nested_function::RULE,
    &auto_spt::recursive_flattening::RULE,
    &auto_spt::index_obfuscation::RULE,
    &auto_spt::cyclic_rotation::RULE,
    &auto_spt::conditional_vectorization::RULE,
    &auto_spt::state_accumulation::RULE,
    &auto_spt::radix_chaining::RULE,
    &auto_spt::generator_chaining::RULE,
    &auto_spt::state_machine::RULE,
    &auto_spt::deferred_queue::RULE,
    &auto_spt::dimensional_flattening::RULE,
    &auto_spt::probabilistic_flow::RULE,
    &auto_spt::circular_buffer_iteration::RULE,
    &auto_spt::delayed_resolution::RULE,
    &auto_spt::arithmetic_decomposition::RULE,
    &auto_spt::conditional_aggregation::RULE,
    &auto_spt::circular_buffer_mapping::RULE,
    &auto_spt::dictionary_encoding::RULE,
    &auto_spt::positional_encoding::RULE,
    &names::short::RULE,
    &names::style::RULE,
    &names::role::RULE,
    &names::prefixed::RULE,
    &names::numbered::RULE,
    &names::parameter_copy::RULE,
    &names::parameter_rename::RULE,
    &names::function_rename::RULE,
    &names::field_rename::RULE,
    &branches::table::RULE,
    &branches::flip_flag::RULE,
    &branches::flip_match::RULE,
    &branches::flip_comparison::RULE,
    &branches::flip_elif::RULE,
    &branches::dispatch_table::RULE,
    &branches::boolean_exchange::RULE,
    &loops::index::RULE,
    &loops::true_loop::RULE,
    &loops::countdown::RULE,
    &loops::stack::RULE,
    &loops::infinite::RULE,
    &loops::while_condition::RULE,
    &loops::continue_else::RULE,
    &loops::comprehension_loop::RULE,
    &loops::loop_comprehension::RULE,
    &loops::tail_recursion::RULE,
    &loops::loop_recursion::RULE,
    &expressions::augmented::RULE,
    &expressions::increment::RULE,
    &expressions::operand_swap::RULE,
    &expressions::comparison_swap::RULE,
    &expressions::comparison_rewrite::RULE,
    &expressions::expression_split::RULE,
    &expressions::expression_fold::RULE,
    &expressions::literal_rewrite::RULE,
    &expressions::constant_naming::RULE,
    &expressions::constant_inlining::RULE,
    &expressions::string_building::RULE,
    &expressions::cast::RULE,
    &statements::declaration_split::RULE,
    &statements::declaration_merge::RULE,
    &statements::declaration_move::RULE,
    &statements::try_wrap::RULE,
    &statements::dead_code::RULE,
    &statements::redundant_code::RULE,
    &statements::no_effect::RULE,
    &functions::function_extract::RULE,
    &functions::function_inline::RULE,
    &functions::member_reorder::RULE,
    &functions::import_alias::RULE,
    &functions::import_form::RULE,
    &layout::indent::RULE,
    &layout::blank_lines::RULE,
    &layout::blank_lines_removed::RULE,
    &layout::line_split::RULE,
    &layout::joined::RULE,
    &layout::docstring::RULE,
    &layout::comments_removed::RULE,
    &layout::quotes::RULE,
    &layout::parentheses::RULE,
];
