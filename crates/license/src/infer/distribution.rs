//! Installed Python distributions: `NAME-1.0.dist-info` and `NAME.egg-info` speak for files that lie beside them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::bound;
use super::folders::{ancestors, below, join, parent, resolve};
use crate::Layer;
use crate::package::normalized;

/// A `.dist-info` or `.egg-info` folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Info<'p> {
    /// The folder itself, and the one that it lies in.
    pub(super) folder: &'p str,
    pub(super) site: &'p str,
    /// Whether it stands for what was installed, not for what a source tree builds.
    pub(super) is_installed: bool,
}

/// The info folder that `path` lies in; an egg-info that is a file stands for itself.
pub(super) fn info_of(path: &str) -> Option<Info<'_>> {
    let is_dist = |folder: &&str| folder.ends_with(".dist-info");
    let is_egg = |folder: &&str| folder.ends_with(".egg-info");
    let folder =
        std::iter::once(path).chain(ancestors(path)).find(|at| is_egg(at) || (is_dist(at) && *at != path))?;
    Some(Info { folder, site: parent(folder)?, is_installed: folder.ends_with(".dist-info") })
}

/// What one info folder says.
#[derive(Debug, Default)]
pub(super) struct Distribution {
    pub(super) site: String,
    pub(super) is_installed: bool,
    pub(super) name: Option<String>,
    /// The files it lists, from the folder that it lies in.
    pub(super) record: Option<Vec<String>>,
    /// The modules and packages that it lists.
    pub(super) top_level: Option<Vec<String>>,
    pub(super) licenses: Vec<Layer>,
    pub(super) metadata: Vec<Layer>,
}

impl Distribution {
    pub(super) fn add(&mut self, other: Self) {
        (self.site, self.is_installed) = (other.site, other.is_installed);
        self.name = self.name.take().or(other.name);
        self.record = self.record.take().or(other.record);
        self.top_level = self.top_level.take().or(other.top_level);
        self.licenses.extend(other.licenses);
        self.metadata.extend(other.metadata);
    }
}

/// All of them, and whose each file is.
#[derive(Debug, Default)]
pub(super) struct Distributions {
    all: Vec<Distribution>,
    /// Files by their paths.
    files: FxHashMap<String, u32>,
    /// Top-level packages and modules by their paths.
    tops: FxHashMap<String, u32>,
    /// Info folders by their paths, whose files are of the distribution whether it lists them or not.
    infos: FxHashMap<String, u32>,
}

impl Distributions {
    pub(super) fn new(found: BTreeMap<String, Distribution>) -> Self {
        let mut distributions = Self::default();
        for (number, (folder, mut distribution)) in (0..).zip(found) {
            distributions.infos.insert(folder, number);
            let site = distribution.site.clone();
            distribution.licenses.sort_by(|a, b| a.path.cmp(&b.path));
            distribution.licenses = bound::license_files(distribution.licenses);
            distribution.metadata = bound::metadata(distribution.metadata);
            let record = distribution.record.take();
            let is_listed = record.is_some();
            for path in record.into_iter().flatten().filter_map(|file| resolve(&site, &file)) {
                distributions.files.entry(path).or_insert(number);
            }
            let by_name =
                || distribution.name.iter().map(|name| normalized(name).replace('-', "_")).collect();
            let tops = match distribution.top_level.take() {
                _ if is_listed => Vec::new(),
                Some(tops) => tops,
                None => by_name(),
            };
            for top in tops.iter().filter(|top| !top.contains(['/', '\\'])) {
                for path in [join(&site, top), join(&site, &format!("{top}.py"))] {
                    distributions.tops.entry(path).or_insert(number);
                }
            }
            distributions.all.push(distribution);
        }
        distributions
    }

    /// The distribution that the file at `path` is of.
    pub(super) fn of(&self, path: &str) -> Option<&Distribution> {
        let listed = self.files.get(path);
        let number =
            listed.or_else(|| std::iter::once(path).chain(ancestors(path)).find_map(|at| self.tops.get(at)));
        let number = number.or_else(|| self.infos.get(info_of(path)?.folder));
        number.map(|&number| &self.all[number as usize])
    }
}

/// The paths that a `RECORD` lists: comma-separated values (RFC 4180) whose first column is the path.
pub(super) fn record(text: &str) -> Vec<String> {
    let path = |line: &str| match line.strip_prefix('"') {
        Some(quoted) => {
            let end = quoted.match_indices('"').find(|(at, _)| {
                let before = quoted[..*at].bytes().rev().take_while(|&byte| byte == b'"').count();
                before % 2 == 0 && !quoted[at + 1..].starts_with('"')
            })?;
            Some(quoted[..end.0].replace("\"\"", "\""))
        }
        None => Some(line.split(',').next().unwrap_or(line).to_owned()),
    };
    text.lines().filter_map(path).filter(|path| !path.is_empty()).collect()
}

/// The names in a `top_level.txt`.
pub(super) fn top_level(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Whether a file of an info folder is one of its licenses, whatever its name.
pub(super) fn is_license_of(info: &Info<'_>, path: &str) -> bool {
    let inner = below(path, info.folder).unwrap_or_default();
    inner.starts_with("licenses/") || inner.starts_with("license_files/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_folders_are_known_by_their_names() {
        let info = info_of("lib/a-1.0.dist-info/licenses/x/LICENSE").expect("one");
        assert_eq!((info.folder, info.site, info.is_installed), ("lib/a-1.0.dist-info", "lib", true));
        assert!(is_license_of(&info, "lib/a-1.0.dist-info/licenses/x/LICENSE"));
        assert!(!is_license_of(&info, "lib/a-1.0.dist-info/METADATA"));
        let egg = info_of("lib/a.egg-info").expect("a file");
        assert_eq!((egg.folder, egg.site, egg.is_installed), ("lib/a.egg-info", "lib", false));
        assert_eq!(info_of("lib/a.dist-info"), None);
    }

    #[test]
    fn records_are_comma_separated_values() {
        let text = "a/b.py,sha256=x,12\n\"a,\"\"b\"\".py\",,\nRECORD,,\n,,\n\"open";
        assert_eq!(record(text), ["a/b.py", "a,\"b\".py", "RECORD"]);
    }

    fn distribution(record: Option<&[&str]>, top_level: Option<&[&str]>) -> Distribution {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Distribution {
            site: "lib".to_owned(),
            name: Some("My.Pkg".to_owned()),
            record: record.map(owned),
            top_level: top_level.map(owned),
            ..Distribution::default()
        }
    }

    #[test]
    fn files_belong_to_who_lists_them_else_to_the_top_level_or_the_name() {
        let of = |distribution: Distribution, path: &str| {
            Distributions::new(BTreeMap::from([(String::new(), distribution)])).of(path).is_some()
        };
        let listed = || distribution(Some(&["x/a.py", "../bin/x"]), Some(&["y"]));
        assert!(of(listed(), "lib/x/a.py") && of(listed(), "bin/x"));
        assert!(!of(listed(), "lib/x/b.py") && !of(listed(), "lib/y/a.py"));
        assert!(of(distribution(None, Some(&["y"])), "lib/y/a/b.py"));
        assert!(of(distribution(None, Some(&["y"])), "lib/y.py"));
        assert!(of(distribution(None, None), "lib/my_pkg/a.py"));
        assert!(!of(distribution(None, None), "lib/other/a.py"));
        let info = BTreeMap::from([("lib/a-1.dist-info".to_owned(), listed())]);
        assert!(Distributions::new(info).of("lib/a-1.dist-info/METADATA").is_some());
    }
}
