//! Clones among uploads and corpora, as a job.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use familiar_source::FragmentKind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::Body;
use super::corpora::folder;
use crate::caller::Caller;
use crate::identifier;
use crate::jobs::Job;
use crate::problem::{Answer, Problem};
use crate::server::Server;
use crate::tasks::{Clones, Layout, OfPeer, Task, What};
use crate::tokens::Scope;

/// What is compared.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
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
    /// Whether, in the place of all other formats and pages, the part of the corpora that was found is left as `familiar.excerpt/1`, in
    /// the result's format `excerpt`. Servers that ask others do that.
    #[serde(default)]
    excerpt: bool,
}

/// Lets a job wait for its turn.
pub(super) fn submit(
    server: &Server,
    caller: &Caller,
    title: String,
    what: What,
) -> Answer<(StatusCode, Json<Job>)> {
    let unfinished = server.store.unfinished(&caller.owner)?;
    if unfinished >= server.options.most_jobs {
        let detail =
            format!("this token already has {unfinished} unfinished jobs; wait for one or cancel one");
        return Err(Problem::too_many(detail, 10));
    }
    let task = Task { what, bounds: server.bounds() };
    let job = server.jobs.submit(&caller.owner, title, &task)?;
    Ok((StatusCode::ACCEPTED, Json(job)))
}

/// What a job on these uploads is called: as they are, the first ones of many.
pub(super) fn title_of(uploads: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // One that stands for another is as long as it.
    let shown = if uploads.len() > NAMED + 1 { NAMED } else { uploads.len() };
    let mut parts: Vec<String> = uploads[..shown].iter().map(name).collect();
    if uploads.len() > shown {
        parts.push(format!("{} more", uploads.len() - shown));
    }
    parts.join(", ")
}

/// Where the caller's uploads of these identifiers lie.
pub(super) fn paths(server: &Server, caller: &Caller, ids: &[String]) -> Answer<Vec<PathBuf>> {
    let path = |id: &String| {
        let found = if identifier::is_one(id) { server.store.upload(id, caller.sees()) } else { Ok(None) };
        let upload = found?;
        Ok(upload.ok_or_else(|| Problem::not_found("upload"))?.path(&server.options.data))
    };
    ids.iter().map(path).collect()
}

/// Finds clones among uploads, and between uploads and corpora.
#[utoipa::path(post, path = "/api/v1/clones", tag = "clones", request_body = Wanted, responses(
    (status = 202, body = Job)
))]
pub(super) async fn clones(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
    Body(wanted): Body<Wanted>,
) -> Answer<(StatusCode, Json<Job>)> {
    caller.needs(Scope::Upload)?;
    let task = wanted.task(&server, &caller, &headers)?;
    let title = if task.uploads.is_empty() { wanted.corpora.join(", ") } else { title_of(&task.uploads) };
    submit(&server, &caller, title, What::Clones(task))
}

/// Corpora that are compared with: those of this server with their folders, and those of peers.
pub(super) struct Against {
    pub(super) names: Vec<String>,
    pub(super) folders: Vec<PathBuf>,
    pub(super) peers: Vec<OfPeer>,
}

impl Against {
    pub(super) fn of(server: &Server, names: &[String], headers: &HeaderMap) -> Answer<Self> {
        let mut against = Self { names: Vec::new(), folders: Vec::new(), peers: Vec::new() };
        for name in names {
            let Some((peer, corpus)) = server.peers.split(name, headers) else {
                against.folders.push(folder(server, name)?);
                against.names.push(name.clone());
                continue;
            };
            let known = against.peers.iter().position(|of| of.peer == peer);
            let at = known.unwrap_or_else(|| {
                against.peers.push(OfPeer { peer: peer.to_owned(), corpora: Vec::new() });
                against.peers.len() - 1
            });
            let corpora = &mut against.peers[at].corpora;
            if corpora.iter().all(|known| known != corpus) {
                corpora.push(corpus.to_owned());
            }
        }
        Ok(against)
    }
}

impl Wanted {
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
        Ok(Clones {
            uploads: paths(server, caller, &self.uploads)?,
            base: paths(server, caller, &self.base)?,
            corpora: folders,
            names,
            peers,
            excerpt: self.excerpt,
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
