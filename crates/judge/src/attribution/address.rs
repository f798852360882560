//! Addresses as people write them, and what two addresses of one repository or package have in common.

/// An address without scheme and user, in parts.
pub(super) struct Address<'a> {
    /// In lower case, without `www.`.
    pub(super) host: String,
    pub(super) path: Vec<&'a str>,
    pub(super) fragment: &'a str,
}

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The page of a package in a registry, or of its documentation.
    Package,
    /// A repository or something in it.
    Repository,
    /// Any other page.
    Page,
}

/// What two addresses of one thing have in common: a host or registry and the beginning of a path, in lower case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) kind: Kind,
    parts: Vec<String>,
}

impl Key {
    /// Whether it is `whole` or something below it.
    pub(super) fn is_at(&self, whole: &Self) -> bool {
        self.parts.starts_with(&whole.parts)
    }

    /// A host alone is where everything is.
    pub(super) fn is_host(&self) -> bool {
        self.parts.len() < 2
    }

    /// What the thing may be called: the last part of a repository's path, the name of a package, or the parts of a page's host.
    pub(super) fn names(&self) -> Vec<&str> {
        match self.kind {
            Kind::Repository | Kind::Package => self.parts.last().map(String::as_str).into_iter().collect(),
            Kind::Page => {
                let host = self.parts.first().map_or("", String::as_str);
                // `lodash.com`, `lodash.github.io`: what stands before the ending.
                host.split('.').rev().skip(1).filter(|part| !HOSTS.contains(part)).collect()
            }
        }
    }
}

/// Parts of hosts that many pages share.
const HOSTS: &[&str] = &["co", "com", "github", "gitlab", "io", "org", "readthedocs", "sf", "sourceforge"];

/// Parts of a repository's address behind which a place in it stands.
const PLACES: &[&str] = &[
    "-", "about", "blame", "blob", "browse", "commit", "commits", "diff", "log", "plain", "raw", "releases",
    "src", "tag", "tags", "tree", "wiki",
];

/// Parts behind which something is discussed and no code stands.
const TALK: &[&str] = &[
    "discussions",
    "issue",
    "issues",
    "merge_requests",
    "milestone",
    "projects",
    "pull",
    "pull-requests",
    "pulls",
    "security",
];

/// Registries: hosts, what stands before the name in the path, the name that keys have, and how many parts a name has.
const REGISTRIES: &[(&[&str], &[&str], &str, usize)] = &[
    (&["pypi.org", "pypi.io"], &["project"], "pypi", 1),
    (&["pypi.org", "pypi.io"], &["p"], "pypi", 1),
    (&["pypi.org", "pypi.python.org"], &["simple"], "pypi", 1),
    (&["pypi.org", "pypi.python.org"], &["pypi"], "pypi", 1),
    (&["npmjs.com", "npmjs.org", "yarnpkg.com"], &["package"], "npm", 1),
    (&["registry.npmjs.org", "unpkg.com", "npm.im", "esm.sh", "registry.yarnpkg.com"], &[], "npm", 1),
    (&["cdn.jsdelivr.net", "jsdelivr.com"], &["npm"], "npm", 1),
    (&["jsr.io"], &[], "jsr", 2),
    (&["deno.land"], &["x"], "deno", 1),
    (&["crates.io", "lib.rs"], &["crates"], "cargo", 1),
    (&["docs.rs"], &["crate"], "cargo", 1),
    (&["docs.rs"], &[], "cargo", 1),
    (&["rubygems.org"], &["gems"], "gem", 1),
    (&["rubydoc.info"], &["gems"], "gem", 1),
    (&["packagist.org"], &["packages"], "composer", 2),
    (&["nuget.org", "fuget.org"], &["packages"], "nuget", 1),
    (&["mvnrepository.com", "search.maven.org", "central.sonatype.com"], &["artifact"], "maven", 2),
    (&["javadoc.io"], &["doc"], "maven", 2),
    (&["hackage.haskell.org"], &["package"], "hackage", 1),
    (&["cran.r-project.org"], &["web", "packages"], "cran", 1),
    (&["cran.r-project.org"], &["package"], "cran", 1),
    (&["hex.pm"], &["packages"], "hex", 1),
    (&["pub.dev", "pub.dartlang.org"], &["packages"], "pub", 1),
    (&["metacpan.org"], &["pod"], "cpan", 1),
    (&["metacpan.org"], &["dist"], "cpan", 1),
    (&["metacpan.org"], &["release"], "cpan", 1),
    (&["packages.debian.org", "tracker.debian.org"], &["pkg"], "deb", 1),
    (&["sources.debian.org"], &["src"], "deb", 1),
    (&["cocoapods.org"], &["pods"], "cocoapods", 1),
    (&["clojars.org"], &[], "clojars", 1),
    (&["anaconda.org"], &["conda-forge"], "conda", 1),
];

