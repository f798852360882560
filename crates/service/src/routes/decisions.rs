//! What people decide about findings, by fingerprint: it holds in all results, old and new.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use familiar_review::{Decision, Decisions, Import, Judgement};
use familiar_source::time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::blocking::blocking;
use super::body::{Body, Paged, PathParameters, QueryParameters, Whole};
use crate::caller::Caller;
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::store::{Entered, Window, now};
use crate::tokens::Scope;

/// Most decisions of one owner, and most that one request makes.
const MOST: u64 = 200_000;
const AT_ONCE: usize = 1_000;

/// What was decided of a finding.
#[derive(Serialize, ToSchema)]
pub(super) struct Decided {
    /// Of a class or a pair, as results have it.
    #[schema(example = "0123456789abcdef0123456789abcdef")]
    fingerprint: String,
    /// accepted, false-positive, needs-action, or open, which withdraws the decision.
    decision: &'static str,
    comment: String,
    author: String,
    /// In UTC.
    #[schema(example = "2026-01-31T12:00:00Z")]
    decided: String,
    /// Where the finding was.
    place: String,
    /// Who brought it in, where that was not who decided.
    entered_by: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct List {
    total: u64,
    decisions: Vec<Decided>,
}

/// What is decided.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewDecisions {
    /// 1,000 at most.
    decisions: Vec<DecisionInput>,
    /// Who decides, where nobody signs in; elsewhere it is the token's name.
    author: Option<String>,
}

/// A decision on a finding, as it is sent.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionInput {
    #[schema(example = "0123456789abcdef0123456789abcdef")]
    fingerprint: String,
    /// accepted, false-positive, needs-action, or open.
    #[schema(example = "accepted")]
    decision: String,
    /// 4,000 characters at most.
    #[serde(default)]
    comment: String,
    /// Where the finding is, for people.
    #[serde(default)]
    place: String,
}

/// How many were new.
#[derive(Serialize, ToSchema)]
pub(super) struct Imported {
    new: usize,
    /// How many entries of a policy are for some licenses or paths alone. No decision can be, so they are left out.
    left_out: usize,
}

impl From<Entered> for Decided {
    fn from(Entered { decision, entered_by }: Entered) -> Self {
        let name = decision.decision.name();
        let Decision { fingerprint, comment, author, decided, place, .. } = decision;
        Self { fingerprint, decision: name, comment, author, decided, place, entered_by }
    }
}

/// What holds, the newest first.
#[utoipa::path(get, operation_id = "list_decisions", path = "/api/v1/decisions", tag = "decisions", params(Paged), responses(
    (status = 200, body = List)
))]
pub(super) async fn list(
    State(server): State<Arc<Server>>,
    caller: Caller,
    QueryParameters(paged): QueryParameters<Paged>,
) -> Answer<Json<List>> {
    caller.needs(Scope::Read)?;
    let window = paged.window()?;
    blocking(move || {
        let (total, list) = server.store.standing_decisions(&caller.owner, window)?;
        Ok(Json(List { total, decisions: list.into_iter().map(Decided::from).collect() }))
    })
    .await
}

/// All decisions on a finding, the newest first.
#[utoipa::path(get, path = "/api/v1/decisions/{fingerprint}", tag = "decisions", params(("fingerprint" = String, Path)), responses(
    (status = 200, body = List)
))]
pub(super) async fn history(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(fingerprint): PathParameters<String>,
) -> Answer<Json<List>> {
    caller.needs(Scope::Read)?;
    blocking(move || {
        let list = server.store.decisions_of(&caller.owner, &fingerprint.to_ascii_lowercase())?;
        let decisions: Vec<Decided> = list.into_iter().map(Decided::from).collect();
        Ok(Json(List { total: decisions.len() as u64, decisions }))
    })
    .await
}

