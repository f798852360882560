//! Audits and licenses of uploads, as jobs; verdicts on licenses, at once.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use familiar_judge as judge;
use familiar_license::Expression;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use super::submit::{Against, paths, submit, title_of};
use crate::caller::Caller;
use crate::job::Job;
use crate::problem::{Answer, Problem};
use crate::state::Server;
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

/// Licenses that are judged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Judged {
    /// The license under which the project goes out that takes code in: an SPDX expression.
    #[schema(example = "MIT")]
    project: String,
    /// The licenses of the code that is taken in: SPDX expressions, 100 at most.
    #[schema(example = json!(["GPL-3.0-only"]))]
    code: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Verdicts {
    /// One for each license of the code, in their order.
    verdicts: Vec<Verdict>,
    /// That none of this is legal advice.
    disclaimer: &'static str,
}

/// Whether code under a license may be in the project.
#[derive(Serialize, ToSchema)]
pub(super) struct Verdict {
    license: String,
    /// `same`, `compatible`, `contested`, `unknown` or `conflict`.
    status: &'static str,
    /// What has to be done where the code is taken in.
    duties: Vec<String>,
    /// What says so.
    rules: Vec<Rule>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Rule {
    source: String,
    text: String,
}

/// Most licenses of one question.
const MOST_LICENSES: usize = 100;

/// Judges whether code under some licenses may be in a project under another, by the rules that audits judge by. No legal advice.
#[utoipa::path(post, path = "/api/v1/verdicts", tag = "licenses", request_body = Judged, responses((status = 200, body = Verdicts)))]
pub(super) async fn verdicts(
    caller: Caller,
    Body(Judged { project, code }): Body<Judged>,
) -> Answer<Json<Verdicts>> {
    caller.needs(Scope::Read)?;
    if code.len() > MOST_LICENSES {
        return Err(Problem::unprocessable(format!("`code` takes at most {MOST_LICENSES} licenses")));
    }
    let project = expression("project", &project)?;
    let verdicts = code.iter().map(|license| verdict(&project, license)).collect::<Answer<Vec<_>>>()?;
    Ok(Json(Verdicts { verdicts, disclaimer: judge::NO_LEGAL_ADVICE }))
}

fn verdict(project: &Expression, license: &str) -> Answer<Verdict> {
    let judge::Verdict { status, duties, rules } = judge::judge(project, &expression("code", license)?);
    Ok(Verdict {
        license: license.to_owned(),
        status: status.name(),
        duties: duties.iter().map(ToString::to_string).collect(),
        rules: rules.into_iter().map(|rule| Rule { source: rule.source, text: rule.text }).collect(),
    })
}

/// The expression in a field of a question.
fn expression(field: &str, text: &str) -> Answer<Expression> {
    let parsed = Expression::parse(text);
    parsed.map_err(|error| {
        Problem::unprocessable(format!("`{field}`: {text:?} is not an SPDX expression: {error}"))
    })
}

/// Audits uploads: which of their code stands in corpora, under which licenses, and whether these allow it. No legal advice.
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
        return Err(Problem::unprocessable("give at least one upload and one corpus"));
    }
    license.as_deref().map(|license| expression("license", license)).transpose()?;
    let uploads = paths(&server, &caller, &uploads)?;
    let Against { names, folders, peers } = Against::of(&server, &corpora, &headers)?;
    let title = title_of(&uploads);
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
    submit(&server, &caller, title_of(std::slice::from_ref(&upload)), What::Licenses { upload })
}
