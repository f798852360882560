//! npm, and every registry that npm can be told to use.

use std::collections::BTreeMap;

use familiar_http::url::below;
use serde::Deserialize;

use super::checksum::Checksum;
use super::environment::Environment;
use super::error::{ReleaseError, SetupError};
use super::http::Client;
use super::index::{Index, Release};
use super::npm_config::NpmConfig;

/// The registries that npm is configured to use.
#[derive(Clone, Debug)]
pub(crate) struct Npm {
    pub(super) client: Client,
    pub(super) config: NpmConfig,
}

/// What a registry says of a package, as far as it matters here.
#[derive(Deserialize)]
pub(crate) struct Packument {
    #[serde(default, rename = "dist-tags")]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    versions: BTreeMap<String, Manifest>,
    /// When each version was published.
    #[serde(default)]
    time: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    dist: Option<Dist>,
}

#[derive(Deserialize)]
struct Dist {
    tarball: String,
    #[serde(default)]
    integrity: Option<String>,
    #[serde(default)]
    shasum: Option<String>,
}

impl Npm {
    pub(crate) fn new(environment: &Environment) -> Result<Self, SetupError> {
        let config = NpmConfig::read(environment);
        Ok(Self { client: Client::new(config.settings(), environment)?, config })
    }
}

impl Index for Npm {
    fn client(&self) -> &Client {
        &self.client
    }

    fn release(&self, name: &str, version: Option<&str>) -> Result<Release, ReleaseError> {
        let url = below(&self.config.registry_of(name), &name.replace('/', "%2f"));
        let packument: Packument = self.client.json(&url)?;
        packument.release(name, version)
    }
}

impl Packument {
    /// The version that is asked for, or that which `latest` names.
    pub(crate) fn release(mut self, name: &str, version: Option<&str>) -> Result<Release, ReleaseError> {
        let latest = self.tags.get("latest").map(String::as_str);
        let Some(version) = version.or(latest).map(ToOwned::to_owned) else {
            return Err(ReleaseError::NoLatest);
        };
        if !super::semver::is_version(&version) {
            return Err(ReleaseError::MalformedLatest(version));
        }
        let time = self.time.get(&version);
        let Some(dist) = self.versions.remove(&version).and_then(|manifest| manifest.dist) else {
            let why = if time.is_some() { ReleaseError::Withdrawn } else { ReleaseError::NotInRegistry };
            return Err(why(version));
        };
        let integrity = dist.integrity.as_deref().and_then(Checksum::integrity);
        let file = dist.tarball.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
        Ok(Release {
            name: name.to_owned(),
            file: file.unwrap_or_default().to_owned(),
            checksum: integrity.or_else(|| Checksum::hex("sha1", dist.shasum.as_deref()?)),
            uploaded: time.and_then(|time| familiar_source::time::parse(time.as_str()?)),
            url: dist.tarball,
            version,
        })
    }
}

/// Whether a name may be one of an npm package, `left-pad` or `@babel/core`.
pub(super) fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~!'()*".contains(&byte);
        !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_inside)
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| is_part(scope) && is_part(name)),
        None => is_part(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKUMENT: &str = r#"{"dist-tags":{"latest":"1.1.0"},"versions":{
        "1.0.0":{"dist":{"tarball":"https://host/a/-/a-1.0.0.tgz","shasum":"a9993e364706816aba3e25717850c26c9cd0d89d"}},
        "1.1.0":{"dist":{"tarball":"https://host/a/-/a-1.1.0.tgz","integrity":"sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0="}}},
        "time":{"created":"x","0.9.0":"2015-01-27T20:09:32.720Z","1.1.0":"2015-01-27T20:09:32.720Z","unpublished":{}}}"#;

    fn release(version: Option<&str>) -> Result<Release, ReleaseError> {
        serde_json::from_str::<Packument>(PACKUMENT).expect("sound").release("@me/a", version)
    }

    #[test]
    fn the_latest_version_counts_or_the_one_asked_for() {
        let latest = release(None).expect("there is one");
        assert_eq!((latest.version.as_str(), latest.uploaded), ("1.1.0", Some(1_422_389_372)));
        let older = release(Some("1.0.0")).expect("there is one");
        assert_eq!((older.file.as_str(), older.uploaded), ("a-1.0.0.tgz", None));
        assert_eq!(latest.checksum, older.checksum);
        assert!(latest.checksum.is_some());
        assert_eq!(release(Some("0.9.0")).expect_err("gone").to_string(), "its version 0.9.0 was withdrawn");
        assert_eq!(
            release(Some("3.0.0")).expect_err("none").to_string(),
            "its version 3.0.0 is not in the registry"
        );
    }

    #[test]
    fn names_may_have_a_scope() {
        assert!(is_name("left-pad") && is_name("@babel/core") && is_name("JSONStream"));
        for bad in ["", "@babel", "a/b", "../x", "@a/b/c", "a b", "@/x", "a%2fb"] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
