//! Files that clients give.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::blocking::blocking;
use super::body::{PathParameters, QueryParameters};
use crate::caller::Caller;
use crate::identifier;
use crate::problem::{Answer, Problem};
use crate::receive;
use crate::state::Server;
use crate::tokens::Scope;
use crate::upload::Upload;

#[derive(Serialize, ToSchema)]
pub(super) struct Uploads {
    uploads: Vec<Upload>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Named {
    /// What the file is called; its ending says the language.
    #[param(example = "homework.zip")]
    name: String,
}

/// Takes a file: an archive, or a file of code. The body is its content, as it is.
#[utoipa::path(post, path = "/api/v1/uploads", tag = "uploads", params(Named),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses(
    (status = 201, body = Upload)
))]
pub(super) async fn receive(
    State(server): State<Arc<Server>>,
    caller: Caller,
    QueryParameters(Named { name }): QueryParameters<Named>,
    headers: HeaderMap,
    body: Body,
) -> Answer<(StatusCode, Json<Upload>)> {
    caller.needs(Scope::Upload)?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/") || kind.starts_with("application/x-www-form-urlencoded") {
        let detail = "send the file itself as the body: curl --data-binary @FILE -H 'Content-Type: application/octet-stream'";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let most = server.options.most_uploaded;
    let mut room = server.rooms.open(&caller.owner, most, || server.store.uploaded(&caller.owner))?;
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|announced| !room.take(announced)) {
        return Err(receive::too_large(room.left()));
    }
    let Ok(_permit) = server.receiving.try_acquire() else {
        return Err(Problem::busy("too many uploads are running; try again in a moment"));
    };
    let upload = receive::receive(body, &name, &caller.owner, &mut room, &server.options.data).await?;
    if let Err(error) = room.keep(upload.bytes, || server.store.insert_upload(&upload)) {
        let _ = tokio::fs::remove_dir_all(upload.folder(&server.options.data)).await;
        return Err(error.into());
    }
    server.metrics.uploaded(upload.bytes);
    Ok((StatusCode::CREATED, Json(upload)))
}

/// The caller's uploads.
#[utoipa::path(get, operation_id = "list_uploads", path = "/api/v1/uploads", tag = "uploads", responses(
    (status = 200, body = Uploads)
))]
pub(super) async fn list(State(server): State<Arc<Server>>, caller: Caller) -> Answer<Json<Uploads>> {
    caller.needs(Scope::Read)?;
    let uploads = server.store.uploads(caller.sees())?;
    Ok(Json(Uploads { uploads }))
}

/// Deletes an upload. What was made of it stays.
#[utoipa::path(delete, operation_id = "delete_upload", path = "/api/v1/uploads/{id}", tag = "uploads", params(("id" = String, Path)), responses(
    (status = 204)
))]
pub(super) async fn delete(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(id): PathParameters<String>,
) -> Answer<StatusCode> {
    caller.needs(Scope::Upload)?;
    blocking(move || {
        let found = if identifier::is_one(&id) { server.store.upload(&id, caller.sees()) } else { Ok(None) };
        let upload = found?;
        let upload = upload.ok_or_else(|| Problem::not_found("upload"))?;
        if server.store.is_wanted(&id)? {
            let detail = "a job that has not ended needs this upload; wait for the job or cancel it";
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        server.store.delete_upload(&id)?;
        std::fs::remove_dir_all(upload.folder(&server.options.data))
            .map_err(|error| Problem::internal(&error))?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