/// Decides on findings, on all of them or none.
#[utoipa::path(post, path = "/api/v1/decisions", tag = "decisions", request_body = NewDecisions, responses(
    (status = 200, body = List)
))]
pub(super) async fn decide(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Body(wanted): Body<NewDecisions>,
) -> Answer<Json<List>> {
    caller.needs(Scope::Upload)?;
    if wanted.decisions.is_empty() || wanted.decisions.len() > AT_ONCE {
        return Err(Problem::unprocessable(format!("send 1 to {AT_ONCE} decisions at a time")));
    }
    blocking(move || {
        let author = wanted.author.filter(|_| caller.open).unwrap_or_else(|| caller.name.clone());
        let mut made = Vec::with_capacity(wanted.decisions.len());
        for given in wanted.decisions {
            let fingerprint = given.fingerprint.to_ascii_lowercase();
            let decided = time::utc(server.store.next_decided(&caller.owner, &fingerprint)?);
            let decision = Judgement::from_name(&given.decision).ok_or_else(|| {
                Problem::unprocessable("`decision` is accepted, false-positive, needs-action or open")
            })?;
            let DecisionInput { comment, place, .. } = given;
            let decision =
                Decision { fingerprint, decided, author: author.clone(), decision, comment, place };
            let decision = decision.checked().map_err(|fault| Problem::unprocessable(fault.to_string()))?;
            made.push(Entered { decision, entered_by: None });
        }
        keep(&server, &caller, &made)?;
        let decisions: Vec<Decided> = made.into_iter().map(Decided::from).collect();
        Ok(Json(List { total: decisions.len() as u64, decisions }))
    })
    .await
}

/// Keeps decisions, where there is room for them.
fn keep(server: &Server, caller: &Caller, made: &[Entered]) -> Answer<usize> {
    let held = server.store.decided(&caller.owner)?;
    if held + made.len() as u64 > MOST {
        let detail = format!("there are {held} decisions already, and the server keeps {MOST} at most");
        return Err(Problem::new(StatusCode::INSUFFICIENT_STORAGE, detail));
    }
    Ok(server.store.insert_decisions(&caller.owner, made)?)
}

/// Takes decisions over: a `familiar.decisions/1` document, a `familiar.clones/1` or `familiar.audit/1` result (all of it is accepted), or a
/// `familiar.toml` (what its policy accepts).
#[utoipa::path(post, path = "/api/v1/decisions/import", tag = "decisions",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses(
    (status = 200, body = Imported)
))]
pub(super) async fn import(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Whole(body): Whole,
) -> Answer<Json<Imported>> {
    caller.needs(Scope::Upload)?;
    blocking(move || {
        let latest = time::utc(now());
        let import = Import { author: &caller.name, decided: &latest };
        let read = if Decisions::is_one(&body) {
            Decisions::parse(&body).map(|read| (read, 0))
        } else if body.trim_ascii_start().starts_with(b"{") {
            Decisions::of_result(&body, import).map(|read| (read, 0))
        } else {
            let text = std::str::from_utf8(&body);
            let text = text.map_err(|_| Problem::unprocessable("this file is neither JSON nor TOML"))?;
            Decisions::of_policy(text, import)
        };
        let (read, left_out) = read.map_err(|error| Problem::unprocessable(format!("the file: {error}")))?;
        if let Some(late) = read.all().find(|decision| decision.decided > latest) {
            let detail = format!(
                "the decision on {} has the date {}, which is in the future",
                late.fingerprint, late.decided
            );
            return Err(Problem::unprocessable(detail));
        }
        let entered = |decision: &Decision| Entered {
            entered_by: (decision.author != caller.name).then(|| caller.name.clone()),
            decision: decision.clone(),
        };
        let made: Vec<Entered> = read.all().map(entered).collect();
        Ok(Json(Imported { new: keep(&server, &caller, &made)?, left_out }))
    })
    .await
}

/// What holds, as a file: json (`familiar.decisions/1`, which `--baseline` and `--decisions` take), or policy (for `familiar.toml`).
#[utoipa::path(get, operation_id = "decisions_file", path = "/api/v1/decisions/files/{format}", tag = "decisions", params(("format" = String, Path)), responses(
    (status = 200, body = Vec<u8>, content_type = "application/octet-stream")
))]
pub(super) async fn file(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(format): PathParameters<String>,
) -> Answer<impl IntoResponse> {
    caller.needs(Scope::Read)?;
    blocking(move || {
        let (kind, name) = match format.as_str() {
            "json" => ("application/json", "decisions.json"),
            "policy" => ("application/toml", "accepted.toml"),
            _ => return Err(Problem::not_found("format")),
        };
        let every = Window { offset: 0, limit: u32::MAX };
        let (_, list) = server.store.standing_decisions(&caller.owner, every)?;
        let mut decisions = Decisions::default();
        for Entered { decision, .. } in list {
            decisions.add(decision).map_err(|fault| Problem::internal(&fault))?;
        }
        let mut bytes = Vec::new();
        if format == "json" {
            decisions.write(&mut bytes).map_err(|error| Problem::internal(&error))?;
        } else {
            bytes = decisions.to_policy().into_bytes();
        }
        let attached = format!("attachment; filename=\"{name}\"");
        Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, attached)], bytes))
    })
    .await
}
