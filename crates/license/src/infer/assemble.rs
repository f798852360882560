//! Puts together what the declaring files of one tree say.

use std::collections::BTreeSet;

use super::declarations::{Declarations, Package};
use super::distribution::{Distributions, info_of};
use super::folder::Described;
use super::folders::ancestors;
use super::metadata::Manifests;
use super::read::{Declared, read};
use super::role::home;
use super::workspace::Workspaces;
use crate::package::{Ecosystem, normalized};
use crate::{Detected, Detector};

impl Declarations {
    /// Reads declaring files, given with their paths below the root.
    pub fn read(files: impl IntoIterator<Item = (String, Vec<u8>)>, detector: &Detector) -> Self {
        Self::read_with(files, &|text| detector.detect(text))
    }

    /// The same with anything that finds the licenses in a text.
    pub fn read_with(
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        detect: &dyn Fn(&str) -> Detected,
    ) -> Self {
        Self::with(files.into_iter().map(|(path, bytes)| read(&path, &bytes, detect)), detect)
    }

    /// Puts together what declaring files say.
    pub fn of(declared: impl IntoIterator<Item = Declared>, detector: &Detector) -> Self {
        Self::with(declared, &|text| detector.detect(text))
    }

    pub(super) fn with(
        declared: impl IntoIterator<Item = Declared>,
        detect: &dyn Fn(&str) -> Detected,
    ) -> Self {
        let mut all = Declared::default();
        declared.into_iter().for_each(|one| all.add(one));
        assembled(all, detect)
    }
}

/// Puts together what all files say.
fn assembled(mut all: Declared, detect: &dyn Fn(&str) -> Detected) -> Declarations {
    let manifests = Manifests::new(&all.manifests, &all.texts, detect);
    let unreadable = &mut all.unreadable;
    let workspaces =
        Workspaces::new(&all.manifests, |path, reason| unreadable.push((path.to_owned(), reason)));
    let mut packages: Vec<NamedPackage> = Vec::new();
    for (path, (format, manifest)) in &all.manifests {
        if !manifest.is_package {
            // What a workspace shares is said of all that it holds.
            let (name, layers) = (String::new(), manifests.shared(path));
            let described = Described { ecosystem: format.ecosystem(), name, path: path.clone(), layers };
            all.folders.entry(home(path).to_owned()).or_default().described.push(described);
            continue;
        }
        let layers = manifests.layers(path).unwrap_or_else(|error| {
            all.unreadable.push((path.clone(), error.to_string()));
            Vec::new()
        });
        let info = info_of(path);
        let folder = info.map_or_else(|| home(path), |info| info.site).to_owned();
        let ecosystem = format.ecosystem();
        if let Some(name) = &manifest.name {
            let version = manifests.version(path).map(str::to_owned);
            let expression = layers.iter().find_map(|layer| layer.expression.clone());
            let purl = ecosystem.purl(name, version.as_deref());
            let (name, folder) = (name.clone(), folder.clone());
            let package = Package { purl, name, version, folder, expression };
            let is_built = info.is_some_and(|info| !info.is_installed);
            packages.push(NamedPackage { ecosystem, is_built, package });
        }
        if let Some(info) = info {
            let distribution = all.distributions.entry(info.folder.to_owned()).or_default();
            (distribution.site, distribution.is_installed) = (info.site.to_owned(), info.is_installed);
            distribution.name.clone_from(&manifest.name);
            distribution.metadata.extend(layers);
        } else {
            let folder = all.folders.entry(folder).or_default();
            folder.is_package = true;
            let around = || workspaces.around(path, *format).map(str::to_owned);
            folder.workspace = folder.workspace.take().or_else(around);
            let name = manifest.name.as_deref().map(normalized).unwrap_or_default();
            folder.described.push(Described { ecosystem, name, path: path.clone(), layers });
        }
    }
    for folder in all.folders.values_mut() {
        folder.settle();
    }
    all.unreadable.sort();
    all.unreadable.dedup();
    Declarations {
        folders: all.folders.into_iter().collect(),
        sidecars: all.sidecars.into_iter().collect(),
        distributions: Distributions::new(all.distributions),
        copyrights: all.copyrights.into_iter().collect(),
        packages: merged(packages),
        unreadable: all.unreadable,
    }
}

/// A package as one file describes it.
struct NamedPackage {
    ecosystem: Ecosystem,
    /// Whether a source tree builds the file, which then stands beside the sources that it describes.
    is_built: bool,
    package: Package,
}

impl NamedPackage {
    fn key(&self) -> (String, Ecosystem, String) {
        (self.package.folder.clone(), self.ecosystem, normalized(&self.package.name))
    }
}

/// Files that describe one package in one folder are one package, and so is what is built of it below.
fn merged(mut packages: Vec<NamedPackage>) -> Vec<Package> {
    let known: BTreeSet<_> = packages.iter().filter(|one| !one.is_built).map(NamedPackage::key).collect();
    packages.retain(|one| {
        let (folder, ecosystem, name) = one.key();
        let is_of = |above: &str| known.contains(&(above.to_owned(), ecosystem, name.clone()));
        !(one.is_built && ancestors(&folder).any(is_of))
    });
    packages.sort_by_cached_key(NamedPackage::key);
    packages.dedup_by(|next, kept| {
        let is_same = next.key() == kept.key();
        if is_same {
            let (one, next) = (&mut kept.package, &mut next.package);
            one.version = one.version.take().or_else(|| next.version.take());
            one.expression = one.expression.take().or_else(|| next.expression.take());
            one.purl = kept.ecosystem.purl(&one.name, one.version.as_deref());
        }
        is_same
    });
    packages.into_iter().map(|one| one.package).collect()
}
