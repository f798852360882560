//! Whether two places are of the same project.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use familiar_license::Declarations;
use familiar_license::infer::is_in_vendored;

use crate::places::Place;
use crate::surroundings::Surroundings;

/// Largest configuration that is read.
const MOST_BYTES: u64 = 1 << 20;

/// What a project is called: the packages that its metadata name, where it was cloned from, and the folders that it is.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Of all its files.
    project: BTreeSet<String>,
    /// The packages that begin at a folder, from where the project begins.
    packages: BTreeMap<String, BTreeSet<String>>,
    all: BTreeSet<String>,
}

impl Names {
    /// The names of the project around the named folder: packages there, above, and below unless they are other people's.
    pub(crate) fn of(surroundings: &Surroundings, declarations: &Declarations) -> Self {
        let mut names = Self::default();
        let top = surroundings.work_tree.as_ref().unwrap_or(&surroundings.folder);
        names.project.extend(remote(top));
        names.project.extend([top, &surroundings.folder].map(|folder| format!("dir:{}", folder.display())));
        for package in declarations.packages() {
            if surroundings.concerns(&package.folder) && !is_theirs(surroundings, &package.folder) {
                let of_folder = names.packages.entry(package.folder.clone()).or_default();
                of_folder.extend(of_purl(&package.purl));
            }
        }
        let packages = names.packages.values().flatten();
        names.all = names.project.iter().chain(packages).cloned().collect();
        names
    }

    /// All of them, whatever files they are of.
    pub(crate) fn all(&self) -> &BTreeSet<String> {
        &self.all
    }

    /// Those of the file at `path`, from where the project begins: of packages in the folders around it.
    pub(crate) fn of_file(&self, path: &str, declarations: &Declarations) -> BTreeSet<String> {
        let mut names = self.project.clone();
        let folders = std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..at]));
        for packages in folders.filter_map(|folder| self.packages.get(folder)) {
            let are_several = packages.iter().filter(|name| name.starts_with(PYTHON)).count() > 1;
            if are_several {
                // Distributions that are installed beside each other have files of their own.
                let owners = distributions(path, declarations);
                let is_its = |name: &&String| !name.starts_with(PYTHON) || owners.contains(*name);
                names.extend(packages.iter().filter(is_its).cloned());
            } else {
                names.extend(packages.iter().cloned());
            }
        }
        names
    }
}

/// How the names of Python's packages begin.
const PYTHON: &str = "pypi/";

/// The installed distributions that speak for a file.
fn distributions(path: &str, declarations: &Declarations) -> BTreeSet<String> {
    let of_part = |part: &str| {
        let info = part.strip_suffix(".dist-info").or_else(|| part.strip_suffix(".egg-info"))?;
        let name = info.split('-').next().unwrap_or(info);
        let words: Vec<&str> = name.split(['_', '.']).filter(|word| !word.is_empty()).collect();
        Some(format!("{PYTHON}{}", words.join("-").to_ascii_lowercase()))
    };
    let layers = declarations.layers(path);
    layers
        .iter()
        .filter_map(|layer| layer.path.as_deref())
        .flat_map(|path| path.split('/').filter_map(of_part))
        .collect()
}

/// Whether a folder below the named one is other people's code; what was named is the project's own, and what is above.
fn is_theirs(surroundings: &Surroundings, folder: &str) -> bool {
    let inner = surroundings.relative(folder);
    if inner.is_empty() || inner.starts_with("..") {
        return false;
    }
    let named = surroundings.prefix.rsplit_once('/').map_or(surroundings.prefix.as_str(), |(_, name)| name);
    let named = if named.is_empty() { String::new() } else { format!("{named}/") };
    is_in_vendored(&format!("{named}{inner}/file"))
}

/// The names of the places of a file that a corpus keeps.
pub(crate) fn names_of(places: &[Place<'_>]) -> BTreeSet<String> {
    places.iter().flat_map(|place| of_place(place)).collect()
}

/// Whether a place is of a project with one of these names.
pub(crate) fn is_of_project(names: &BTreeSet<String>, place: &Place<'_>) -> bool {
    of_place(place).any(|name| names.contains(&name)) || stands_in(names, place)
}

/// What a place's project is called: package, repository, family.
fn of_place<'p>(place: &'p Place<'_>) -> impl Iterator<Item = String> + 'p {
    let o = &place.witness.occurrence;
    let package = o.purl.as_deref().into_iter().flat_map(of_purl);
    let is_place = |name: &&str| name.contains('/');
    let repositories = [Some(o.project.as_str()), place.witness.family.as_deref()];
    package.chain(repositories.into_iter().flatten().filter(is_place).map(str::to_ascii_lowercase))
}

/// What a package URL names, without its version; a Go module is also the repository of its name.
fn of_purl(purl: &str) -> impl Iterator<Item = String> {
    let name = purl.strip_prefix("pkg:").and_then(|purl| purl.split(['?', '#']).next());
    let name = name.map(|name| name.rsplit_once('@').map_or(name, |(name, _)| name).to_ascii_lowercase());
    let module = name.as_deref().and_then(|name| name.strip_prefix("golang/")).map(str::to_owned);
    name.into_iter().chain(module)
}

/// Whether the place's source is the very folder that is audited. Or it is a folder above, and the place's file is one of those that
/// are audited. A folder below that was added by itself was meant to be another side.
fn stands_in(names: &BTreeSet<String>, place: &Place<'_>) -> bool {
    let source = place.library.source_of(&place.witness);
    let Some(folder) = source.strip_prefix("git:").or_else(|| source.strip_prefix("dir:")) else {
        return false;
    };
    let file = Path::new(folder).join(&place.witness.occurrence.path);
    let mut folders = names.iter().filter_map(|name| name.strip_prefix("dir:"));
    folders.any(|ours| ours == folder || Path::new(ours).starts_with(folder) && file.starts_with(ours))
}

/// Host and path of what a work tree was cloned from.
fn remote(top: &Path) -> Option<String> {
    let config = read(&common_folder(top)?.join("config"))?;
    let section = config.split("[remote \"origin\"]").nth(1)?;
    let url = section
        .lines()
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| line.trim().strip_prefix("url")?.trim_start().strip_prefix('=').map(str::trim))?;
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place).replacen(':', "/", 1);
    let place = place.trim_end_matches('/').trim_end_matches(".git");
    place.contains('/').then(|| place.to_ascii_lowercase())
}

