//! What speaks for the files of one folder and those below it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::bound;
use super::concluded::Conclusions;
use super::dep5::Dep5;
use super::reuse::ReuseToml;
use super::shortened;
use crate::package::Ecosystem;
use crate::{Layer, LayerKind};

/// Packages that are named where several lie in one folder.
const NAMED: usize = 3;

/// What speaks for the files of one folder and those below it; files with their paths.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub(super) conclusions: Option<(String, Conclusions)>,
    pub(super) reuse: Option<(String, ReuseToml)>,
    pub(super) dep5: Vec<(String, Dep5)>,
    pub(super) licenses: Vec<Layer>,
    /// What each metadata file says, until that is [settled](Self::settle).
    pub(super) described: Vec<Described>,
    /// What metadata say of the folder's files.
    pub(super) metadata: Vec<Layer>,
    /// What they say of a metadata file instead, where several packages lie here: the word of its own package.
    pub(super) own: FxHashMap<String, Vec<Layer>>,
    /// What `debian/copyright` says in prose.
    pub(super) prose: Vec<Layer>,
    /// Whether a package begins here.
    pub(super) is_package: bool,
    /// The folder of the workspace that lists this package as a member.
    pub(super) workspace: Option<String>,
}

/// What one metadata file says.
#[derive(Debug)]
pub(super) struct Described {
    pub(super) ecosystem: Ecosystem,
    /// The package's name in the form in which names are compared; empty where it has none.
    pub(super) name: String,
    pub(super) path: String,
    pub(super) layers: Vec<Layer>,
}

impl Folder {
    pub(super) fn add(&mut self, other: Self) {
        self.conclusions = self.conclusions.take().or(other.conclusions);
        self.reuse = self.reuse.take().or(other.reuse);
        self.dep5.extend(other.dep5);
        self.licenses.extend(other.licenses);
        self.described.extend(other.described);
        self.prose.extend(other.prose);
        self.is_package |= other.is_package;
    }

    /// Brings what was read in any order into one, as far as it is told. Of several packages of one kind nothing says which files
    /// are whose, so that each says something of its own metadata file alone.
    pub(super) fn settle(&mut self) {
        self.licenses.sort_by(|a, b| a.path.cmp(&b.path));
        self.licenses = bound::license_files(std::mem::take(&mut self.licenses));
        self.dep5.sort_by(|a, b| a.0.cmp(&b.0));
        let mut names: BTreeMap<Ecosystem, BTreeSet<String>> = BTreeMap::new();
        for one in self.described.iter().filter(|one| !one.name.is_empty()) {
            names.entry(one.ecosystem).or_default().insert(one.name.clone());
        }
        names.retain(|_, names| names.len() > 1);
        let mut summed_up = BTreeSet::new();
        let mut metadata = Vec::new();
        for one in std::mem::take(&mut self.described) {
            let Some(names) = names.get(&one.ecosystem) else {
                metadata.extend(one.layers);
                continue;
            };
            if !one.layers.is_empty() && summed_up.insert(one.ecosystem) {
                metadata.push(of_several(names, &one.path));
            }
            self.own.insert(one.path, bound::metadata(one.layers));
        }
        self.metadata = bound::metadata(metadata);
    }

    /// What metadata, or else prose, say of the file at `path`.
    pub(super) fn metadata_of(&self, path: &str) -> &[Layer] {
        let layers = self.own.get(path).unwrap_or(&self.metadata);
        if layers.is_empty() { &self.prose } else { layers }
    }
}

/// That several packages lie in one folder, of which the metadata file at `path` is one's.
fn of_several(names: &BTreeSet<String>, path: &str) -> Layer {
    let first: Vec<_> = names.iter().take(NAMED).map(|name| format!("`{}`", shortened(name))).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let count = names.len();
    let evidence = format!(
        "{count} packages lie here ({}{more}), and nothing says which files are whose",
        first.join(", ")
    );
    let (expression, lines, score, rule) = (None, None, None, None);
    Layer {
        kind: LayerKind::PackageMetadata,
        expression,
        evidence,
        path: Some(path.to_owned()),
        lines,
        score,
        rule,
    }
}
