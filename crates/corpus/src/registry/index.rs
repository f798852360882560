//! What all registries have: an index that finds the file of a release.

use super::checksum::Checksum;
use super::error::ReleaseError;
use super::http::Client;

/// One file that holds a release, and what the registry says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) url: String,
    /// The file's name.
    pub(crate) file: String,
    pub(crate) checksum: Option<Checksum>,
    /// Seconds since 1970.
    pub(crate) uploaded: Option<i64>,
}

/// What all registries have.
pub(crate) trait Index: Sync {
    /// The release of a package that has a version, or the newest; otherwise why it cannot be had.
    fn release(&self, name: &str, version: Option<&str>) -> Result<Release, ReleaseError>;

    /// Fetches its files.
    fn client(&self) -> &Client;
}