/// Hosts that hold repositories and nothing else, beside those whose name says so.
const FORGES: &[&str] = &[
    "bitbucket.org",
    "codeberg.org",
    "code.google.com",
    "code.launchpad.net",
    "framagit.org",
    "gitea.com",
    "gitee.com",
    "github.com",
    "git.sr.ht",
    "hg.sr.ht",
    "invent.kde.org",
    "launchpad.net",
    "notabug.org",
    "opendev.org",
    "pagure.io",
    "salsa.debian.org",
    "savannah.gnu.org",
    "sourceforge.net",
    "sourceware.org",
    "sr.ht",
];

impl<'a> Address<'a> {
    pub(super) fn read(word: &'a str) -> Option<Self> {
        let rest = word.split_once("://").map_or(word, |(_, rest)| rest);
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let rest = rest.split('?').next().unwrap_or(rest);
        // `git@github.com:owner/name.git`, `host:8080/path`
        let end = rest.find(['/', ':']);
        // A host alone is an address where the scheme says so.
        let (authority, path) = match end {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None if word.contains("://") => (rest, ""),
            None => return None,
        };
        let (authority, path) = match authority.split_once('@') {
            Some((_, host)) => (host, path),
            None => (authority, path),
        };
        let valid = authority.contains('.')
            && authority.len() < 256
            && authority.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
        if !valid {
            return None;
        }
        let host = authority.to_ascii_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
        let mut path: Vec<_> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        if path.first().is_some_and(|port| rest.contains(':') && port.bytes().all(|b| b.is_ascii_digit())) {
            path.remove(0);
        }
        Some(Self { host, path, fragment })
    }

    /// Whether it leads to what people say of the code, such as an issue.
    pub(super) fn is_talk(&self) -> bool {
        self.path.len() > 2 && self.path[1..].iter().any(|part| TALK.contains(part))
    }

    /// What it has in common with other addresses of the same repository, package or page.
    pub(super) fn key(&self) -> Key {
        self.of_registry().or_else(|| self.of_go()).unwrap_or_else(|| self.of_host())
    }

    fn of_registry(&self) -> Option<Key> {
        let of = |(hosts, before, name, parts): &(&[&str], &[&str], &str, usize)| {
            let is_it = hosts.contains(&&*self.host) && self.path.starts_with(before);
            let path = &self.path[if is_it { before.len() } else { return None }..];
            // `cran.r-project.org/package=x` has the name behind the word, and `hackage.haskell.org/package/x-1.0` the version.
            let scoped =
                usize::from(*name == "npm" && path.first().is_some_and(|part| part.starts_with('@')));
            let of_name = path.get(..parts + scoped)?.iter().map(|part| self::name(name, part));
            Some(Key {
                kind: Kind::Package,
                parts: std::iter::once((*name).to_owned()).chain(of_name).collect(),
            })
        };
        if self.host == "cran.r-project.org"
            && let Some(package) = self.path.first().and_then(|part| part.strip_prefix("package="))
        {
            return Some(Key { kind: Kind::Package, parts: vec!["cran".to_owned(), name("cran", package)] });
        }
        REGISTRIES.iter().find_map(of)
    }

