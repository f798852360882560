//! The corpora: what there is, and how they change.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use familiar_corpus::spec;
use familiar_library::{self as corpus, CorpusError};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::blocking::blocking;
use super::body::{Body, Paged, PathParameters, QueryParameters};
use super::submit::{paths, submit};
use crate::caller::Caller;
use crate::job::Job;
use crate::libraries::{fault_in_words, is_name};
use crate::peers::{Peers, Unanswered};
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::tasks::What;
use crate::tokens::Scope;

#[derive(Serialize, ToSchema)]
pub(super) struct Corpora {
    /// Those of this server, and those of its peers behind their names.
    corpora: Vec<Summary>,
    /// Peers that did not answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unanswered: Vec<Unanswered>,
}

/// A corpus in numbers; zeros where it cannot be read.
#[derive(Default, Serialize, ToSchema)]
pub(super) struct Summary {
    name: String,
    /// The peer that holds it; looking code up is all that can be done with it here.
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<String>,
    blobs: u64,
    bytes: u64,
    fragments: u64,
    sources: usize,
    /// Blobs of each language.
    languages: BTreeMap<String, u64>,
    /// Why it cannot be read.
    error: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Skips {
    total: usize,
    skips: Vec<Skip>,
}

/// What was not read.
#[derive(Serialize, ToSchema)]
pub(super) struct Skip {
    source: String,
    path: String,
    reason: String,
}

/// What is added.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sources {
    /// `git:https://…`, `pypi:NAME`, `npm:NAME` or `crate:NAME`.
    #[serde(default)]
    sources: Vec<String>,
    /// Uploads by their identifiers.
    #[serde(default)]
    uploads: Vec<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// The source's name, as the corpus lists it.
    source: String,
}

/// The corpora that may be asked.
#[utoipa::path(get, operation_id = "list_corpora", path = "/api/v1/corpora", tag = "corpora", responses(
    (status = 200, body = Corpora)
))]
pub(super) async fn list(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
) -> Answer<Json<Corpora>> {
    caller.needs(Scope::Read)?;
    let (theirs, unanswered) = of_peers(&server, &headers).await;
    blocking(move || {
        let names = server.libraries.names().map_err(|error| Problem::internal(&error))?;
        let mut corpora: Vec<Summary> = names.into_iter().map(|name| summary(&server, name)).collect();
        corpora.extend(theirs);
        Ok(Json(Corpora { corpora, unanswered }))
    })
    .await
}

/// The corpora of the peers that this request may make us ask, and who did not answer.
async fn of_peers(server: &Server, headers: &HeaderMap) -> (Vec<Summary>, Vec<Unanswered>) {
    let ask = |peer: String| async move {
        let answer = server.peers.ask(&server.metrics, &peer, "/api/v1/corpora", None).await?;
        let list = answer["corpora"].as_array().ok_or_else(|| Unanswered {
            peer: peer.clone(),
            reason: "its answer is not a list of corpora".to_owned(),
        })?;
        Ok(list.iter().filter_map(|theirs| summary_of(&peer, theirs)).collect::<Vec<_>>())
    };
    let (mut corpora, mut unanswered) = (Vec::new(), Vec::new());
    for answer in join_all(server.peers.names(headers).into_iter().map(ask)).await {
        match answer {
            Ok(list) => corpora.extend(list),
            Err(failed) => unanswered.push(failed),
        }
    }
    (corpora, unanswered)
}

/// What a peer says of a corpus, under the name that it has here.
fn summary_of(peer: &str, theirs: &Value) -> Option<Summary> {
    let name = theirs["name"].as_str().filter(|name| is_name(name))?;
    let number = |key: &str| theirs[key].as_u64().unwrap_or(0);
    let languages = theirs["languages"].as_object().into_iter().flatten();
    Some(Summary {
        name: Peers::join(peer, name),
        peer: Some(peer.to_owned()),
        blobs: number("blobs"),
        bytes: number("bytes"),
        fragments: number("fragments"),
        sources: number("sources") as usize,
        languages: languages.filter_map(|(name, blobs)| Some((name.clone(), blobs.as_u64()?))).collect(),
        error: theirs["error"].as_str().map(str::to_owned),
    })
}

