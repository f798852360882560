//! Where the blobs of corpora stand, over several corpora.

use std::path::PathBuf;

use familiar_corpus::stackexchange::Post;
use familiar_judge::attribution;
use familiar_source::{BlobId, Evidence, Occurrence};

use familiar_library::{CorpusError, Library, Witness};

/// An occurrence, and the corpus that knows it.
#[derive(Clone, Debug)]
pub(crate) struct Place<'l> {
    pub(crate) library: &'l Library,
    pub(crate) witness: Witness,
}

/// The corpora of both sides, open.
#[derive(Debug)]
pub(crate) struct Libraries {
    pub(crate) audited: Vec<Library>,
    pub(crate) against: Vec<Library>,
}

/// A document that a corpus keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptDocument {
    pub(crate) blob: BlobId,
    /// Whether it is PATH's.
    pub(crate) audited: bool,
}

impl Libraries {
    /// Opens the corpora of both sides by their folders.
    pub(crate) fn open(audited: &[PathBuf], against: &[PathBuf]) -> Result<Self, CorpusError> {
        let all = |folders: &[PathBuf]| {
            folders.iter().map(|folder| Library::open(folder)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self { audited: all(audited)?, against: all(against)? })
    }

    /// Every place of a document, in the order of the corpora.
    pub(crate) fn places(&self, document: KeptDocument) -> Result<Vec<Place<'_>>, CorpusError> {
        let libraries = if document.audited { &self.audited } else { &self.against };
        let mut places = Vec::new();
        for library in libraries {
            let witnesses = library.witnesses(&document.blob)?.into_iter();
            places.extend(witnesses.map(|witness| Place { library, witness }));
        }
        Ok(places)
    }
}

/// The place that stands for a blob: the earliest, times that prove something before others.
pub(crate) fn first<'p, 'l>(places: &'p [Place<'l>]) -> Option<&'p Place<'l>> {
    places.iter().min_by_key(|place| {
        let (witness, o) = (&place.witness, &place.witness.occurrence);
        let time = strong_time(witness).or(o.first_seen).unwrap_or(i64::MAX);
        (
            strong_time(witness).is_none(),
            time,
            witness.owner() != o.project,
            &o.project,
            &o.path,
            o.first_line,
        )
    })
}

/// Since when the blob stands there, where that rests on more than a file's time.
pub(crate) fn strong_time(witness: &Witness) -> Option<i64> {
    witness.occurrence.first_seen.filter(|_| witness.occurrence.evidence > Evidence::FileTime)
}

/// Addresses of what has the code: the very place, and the package or repository.
pub(crate) fn links(occurrence: &Occurrence) -> Vec<String> {
    let mut links: Vec<String> = occurrence.link.iter().cloned().collect();
    let is_host = |project: &&str| project.split('/').next().is_some_and(|host| host.contains('.'));
    links.extend(
        Some(occurrence.project.as_str()).filter(is_host).map(|project| format!("https://{project}")),
    );
    links.extend(occurrence.purl.as_deref().and_then(package_page));
    links
}

/// The page that a registry has of a package.
pub(crate) fn package_page(purl: &str) -> Option<String> {
    let (kind, name) = purl.strip_prefix("pkg:")?.split_once('/')?;
    let name = name.split(['?', '#']).next().unwrap_or(name);
    let name = name.rsplit_once('@').map_or(name, |(name, _)| name).replace("%40", "@");
    let page = match kind {
        "pypi" => "https://pypi.org/project/",
        "npm" => "https://www.npmjs.com/package/",
        "cargo" => "https://crates.io/crates/",
        "golang" => "https://pkg.go.dev/",
        "gem" => "https://rubygems.org/gems/",
        "composer" => "https://packagist.org/packages/",
        "nuget" => "https://www.nuget.org/packages/",
        "maven" => "https://mvnrepository.com/artifact/",
        "hackage" => "https://hackage.haskell.org/package/",
        "cran" => "https://cran.r-project.org/package=",
        "deb" => return Some(format!("https://tracker.debian.org/pkg/{}", name.rsplit('/').next()?)),
        _ => return None,
    };
    Some(format!("{page}{name}"))
}

/// What people call a place: a post by its title, a package by its name, everything else by its project.
pub(crate) fn called(witness: &Witness) -> String {
    let occurrence = &witness.occurrence;
    if let Some(post) = Post::at(occurrence) {
        return post.title();
    }
    let package =
        occurrence.purl.as_deref().and_then(|purl| purl.strip_prefix("pkg:")?.split(['?', '#']).next());
    let name = package.and_then(|package| Some(package.split_once('/')?.1));
    let name = name.map(|name| name.rsplit_once('@').map_or(name, |(name, _)| name).replace("%40", "@"));
    name.unwrap_or_else(|| witness.owner().to_owned())
}

/// What the projects are called that have the code: by what the corpus calls them, and by the names of packages.
pub(crate) fn names(occurrence: &Occurrence) -> Vec<String> {
    if Post::at(occurrence).is_some() {
        let is_overflow = occurrence.project.to_ascii_lowercase().starts_with("stackoverflow");
        return vec![if is_overflow { "Stack Overflow" } else { "Stack Exchange" }.to_owned()];
    }
    let package =
        occurrence.purl.as_deref().and_then(|purl| purl.strip_prefix("pkg:")?.split(['?', '#']).next());
    let package =
        package.map(|name| name.rsplit_once('@').map_or(name, |(name, _)| name).replace("%40", "@"));
    std::iter::once(occurrence.project.clone()).chain(package).collect()
}

/// The post of a Stack Exchange site that has the code.
pub(crate) fn post(occurrence: &Occurrence) -> Option<attribution::Post> {
    let Post { site, is_host, question, answer, .. } = Post::at(occurrence)?;
    let site = if is_host { site } else { String::new() };
    (question.is_some() || answer.is_some()).then_some(attribution::Post { site, question, answer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_repositories_have_an_address() {
        let of = |project: &str, purl: Option<&str>| {
            let purl = purl.map(str::to_owned);
            links(&Occurrence { project: project.to_owned(), purl, ..Occurrence::default() })
        };
        assert_eq!(of("npm/@me/x", Some("pkg:npm/%40me/x@1.0")), ["https://www.npmjs.com/package/@me/x"]);
        assert_eq!(of("github.com/a/b", None), ["https://github.com/a/b"]);
        assert!(of("folder", None).is_empty());
        let page = |purl: &str| package_page(purl).unwrap_or_default();
        assert_eq!(page("pkg:maven/org.x/y@1?type=jar"), "https://mvnrepository.com/artifact/org.x/y");
        assert_eq!(page("pkg:deb/debian/bash@5"), "https://tracker.debian.org/pkg/bash");
        assert_eq!(
            page("pkg:golang/github.com/pkg/errors@v0.9.1"),
            "https://pkg.go.dev/github.com/pkg/errors"
        );
    }
}
