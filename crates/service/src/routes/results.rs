//! What jobs left: numbers, files to download, and pages to browse.

use std::path::{Component, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tower::ServiceExt;
use tower_http::services::ServeFile;
use utoipa::ToSchema;

use super::blocking::blocking;
use super::body::{Paged, PathParameters, QueryParameters};
use crate::caller::Caller;
use crate::identifier;
use crate::problem::{Answer, Problem};
use crate::results::Stored;
use crate::state::Server;
use crate::tokens::Scope;
use crate::worker::{REPORT, file_of};

#[derive(Serialize, ToSchema)]
pub(super) struct Results {
    total: u64,
    /// The newest first.
    results: Vec<Stored>,
}

/// The caller's results.
#[utoipa::path(get, operation_id = "list_results", path = "/api/v1/results", tag = "results", params(Paged), responses(
    (status = 200, body = Results)
))]
pub(super) async fn list(
    State(server): State<Arc<Server>>,
    caller: Caller,
    QueryParameters(paged): QueryParameters<Paged>,
) -> Answer<Json<Results>> {
    caller.needs(Scope::Read)?;
    let found = server.store.results(caller.sees(), paged.window()?);
    let (total, results) = found?;
    Ok(Json(Results { total, results }))
}

fn result(server: &Server, caller: &Caller, id: &str) -> Answer<Stored> {
    let found = if identifier::is_one(id) { server.store.result(id, caller.sees()) } else { Ok(None) };
    found?.ok_or_else(|| Problem::not_found("result"))
}

/// A result in numbers. The pages of clones, audits and licenses are at `/reports/{id}/index.html`.
#[utoipa::path(get, operation_id = "result", path = "/api/v1/results/{id}", tag = "results", params(("id" = String, Path)), responses(
    (status = 200, body = Stored)
))]
pub(super) async fn one(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(id): PathParameters<String>,
) -> Answer<Json<Stored>> {
    caller.needs(Scope::Read)?;
    result(&server, &caller, &id).map(Json)
}

/// Deletes a result.
#[utoipa::path(delete, operation_id = "delete_result", path = "/api/v1/results/{id}", tag = "results", params(("id" = String, Path)), responses(
    (status = 204)
))]
pub(super) async fn delete(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(id): PathParameters<String>,
) -> Answer<StatusCode> {
    caller.needs(Scope::Upload)?;
    blocking(move || {
        let result = result(&server, &caller, &id)?;
        server.store.delete_result(&id)?;
        let removed = std::fs::remove_dir_all(result.folder(&server.options.data));
        removed.map_err(|error| Problem::internal(&error))?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// A result as a file, as `familiar clones`, `audit` and `license` write it.
#[utoipa::path(get, operation_id = "result_file", path = "/api/v1/results/{id}/files/{format}", tag = "results",
    params(("id" = String, Path), ("format" = String, Path, description = "of clones: json, csv, ndjson, markdown, sarif, gitlab; of an audit: text, json, csv, ndjson, sarif, spdx-json, cyclonedx; of licenses: text, json, csv, ndjson; `excerpt` where one was asked for")), responses(
    (status = 200, body = Vec<u8>, content_type = "application/octet-stream")
))]
pub(super) async fn file(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters((id, format)): PathParameters<(String, String)>,
    request: Request,
) -> Answer<Response> {
    caller.needs(Scope::Read)?;
    let result = result(&server, &caller, &id)?;
    let name = file_of(&result.kind, &format).ok_or_else(|| Problem::not_found("format"))?;
    let mut response = send(result.folder(&server.options.data).join(name), request).await?;
    let attached = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).expect("a plain name");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, attached);
    Ok(response)
}

/// A file of the pages to browse.
pub(super) async fn page(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters((id, path)): PathParameters<(String, String)>,
    request: Request,
) -> Answer<Response> {
    caller.needs(Scope::Read)?;
    let result = result(&server, &caller, &id)?;
    let below = PathBuf::from(path);
    if !below.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(Problem::not_found("page"));
    }
    send(result.folder(&server.options.data).join(REPORT).join(below), request).await
}

/// A file, or the part of it that is asked for.
async fn send(path: PathBuf, request: Request) -> Answer<Response> {
    if !tokio::fs::metadata(&path).await.is_ok_and(|metadata| metadata.is_file()) {
        return Err(Problem::not_found("file"));
    }
    let response = ServeFile::new(path).oneshot(request).await.unwrap_or_else(|never| match never {});
    Ok(response.into_response())
}
