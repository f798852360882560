//! How does Python ask Familiar?
//!
//! The extension module `familiar._familiar`. It is thin: flags become a call of `familiar_cli::calls`, and what that gives becomes
//! rows in Arrow. The Python files beside it, in `python/familiar`, have what users see: names, types, documentation.
//!
//! # Files
//!
//! `calls` and `laboratory` have a function for each operation, `vectors` those of a corpus. `work` runs it so that Ctrl-C ends it and
//! progress is told, `rows` holds its result and streams it, `table` reads columns of other libraries' tables, `guest` makes a
//! function of Python a detector, `tasks` and `aligned` are what tasks of Spark do with batches, and `error` makes exceptions.

mod aligned;
mod calls;
mod error;
mod guest;
mod laboratory;
mod rows;
mod table;
mod tasks;
mod vectors;
mod work;

use pyo3::pymodule;

/// The operations of Familiar, as the package `familiar` calls them.
#[pymodule]
mod _familiar {
    #[pymodule_export]
    use crate::aligned::{GramCounts, Grams, Meetings, Shapes, compare, ranked, same_forms};
    #[pymodule_export]
    use crate::calls::{
        add, audit, check_language, clones, clones_of, command, duplicates, embed, find, graph, licenses,
        text, tokens, tree,
    };
    #[pymodule_export]
    use crate::laboratory::{attack, evaluate_pairs, evaluate_retrieval, evaluate_robustness, transform};
    #[pymodule_export]
    use crate::rows::{Chunks, Rows};
    #[pymodule_export]
    use crate::table::{column, write_lines};
    #[pymodule_export]
    use crate::tasks::{
        Batch, Counts, Embedding, Files, Fragments, KeyCounts, Keys, Samples, check_measure, links, sums,
        verify,
    };
    #[pymodule_export]
    use crate::vectors::{Vectors, vectors};

    use pyo3::prelude::{Bound, PyModule, PyModuleMethods as _, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
