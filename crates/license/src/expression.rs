//! SPDX license expressions as a tree.

use std::fmt;

/// One license, perhaps with an exception: `GPL-2.0-only WITH Classpath-exception-2.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct License {
    /// SPDX's identifier, or a `LicenseRef-…`.
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
