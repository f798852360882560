//! The registries, and how a package of each of them is written.

/// Where packages come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registry {
    PyPi,
    Npm,
    CratesIo,
}

impl Registry {
    /// Name and version of what the user wrote.
    pub(super) fn split(self, text: &str) -> (&str, Option<&str>) {
        let at = match self {
            Self::PyPi => text.split_once("=="),
            // A scope starts with the same sign.
            Self::Npm | Self::CratesIo => text.rsplit_once('@').filter(|(name, _)| !name.is_empty()),
        };
        match at {
            Some((name, version)) => (name.trim_end(), Some(version.trim_start())),
            None => (text, None),
        }
    }

    /// `pypi:NAME`.
    pub(super) fn prefixed(self, name: &str) -> String {
        let kind = match self {
            Self::PyPi => "pypi",
            Self::Npm => "npm",
            Self::CratesIo => "crate",
        };
        format!("{kind}:{name}")
    }

    /// `pypi:NAME==VERSION`.
    pub(super) fn named(self, name: &str, version: &str) -> String {
        let sign = if self == Self::PyPi { "==" } else { "@" };
        format!("{}{sign}{version}", self.prefixed(name))
    }
}
