//! Tokens: who may do what.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// What somebody may do. Each scope holds those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Look code up, and read what is there.
    Read,
    /// Upload code, start jobs, delete what is one's own.
    Upload,
    /// Change corpora, see and delete what others made.
    Admin,
}

impl Scope {
    pub const ALL: [Self; 3] = [Self::Read, Self::Upload, Self::Admin];

    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Upload => "upload",
            Self::Admin => "admin",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// This scope and those that it holds.
    pub(crate) fn names(self) -> Vec<&'static str> {
        Self::ALL.into_iter().filter(|&scope| scope <= self).map(Self::name).collect()
    }
}

/// A token as it is kept: what it is called, never what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub name: String,
    /// Whose members see what the others make; none for one who works alone.
    pub team: Option<String>,
    pub scope: Scope,
    /// Seconds since 1970.
    pub created: i64,
    pub expires: Option<i64>,
}

/// A token is random, so that a plain hash of it gives nothing away.
pub(crate) fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