fn summary(server: &Server, name: String) -> Summary {
    let Some(folder) = server.libraries.folder(&name) else {
        return Summary { name, error: Some("it does not exist".to_owned()), ..Summary::default() };
    };
    match corpus::info(&folder) {
        Ok(info) => Summary {
            name,
            peer: None,
            blobs: info.blobs,
            bytes: info.bytes,
            fragments: info.fragments,
            sources: info.sources.len(),
            languages: info
                .languages
                .into_iter()
                .map(|(language, blobs)| (language.to_owned(), blobs))
                .collect(),
            error: None,
        },
        Err(error) => {
            tracing::warn!(corpus = name, error = %error, "a corpus cannot be read");
            let error = Some(fault_in_words(&name, &error));
            Summary { name, error, ..Summary::default() }
        }
    }
}

fn unreadable(corpus: &str, error: &CorpusError) -> Problem {
    Problem::failed(error, fault_in_words(corpus, error))
}

/// What a corpus holds.
#[utoipa::path(get, path = "/api/v1/corpora/{name}", tag = "corpora", params(("name" = String, Path)), responses(
    (status = 200, description = "`familiar.corpus/1`", body = serde_json::Value)
))]
pub(super) async fn info(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(name): PathParameters<String>,
) -> Answer<Json<corpus::Info>> {
    caller.needs(Scope::Read)?;
    blocking(move || {
        let folder = server.corpus(&name)?;
        corpus::info(&folder).map(Json).map_err(|error| unreadable(&name, &error))
    })
    .await
}

/// What of a corpus's sources was not read, and why.
#[utoipa::path(get, path = "/api/v1/corpora/{name}/skips", tag = "corpora", params(("name" = String, Path), Paged), responses(
    (status = 200, body = Skips)
))]
pub(super) async fn skips(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(name): PathParameters<String>,
    QueryParameters(paged): QueryParameters<Paged>,
) -> Answer<Json<Skips>> {
    caller.needs(Scope::Read)?;
    let window = paged.window()?;
    blocking(move || {
        let folder = server.corpus(&name)?;
        let (mut total, mut skips) = (0, Vec::new());
        let each = |source: &str, row: familiar_store::tables::SkipRow| {
            if total >= window.offset as usize && skips.len() < window.limit as usize {
                skips.push(Skip { source: source.to_owned(), path: row.path, reason: row.reason });
            }
            total += 1;
        };
        corpus::skips(&folder, each).map_err(|error| unreadable(&name, &error))?;
        Ok(Json(Skips { total, skips }))
    })
    .await
}

/// The folder of a corpus that the caller may change.
fn to_change(server: &Server, caller: &Caller, name: &str) -> Answer<PathBuf> {
    caller.needs(Scope::Admin)?;
    if server.options.read_only {
        return Err(Problem::forbidden("this server does not change corpora (--read-only)"));
    }
    let detail = "the name of a corpus consists of letters, digits, dots, dashes and underscores, and starts with a letter or a digit";
    server.libraries.place(name).ok_or_else(|| {
        let only = "this server serves only the corpora that --in names, and makes no others";
        Problem::unprocessable(if server.libraries.has_home() { detail } else { only })
    })
}

/// Adds sources to a corpus, which is made where there is none.
#[utoipa::path(post, path = "/api/v1/corpora/{name}/sources", tag = "corpora", params(("name" = String, Path)),
    request_body = Sources, responses(
    (status = 202, body = Job)
))]
pub(super) async fn add(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(name): PathParameters<String>,
    Body(given): Body<Sources>,
) -> Answer<(StatusCode, Json<Job>)> {
    let folder = to_change(&server, &caller, &name)?;
    let Sources { sources, uploads } = given;
    if sources.is_empty() && uploads.is_empty() {
        return Err(Problem::unprocessable("give at least one source or upload"));
    }
    for source in &sources {
        is_allowed(source, &server.options.hosts)?;
    }
    let uploads = paths(&server, &caller, &uploads)?;
    let title = format!("add {} to {name}", count(sources.len() + uploads.len(), "source"));
    submit(&server, &caller, title, What::CorpusAdd { folder, sources, uploads })
}

