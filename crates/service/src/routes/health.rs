//! Whether the server works, and its numbers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::blocking::blocking;
use crate::caller::Caller;
use crate::job::State as JobState;
use crate::libraries::fault_in_words;
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::tokens::Scope;

#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok`
    status: &'static str,
}

/// Whether the server runs.
#[utoipa::path(get, path = "/health", tag = "server", security(()), responses((status = 200, body = Health)))]
pub(super) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Whether the server can answer: its memory and all of its corpora can be read.
#[utoipa::path(get, path = "/ready", tag = "server", security(()), responses(
    (status = 200, body = Health)
))]
pub(super) async fn ready(State(server): State<Arc<Server>>) -> Answer<Json<Health>> {
    let failed = |detail: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail);
    blocking(move || {
        let names = server.libraries.names().ok().filter(|_| server.store.answers());
        let names =
            names.ok_or_else(|| failed("the server's database or its corpora cannot be read".to_owned()))?;
        let fault = |name: &String| Some(fault_in_words(name, &server.libraries.fault(name)?));
        let faults: Vec<String> = names.iter().filter_map(fault).collect();
        if faults.is_empty() { Ok(Json(Health { status: "ok" })) } else { Err(failed(faults.join("; "))) }
    })
    .await
}

/// Numbers for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server", responses((status = 200, body = String, content_type = "application/openmetrics-text")))]
pub(super) async fn metrics(State(server): State<Arc<Server>>, caller: Caller) -> Answer<impl IntoResponse> {
    caller.needs(Scope::Read)?;
    let count = |state| server.store.in_state(state);
    let text = server.metrics.text(count(JobState::Queued)?, count(JobState::Running)?);
    let text = text.map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text))
}
