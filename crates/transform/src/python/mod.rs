//! What is known of Python, and the transformations of Python programs.
//!
//! # Files
//!
//! `code` reads statements, blocks and their indentation. `scopes` says which names are one variable, `effects` what
//! a statement reads, writes and may raise, `types` which built-in type an expression has. `negate` turns a condition, `values` says which expressions may move. `auto_spt` has the set `new-20`.
//! Each other file is one
//! transformation.

mod auto_spt;
pub(crate) mod code;
mod conditional;
mod conditional_early_exit;
mod conditional_nested;
mod conditional_ternary;
pub(crate) mod effects;
mod for_while;
mod if_else_flip;
mod negate;
pub(crate) mod scopes;
mod statement_swap;
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
];
