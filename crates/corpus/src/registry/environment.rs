//! The variables of the environment that registries' own tools are configured by.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The environment's variables; those that are no text do not count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(BTreeMap<String, String>);

impl Environment {
    pub(crate) fn here() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self(std::env::vars_os().filter_map(text).collect())
    }

    #[cfg(test)]
    pub(crate) fn of(variables: &[(&str, &str)]) -> Self {
        Self(variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The value of a variable that is there and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The same where neither case nor `-` for `_` in the name matters.
    pub(crate) fn get_in_any_case(&self, name: &str) -> Option<&str> {
        let same = |known: &str| known.to_ascii_lowercase().replace('-', "_") == name;
        let found = self.0.iter().find(|(known, value)| same(known) && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.get("HOME").map(PathBuf::from)
    }
}
