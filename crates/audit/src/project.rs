//! The projects that PATH's trees are of: what they declare of licenses, and what they are called.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_files::Document;
use familiar_license::{Copyright, Declarations, Layer};
use familiar_report::Skipped;

use crate::places::Place;
use crate::project_names::{self, Names};
use crate::surroundings::Surroundings;
use crate::tree_declarations::{self, MAX_FILE_BYTES};

/// The projects of PATH's roots, in their order.
pub(crate) struct Projects(Vec<Project>);

struct Project {
    surroundings: Surroundings,
    /// What stands before the paths of the root's files, below the project.
    before: String,
    declarations: Declarations,
    names: Names,
}

impl Projects {
    /// Reads what the trees among `documents` declare; a snippet belongs to the project of the current folder.
    pub(crate) fn read(trees: &[PathBuf], documents: &[Document], snippet: bool) -> Self {
        let project = |(root, tree): (u32, &PathBuf)| {
            let of_root = documents.iter().filter(|document| document.root == root);
            Project::read(Surroundings::of(tree), of_root)
        };
        let mut projects: Vec<Project> = (0u32..).zip(trees).map(project).collect();
        if snippet {
            projects.push(Project::read(Surroundings::of_code_in(Path::new(".")), std::iter::empty()));
        }
        Self(projects)
    }

    /// What a root's project says of a file, with paths from the root.
    pub(crate) fn layers(&self, root: u32, path: &str) -> Vec<Layer> {
        let Some(Project { surroundings, declarations, .. }) = self.0.get(root as usize) else {
            return Vec::new();
        };
        tree_declarations::layers(declarations, surroundings, path)
    }

    /// Whose a root's file is by the license files that speak for it.
    pub(crate) fn copyrights(&self, root: u32, path: &str) -> Vec<Copyright> {
        let Some(Project { surroundings, declarations, .. }) = self.0.get(root as usize) else {
            return Vec::new();
        };
        declarations.copyrights(&surroundings.whole(path))
    }

    /// What a root's project is called, and the packages in it that a file is of.
    pub(crate) fn names(&self, root: u32, path: &str) -> Option<BTreeSet<String>> {
        let project = self.0.get(root as usize)?;
        Some(project.names.of_file(&project.surroundings.whole(path), &project.declarations))
    }

    /// Whether a place is of one of these projects.
    pub(crate) fn have(&self, place: &Place<'_>) -> bool {
        self.0.iter().any(|project| project_names::is_of_project(project.names.all(), place))
    }

    /// The git work tree that a root lies in, and what stands before its paths there.
    pub(crate) fn work_tree(&self, root: u32) -> Option<(&Path, &str)> {
        let project = self.0.get(root as usize)?;
        Some((project.surroundings.work_tree.as_deref()?, &project.before))
    }

    /// The declaring files that cannot be read, as a whole or in part, by root and path.
    pub(crate) fn unreadable(&self) -> Vec<Skipped> {
        let of_project = |(root, project): (u32, &Project)| {
            let unreadable = tree_declarations::unreadable(&project.declarations, &project.surroundings);
            let skipped = move |(path, reason)| Skipped { root, path, path_bytes: None, reason };
            unreadable.map(skipped).collect::<Vec<_>>()
        };
        (0u32..).zip(&self.0).flat_map(of_project).collect()
    }
}

impl Project {
    fn read<'d>(surroundings: Surroundings, documents: impl Iterator<Item = &'d Document>) -> Self {
        let declarations = tree_declarations::declarations(documents, &surroundings, MAX_FILE_BYTES);
        let names = Names::of(&surroundings, &declarations);
        Self { before: surroundings.whole(""), surroundings, declarations, names }
    }
}
