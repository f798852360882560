//! How much a license asks of whoever takes code under it.

use std::sync::LazyLock;

use familiar_license::Expression;
use rustc_hash::FxHashMap;

use crate::matrix;

/// What kind of license it is, from those that ask for nothing to those that allow nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Dedications to the public domain and what comes to the same.
    PublicDomain,
    Permissive,
    /// Copyleft of the file or library: MPL, LGPL, EPL.
    WeakCopyleft,
    /// Creative Commons' copyleft for works of any kind.
    ShareAlike,
    /// Copyleft of the whole work: GPL.
    StrongCopyleft,
    /// Copyleft that use over a network sets off: AGPL, OSL, EUPL.
    NetworkCopyleft,
    /// The source may be seen, and some uses are reserved.
    SourceAvailable,
    /// Free of charge with limits on use or change: no commercial use, no derivatives.
    Restricted,
    Proprietary,
    /// No license at all: [`Expression::NONE`].
    Unlicensed,
    /// Contributor agreements and patent promises: they stand beside a license and are none.
    Agreement,
    Unknown,
}

impl Category {
    /// Of a license's identifier, without exception.
    ///
    /// A small table of our own comes first. Of the licenses in OSADL's matrix, those are copyleft that a permissive work cannot take
    /// in. ScanCode's categories (`data/categories`) say the rest, and of what ScanCode does not know SPDX whether it is copyleft.
    pub fn of(id: &str) -> Self {
        let id = id.strip_suffix('+').unwrap_or(id);
        let key = id.strip_prefix("LicenseRef-scancode-").unwrap_or(id);
        if let Some((_, category)) =
            OURS.iter().find(|(prefix, _)| key.starts_with(prefix) && !is_other_reference(id))
        {
            return *category;
        }
        let scancode =
            if is_other_reference(id) { None } else { SCANCODE.get(key).copied().and_then(Self::of_letter) };
        let flagged =
            || spdx::license_id(id).filter(|listed| listed.is_copyleft()).map(|_| Self::WeakCopyleft);
        match (matrix::is_copyleft(id), scancode.or_else(flagged).unwrap_or(Self::Unknown)) {
            (Some(true), category) if !category.is_copyleft() => Self::WeakCopyleft,
            (Some(false), category) if category != Self::PublicDomain => Self::Permissive,
            (_, category) => category,
        }
    }

    /// Of a whole expression: the strictest of what holds together, the mildest of what may be chosen.
    pub fn of_expression(expression: &Expression) -> Self {
        match expression {
            Expression::License(license) => Self::of(&license.id),
            Expression::And(parts) => parts.iter().map(Self::of_expression).max().unwrap_or(Self::Unknown),
            Expression::Or(parts) => parts.iter().map(Self::of_expression).min().unwrap_or(Self::Unknown),
        }
    }

    /// Whether what is made with the code has to be passed on under the same license.
    pub const fn is_copyleft(self) -> bool {
        matches!(self, Self::WeakCopyleft | Self::ShareAlike | Self::StrongCopyleft | Self::NetworkCopyleft)
    }

    /// Whether the code may be passed on under nearly any license.
    pub const fn is_permissive(self) -> bool {
        matches!(self, Self::PublicDomain | Self::Permissive)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::PublicDomain => "public-domain",
            Self::Permissive => "permissive",
            Self::WeakCopyleft => "weak-copyleft",
            Self::ShareAlike => "share-alike",
            Self::StrongCopyleft => "strong-copyleft",
            Self::NetworkCopyleft => "network-copyleft",
            Self::SourceAvailable => "source-available",
            Self::Restricted => "restricted",
            Self::Proprietary => "proprietary",
            Self::Unlicensed => "unlicensed",
            Self::Agreement => "agreement",
            Self::Unknown => "unknown",
        }
    }

    const fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'D' => Self::PublicDomain,
            b'P' => Self::Permissive,
            b'W' => Self::WeakCopyleft,
            b'S' => Self::StrongCopyleft,
            b'A' => Self::SourceAvailable,
            b'R' => Self::Restricted,
            b'F' | b'C' => Self::Proprietary,
            b'X' => Self::Agreement,
            _ => return None,
        })
    }
}

/// By the beginning of the identifier; the first that fits counts.
const OURS: &[(&str, Category)] = &[
    ("NONE", Category::Unlicensed),
    ("no-license", Category::Unlicensed),
    ("NOASSERTION", Category::Unknown),
    ("AGPL-", Category::NetworkCopyleft),
    ("OSL-", Category::NetworkCopyleft),
    ("NPOSL-", Category::NetworkCopyleft),
    ("EUPL-", Category::NetworkCopyleft),
    ("RPL-", Category::NetworkCopyleft),
    ("CPAL-", Category::NetworkCopyleft),
    ("GFDL-", Category::WeakCopyleft),
    ("CC-BY-SA-", Category::ShareAlike),
    ("LAL-", Category::ShareAlike),
    ("CC-BY-NC", Category::Restricted),
    ("CC-BY-ND", Category::Restricted),
    // Words around a license that grant nothing and take nothing away.
    ("warranty-disclaimer", Category::Agreement),
    ("generic-trademark", Category::Agreement),
    ("generic-export-compliance", Category::Agreement),
];

/// Whether only the document that has the reference says what it means.
pub(crate) fn is_other_reference(id: &str) -> bool {
    id.starts_with("DocumentRef-") || id.starts_with("LicenseRef-") && !id.starts_with("LicenseRef-scancode-")
}

static SCANCODE: LazyLock<FxHashMap<&'static str, u8>> = LazyLock::new(|| {
    let rows =
        include_str!("../data/categories/categories.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split_once('\t').map(|(letter, key)| (key, letter.as_bytes()[0]))).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_are_what_they_are_known_for() {
        for (id, category) in [
            ("CC0-1.0", Category::PublicDomain),
            ("LicenseRef-scancode-public-domain", Category::PublicDomain),
            ("MIT", Category::Permissive),
            ("Artistic-1.0", Category::Permissive),
            ("LicenseRef-scancode-other-permissive", Category::Permissive),
            ("MPL-2.0", Category::WeakCopyleft),
            ("CDDL-1.0+", Category::WeakCopyleft),
            ("CC-BY-SA-3.0-DE", Category::ShareAlike),
            ("GPL-2.0-or-later", Category::StrongCopyleft),
            ("AGPL-3.0-only", Category::NetworkCopyleft),
            ("SSPL-1.0", Category::SourceAvailable),
            ("CC-BY-NC-4.0", Category::Restricted),
            ("LicenseRef-scancode-proprietary-license", Category::Proprietary),
            ("LicenseRef-scancode-generic-cla", Category::Agreement),
            ("LicenseRef-scancode-unknown", Category::Unknown),
            ("LicenseRef-MIT", Category::Unknown),
            ("LicenseRef-AGPL-like", Category::Unknown),
            ("NONE", Category::Unlicensed),
        ] {
            assert_eq!(Category::of(id), category, "{id}");
        }
    }

    #[test]
    fn a_choice_is_as_mild_as_its_mildest_and_a_sum_as_strict_as_its_strictest() {
        let of = |text: &str| Category::of_expression(&Expression::parse(text).expect(text));
        assert_eq!(of("MIT OR GPL-2.0-only"), Category::Permissive);
        assert_eq!(of("MIT AND GPL-2.0-only"), Category::StrongCopyleft);
        assert_eq!(of("MPL-2.0 AND (MIT OR AGPL-3.0-only)"), Category::WeakCopyleft);
    }
}
