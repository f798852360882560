//! May it be here, and under which licenses does it stand? As jobs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use familiar_license::Expression;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::Body;
use super::clones::{Against, name_of, paths, submit};
use crate::caller::Caller;
use crate::jobs::Job;
use crate::problem::{Answer, Problem};
use crate::server::Server;
use crate::tasks::{Audit, What};
use crate::tokens::Scope;

/// What is audited, and against what.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Audited {
    /// Uploads by their identifiers: archives and files.
    uploads: Vec<String>,
    /// The corpora that they are compared with, of this server and of its peers. Where a peer does not answer, the result is partial, and
    /// `unanswered` says who and why.
    corpora: Vec<String>,
    /// The license under which the uploads go out, whatever they say: an SPDX expression.
    #[schema(example = "MIT")]
    license: Option<String>,
    /// Whether, in the place of all other formats and pages, the part of the corpora that was found is left as `familiar.excerpt/1`, in
    /// the result's format `excerpt`. Servers that ask others do that.
    #[serde(default)]
    excerpt: bool,
}

/// What is read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Read {
    /// An upload by its identifier.
    upload: String,
}

/// Audits uploads: which of their code stands in corpora, under which licenses, and may it be here? No legal advice.
#[utoipa::path(post, path = "/api/v1/audit", tag = "licenses", request_body = Audited, responses((status = 202, body = Job)))]
pub(super) async fn audit(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
    Body(asked): Body<Audited>,
) -> Answer<(StatusCode, Json<Job>)> {
    caller.needs(Scope::Upload)?;
    let Audited { uploads, corpora, license, excerpt } = asked;
    if uploads.is_empty() || corpora.is_empty() {
        return Err(Problem::unprocessable("name at least one upload and one corpus"));
    }
    if let Some(Err(error)) = license.as_deref().map(Expression::parse) {
        return Err(Problem::unprocessable(format!("license is no SPDX expression: {error}")));
    }
    let uploads = paths(&server, &caller, &uploads)?;
    let Against { names, folders, peers } = Against::of(&server, &corpora, &headers)?;
    let title = format!("audit of {} against {}", name_of(&uploads[0]), corpora.join(", "));
    let task = Audit { uploads, against: folders, names, license, peers, excerpt };
    submit(&server, &caller, title, What::Audit(task))
}

/// Reads the licenses of an upload: every file with all that speaks for it.
#[utoipa::path(post, path = "/api/v1/licenses", tag = "licenses", request_body = Read, responses((status = 202, body = Job)))]
pub(super) async fn licenses(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Body(Read { upload }): Body<Read>,
) -> Answer<(StatusCode, Json<Job>)> {
    caller.needs(Scope::Upload)?;
    let upload = paths(&server, &caller, &[upload])?.remove(0);
    submit(&server, &caller, format!("licenses of {}", name_of(&upload)), What::Licenses { upload })
}
