//! Whether two places are of the same project.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::places::Place;

/// Largest configuration that is read.
const MOST_BYTES: u64 = 1 << 20;

/// Files that name the package of their folder.
const MANIFESTS: [&str; 7] =
    ["pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO", "package.json", "Cargo.toml", "go.mod"];

pub(super) fn is_manifest(name: &str) -> bool {
    MANIFESTS.contains(&name)
}

/// What a project in the folder `top` is called whose code in `folder` is audited: by the manifests among `files` of both folders
/// and by where it was cloned from.
pub(super) fn names(top: &Path, folder: &Path, files: &[(String, Vec<u8>)]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        files.iter().filter_map(|(path, bytes)| declared(path, bytes)).collect();
    names.extend(remote(top));
    for folder in [top, folder] {
        names.insert(format!("dir:{}", folder.display()));
    }
    names
}

/// The names of the places of a file that a corpus keeps.
pub(super) fn names_of(places: &[Place<'_>]) -> BTreeSet<String> {
    places.iter().flat_map(|place| of_place(place)).collect()
}

/// Whether a place is of a project with one of these names.
pub(super) fn is_own(names: &BTreeSet<String>, place: &Place<'_>) -> bool {
    of_place(place).any(|name| names.contains(&name)) || stands_in(names, place)
}

/// What a place's project is called: package, repository, family.
fn of_place<'p>(place: &'p Place<'_>) -> impl Iterator<Item = String> + 'p {
    let o = &place.witness.occurrence;
    let package = o.purl.as_deref().and_then(|purl| {
        let name = purl.strip_prefix("pkg:")?.split(['?', '#']).next()?;
        Some(name.rsplit_once('@').map_or(name, |(name, _)| name).to_ascii_lowercase())
    });
    let is_place = |name: &&str| name.contains('/');
    let repositories = [Some(o.project.as_str()), place.witness.family.as_deref()];
    package
        .into_iter()
        .chain(repositories.into_iter().flatten().filter(is_place).map(str::to_ascii_lowercase))
}

/// Whether the place's source is the very folder that is audited.
fn stands_in(names: &BTreeSet<String>, place: &Place<'_>) -> bool {
    let mut sources = place.library.corpus().manifest().sources.iter();
    sources.any(|entry| {
        let folder = entry.source.strip_prefix("git:").or_else(|| entry.source.strip_prefix("dir:"));
        folder.is_some_and(|folder| {
            let name = folder.rsplit('/').next().unwrap_or(folder);
            place.witness.occurrence.project == name && names.contains(&format!("dir:{folder}"))
        })
    })
}

/// The package that a manifest names, as package URLs do.
fn declared(path: &str, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let after = |word: &str, ends: &[char]| {
        let line = text
            .lines()
            .map(str::trim)
            .find_map(|line| line.strip_prefix(word)?.trim_start().strip_prefix(['=', ':']).map(str::trim))?;
        let name = line.trim_start_matches(['"', '\'']).split(ends).next()?.trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let quoted = ['"', '\'', ',', '#', ' '];
    match path.rsplit('/').next()? {
        "pyproject.toml" | "setup.cfg" | "setup.py" => {
            Some(format!("pypi/{}", python(&after("name", &quoted)?)))
        }
        "PKG-INFO" => Some(format!("pypi/{}", python(&after("Name", &[' '])?))),
        "Cargo.toml" => Some(format!("cargo/{}", after("name", &quoted)?.to_ascii_lowercase())),
        "package.json" => {
            let json: serde_json::Value = serde_json::from_str(text).ok()?;
            Some(format!("npm/{}", json["name"].as_str()?.replace('@', "%40").to_ascii_lowercase()))
        }
        "go.mod" => {
            let module = text.lines().find_map(|line| line.strip_prefix("module "))?;
            Some(module.trim().to_ascii_lowercase())
        }
        _ => None,
    }
}

/// A Python package's name as PyPI spells it.
fn python(name: &str) -> String {
    let parts: Vec<&str> = name.split(['-', '_', '.']).filter(|part| !part.is_empty()).collect();
    parts.join("-").to_ascii_lowercase()
}

/// Host and path of what a work tree was cloned from.
fn remote(top: &Path) -> Option<String> {
    let file = top.join(".git/config");
    // A pipe or a device would never end.
    let file = file.is_file().then(|| File::open(file).ok()).flatten()?;
    let mut config = String::new();
    file.take(MOST_BYTES).read_to_string(&mut config).ok()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_their_package() {
        let named = |path: &str, text: &str| declared(path, text.as_bytes());
        let expected = Some("pypi/zope-interface".to_owned());
        assert_eq!(named("pyproject.toml", "[project]\nname = \"Zope.Interface\"  # x\n"), expected);
        assert_eq!(named("a/setup.py", "setup(\n    name='zope_interface',\n)"), expected);
        assert_eq!(named("PKG-INFO", "Metadata-Version: 2.1\nName: zope.interface\n"), expected);
        assert_eq!(named("package.json", r#"{"name": "@me/x"}"#).as_deref(), Some("npm/%40me/x"));
        assert_eq!(named("go.mod", "module github.com/A/b\n").as_deref(), Some("github.com/a/b"));
        assert_eq!(named("Cargo.toml", "[workspace]\n"), None);
        assert_eq!(named("package.json", "{"), None);
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
    }
}