/// Reads all sources of a corpus again.
#[utoipa::path(post, path = "/api/v1/corpora/{name}/update", tag = "corpora", params(("name" = String, Path)), responses(
    (status = 202, body = Job)
))]
pub(super) async fn update(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(name): PathParameters<String>,
) -> Answer<(StatusCode, Json<Job>)> {
    to_change(&server, &caller, &name)?;
    let folder = server.corpus(&name)?;
    submit(&server, &caller, format!("update {name}"), What::CorpusUpdate { folder })
}

/// Takes a source out of a corpus.
#[utoipa::path(delete, path = "/api/v1/corpora/{name}/sources", tag = "corpora", params(("name" = String, Path), Which), responses(
    (status = 202, body = Job)
))]
pub(super) async fn remove(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(name): PathParameters<String>,
    QueryParameters(Which { source }): QueryParameters<Which>,
) -> Answer<(StatusCode, Json<Job>)> {
    to_change(&server, &caller, &name)?;
    let folder = server.corpus(&name)?;
    submit(&server, &caller, format!("remove a source from {name}"), What::CorpusRemove { folder, source })
}

/// So many things, in words.
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Refuses sources that would read this machine's files or reach into its network: what is left are packages of registries, and
/// repositories of hosts that are known, over HTTPS.
fn is_allowed(source: &str, hosts: &[String]) -> Answer<()> {
    let refused = |reason: String| Err(Problem::unprocessable(format!("{source:?} is refused: {reason}")));
    if source.len() > 1000 || source.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return refused("this is not the name of a source".to_owned());
    }
    match source.split_once(':') {
        Some(("pypi" | "npm" | "crate", _)) => match spec::canonical(source) {
            Ok(_) => Ok(()),
            Err(error) => refused(error.to_string()),
        },
        Some(("git", url)) => {
            let Some(rest) = url.strip_prefix("https://") else {
                return refused("a git source is a URL that starts with https://".to_owned());
            };
            let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
            if hosts.iter().any(|host| host.eq_ignore_ascii_case(authority)) {
                return match spec::canonical(source) {
                    Ok(_) => Ok(()),
                    Err(error) => refused(error.to_string()),
                };
            }
            refused(format!(
                "the server accepts repositories of {} only; --allow-host adds other hosts",
                hosts.join(", ")
            ))
        }
        _ => refused("use git:https://…, pypi:NAME, npm:NAME or crate:NAME, or upload a file".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_lead_neither_to_files_nor_into_the_house() {
        let hosts = ["github.com".to_owned()];
        for source in [
            "git:https://github.com/a/b",
            "git:https://GitHub.com/a/b.git",
            "pypi:numpy==2.0.0",
            "npm:@babel/core",
            "crate:serde",
        ] {
            assert!(is_allowed(source, &hosts).is_ok(), "{source}");
        }
        for source in [
            "",
            "/etc",
            "dir:/etc",
            "archive:/etc/passwd",
            "list:/etc/passwd",
            "jsonl:/a",
            "submissions:/",
            "stackexchange:/",
            "codenet:/",
            "docs:/",
            "git:/srv/repo",
            "git:../repo",
            "git:file:///etc",
            "git:http://github.com/a/b",
            "git:ssh://git@github.com/a/b",
            "git:git@github.com:a/b",
            "git:ext::sh -c id",
            "git:https://127.0.0.1/a",
            "git:https://localhost/a",
            "git:https://[::1]/a",
            "git:https://169.254.169.254/latest",
            "git:https://user:secret@github.com/a",
            "git:https://github.com@evil.example/a",
            "git:https://github.com:22/a",
            "git:https://github.com.evil.example/a",
            "git:https://github.com\\@evil.example/a",
            "git:--upload-pack=id",
            "pypi:../../x",
            "pypi:--index-url=http://127.0.0.1",
            "npm:http://127.0.0.1/x",
            "crate:a/../../b",
            "pypi:a\nb",
        ] {
            assert!(is_allowed(source, &hosts).is_err(), "{source}");
        }
    }
}
