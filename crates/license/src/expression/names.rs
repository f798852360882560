//! Identifiers of the SPDX license list, found whatever their case, deprecated ones replaced.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use spdx::identifiers::{EXCEPTIONS, LICENSES};

use super::tree::{Expression, License};

/// Identifiers in lower case to those of the list.
type Names = FxHashMap<String, &'static str>;

/// What the crate lists beside the licenses is none: `NONE` and `NOASSERTION`.
static LICENSE_NAMES: LazyLock<Names> = LazyLock::new(|| {
    let names = LICENSES.iter().map(|license| license.name);
    let licenses = names.filter(|name| !matches!(*name, Expression::NONE | Expression::NOASSERTION));
    licenses.map(|name| (name.to_ascii_lowercase(), name)).collect()
});

static EXCEPTION_NAMES: LazyLock<Names> = LazyLock::new(|| {
    EXCEPTIONS.iter().map(|exception| (exception.name.to_ascii_lowercase(), exception.name)).collect()
});

/// What the list deprecates in favor of something that says the same, other than the GNU licenses' names without `-only` or
/// `-or-later` (which follow from the list itself).
const REPLACED: &[(&str, &str, Option<&str>)] = &[
    ("eCos-2.0", "GPL-2.0-or-later", Some("eCos-exception-2.0")),
    ("GPL-2.0-with-autoconf-exception", "GPL-2.0-only", Some("Autoconf-exception-2.0")),
    ("GPL-2.0-with-bison-exception", "GPL-2.0-only", Some("Bison-exception-2.2")),
    ("GPL-2.0-with-classpath-exception", "GPL-2.0-only", Some("Classpath-exception-2.0")),
    ("GPL-2.0-with-font-exception", "GPL-2.0-only", Some("Font-exception-2.0")),
    ("GPL-2.0-with-GCC-exception", "GPL-2.0-only", Some("GCC-exception-2.0")),
    ("GPL-3.0-with-autoconf-exception", "GPL-3.0-only", Some("Autoconf-exception-3.0")),
    ("GPL-3.0-with-GCC-exception", "GPL-3.0-only", Some("GCC-exception-3.1")),
    ("StandardML-NJ", "SMLNJ", None),
    ("wxWindows", "LGPL-2.0-or-later", Some("WxWindows-exception-3.1")),
];

/// The license that `word` names; none where neither the list nor a `LicenseRef-` does.
pub(super) fn license(word: &str) -> Option<License> {
    let (name, or_later) = word.strip_suffix('+').map_or((word, false), |name| (name, true));
    if let Some(reference) = reference(name, "LicenseRef-") {
        return (!or_later).then_some(License { id: reference, exception: None });
    }
    let listed = *LICENSE_NAMES.get(&name.to_ascii_lowercase())?;
    let (base, exception) = REPLACED
        .iter()
        .find(|(deprecated, ..)| *deprecated == listed)
        .map_or((listed, None), |(_, license, exception)| (*license, *exception));
    Some(License { id: versioned(base, or_later), exception: exception.map(str::to_owned) })
}

/// `GPL-2.0` to `GPL-2.0-only`, and with later versions to `GPL-2.0-or-later`; others get a `+`.
fn versioned(name: &str, or_later: bool) -> String {
    let stem = name.strip_suffix("-only").or_else(|| name.strip_suffix("-or-later")).unwrap_or(name);
    let in_list = |suffix: &str| {
        let name = format!("{stem}{suffix}");
        LICENSE_NAMES.contains_key(&name.to_ascii_lowercase()).then_some(name)
    };
    match in_list("-or-later") {
        Some(later) if or_later => later,
        Some(_) if spdx::license_id(name).is_some_and(spdx::LicenseId::is_deprecated) => {
            in_list("-only").unwrap_or_else(|| name.to_owned())
        }
        None if or_later => format!("{name}+"),
        _ => name.to_owned(),
    }
}

impl License {
    /// The identifiers of the SPDX license list, without those that it replaced.
    pub fn listed() -> BTreeSet<String> {
        LICENSE_NAMES.values().filter_map(|name| license(name)).map(|license| license.id).collect()
    }

    /// The exceptions of the SPDX license list.
    pub fn listed_exceptions() -> BTreeSet<&'static str> {
        EXCEPTION_NAMES.values().copied().collect()
    }
}

/// The exception that `word` names. What SPDX does not list stands as `AdditionRef-` (SPDX 3) or `LicenseRef-` (ScanCode).
pub(super) fn exception(word: &str) -> Option<String> {
    let listed = || EXCEPTION_NAMES.get(&word.to_ascii_lowercase()).map(|name| (*name).to_owned());
    reference(word, "AdditionRef-").or_else(|| reference(word, "LicenseRef-")).or_else(listed)
}

/// `word` where it is `DocumentRef-x:LicenseRef-y` or `LicenseRef-y`, with the prefixes in SPDX's case.
fn reference(word: &str, kind: &'static str) -> Option<String> {
    let (document, word) = match strip(word, "DocumentRef-") {
        Some(rest) => rest.split_once(':').map(|(document, word)| (Some(document), word))?,
        None => (None, word),
    };
    let name = strip(word, kind)?;
    let valid = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'))
    };
    match document {
        None => valid(name).then(|| format!("{kind}{name}")),
        Some(document) => {
            (valid(document) && valid(name)).then(|| format!("DocumentRef-{document}:{kind}{name}"))
        }
    }
}

fn strip<'a>(word: &'a str, prefix: &str) -> Option<&'a str> {
    word.get(..prefix.len())?.eq_ignore_ascii_case(prefix).then(|| &word[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_replaces_is_in_the_list() {
        for (deprecated, license, exception) in REPLACED {
            assert!(LICENSE_NAMES.contains_key(&deprecated.to_ascii_lowercase()), "{deprecated}");
            assert!(!spdx::license_id(license).expect(license).is_deprecated(), "{license}");
            if let Some(exception) = exception {
                assert!(spdx::exception_id(exception).is_some(), "{exception}");
            }
        }
    }

    #[test]
    fn every_identifier_of_the_list_is_read_in_any_case_and_stays_itself_when_read_again() {
        assert!(LICENSE_NAMES.len() > 700);
        for listed in LICENSES.iter().filter(|listed| LICENSE_NAMES.values().any(|name| *name == listed.name))
        {
            let read = license(&listed.name.to_ascii_uppercase()).expect(listed.name);
            assert_eq!(license(&read.id).map(|again| again.id), Some(read.id), "{}", listed.name);
        }
    }
}
