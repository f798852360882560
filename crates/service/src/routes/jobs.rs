//! Long work: how far it is.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, watch};
use utoipa::ToSchema;

use super::body::{Paged, PathParameters, QueryParameters};
use crate::caller::Caller;
use crate::identifier;
use crate::job::Job;
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::tokens::Scope;

#[derive(Serialize, ToSchema)]
pub(super) struct Jobs {
    total: u64,
    /// The newest first.
    jobs: Vec<Job>,
}

/// The caller's jobs.
#[utoipa::path(get, operation_id = "list_jobs", path = "/api/v1/jobs", tag = "jobs", params(Paged), responses(
    (status = 200, body = Jobs)
))]
pub(super) async fn list(
    State(server): State<Arc<Server>>,
    caller: Caller,
    QueryParameters(paged): QueryParameters<Paged>,
) -> Answer<Json<Jobs>> {
    caller.needs(Scope::Read)?;
    let (total, jobs) = server.jobs.list(caller.sees(), paged.window()?)?;
    Ok(Json(Jobs { total, jobs }))
}

fn job(server: &Server, caller: &Caller, id: &str) -> Answer<Job> {
    let found = if identifier::is_one(id) { server.jobs.job(id, caller.sees()) } else { Ok(None) };
    found?.ok_or_else(|| Problem::not_found("job"))
}

/// A job, and how far it is.
#[utoipa::path(get, operation_id = "job", path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path)), responses(
    (status = 200, body = Job)
))]
pub(super) async fn one(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(id): PathParameters<String>,
) -> Answer<Json<Job>> {
    caller.needs(Scope::Read)?;
    job(&server, &caller, &id).map(Json)
}

/// Cancels a job. One that has ended stays as it is.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path)), responses(
    (status = 200, body = Job)
))]
pub(super) async fn cancel(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(id): PathParameters<String>,
) -> Answer<Json<Job>> {
    caller.needs(Scope::Upload)?;
    job(&server, &caller, &id)?;
    server.jobs.cancel(&id)?;
    job(&server, &caller, &id).map(Json)
}

/// Follows a job: an event `job` now and whenever it gets on, the last when it has ended.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", tag = "jobs", params(("id" = String, Path)), responses(
    (status = 200, description = "text/event-stream; the data of an event is a `Job`")
))]
pub(super) async fn events(
    State(server): State<Arc<Server>>,
    caller: Caller,
    PathParameters(id): PathParameters<String>,
) -> Answer<impl IntoResponse> {
    caller.needs(Scope::Read)?;
    let found = if identifier::is_one(&id) { server.jobs.watch(&id, caller.sees()) } else { Ok(None) };
    let watched = found?.ok_or_else(|| Problem::not_found("job"))?;
    let permit = Arc::clone(&server.streams).try_acquire_owned();
    let permit = permit.map_err(|_| {
        Problem::busy("too many event streams are open; ask for the job again and again instead")
    })?;
    let following = Following { watched, is_first: true, permit };
    let events = stream::unfold(Some(following), |state| async move {
        let mut following = state?;
        let job = following.next().await?;
        let event = Event::default().event("job").json_data(&job).unwrap_or_default();
        let state = (!job.state.is_final()).then_some(following);
        Some((Ok::<_, Infallible>(event), state))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// Somebody who follows a job.
struct Following {
    watched: watch::Receiver<Job>,
    is_first: bool,
    #[allow(dead_code)]
    permit: OwnedSemaphorePermit,
}

/// Least time between two events.
const PAUSE: Duration = Duration::from_millis(200);

impl Following {
    /// The job as it is when it has got on; nothing where nobody will say more.
    async fn next(&mut self) -> Option<Job> {
        if !std::mem::take(&mut self.is_first) {
            tokio::time::sleep(PAUSE).await;
            self.watched.changed().await.ok()?;
        }
        Some(self.watched.borrow_and_update().clone())
    }
}
