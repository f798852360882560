//! Where the blobs of corpora stand, over several corpora.

use familiar_license::attribution::Post;
use familiar_source::{BlobId, Evidence, Occurrence};

use super::sides::Libraries;
use crate::corpus::{CorpusError, Library, Witness};

/// An occurrence, and the corpus that knows it.
#[derive(Clone, Debug)]
pub(super) struct Place<'l> {
    pub(super) library: &'l Library,
    pub(super) witness: Witness,
}

/// A document that a corpus keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeptDocument {
    pub(super) blob: BlobId,
    /// Whether it is PATH's.
    pub(super) audited: bool,
}

impl Libraries {
    /// Every place of a document, in the order of the corpora.
    pub(super) fn places(&self, document: KeptDocument) -> Result<Vec<Place<'_>>, CorpusError> {
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
pub(super) fn first<'p, 'l>(places: &'p [Place<'l>]) -> Option<&'p Place<'l>> {
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
pub(super) fn strong_time(witness: &Witness) -> Option<i64> {
    witness.occurrence.first_seen.filter(|_| witness.occurrence.evidence > Evidence::FileTime)
}

/// Addresses of what has the code: the very place, and the package or repository.
pub(super) fn links(occurrence: &Occurrence) -> Vec<String> {
    let mut links: Vec<String> = occurrence.link.iter().cloned().collect();
    let is_host = |project: &&str| project.split('/').next().is_some_and(|host| host.contains('.'));
    links.extend(
        Some(occurrence.project.as_str()).filter(is_host).map(|project| format!("https://{project}")),
    );
    if let Some((kind, name)) =
        occurrence.purl.as_deref().and_then(|purl| purl.strip_prefix("pkg:")?.split_once('/'))
    {
        let name = name.rsplit_once('@').map_or(name, |(name, _)| name).replace("%40", "@");
        match kind {
            "pypi" => links.push(format!("https://pypi.org/project/{name}")),
            "npm" => links.push(format!("https://www.npmjs.com/package/{name}")),
            "cargo" => links.push(format!("https://crates.io/crates/{name}")),
            _ => {}
        }
    }
    links
}

/// The post of a Stack Exchange site that has the code.
pub(super) fn post(occurrence: &Occurrence) -> Option<Post> {
    if occurrence.evidence != Evidence::PostTime {
        return None;
    }
    // `questions/1#2`, `questions/1/answers/2#3`; `answers/2#3` where the question is not known.
    let path = occurrence.path.split('#').next()?;
    let after = |kind: &str| {
        let mut parts = path.split('/').skip_while(|part| *part != kind);
        parts.nth(1)?.parse().ok()
    };
    let (question, answer) = (after("questions"), after("answers"));
    let site = if occurrence.project.contains('.') { occurrence.project.clone() } else { String::new() };
    (question.is_some() || answer.is_some()).then_some(Post { site, question, answer })
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
    }
}
