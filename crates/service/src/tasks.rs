//! What a job does, as it is written down for the process that does it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::peers::Unanswered;

/// What one job is to do, and within which bounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) what: What,
    pub(crate) bounds: Bounds,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum What {
    Clones(Clones),
    Audit(Audit),
    Licenses { upload: PathBuf },
    CorpusAdd { folder: PathBuf, sources: Vec<String>, uploads: Vec<PathBuf> },
    CorpusUpdate { folder: PathBuf },
    CorpusRemove { folder: PathBuf, source: String },
}

impl What {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Clones(_) => "clones",
            Self::Audit(_) => "audit",
            Self::Licenses { .. } => "licenses",
            Self::CorpusAdd { .. } => "corpus-add",
            Self::CorpusUpdate { .. } => "corpus-update",
            Self::CorpusRemove { .. } => "corpus-remove",
        }
    }

    /// The uploads that it needs.
    pub(crate) fn uploads(&self) -> Vec<&PathBuf> {
        match self {
            Self::Clones(clones) => clones.uploads.iter().chain(&clones.base).collect(),
            Self::Audit(audit) => audit.uploads.iter().collect(),
            Self::Licenses { upload } => vec![upload],
            Self::CorpusAdd { uploads, .. } => uploads.iter().collect(),
            Self::CorpusUpdate { .. } | Self::CorpusRemove { .. } => Vec::new(),
        }
    }

    /// The peers that take part.
    pub(crate) fn peers(&self) -> &[OfPeer] {
        match self {
            Self::Clones(clones) => &clones.peers,
            Self::Audit(audit) => &audit.peers,
            _ => &[],
        }
    }
}

/// Clones among what was uploaded, and between that and a corpus.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Clones {
    pub(crate) uploads: Vec<PathBuf>,
    /// What was handed out.
    pub(crate) base: Vec<PathBuf>,
    pub(crate) corpora: Vec<PathBuf>,
    pub(crate) layout: Layout,
    pub(crate) between_projects: bool,
    pub(crate) granularity: Vec<String>,
    pub(crate) types: Vec<u8>,
    #[serde(default)]
    pub(crate) min_tokens: Option<u32>,
    pub(crate) min_lines: u32,
    pub(crate) cross_language: bool,
    /// What the corpora are called.
    #[serde(default)]
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) peers: Vec<OfPeer>,
    /// Whether it is said what makes pairs of type 4 alike.
    #[serde(default)]
    pub(crate) explain: bool,
    /// Whether an excerpt of the corpora is left in the place of everything else.
    #[serde(default)]
    pub(crate) excerpt: bool,
}

/// A peer's corpora that take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OfPeer {
    pub(crate) peer: String,
    pub(crate) corpora: Vec<String>,
}

/// What a peer answered: a file with an excerpt of its corpora, or why there is none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) of: OfPeer,
    pub(crate) excerpt: Result<PathBuf, String>,
}

/// What of some uploads stands in corpora, and whether it may be here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Audit {
    pub(crate) uploads: Vec<PathBuf>,
    pub(crate) against: Vec<PathBuf>,
    pub(crate) names: Vec<String>,
    /// The license under which the uploads go out, whatever they say.
    pub(crate) license: Option<String>,
    #[serde(default)]
    pub(crate) peers: Vec<OfPeer>,
    /// Whether an excerpt of the corpora is left in the place of everything else.
    #[serde(default)]
    pub(crate) excerpt: bool,
}

/// What the uploads are to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layout {
    /// Each upload is a project.
    #[default]
    Tree,
    /// Each upload is one author's; of a single archive, each folder or file at its top.
    Submissions,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Bounds {
    pub(crate) threads: usize,
    pub(crate) memory: usize,
    /// Most bytes that an archive may unpack to, and most that one file may have.
    pub(crate) unpacked: u64,
    pub(crate) file: u64,
}

/// What the process that does a job says on its standard output, a line each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum News {
    Stage {
        name: String,
        total: u64,
    },
    Done(u64),
    /// The job failed, and why.
    Failed(String),
    /// The job is done, with what there is to say of its result, where it has one.
    Finished(Option<Found>),
}

/// What an audit comes to, in findings. Verdicts count what is not the project's own code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub(crate) struct AuditCounts {
    /// By verdict: `conflict`, `unknown`, `contested`, `compatible`, `same`.
    pub(crate) by_verdict: BTreeMap<String, u64>,
    /// By what the policy decides: `denied`, `open`, `allowed`, `accepted`, `own`.
    pub(crate) by_decision: BTreeMap<String, u64>,
}

/// A result in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) files: u64,
    pub(crate) classes: u64,
    pub(crate) pairs: u64,
    pub(crate) duplication: f64,
    /// Of an audit.
    #[serde(default)]
    pub(crate) verdicts: Option<AuditCounts>,
    /// Peers that did not take part, though they were to.
    pub(crate) unanswered: Vec<Unanswered>,
}
