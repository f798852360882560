//! Licenses joined by AND and OR.

use std::collections::BTreeSet;
use std::fmt;

/// One license, perhaps with an exception: `GPL-2.0-only WITH Classpath-exception-2.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct License {
    /// SPDX's identifier in SPDX's case, a `LicenseRef-…`, [`Expression::NONE`] or [`Expression::NOASSERTION`]. It ends in `+` where later
    /// versions may be taken and no identifier in `-or-later` says so: `Apache-2.0+`.
    pub id: String,
    pub exception: Option<String>,
}

/// A license expression (SPDX 2.3, annex D). AND and OR hold at least two parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expression {
    License(License),
    And(Vec<Expression>),
    Or(Vec<Expression>),
}

impl License {
    /// The identifier without `+`.
    pub fn name(&self) -> &str {
        self.id.strip_suffix('+').unwrap_or(&self.id)
    }
}

impl Expression {
    /// There is no license. Stands by itself only.
    pub const NONE: &str = "NONE";
    /// What the license is was not determined. Stands by itself only.
    pub const NOASSERTION: &str = "NOASSERTION";

    pub fn none() -> Self {
        Self::of(Self::NONE)
    }

    pub(crate) fn no_assertion() -> Self {
        Self::of(Self::NOASSERTION)
    }

    pub(super) fn of(id: &str) -> Self {
        Self::License(License { id: id.to_owned(), exception: None })
    }

    pub fn is_none(&self) -> bool {
        self.is(Self::NONE)
    }

    pub(crate) fn is_no_assertion(&self) -> bool {
        self.is(Self::NOASSERTION)
    }

    fn is(&self, id: &str) -> bool {
        matches!(self, Self::License(license) if license.id == id)
    }

    /// Both hold, simplified. [`NONE`](Self::NONE) adds nothing to a license, and what is not determined stays so whatever holds too.
    pub fn and(self, other: Self) -> Self {
        match (self.is_none(), other.is_none()) {
            (_, true) => self,
            (true, _) => other,
            _ if self.is_no_assertion() => self,
            _ if other.is_no_assertion() => other,
            _ => Self::And(vec![self, other]).simplified(),
        }
    }

    /// Either may be chosen, simplified. Whoever can choose a license need not look at [`NONE`](Self::NONE) or
    /// [`NOASSERTION`](Self::NOASSERTION).
    pub fn or(self, other: Self) -> Self {
        let says_nothing = |one: &Self| one.is_none() || one.is_no_assertion();
        match (says_nothing(&self), says_nothing(&other)) {
            (true, true) if self.is_none() => other,
            (_, true) => self,
            (true, _) => other,
            _ => Self::Or(vec![self, other]).simplified(),
        }
    }

    /// The same without needless parentheses and without repetition; the order of what is first said stays.
    pub fn simplified(self) -> Self {
        match self {
            Self::License(_) => self,
            Self::And(parts) => Self::joined(parts, Self::And, |part| {
                if let Self::And(parts) = part { Ok(parts) } else { Err(part) }
            }),
            Self::Or(parts) => {
                Self::joined(
                    parts,
                    Self::Or,
                    |part| if let Self::Or(parts) = part { Ok(parts) } else { Err(part) },
                )
            }
        }
    }

    fn joined(
        parts: Vec<Self>,
        join: fn(Vec<Self>) -> Self,
        open: fn(Self) -> Result<Vec<Self>, Self>,
    ) -> Self {
        let mut seen = BTreeSet::new();
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            for part in open(part.simplified()).unwrap_or_else(|part| vec![part]) {
                if seen.insert(part.clone()) {
                    flat.push(part);
                }
            }
        }
        match flat.len() {
            0 => Self::none(),
            1 => flat.remove(0),
            _ => join(flat),
        }
    }

    /// Its licenses in the order in which they are written, those that stand twice twice.
    pub fn licenses(&self) -> Vec<&License> {
        match self {
            Self::License(license) => vec![license],
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::licenses).collect(),
        }
    }

    /// Whether `part` is a part of it at its top: `A AND B` and `A` of `A AND B AND C`, `A` of `A WITH X`, but not `A` of
    /// `A AND B OR C`, which is a choice between `A AND B` and `C`.
    pub(crate) fn contains(&self, part: &Self) -> bool {
        match (self, part) {
            (Self::And(all), Self::And(parts)) | (Self::Or(all), Self::Or(parts)) => {
                parts.iter().all(|part| all.contains(part))
            }
            (Self::And(all) | Self::Or(all), part) => all.contains(part),
            (Self::License(License { id, exception: Some(_) }), Self::License(part)) => {
                part.exception.is_none() && *id == part.id
            }
            (Self::License(_), _) => false,
        }
    }

    /// The identifiers that it names. An exception is an identifier of its own, and `+` is none: `GPL-2.0-only WITH
    /// Classpath-exception-2.0 OR Apache-2.0+` has three. [`NONE`](Self::NONE) and [`NOASSERTION`](Self::NOASSERTION) have none.
    pub fn ids(&self) -> BTreeSet<String> {
        let licenses = self.licenses();
        let named = licenses.iter().filter(|license| !matches!(&*license.id, Self::NONE | Self::NOASSERTION));
        named
            .flat_map(|license| [Some(license.name()), license.exception.as_deref()])
            .flatten()
            .map(|id| Self::lone_exception(id).unwrap_or(id).to_owned())
            .collect()
    }

    /// The exception that a `LicenseRef-scancode-…` stands for: one that was found without a license is no expression by itself.
    pub(crate) fn lone_exception(id: &str) -> Option<&str> {
        id.strip_prefix("LicenseRef-scancode-").filter(|name| spdx::exception_id(name).is_some())
    }
}

