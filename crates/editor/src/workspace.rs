//! What the worker knows of a workspace: the tree, and what else the settings name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_detect::live::LiveTree;
use familiar_detect::{Baseline, CloneOptions};
use familiar_files::dir::WalkOptions;
use familiar_source::Silent;

use crate::decide;
use crate::elsewhere::Corpora;
use crate::findings::{self, Finding};
use crate::folders;
use crate::settings::Settings;

/// The tree, and what else the settings name.
pub(crate) struct Workspace {
    pub(crate) settings: Settings,
    pub(crate) tree: LiveTree,
    pub(crate) corpora: Corpora,
    accepted: Option<Baseline>,
    settled: BTreeSet<String>,
    /// Open files that the tree does not take, since a walk leaves them out.
    left_out: BTreeSet<PathBuf>,
}

impl Workspace {
    /// What the settings name, read; and what of it cannot be used.
    pub(crate) fn read(folders: &[PathBuf], settings: Settings) -> Result<(Self, Vec<String>), String> {
        let options = CloneOptions { paths: folders::apart(folders), ..settings.clones.clone() };
        let pool = familiar_detect::pool(options.threads).map_err(|error| error.to_string())?;
        let (documents, mut problems) = folders::listed(&options.paths, &walk(&options))?;
        let memory = options.memory;
        let tree = LiveTree::read(options, documents, pool, &Silent).map_err(|error| error.to_string())?;
        let (corpora, failed) = Corpora::open(&settings.corpora, memory);
        problems.extend(failed);
        let (accepted, settled, left_out) = (None, BTreeSet::new(), BTreeSet::new());
        let mut workspace = Self { settings, tree, corpora, accepted, settled, left_out };
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
    fn has_below(&self, path: &Path) -> bool {
        self.tree.all_files().any(|file| file.starts_with(path))
    }

    /// Notes those of some files that the walk just left out.
    pub(crate) fn leave_out<'f>(&mut self, files: impl Iterator<Item = &'f PathBuf>) {
        let is_left_out = |file: &&PathBuf| !self.tree.has(file) && file.exists();
        self.left_out.extend(files.filter(is_left_out).cloned());
    }

    /// What was left out is asked about once more.
    pub(crate) fn forget_left_out(&mut self) {
        self.left_out.clear();
    }

    /// Whether something on the disk changed the list of files: a new file came, or a folder came or went.
    pub(crate) fn is_news(&self, path: &Path) -> bool {
        if self.tree.has(path) || self.left_out.contains(path) {
            return false;
        }
        (self.tree.place(path).is_some() && path.exists()) || self.has_below(path)
    }

    /// Whether only a walk can say if an open file belongs to the tree.
    pub(crate) fn must_list_for(&self, file: &Path) -> bool {
        let is_known = self.tree.has(file) || self.left_out.contains(file);
        !is_known && self.tree.place(file).is_some() && file.exists()
    }

    /// Whether the tree takes an open file: it has it, or the file is not on the disk yet and a walk would list it there.
    pub(crate) fn takes(&mut self, file: &Path) -> bool {
        if self.tree.has(file) {
            return true;
        }
        let Some((root, _)) = self.tree.place(file) else { return false };
        if self.left_out.contains(file) {
            return false;
        }
        let root = &self.tree.roots()[root as usize];
        let takes = !file.exists() && folders::would_list(root, file, &walk(&self.settings.clones));
        if !takes {
            self.left_out.insert(file.to_owned());
        }
        takes
    }

    /// Takes the files that came, and forgets those that are gone; gives both. Documents that are open and not on the disk stay.
    pub(crate) fn list_anew(&mut self, is_open: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let options = walk(&self.settings.clones);
        let Ok((documents, _)) = folders::listed(self.tree.roots(), &options) else { return Vec::new() };
        let listed: BTreeSet<PathBuf> = documents.into_iter().map(|document| document.file).collect();
        let is_gone = |file: &&Path| !listed.contains(*file) && (file.exists() || !is_open(file));
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::settings::{Scope, Severity};

    const CODE: &str = "x = 1\n";

    fn settings(folder: &Path) -> Settings {
        let clones = CloneOptions { threads: 1, exclude: vec!["gen/".to_owned()], ..CloneOptions::default() };
        Settings {
            clones,
            baseline: None,
            decisions: folder.join("decisions.json"),
            corpora: Vec::new(),
            severity: Severity::Hint,
            scope: Scope::Open,
            debounce: Duration::ZERO,
            author: "ada".to_owned(),
            files: Vec::new(),
        }
    }

    #[test]
    fn a_file_that_is_left_out_asks_for_one_walk_until_files_come() {
        let (folder, beside) = (tempfile::tempdir(), tempfile::tempdir());
        let (folder, beside) = (folder.expect("it can be made"), beside.expect("it can be made"));
        let (made, new) = (folder.path().join("gen/a.py"), folder.path().join("gen/new.py"));
        std::fs::create_dir(folder.path().join("gen")).expect("it can be made");
        for file in [&made, &folder.path().join("a.py"), &beside.path().join("b.py")] {
            std::fs::write(file, CODE).expect("it can be written");
        }
        let read = Workspace::read(&[folder.path().to_owned()], settings(folder.path()));
        let (mut workspace, _) = read.expect("it can be read");
        assert!(workspace.must_list_for(&made));
        assert!(workspace.list_anew(|_| true).is_empty() && !workspace.takes(&made));
        assert!(!workspace.must_list_for(&made) && !workspace.is_news(&made));
        workspace.forget_left_out();
        assert!(workspace.must_list_for(&made) && workspace.is_news(&made));
        // What lies outside is nothing to walk for.
        let outside = beside.path().join("b.py");
        assert!(!workspace.must_list_for(&outside) && !workspace.takes(&outside));
        assert!(!workspace.is_news(&outside));
        // A file that is not there yet follows the same rules.
        assert!(!workspace.must_list_for(&new) && !workspace.takes(&new));
        assert!(workspace.takes(&folder.path().join("new.py")));
    }
}
