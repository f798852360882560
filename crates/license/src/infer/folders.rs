//! Folders: which path lies where, and where other people's code begins.

/// The folder that `path` lies in; none of the root itself.
pub(super) fn parent(path: &str) -> Option<&str> {
    (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

/// The folders that `path` lies in, from the nearest to the root.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(path), |folder| parent(folder))
}

pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `path` below `folder`; none where it lies elsewhere.
pub(super) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

pub(super) fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

/// What `path`, written in a file of `folder`, leads to; none where that is no path below the root.
pub(super) fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    if path.starts_with('/') {
        return None;
    }
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Folders that hold other people's packages, each in a folder of its own.
const OF_PACKAGES: [&str; 6] =
    ["node_modules", "bower_components", "jspm_packages", "site-packages", "dist-packages", "Pods"];

/// Folders of other people's code.
const VENDORED: [&str; 17] = [
    "vendor",
    "vendors",
    "vendored",
    "_vendor",
    "_vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "3rd_party",
    "3rd-party",
    "external",
    "externals",
    "extern",
    "Godeps",
    "Carthage",
    "_third_party",
];

/// Whether what speaks for the files around `folder` does not speak for those in it: it is a folder of other people's code, or
/// the folder of one package among others.
pub(super) fn is_vendored(folder: &str) -> bool {
    let holds_packages = |folder: &str| OF_PACKAGES.contains(&name(folder));
    let Some(outer) = parent(folder) else { return false };
    // `node_modules/@scope/name`.
    let is_scoped = name(outer).starts_with('@') && parent(outer).is_some_and(holds_packages);
    let is_scope = name(folder).starts_with('@') && holds_packages(outer);
    VENDORED.contains(&name(folder))
        || holds_packages(folder)
        || (holds_packages(outer) && !is_scope)
        || is_scoped
}

/// Whether `path` lies in a folder of other people's code, or of one package among others: what stands around such a folder does not speak
/// for it.
pub fn is_in_vendored(path: &str) -> bool {
    ancestors(path).any(is_vendored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_lead_to_the_root() {
        assert_eq!(ancestors("a/b/c.py").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(ancestors("c.py").collect::<Vec<_>>(), [""]);
        assert_eq!((below("a/b", "a"), below("ab", "a"), below("a", "")), (Some("b"), None, Some("a")));
    }

    #[test]
    fn paths_do_not_lead_out_of_the_root() {
        for (folder, path, expected) in [
            ("a/b", "../pom.xml", Some("a/pom.xml")),
            ("a", "./x//y", Some("a/x/y")),
            ("a", "..\\x", Some("x")),
            ("a", "../..", None),
            ("a", "/etc/passwd", None),
        ] {
            assert_eq!(resolve(folder, path).as_deref(), expected, "{folder} {path}");
        }
    }

    #[test]
    fn vendored_folders_are_known_by_their_names() {
        for folder in [
            "vendor",
            "a/third_party",
            "node_modules",
            "node_modules/x",
            "a/node_modules/@s/x",
            "lib/site-packages/x",
        ] {
            assert!(is_vendored(folder), "{folder}");
        }
        for folder in ["", "src", "node_modules/x/src", "node_modules/@s", "vendor/x", "vendoring"] {
            assert!(!is_vendored(folder), "{folder}");
        }
        assert!(is_in_vendored("vendor/x/src/a.c") && !is_in_vendored("src/vendor.c"));
    }
}
