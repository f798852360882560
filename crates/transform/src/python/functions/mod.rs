//! Transformations of functions, their order, and imports.

pub(crate) mod function_extract;
pub(crate) mod function_inline;
pub(crate) mod import_alias;
pub(crate) mod import_form;
pub(crate) mod member_reorder;
mod modules;
