//! Where a piece of code stands, since when, and how that is known.

use std::fmt;
use std::str::FromStr;

/// What a time rests on, from the weakest to the strongest: who writes a time can mostly choose it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// No time is known.
    #[default]
    None,
    /// When the file was last changed, as a file system or an archive's entry says.
    FileTime,
    /// When the commit was made, as its author and committer say.
    CommitTime,
    /// When a post or its revision was made, as the site says.
    PostTime,
    /// When a release was uploaded, as the registry says.
    UploadTime,
}

impl Evidence {
    const NAMES: [(Self, &'static str); 5] = [
        (Self::None, "none"),
        (Self::FileTime, "file-time"),
        (Self::CommitTime, "commit-time"),
        (Self::PostTime, "post-time"),
        (Self::UploadTime, "upload-time"),
    ];

    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(known, _)| *known == self).map_or("none", |&(_, name)| name)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEvidence;

impl FromStr for Evidence {
    type Err = UnknownEvidence;

    fn from_str(name: &str) -> Result<Self, UnknownEvidence> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|&(kind, _)| kind).ok_or(UnknownEvidence)
    }
}

/// A blob at a place: project, path, and the revisions between which it stood there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The tree, repository, package, site or author that has it.
    pub project: String,
    /// Package URL, where the project is a package.
    pub purl: Option<String>,
    /// Path in the project, with `/`; bytes that are not UTF-8 percent-encoded.
    pub path: String,
    /// Line of the file at `path` on which the blob starts, counted from 1.
    pub first_line: u32,
    /// The revision that brought it, and the one that removed it.
    pub introduced_by: Option<String>,
    pub removed_by: Option<String>,
    pub author: Option<String>,
    /// Seconds since 1970, UTC.
    pub first_seen: Option<i64>,
    pub last_seen: Option<i64>,
    pub evidence: Evidence,
    /// Where a person can look at it.
    pub link: Option<String>,
    /// Under which license the place itself says that the code stands there, in its own words.
    pub license: Option<String>,
}
