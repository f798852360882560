//! Which names are one variable.
//!
//! Scopes, declarations, uses and captures as Python's reference describes them ("Execution model", naming and
//! binding). Names that code may reach by their text (`locals`, `exec`, an f-string's `=`) count as reached.
//! `reader` notes where names stand and in which scope, `resolution` says which variable each is, and `table` is what comes out.

mod reader;
mod resolution;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use table::{ScopeKind, Scopes, Variable};
