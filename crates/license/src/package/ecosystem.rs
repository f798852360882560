//! Registries of packages, and how package URLs name what they have.

/// Where packages of a kind come from, as package URLs name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ecosystem {
    Cargo,
    Composer,
    Gem,
    Golang,
    Maven,
    Npm,
    Nuget,
    Pypi,
}

impl Ecosystem {
    /// The package URL of a package.
    pub(crate) fn purl(self, name: &str, version: Option<&str>) -> String {
        let (kind, name) = match self {
            Self::Cargo => ("cargo", name.to_owned()),
            Self::Composer => ("composer", name.to_ascii_lowercase()),
            Self::Gem => ("gem", name.to_owned()),
            Self::Golang => ("golang", name.to_ascii_lowercase()),
            Self::Maven => ("maven", name.to_owned()),
            Self::Npm => ("npm", name.to_ascii_lowercase()),
            Self::Nuget => ("nuget", name.to_owned()),
            Self::Pypi => ("pypi", normalized(name)),
        };
        let name: Vec<String> = name.split('/').map(escaped).collect();
        let version = version.map_or_else(String::new, |version| format!("@{}", escaped(version)));
        format!("pkg:{kind}/{}{version}", name.join("/"))
    }
}

/// A part of a package URL, with percent-encoding.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The name of a Python project as its index compares names (PEP 503).
pub(crate) fn normalized(name: &str) -> String {
    let words = name.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}
