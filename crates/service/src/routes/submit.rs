//! What the routes that start jobs have in common.

use std::path::PathBuf;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};

use crate::caller::Caller;
use crate::identifier;
use crate::job::Job;
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::tasks::{OfPeer, Task, What};

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
    let most = server.options.most_kept;
    let leaves_result = matches!(what, What::Clones(_) | What::Audit(_) | What::Licenses { .. });
    if leaves_result && server.store.kept(&caller.owner)? >= most {
        let detail =
            format!("this token has results of {most} bytes, and the server keeps no more; delete some");
        return Err(Problem::new(StatusCode::INSUFFICIENT_STORAGE, detail));
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
    let named = if uploads.len() > NAMED + 1 { NAMED } else { uploads.len() };
    let mut parts: Vec<String> = uploads[..named].iter().map(name).collect();
    if uploads.len() > named {
        parts.push(format!("{} more", uploads.len() - named));
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
                if !against.names.contains(name) {
                    against.folders.push(server.corpus(name)?);
                    against.names.push(name.clone());
                }
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