    /// The pages of Go's modules hold the addresses of repositories.
    fn of_go(&self) -> Option<Key> {
        let is_go = matches!(&*self.host, "pkg.go.dev" | "godoc.org");
        let (host, path) = self.path.split_first().filter(|_| is_go)?;
        let inner = Address { host: plain(host), path: path.to_vec(), fragment: "" };
        Some(Key { kind: Kind::Package, ..inner.of_host() })
    }

    fn of_host(&self) -> Key {
        let path = &self.path;
        let segment = |at: usize| path.get(at).copied().unwrap_or_default();
        let repository = |host: &str, parts: &mut dyn Iterator<Item = &&str>| Key {
            kind: Kind::Repository,
            parts: std::iter::once(host.to_owned()).chain(parts.map(|part| plain(part))).collect(),
        };
        match (&*self.host, segment(0)) {
            ("raw.githubusercontent.com" | "api.github.com" | "codeload.github.com" | "github.com", _) => {
                let skip = usize::from(self.host == "api.github.com" && segment(0) == "repos");
                repository("github.com", &mut path.iter().skip(skip).take(2))
            }
            ("cdn.jsdelivr.net", "gh") => repository("github.com", &mut path.iter().skip(1).take(2)),
            ("gist.github.com" | "gist.githubusercontent.com", _) => {
                // The owner may be left out; the number says it all.
                let id = path.iter().find(|part| part.len() >= 20).or(path.last());
                repository("gist", &mut id.into_iter())
            }
            ("bitbucket.org" | "codeberg.org" | "gitea.com" | "gitee.com" | "notabug.org", _) => {
                repository(&self.host, &mut path.iter().take(2))
            }
            // The hub and the repository have one name: `sr.ht/~owner/name`, `git.sr.ht/~owner/name`.
            ("git.sr.ht" | "hg.sr.ht" | "sr.ht", _) => repository("sr.ht", &mut path.iter().take(2)),
            ("sourceforge.net" | "savannah.gnu.org" | "savannah.nongnu.org", "projects" | "p") => {
                repository(&self.host, &mut path.iter().skip(1).take(1))
            }
            ("code.google.com", "p") => repository("code.google.com", &mut path.iter().skip(1).take(1)),
            ("git.kernel.org" | "git.savannah.gnu.org" | "git.savannah.nongnu.org", _) => {
                let inner = path
                    .iter()
                    .skip_while(|part| matches!(**part, "cgit" | "pub" | "scm" | "git" | "gitweb"));
                repository(&self.host, &mut inner.take_while(|part| !PLACES.contains(part)))
            }
            _ => {
                let is_place = |part: &&&str| !PLACES.contains(*part) && !TALK.contains(*part);
                let mut before = path.iter().take_while(is_place);
                let is_forge = FORGES.contains(&&*self.host)
                    || self.host.split('.').any(|part| {
                        matches!(part, "git" | "gitlab" | "cgit" | "hg" | "svn" | "gitea" | "googlesource")
                    })
                    || path.iter().any(|part| part.strip_suffix(".git").is_some());
                let key = repository(&self.host, &mut before);
                if is_forge { key } else { Key { kind: Kind::Page, ..key } }
            }
        }
    }
}

/// The same name for all ways in which a registry writes it.
fn name(registry: &str, written: &str) -> String {
    let written = plain(written);
    match registry {
        "pypi" | "cargo" => written.replace(['_', '.'], "-"),
        // `x-1.0`
        "hackage" => match written.rsplit_once('-') {
            Some((name, version)) if version.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
                name.to_owned()
            }
            _ => written,
        },
        _ => written,
    }
}

/// A part in lower case, without what is no name: `name.git`, `name@branch`.
fn plain(part: &str) -> String {
    let name = part.split_once('@').filter(|(name, _)| !name.is_empty()).map_or(part, |(name, _)| name);
    name.strip_suffix(".git").unwrap_or(name).to_ascii_lowercase()
}
