//! How does Python ask Familiar?
//!
//! The extension module `familiar._familiar`. It is thin: flags become a call of `familiar_cli::calls`, and what that gives becomes
//! rows in Arrow. The Python files beside it, in `python/familiar`, have what users see: names, types, documentation.
//!
//! # Files
//!
//! `calls` has a function for each operation, `work` runs it so that Ctrl-C ends it and progress is told, `rows` holds its result and
//! streams it, `table` reads columns of other libraries' tables, and `error` makes exceptions.

mod calls;
mod error;
mod rows;
mod table;
mod work;

use pyo3::pymodule;

/// The operations of Familiar, as the package `familiar` calls them.
#[pymodule]
mod _familiar {
    #[pymodule_export]
    use crate::calls::{
        add, clones, clones_of, command, duplicates, embed, find, graph, licenses, tokens, tree,
    };
    #[pymodule_export]
    use crate::rows::{Chunks, Rows};
    #[pymodule_export]
    use crate::table::column;

    use pyo3::prelude::{Bound, PyModule, PyModuleMethods as _, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
