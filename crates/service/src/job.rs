//! One job: what it is about, and how far it is.

use serde::Serialize;

/// Long work, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Job {
    pub(crate) id: String,
    /// `clones`, `audit`, `licenses`, `corpus-add`, `corpus-update` or `corpus-remove`.
    pub(crate) kind: String,
    /// What it is about, in words.
    pub(crate) title: String,
    pub(crate) state: State,
    /// What it does now; the unit of `done` and `total` is bytes, files or fragments.
    pub(crate) stage: String,
    pub(crate) done: u64,
    /// 0 where it is not known.
    pub(crate) total: u64,
    /// Seconds since 1970.
    pub(crate) created: i64,
    pub(crate) started: Option<i64>,
    pub(crate) ended: Option<i64>,
    /// Why it failed.
    pub(crate) error: Option<String>,
    /// The result that it left.
    pub(crate) result: Option<String>,
    /// The token that asked for it.
    pub(crate) owner: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

impl State {
    pub(crate) const ALL: [Self; 5] =
        [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Cancelled];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}
