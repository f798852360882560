//! Errors as exceptions of `familiar.errors`.

use familiar_cli::calls::CallError;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

/// The exception for what went wrong in a call.
pub(crate) fn of_call(py: Python<'_>, error: CallError) -> PyErr {
    let (class, message) = match error {
        CallError::Usage(message) => ("UsageError", message),
        CallError::Input(message) => ("InputError", message),
        CallError::Corpus(message) => ("CorpusError", message),
        CallError::Failed(message) => ("FamiliarError", message),
    };
    named(py, class, message)
}

/// An input that cannot be read.
pub(crate) fn input(py: Python<'_>, message: impl Into<String>) -> PyErr {
    named(py, "InputError", message.into())
}

/// A value that is not allowed.
pub(crate) fn usage(py: Python<'_>, message: impl Into<String>) -> PyErr {
    named(py, "UsageError", message.into())
}

/// Everything else that goes wrong.
pub(crate) fn failed(py: Python<'_>, message: impl Into<String>) -> PyErr {
    named(py, "FamiliarError", message.into())
}

/// The exceptions are classes of Python, since they have two bases.
fn named(py: Python<'_>, class: &str, message: String) -> PyErr {
    let made = py.import("familiar.errors").and_then(|module| module.getattr(class)?.call1((&message,)));
    made.map_or_else(|_| PyException::new_err(message), PyErr::from_value)
}
