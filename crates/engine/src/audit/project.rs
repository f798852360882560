//! The projects that PATH's trees are of: what they declare of licenses, and what they are called.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use familiar_corpus::Document;
use familiar_license::infer::{self, Declarations};
use familiar_license::{Detector, Layer};

use super::own;
use super::places::Place;

/// Largest declaring file that is read.
const MOST_BYTES: u64 = 1 << 20;

/// The projects of PATH's roots, in their order.
pub(super) struct Projects(Vec<Project>);

struct Project {
    declarations: Declarations,
    /// What stands before the paths of the root's files, below the project.
    prefix: String,
    names: BTreeSet<String>,
    /// The folder of a git work tree.
    folder: Option<PathBuf>,
}

impl Projects {
    /// Reads what the trees among `documents` declare; a snippet belongs to the project of the current folder.
    pub(super) fn read(trees: &[PathBuf], documents: &[Document], snippet: bool) -> Self {
        let project = |(root, tree): (u32, &PathBuf)| {
            let of_root = documents.iter().filter(|document| document.root == root);
            Project::read(tree, of_root)
        };
        let mut projects: Vec<Project> = (0u32..).zip(trees).map(project).collect();
        if snippet {
            projects.push(Project::read(Path::new("."), std::iter::empty()));
        }
        Self(projects)
    }

    /// What a root's project says of a file.
    pub(super) fn layers(&self, root: u32, path: &str) -> Vec<Layer> {
        let Some(project) = self.0.get(root as usize) else { return Vec::new() };
        project.declarations.layers(&format!("{}{path}", project.prefix))
    }

    /// What a root's project is called.
    pub(super) fn names(&self, root: u32) -> Option<&BTreeSet<String>> {
        Some(&self.0.get(root as usize)?.names)
    }

    /// Whether a place is of one of these projects.
    pub(super) fn have(&self, place: &Place<'_>) -> bool {
        self.0.iter().any(|project| own::is_own(&project.names, place))
    }

    /// The git work tree that a root lies in, and what stands before its paths there.
    pub(super) fn work_tree(&self, root: u32) -> Option<(&Path, &str)> {
        let project = self.0.get(root as usize)?;
        Some((project.folder.as_deref()?, &project.prefix))
    }
}

impl Project {
    fn read<'d>(tree: &Path, documents: impl Iterator<Item = &'d Document>) -> Self {
        let absolute = tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
        let folder = if absolute.is_file() { absolute.parent().unwrap_or(&absolute) } else { &absolute };
        let work_tree = folder.ancestors().find(|folder| folder.join(".git").exists());
        let top = work_tree.unwrap_or(folder);
        let prefix = folder.strip_prefix(top).map_or_else(|_| String::new(), below_path);
        let mut files = Vec::new();
        for above in folder.ancestors().take_while(|above| above.starts_with(top)) {
            let below = above.strip_prefix(top).map_or_else(|_| String::new(), below_path);
            files.extend(declaring(above).into_iter().map(|(name, bytes)| (format!("{below}{name}"), bytes)));
        }
        let names = own::names(top, folder, &files);
        let deeper = documents.filter(|document| {
            let path = document.path.as_str();
            path.contains('/') && infer::declares(path) && document.bytes <= MOST_BYTES
        });
        for document in deeper {
            if let Ok(bytes) = std::fs::read(&document.file) {
                files.push((format!("{prefix}{}", document.path.as_str()), bytes));
            }
        }
        files.sort();
        Self {
            declarations: Declarations::read(files, Detector::embedded()),
            prefix,
            names,
            folder: work_tree.map(Path::to_owned),
        }
    }
}

/// A path below a folder with `/` at its end, or nothing for the folder itself.
fn below_path(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    if parts.is_empty() { String::new() } else { format!("{}/", parts.join("/")) }
}

/// The files of a folder that speak for others, or name the project.
fn declaring(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files = Vec::new();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !(infer::declares(&name) || own::is_manifest(&name)) || !entry.path().is_file() {
            continue;
        }
        let mut bytes = Vec::new();
        let read = File::open(entry.path()).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        if read.is_ok() {
            files.push((name, bytes));
        }
    }
    files
}
