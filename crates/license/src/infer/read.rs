//! What the files hold that speak for others.

use std::collections::BTreeMap;

use super::concluded::Conclusions;
use super::dep5::Dep5;
use super::distribution::{self, Distribution, info_of};
use super::folder::Folder;
use super::folders::{is_in_vendored, parent};
use super::license_file::{self, Found};
use super::role::{Role, home};
use crate::package::{Format, Manifest};
use crate::{Copyright, Detected, Detector, Layer, LayerKind, text};

/// Files that say more than this speak of nothing in particular.
const MAX_BYTES: usize = 16 << 20;

/// What declaring files say, before it is put together. Files can be read one by one, in any order and at the same time.
#[derive(Debug, Default)]
pub struct Declared {
    pub(super) folders: BTreeMap<String, Folder>,
    pub(super) sidecars: Vec<(String, Layer)>,
    pub(super) manifests: BTreeMap<String, (Format, Manifest)>,
    pub(super) texts: BTreeMap<String, Found>,
    pub(super) copyrights: Vec<(String, Vec<Copyright>)>,
    pub(super) distributions: BTreeMap<String, Distribution>,
    pub(super) unreadable: Vec<(String, String)>,
}

/// Reads one declaring file; `detect` finds the licenses in a text.
pub(super) fn read(path: &str, bytes: &[u8], detect: &dyn Fn(&str) -> Detected) -> Declared {
    let mut declared = Declared::default();
    let Some(role) = Role::of(path) else { return declared };
    if bytes.len() > MAX_BYTES {
        declared.wrong(path, format!("larger than {} MiB, so what it declares is not read", MAX_BYTES >> 20));
    } else if let Some(text) = text::decode(bytes) {
        declared.file(role, path, &text, detect);
    } else {
        declared.wrong(path, "binary, so what it declares is not read".to_owned());
    }
    declared
}

impl Declared {
    /// Reads the declaring file at `path` below the root.
    pub fn read(path: &str, bytes: &[u8], detector: &Detector) -> Self {
        read(path, bytes, &|text| detector.detect(text))
    }

    /// That the declaring file at `path` cannot be read.
    pub fn unreadable(path: &str, reason: &str) -> Self {
        let mut declared = Self::default();
        declared.wrong(path, format!("{reason}, so what it declares is not read"));
        declared
    }

    /// Takes what other files say.
    pub(super) fn add(&mut self, other: Self) {
        for (path, folder) in other.folders {
            self.folder(&path).add(folder);
        }
        self.sidecars.extend(other.sidecars);
        self.manifests.extend(other.manifests);
        self.texts.extend(other.texts);
        self.copyrights.extend(other.copyrights);
        for (path, distribution) in other.distributions {
            self.distributions.entry(path).or_default().add(distribution);
        }
        self.unreadable.extend(other.unreadable);
    }

    fn wrong(&mut self, path: &str, reason: String) {
        self.unreadable.push((path.to_owned(), reason));
    }

    fn folder(&mut self, path: &str) -> &mut Folder {
        self.folders.entry(path.to_owned()).or_default()
    }

    /// The info folder that a file lies in.
    fn distribution(&mut self, path: &str) -> Option<&mut Distribution> {
        let info = info_of(path)?;
        let distribution = self.distributions.entry(info.folder.to_owned()).or_default();
        (distribution.site, distribution.is_installed) = (info.site.to_owned(), info.is_installed);
        Some(distribution)
    }

    fn file(&mut self, role: Role, path: &str, text: &str, detect: &dyn Fn(&str) -> Detected) {
        let folder = home(path).to_owned();
        match role {
            Role::Conclusions if is_in_vendored(path) => {
                let reason = "it lies in a folder of other people's code, so its conclusions are not yours";
                self.wrong(path, reason.to_owned());
            }
            Role::Conclusions => {
                let read = Conclusions::read(text, |reason| self.unreadable.push((path.to_owned(), reason)));
                self.folder(&folder).conclusions = Some((path.to_owned(), read));
            }
            Role::Reuse => {
                let read = super::reuse::ReuseToml::read(text, |reason| {
                    self.unreadable.push((path.to_owned(), reason));
                });
                self.folder(&folder).reuse = Some((path.to_owned(), read));
            }
            Role::Dep5 => match Dep5::read(text, detect) {
                Some(read) => self.dep5(path, read),
                None => self.wrong(path, "it does not begin with the field Format of DEP-5".to_owned()),
            },
            Role::DebianCopyright => match Dep5::read(text, detect) {
                Some(read) => self.dep5(path, read),
                None => self.prose(path, text, detect),
            },
            Role::Sidecar => {
                let found = license_file::read(text, &detect(text));
                let layer = found.layer(LayerKind::Sidecar, path);
                self.sidecars.push((path.trim_end_matches(".license").to_owned(), layer));
            }
            Role::LicenseFile => self.license_file(path, text, detect),
            Role::Metadata(format) => self.metadata(format, path, text),
            Role::Record | Role::TopLevel => {
                if let Some(distribution) = self.distribution(path) {
                    match role {
                        Role::Record => distribution.record = Some(distribution::record(text)),
                        _ => distribution.top_level = Some(distribution::top_level(text)),
                    }
                }
            }
        }
    }

    fn license_file(&mut self, path: &str, text: &str, detect: &dyn Fn(&str) -> Detected) {
        let found = license_file::read(text, &detect(text));
        let layer = found.layer(LayerKind::LicenseFile, path);
        match self.distribution(path) {
            Some(distribution) => distribution.licenses.push(layer),
            None => self.folder(home(path)).licenses.push(layer),
        }
        self.texts.insert(path.to_owned(), found);
        self.copyrights.push((path.to_owned(), license_file::copyrights(text)));
    }

    fn metadata(&mut self, format: Format, path: &str, text: &str) {
        match format.read(text) {
            Ok(manifest) => {
                self.manifests.insert(path.to_owned(), (format, manifest));
            }
            Err(reason) => {
                // Somebody's package is there all the same.
                self.folder(home(path)).is_package |= info_of(path).is_none();
                self.wrong(path, format!("its metadata cannot be read: {reason}"));
            }
        }
    }

    /// `debian/copyright` as prose is the package's word.
    fn prose(&mut self, path: &str, text: &str, detect: &dyn Fn(&str) -> Detected) {
        let found = license_file::read(text, &detect(text));
        let evidence = format!("{}, in prose", found.evidence);
        let layer = Layer { evidence, ..found.layer(LayerKind::PackageMetadata, path) };
        self.folder(parent(home(path)).unwrap_or_default()).prose.push(layer);
    }

    fn dep5(&mut self, path: &str, read: Dep5) {
        let around = parent(parent(path).unwrap_or_default()).unwrap_or_default();
        self.folder(around).dep5.push((path.to_owned(), read));
    }
}