/// The folder of a work tree's repository: `.git`, or where the file of that name leads, in linked work trees and submodules.
fn common_folder(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let folder = top.join(read(&git)?.strip_prefix("gitdir:")?.trim());
    let common = read(&folder.join("commondir")).map(|common| folder.join(common.trim()));
    Some(common.unwrap_or(folder))
}

/// The text of a small file of git's. A pipe or a device would never end.
fn read(file: &Path) -> Option<String> {
    let file = file.is_file().then(|| File::open(file).ok()).flatten()?;
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use familiar_license::Detector;

    use super::*;

    /// What a file is called whose project, below the named folder `prefix`, declares this.
    fn names(prefix: &str, files: &[(&str, &str)], path: &str) -> String {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        let declarations = Declarations::read(files, Detector::embedded());
        let surroundings = Surroundings { prefix: prefix.to_owned(), ..Surroundings::default() };
        let names = Names::of(&surroundings, &declarations).of_file(path, &declarations);
        let names: Vec<String> = names.into_iter().filter(|name| !name.starts_with("dir:")).collect();
        names.join(" ")
    }

    #[test]
    fn metadata_name_the_package_and_nothing_else_does() {
        let named = |path: &str, text: &str| names("", &[(path, text)], "a/x.py");
        let index = "[[tool.uv.index]]\nname = \"pytorch\"\nurl = \"https://example.org\"\n";
        let project = "[project]\nname = \"Zope.Interface\"\nversion = \"1.0\"\n";
        assert_eq!(named("pyproject.toml", &format!("{index}{project}")), "pypi/zope-interface");
        assert_eq!(named("pyproject.toml", index), "");
        assert_eq!(named("package.json", r#"{"name": "@Me/x", "version": "1.0"}"#), "npm/%40me/x");
        assert_eq!(named("go.mod", "module github.com/A/b\n"), "github.com/a/b golang/github.com/a/b");
        assert_eq!(named("Cargo.toml", "[workspace]\n"), "");
    }

    #[test]
    fn packages_are_of_the_files_below_them() {
        let package = |name: &str| format!("{{\"name\": \"{name}\"}}");
        let (all, one, other, vendored) = (package("all"), package("one"), package("other"), package("v"));
        let files = [
            ("package.json", all.as_str()),
            ("p/one/package.json", &one),
            ("p/other/package.json", &other),
            ("p/one/node_modules/v/package.json", &vendored),
        ];
        assert_eq!(names("", &files, "x.js"), "npm/all");
        assert_eq!(names("", &files, "p/one/src/x.js"), "npm/all npm/one");
        assert_eq!(names("", &files, "p/one/node_modules/v/x.js"), "npm/all npm/one");
        assert_eq!(
            names("p/one/node_modules/v", &files, "p/one/node_modules/v/x.js"),
            "npm/all npm/one npm/v"
        );
    }

    #[test]
    fn installed_distributions_have_the_files_that_they_list() {
        let files = [
            ("a_b-1.dist-info/METADATA", "Name: A.b\nVersion: 1\nLicense: MIT\n"),
            ("a_b-1.dist-info/RECORD", "ab/x.py,,\n"),
            ("c-1.dist-info/METADATA", "Name: c\nVersion: 1\nLicense: MIT\n"),
            ("c-1.dist-info/RECORD", "c.py,,\n"),
        ];
        assert_eq!(names("", &files, "ab/x.py"), "pypi/a-b");
        assert_eq!(names("", &files, "c.py"), "pypi/c");
        assert_eq!(names("", &files, "d.py"), "");
        assert_eq!(names("", &files[..2], "ab/x.py"), "pypi/a-b");
    }

    #[test]
    fn a_repository_is_known_by_what_it_was_cloned_from() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        std::fs::create_dir(dir.path().join(".git")).expect("just made");
        for url in
            ["git@github.com:Me/x.git", "https://user:secret@github.com/me/X/", "ssh://git@github.com/me/x"]
        {
            let config =
                format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n[branch \"a\"]\n");
            std::fs::write(dir.path().join(".git/config"), config).expect("just made");
            assert_eq!(remote(dir.path()).as_deref(), Some("github.com/me/x"), "{url}");
        }
        // In a linked work tree `.git` is a file.
        let (linked, at) = (dir.path().join("linked"), dir.path().join(".git/worktrees/linked"));
        std::fs::create_dir_all(&linked).and_then(|()| std::fs::create_dir_all(&at)).expect("just made");
        std::fs::write(at.join("commondir"), "../..\n").expect("just made");
        std::fs::write(linked.join(".git"), format!("gitdir: {}\n", at.display())).expect("just made");
        assert_eq!(remote(&linked).as_deref(), Some("github.com/me/x"));
    }
}