impl fmt::Display for License {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        self.exception.iter().try_for_each(|exception| write!(f, " WITH {exception}"))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, word) = match self {
            Self::License(license) => return license.fmt(f),
            Self::And(parts) => (parts, " AND "),
            Self::Or(parts) => (parts, " OR "),
        };
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                f.write_str(word)?;
            }
            match part {
                Self::License(license) => license.fmt(f)?,
                part => write!(f, "({part})")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(text: &str) -> Expression {
        Expression::parse(text).expect(text)
    }

    #[test]
    fn joining_flattens_and_says_nothing_twice() {
        let joined = expression("MIT AND (ISC AND MIT)").and(expression("ISC OR (ISC OR Zlib)"));
        assert_eq!(joined.to_string(), "MIT AND ISC AND (ISC OR Zlib)");
        assert_eq!(expression("MIT").and(expression("mit")).to_string(), "MIT");
        assert_eq!(expression("MIT OR Apache-2.0").or(expression("MIT")).to_string(), "MIT OR Apache-2.0");
    }

    #[test]
    fn what_says_nothing_joins_as_documented() {
        let joined = |left: &str, right: &str| {
            let (left, right) = (expression(left), expression(right));
            (left.clone().and(right.clone()).to_string(), left.or(right).to_string())
        };
        assert_eq!(joined("NONE", "MIT"), ("MIT".to_owned(), "MIT".to_owned()));
        assert_eq!(joined("MIT", "NOASSERTION"), ("NOASSERTION".to_owned(), "MIT".to_owned()));
        assert_eq!(joined("NOASSERTION", "MIT"), ("NOASSERTION".to_owned(), "MIT".to_owned()));
        assert_eq!(joined("NONE", "NOASSERTION"), ("NOASSERTION".to_owned(), "NOASSERTION".to_owned()));
        assert_eq!(joined("NOASSERTION", "NONE"), ("NOASSERTION".to_owned(), "NOASSERTION".to_owned()));
        assert_eq!(joined("NONE", "NONE"), ("NONE".to_owned(), "NONE".to_owned()));
    }

    #[test]
    fn an_expression_contains_the_parts_at_its_top() {
        for (whole, part, expected) in [
            ("MIT AND BSD-3-Clause", "MIT", true),
            ("MIT AND BSD-3-Clause AND ISC", "ISC AND MIT", true),
            ("MIT AND BSD-3-Clause", "MIT OR BSD-3-Clause", false),
            ("MIT OR GPL-2.0-only", "MIT", true),
            ("(MIT OR GPL-2.0-only) AND ISC", "MIT OR GPL-2.0-only", true),
            ("(MIT OR GPL-2.0-only) AND ISC", "MIT", false),
            // AND binds closer than OR, with parentheses and without.
            ("MIT AND BSD-3-Clause OR ISC", "MIT", false),
            ("MIT AND BSD-3-Clause OR ISC", "MIT AND BSD-3-Clause", true),
            ("MIT AND BSD-3-Clause OR ISC", "ISC", true),
            ("GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2.0-only", true),
            ("GPL-2.0-only WITH Classpath-exception-2.0 AND MIT", "GPL-2.0-only", false),
            ("GPL-2.0-only", "GPL-2.0-only WITH Classpath-exception-2.0", false),
            ("MIT", "ISC", false),
        ] {
            assert_eq!(expression(whole).contains(&expression(part)), expected, "{whole} / {part}");
        }
    }

    #[test]
    fn ids_are_licenses_and_exceptions_each_by_itself() {
        let ids = |text: &str| expression(text).ids().into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(
            ids("GPL-2.0-only WITH Classpath-exception-2.0 OR (Apache-2.0+ AND MIT) OR MIT"),
            "Apache-2.0 Classpath-exception-2.0 GPL-2.0-only MIT"
        );
        assert_eq!(ids("NONE"), "");
    }
}
