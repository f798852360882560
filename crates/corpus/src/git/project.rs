//! What a repository is called, and where a person can look at its files.

use std::path::Path;

use gix::url::Scheme;

/// How hosts show the file at a path in a commit.
const HOSTS: [(&str, &str); 5] = [
    ("github.com", "/blob/"),
    ("gitlab.com", "/-/blob/"),
    ("bitbucket.org", "/src/"),
    ("codeberg.org", "/src/commit/"),
    ("gitea.com", "/src/commit/"),
];

/// A project's name, and its place on the net if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Host and path, such as `github.com/owner/name`; otherwise the name of the folder.
    pub(super) project: String,
    /// Without names and passwords.
    pub(super) url: Option<String>,
    /// What stands before commit and path of a link.
    link: Option<String>,
}

impl Named {
    /// The project that is cloned from `url`, or that lies in the folder `git_dir`.
    pub(super) fn of(url: Option<&str>, git_dir: &Path) -> Self {
        url.and_then(Self::of_url).unwrap_or_else(|| Self { project: folder(git_dir), url: None, link: None })
    }

    fn of_url(text: &str) -> Option<Self> {
        let url = gix::url::parse(text.as_bytes()).ok()?;
        if !matches!(url.scheme, Scheme::Http | Scheme::Https | Scheme::Ssh | Scheme::Git) {
            return None;
        }
        let mut host = url.host()?.to_ascii_lowercase();
        if let Some(port) = url.port {
            host = format!("{host}:{port}");
        }
        let path = familiar_files::percent_encoded(&url.path);
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let project = format!("{host}/{path}");
        let host = HOSTS.iter().find(|(known, _)| *known == host);
        let link = host.map(|(_, between)| format!("https://{project}{between}"));
        let scheme = url.scheme.as_str();
        Some(Self { url: Some(format!("{scheme}://{project}")), project, link })
    }

    /// Where a person can look at a path as it was in a commit.
    pub(super) fn link(&self, commit: &str, path: &[u8]) -> Option<String> {
        let mut link = format!("{}{commit}/", self.link.as_ref()?);
        for &byte in path {
            if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
                link.push(char::from(byte));
            } else {
                link.extend(["%".to_owned(), format!("{byte:02X}")]);
            }
        }
        Some(link)
    }
}

/// The folder of a repository: that of its work tree, or its own.
fn folder(git_dir: &Path) -> String {
    let git_dir = git_dir.canonicalize().unwrap_or_else(|_| git_dir.to_owned());
    let own = git_dir.file_name().is_none_or(|name| name != ".git");
    let folder = if own { git_dir.as_path() } else { git_dir.parent().unwrap_or(&git_dir) };
    let name = crate::content::name_of(folder);
    name.strip_suffix(".git").filter(|name| !name.is_empty()).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, project: &str, link_of_file: Option<&str>) {
        let named = Named::of(Some(url), Path::new("x/fallback.git"));
        assert_eq!(named.project, project, "{url}");
        assert_eq!(named.link("abc", "a b/ö.py".as_bytes()).as_deref(), link_of_file, "{url}");
    }

    #[test]
    fn a_project_has_one_name_however_it_was_cloned() {
        let link_of_file = "https://github.com/Owner/name/blob/abc/a%20b/%C3%B6.py";
        for url in [
            "https://github.com/Owner/name.git",
            "https://me:secret@GitHub.com/Owner/name/",
            "git@github.com:Owner/name.git",
            "ssh://git@github.com/Owner/name",
        ] {
            check(url, "github.com/Owner/name", Some(link_of_file));
            let named = Named::of(Some(url), Path::new("x"));
            assert!(named.url.is_some_and(|url| !url.contains('@')));
        }
        check("https://git.example.org:8443/a/b", "git.example.org:8443/a/b", None);
        check(
            "https://gitlab.com/a/b/c.git",
            "gitlab.com/a/b/c",
            Some("https://gitlab.com/a/b/c/-/blob/abc/a%20b/%C3%B6.py"),
        );
        for local in ["/home/me/x", "../x", "file:///home/me/x"] {
            check(local, "fallback", None);
        }
        assert_eq!(Named::of(None, Path::new("some/project/.git")).project, "project");
    }
}
