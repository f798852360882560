//! What peers know, as corpora beside this server's own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use familiar_corpus::excerpt::{Excerpt, Section, sections};
use familiar_corpus::{Source, SourceError};
use familiar_library::{self as corpus, AddOptions};
use familiar_report as report;

use super::files::PEERS;
use super::filling::reading;
use super::progress::{Failure, Reporter};
use crate::peers::{Peers, Unanswered};
use crate::tasks::{Answered, Bounds, OfPeer};

/// Corpora of what peers answered, and the peers that did not answer.
#[derive(Default)]
pub(super) struct PeerCorpora {
    /// What they know, as corpora by the names that they have here.
    pub(super) corpora: Vec<(String, PathBuf)>,
    pub(super) unanswered: Vec<Unanswered>,
}

impl PeerCorpora {
    /// Makes corpora of what `peers` answered, as it lies in the job's `folder`.
    pub(super) fn gather(
        peers: &[OfPeer],
        folder: &Path,
        bounds: Bounds,
        progress: &Reporter,
    ) -> Result<Self, Failure> {
        if peers.is_empty() {
            return Ok(Self::default());
        }
        let answers: Vec<Answered> = serde_json::from_slice(&std::fs::read(folder.join(PEERS))?)?;
        let mut gathered = Self::default();
        for (number, Answered { of, excerpt }) in answers.into_iter().enumerate() {
            let peer = of.peer.clone();
            let into = folder.join("peers").join(number.to_string());
            let outcome = match excerpt {
                Ok(file) => corpora_of(&of, &file, &into, bounds, progress)?,
                Err(reason) => Err(reason),
            };
            match outcome {
                Ok(corpora) => gathered.corpora.extend(corpora),
                Err(reason) => gathered.unanswered.push(Unanswered { peer, reason }),
            }
        }
        Ok(gathered)
    }
}

/// Corpora by the names that they have here, or why there are none.
type Made = Result<Vec<(String, PathBuf)>, String>;

/// Makes corpora of an excerpt: all of them, or none where it is not as it should be.
fn corpora_of(
    of: &OfPeer,
    file: &Path,
    into: &Path,
    bounds: Bounds,
    progress: &Reporter,
) -> Result<Made, Failure> {
    let wrong = |error: &SourceError| match error {
        SourceError::Format { source, .. } => format!("its answer cannot be read: {source}"),
        _ => "its answer cannot be read".to_owned(),
    };
    let reading = reading(bounds);
    let sections = match sections(file, &reading.limits) {
        Ok(sections) => sections,
        Err(error) => return Ok(Err(wrong(&error))),
    };
    let mut by_corpus: BTreeMap<&str, Vec<(u32, &Section)>> = BTreeMap::new();
    for (number, section) in (0..).zip(&sections) {
        by_corpus.entry(&section.corpus).or_default().push((number, section));
    }
    if by_corpus.keys().any(|name| of.corpora.iter().all(|asked| asked != name)) {
        return Ok(Err("its answer is about other corpora than it was asked for".to_owned()));
    }
    let mut made = Vec::new();
    for (at, (name, sections)) in by_corpus.into_iter().enumerate() {
        let folder = into.join(at.to_string());
        let (mut sources, mut base) = (Vec::new(), BTreeSet::new());
        for (section, Section { base: is_base, posts, .. }) in sections {
            // The name tells posts, which stand under the terms of their site.
            let source = format!("{}:{section}", if *posts { "stackexchange" } else { "excerpt" });
            if *is_base {
                base.insert(source.clone());
            }
            let excerpt: Box<dyn Source> = Box::new(Excerpt { file: file.to_owned(), section });
            sources.push((source, excerpt));
        }
        let options =
            AddOptions { folder: folder.clone(), sources, base, exclude: Vec::new(), text: true, reading };
        if let Some(error) = corpus::add(&options, progress)?.failed.first() {
            return Ok(Err(wrong(error)));
        }
        made.push((Peers::join(&of.peer, name), folder));
    }
    Ok(Ok(made))
}

/// The peers that did not answer, as a report lists them.
pub(super) fn of_peers(unanswered: &[Unanswered]) -> Vec<report::Unanswered> {
    let one = |Unanswered { peer, reason }: &Unanswered| report::Unanswered {
        peer: peer.clone(),
        reason: reason.clone(),
    };
    unanswered.iter().map(one).collect()
}
