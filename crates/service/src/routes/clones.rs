//! Clones among uploads and corpora, as a job.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use familiar_source::FragmentKind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::Body;
use super::submit::{Against, paths, submit, title_of};
use crate::caller::Caller;
use crate::job::Job;
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::tasks::{Clones, Layout, What};
use crate::tokens::Scope;

/// What is compared.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClonesWanted {
    /// Uploads by their identifiers: archives and files.
    #[serde(default)]
    uploads: Vec<String>,
    /// Corpora that the uploads are compared with as well; those of peers are compared there. Where a peer does not answer, the result is
    /// partial, and `unanswered` says who and why. Without uploads: one corpus of this server that is searched, or two of which every
    /// pair has a side in each.
    #[serde(default)]
    corpora: Vec<String>,
    /// What the uploads are to each other.
    #[serde(default)]
    layout: Layout,
    /// Uploads that were handed out: what stands there too is nobody's copy.
    #[serde(default)]
    base: Vec<String>,
    /// Only pairs between different projects; submissions are compared so in any case.
    #[serde(default)]
    between_projects: bool,
    /// Some of file, class, function, block and run [default: function and run].
    granularity: Option<Vec<String>>,
    /// Some of 1, 2, 3 and 4 [default: 1, 2 and 3].
    types: Option<Vec<u8>>,
    /// Fewest tokens [default: 50].
    min_tokens: Option<u32>,
    /// Fewest lines [default: 5].
    min_lines: Option<u32>,
    /// Whether code of different languages is compared.
    #[serde(default)]
    cross_language: bool,
    /// Whether it is said what makes the sides of each Type-4 pair alike; needs 4 in `types`.
    #[serde(default)]
    explain: bool,
    /// Whether, in the place of all other formats and pages, the part of the corpora that was found is left as `familiar.excerpt/1`, in
    /// the result's format `excerpt`. Servers that ask others do that.
    #[serde(default)]
    excerpt: bool,
}

/// Finds clones among uploads, and between uploads and corpora.
#[utoipa::path(post, path = "/api/v1/clones", tag = "clones", request_body = ClonesWanted, responses(
    (status = 202, body = Job)
))]
pub(super) async fn clones(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
    Body(wanted): Body<ClonesWanted>,
) -> Answer<(StatusCode, Json<Job>)> {
    caller.needs(Scope::Upload)?;
    let task = wanted.task(&server, &caller, &headers)?;
    let title = if task.uploads.is_empty() { wanted.corpora.join(", ") } else { title_of(&task.uploads) };
    submit(&server, &caller, title, What::Clones(task))
}

impl ClonesWanted {
    fn task(&self, server: &Server, caller: &Caller, headers: &HeaderMap) -> Answer<Clones> {
        if self.uploads.is_empty() && self.corpora.is_empty() {
            return Err(Problem::unprocessable("give at least one upload or corpus"));
        }
        if self.uploads.is_empty() && self.corpora.len() > 2 {
            return Err(Problem::unprocessable(
                "without uploads, give one corpus, or two to compare with each other",
            ));
        }
        if self.uploads.is_empty() && !self.base.is_empty() {
            return Err(Problem::unprocessable("`base` needs `uploads`"));
        }
        let Against { names, folders, peers } = Against::of(server, &self.corpora, headers)?;
        if self.uploads.is_empty() && !peers.is_empty() {
            return Err(Problem::unprocessable(
                "corpora of other servers can only be compared with uploads; to search them, ask their server",
            ));
        }
        let default = familiar_engine::CloneOptions::default();
        let granularity = self
            .granularity
            .clone()
            .unwrap_or_else(|| default.granularity.iter().map(|kind| kind.name().to_owned()).collect());
        if granularity.is_empty() || granularity.iter().any(|name| FragmentKind::from_name(name).is_none()) {
            return Err(Problem::unprocessable(
                "`granularity` may contain file, class, function, block and run",
            ));
        }
        let types = self.types.clone().unwrap_or(default.types);
        if types.is_empty() || types.iter().any(|clone_type| !(1..=4).contains(clone_type)) {
            return Err(Problem::unprocessable("`types` may contain 1, 2, 3 and 4"));
        }
        if self.explain && !types.contains(&4) {
            return Err(Problem::unprocessable(
                "`explain` says what makes Type-4 pairs alike: `types` has to contain 4",
            ));
        }
        Ok(Clones {
            uploads: paths(server, caller, &self.uploads)?,
            base: paths(server, caller, &self.base)?,
            corpora: folders,
            names,
            peers,
            excerpt: self.excerpt,
            explain: self.explain,
            layout: self.layout,
            between_projects: self.between_projects,
            granularity,
            types,
            min_tokens: self.min_tokens,
            min_lines: self.min_lines.unwrap_or(default.min_lines),
            cross_language: self.cross_language,
        })
    }
}
