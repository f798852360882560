//! What peers know, as corpora beside this server's own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use familiar_corpus::excerpt::{Excerpt, Section, sections};
use familiar_corpus::{Cause, Source, SourceError};
use familiar_library::{self as corpus, AddOptions};
use familiar_report as report;

use super::context::Context;
use super::files::PEERS;
use super::progress::Failure;
use crate::peers::{Peers, Unanswered};
use crate::tasks::{Answered, OfPeer};

/// Corpora of what peers answered, and the peers that did not answer.
#[derive(Default)]
pub(super) struct PeerCorpora {
    /// What they know, as corpora by the names that they have here.
    pub(super) corpora: Vec<(String, PathBuf)>,
    pub(super) unanswered: Vec<Unanswered>,
}

impl PeerCorpora {
    /// Makes corpora of what `peers` answered, as it lies in the job's folder.
    pub(super) fn gather(peers: &[OfPeer], context: Context<'_>) -> Result<Self, Failure> {
        let folder = context.folder;
        if peers.is_empty() {
            return Ok(Self::default());
        }
        let answers: Vec<Answered> = serde_json::from_slice(&std::fs::read(folder.join(PEERS))?)?;
        let mut gathered = Self::default();
        for (number, Answered { of, excerpt }) in answers.into_iter().enumerate() {
            let peer = of.peer.clone();
            let into = folder.join("peers").join(number.to_string());
            let outcome = match excerpt {
                Ok(file) => corpora_of(&of, &file, &into, context)?.map_err(|error| error.to_string()),
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

/// Why what a peer answered is of no use.
#[derive(Debug, thiserror::Error)]
enum BadAnswer {
    #[error("its answer cannot be read: {0}")]
    Malformed(Cause),
    #[error("its answer cannot be read")]
    Unreadable,
    #[error("its answer is about other corpora than it was asked for")]
    OtherCorpora,
}

impl From<SourceError> for BadAnswer {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Format { source, .. } => Self::Malformed(source),
            _ => Self::Unreadable,
        }
    }
}

/// Corpora by the names that they have here, or why there are none.
type Made = Result<Vec<(String, PathBuf)>, BadAnswer>;

/// Makes corpora of an excerpt: all of them, or none where it is not as it should be.
fn corpora_of(of: &OfPeer, file: &Path, into: &Path, context: Context<'_>) -> Result<Made, Failure> {
    let reading = context.reading();
    let sections = match sections(file, &reading.limits) {
        Ok(sections) => sections,
        Err(error) => return Ok(Err(error.into())),
    };
    let mut by_corpus: BTreeMap<&str, Vec<(u32, &Section)>> = BTreeMap::new();
    for (number, section) in (0..).zip(&sections) {
        by_corpus.entry(&section.corpus).or_default().push((number, section));
    }
    if by_corpus.keys().any(|name| of.corpora.iter().all(|asked| asked != name)) {
        return Ok(Err(BadAnswer::OtherCorpora));
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
        if let Some(error) = corpus::add(&options, context.progress)?.failed.into_iter().next() {
            return Ok(Err(error.into()));
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
