//! Package registries as a source of code: PyPI, npm and crates.io, and mirrors of them.
//!
//! A package is fetched into a temporary file without a name, compared with the checksum that the index gives, and read as
//! the archive that it is. Its project is the registry and the package, `pypi/numpy`, whatever the release; paths are
//! below the package's top folder; the release stands as `introduced_by` and in the package URL. The time of all files is
//! when the release was uploaded, as the registry says.
//!
//! How registries are reached is what their own tools are configured to: pip's and npm's files and variables, the
//! environment's proxies, the system's certificates.

mod checksum;
mod crates_io;
mod environment;
mod error;
mod http;
mod index;
mod notation;
mod npm;
mod npm_config;
mod pip_config;
mod pypi;
mod release;
mod semver;
mod simple_page;

use std::sync::OnceLock;

use crates_io::CratesIo;
use environment::Environment;
pub use error::InvalidPackage;
use error::{ReleaseError, SetupError};
use index::Index;
pub(crate) use notation::Registry;
use npm::Npm;
use pypi::PyPi;
use release::Downloaded;

use crate::{Fetched, Limits, Remote, Sink, Source, SourceError};

/// A package of a registry: one release of it, or whatever is the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub(crate) registry: Registry,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
}

impl Package {
    /// Reads `NAME`, `NAME==VERSION` (PyPI) or `NAME@VERSION` (npm, crates.io).
    pub(crate) fn parse(registry: Registry, text: &str) -> Result<Self, InvalidPackage> {
        let (name, version) = registry.split(text);
        let is_name = match registry {
            Registry::PyPi => pypi::is_name(name),
            Registry::Npm => npm::is_name(name),
            Registry::CratesIo => crates_io::is_name(name),
        };
        if !is_name {
            let (name, release) = (registry.prefixed("NAME"), registry.named("NAME", "VERSION"));
            return Err(InvalidPackage::Name { name, release });
        }
        let is_version = match registry {
            Registry::PyPi => pypi::is_version,
            Registry::Npm | Registry::CratesIo => semver::is_version,
        };
        if let Some(version) = version.filter(|version| !is_version(version)) {
            return Err(InvalidPackage::Version(version.to_owned()));
        }
        let name = if registry == Registry::PyPi { pypi::normalised(name) } else { name.to_owned() };
        Ok(Self { registry, name, version: version.map(ToOwned::to_owned) })
    }

    /// The one name of the source.
    pub(crate) fn canonical(&self) -> String {
        match &self.version {
            Some(version) => self.registry.named(&self.name, version),
            None => self.registry.prefixed(&self.name),
        }
    }

    fn fetch_from(
        &self,
        index: &dyn Index,
        held: &dyn Fn(&str) -> bool,
        limits: &Limits,
    ) -> Result<Fetched, SourceError> {
        let failed = |error: ReleaseError| SourceError::remote(&self.canonical(), error);
        let release = index.release(&self.name, self.version.as_deref()).map_err(failed)?;
        let name = self.registry.named(&release.name, &release.version);
        if held(&name) {
            return Ok(Fetched { name, source: None });
        }
        let file = index.client().file(&release.url, release.checksum.as_ref(), limits.download_bytes);
        let file = file.map_err(|error| failed(error.into()))?;
        let source = Downloaded { registry: self.registry, name: name.clone(), release, file };
        Ok(Fetched { name, source: Some(Box::new(source)) })
    }
}

impl Remote for Package {
    fn fetch(&self, held: &dyn Fn(&str) -> bool, limits: &Limits) -> Result<Fetched, SourceError> {
        let name = self.canonical();
        if self.version.is_some() && held(&name) {
            return Ok(Fetched { name, source: None });
        }
        match index_of(self.registry) {
            Ok(index) => self.fetch_from(index, held, limits),
            Err(error) => Err(SourceError::remote(&name, error)),
        }
    }
}

impl Source for Package {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        match self.fetch(&|_| false, limits)?.source {
            Some(source) => source.read(limits, sink),
            None => Ok(()),
        }
    }

    fn remote(&self) -> Option<&dyn Remote> {
        Some(self)
    }
}

/// The registry as this machine is configured to reach it.
fn index_of(registry: Registry) -> Result<&'static dyn Index, SetupError> {
    static PYPI: OnceLock<Result<PyPi, SetupError>> = OnceLock::new();
    static NPM: OnceLock<Result<Npm, SetupError>> = OnceLock::new();
    static CRATES_IO: OnceLock<Result<CratesIo, SetupError>> = OnceLock::new();
    let here = Environment::here;
    let index = match registry {
        Registry::PyPi => PYPI.get_or_init(|| PyPi::new(&here())).as_ref().map(|index| index as &dyn Index),
        Registry::Npm => NPM.get_or_init(|| Npm::new(&here())).as_ref().map(|index| index as &dyn Index),
        Registry::CratesIo => {
            CRATES_IO.get_or_init(|| CratesIo::new(&here())).as_ref().map(|index| index as &dyn Index)
        }
    };
    index.map_err(Clone::clone)
}

/// The versions, or for configurations the URLs, that are read from what a registry sends, by the kind of what it is. For the
/// fuzz targets alone.
#[doc(hidden)]
pub fn read_for_fuzzing(kind: u8, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let of_files =
        |files| pypi::choose("a", None, files).into_iter().map(|known| known.version_text).collect();
    match kind {
        0 => of_files(simple_page::of_json("https://host/", bytes).unwrap_or_default()),
        1 => of_files(simple_page::of_html("https://host/", &text)),
        2 => {
            let packument = serde_json::from_slice::<npm::Packument>(bytes).ok();
            let release = packument.and_then(|packument| packument.release("a", None).ok());
            release.into_iter().map(|release| release.version).collect()
        }
        3 => crates_io::newest_for_fuzzing(bytes).into_iter().collect(),
        4 => {
            let mut config = pip_config::PipConfig::default();
            config.take("global", &text);
            config.settings(&Environment::default());
            config.indexes().unwrap_or_default()
        }
        _ => {
            let mut config = npm_config::NpmConfig::default();
            config.take(&text, &Environment::default());
            config.settings();
            vec![config.registry_of("@a/b")]
        }
    }
}

#[cfg(test)]
mod tests;
