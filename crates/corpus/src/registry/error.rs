//! Why a package cannot be named or fetched.

use familiar_http::ClientError;

use super::http::HttpError;

/// Why a text names no package of a registry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPackage {
    #[error("it is not the name of a package; names look like {name} or {release}")]
    Name {
        /// How the newest release of a package is named, and how one release is.
        name: String,
        release: String,
    },
    #[error("`{0}` is not a version; give one exact version, not a range or a tag")]
    Version(String),
}

/// Why a registry cannot be asked with the configuration of this machine.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum SetupError {
    #[error("pip is configured without an index (no-index)")]
    NoIndex,
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Why a registry gives no release of a package.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReleaseError {
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("the registry does not name a latest version; name a version")]
    NoLatest,
    #[error("the registry names {} as the latest version, which is malformed", .0.escape_debug())]
    MalformedLatest(String),
    #[error("its version {0} was withdrawn")]
    Withdrawn(String),
    #[error("its version {0} is not in the registry")]
    NotInRegistry(String),
    #[error("the index has no version {0} of this package")]
    NotInIndex(String),
    #[error("every version is yanked; name a version to get it anyway")]
    VersionsYanked,
    #[error("every release is yanked; name a version to get it anyway")]
    ReleasesYanked,
    #[error("the index gives no checksum of it")]
    NoChecksum,
    #[error("the index has no readable file of this package (sdist, wheel or egg)")]
    NoFile,
    #[error("the index has no readable file of version {0}")]
    NoFileOf(String),
}
