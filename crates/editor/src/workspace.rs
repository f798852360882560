//! What the worker knows of a workspace: the tree, and what else the settings name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_corpus::dir::{self, WalkOptions};
use familiar_detect::live::LiveTree;
use familiar_detect::{Baseline, CloneOptions};
use familiar_source::Silent;

use crate::decide;
use crate::elsewhere::Corpora;
use crate::findings::{self, Finding};
use crate::settings::Settings;

/// The tree, and what else the settings name.
pub(crate) struct Workspace {
    pub(crate) settings: Settings,
    pub(crate) tree: LiveTree,
    pub(crate) corpora: Corpora,
    accepted: Option<Baseline>,
    settled: BTreeSet<String>,
}

impl Workspace {
    /// What the settings name, read; and what of it cannot be used.
    pub(crate) fn read(roots: &[PathBuf], settings: Settings) -> Result<(Self, Vec<String>), String> {
        let options = CloneOptions { paths: roots.to_vec(), ..settings.clones.clone() };
        let pool = familiar_detect::pool(options.threads).map_err(|error| error.to_string())?;
        let listing = dir::walk(&options.paths, &walk(&options)).map_err(|error| error.to_string())?;
        let memory = options.memory;
        let tree =
            LiveTree::read(options, listing.documents, pool, &Silent).map_err(|error| error.to_string())?;
        let (corpora, mut problems) = Corpora::open(&settings.corpora, memory);
        let mut workspace = Self { tree, corpora, accepted: None, settled: BTreeSet::new(), settings };
        problems.extend(workspace.read_decisions().err());
        Ok((workspace, problems))
    }

    pub(crate) fn findings(&mut self, file: &Path) -> Result<Vec<Finding>, String> {
        let report = self.tree.around(file, self.accepted.as_ref()).map_err(|error| error.to_string())?;
        let (Some(report), Some(place)) = (report, self.tree.place(file)) else {
            return match self.tree.skipped(file) {
                Some(reason) => Err(format!("not searched: {reason}")),
                None => Ok(Vec::new()),
            };
        };
        findings::of(&report, self.tree.roots(), &place, &self.settled).map_err(|error| error.to_string())
    }

    /// The findings of every file that has some.
    pub(crate) fn all_findings(&self) -> Result<Vec<(PathBuf, Vec<Finding>)>, String> {
        let report = self.tree.all(self.accepted.as_ref()).map_err(|error| error.to_string())?;
        findings::by_file(&report, self.tree.roots(), &self.settled).map_err(|error| error.to_string())
    }

    pub(crate) fn read_decisions(&mut self) -> Result<(), String> {
        let decisions = decide::read(&self.settings.decisions);
        let known = decisions.as_ref().cloned().unwrap_or_default();
        self.settled = decide::settled(&known);
        let baseline = self.settings.baseline.clone();
        let is_any = baseline.is_some() || !known.is_empty();
        self.accepted = is_any.then(|| baseline.unwrap_or_default().with(&known));
        decisions.map(|_| ())
    }

    /// Whether the tree has files below a path.
    pub(crate) fn has_below(&self, path: &Path) -> bool {
        self.tree.all_files().any(|file| file.starts_with(path))
    }

    /// Takes the files that came, and forgets those that are gone; gives both. Documents that are open stay as they are.
    pub(crate) fn list_anew(&mut self, is_open: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut options = self.settings.clones.clone();
        options.paths = self.tree.roots().to_vec();
        let Ok(listing) = dir::walk(&options.paths, &walk(&options)) else { return Vec::new() };
        let listed: BTreeSet<PathBuf> = listing.documents.into_iter().map(|document| document.file).collect();
        let is_gone = |file: &&Path| !listed.contains(*file) && !is_open(file);
        let mut changed: Vec<PathBuf> = self.tree.all_files().filter(is_gone).map(Into::into).collect();
        for file in &changed {
            self.tree.remove(file);
        }
        for file in listed {
            if !self.tree.has(&file) {
                self.tree.set(&file, None);
                changed.push(file);
            }
        }
        changed
    }
}

fn walk(options: &CloneOptions) -> WalkOptions {
    let CloneOptions { exclude, no_ignore, threads, .. } = options;
    WalkOptions { exclude: exclude.clone(), no_ignore: *no_ignore, threads: *threads }
}
