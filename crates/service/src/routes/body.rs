//! Bodies, queries and paths of requests, refused as problems where they are wrong.

use std::time::Duration;

use axum::Json;
use axum::body::{Bytes, to_bytes};
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::problem::Problem;
use crate::store::Window;

/// A body in JSON.
pub(super) struct Body<T>(pub(super) T);

/// How long a client may take to send one, and one that may be large.
const SLOWEST: Duration = Duration::from_secs(30);
const SLOWEST_LARGE: Duration = Duration::from_secs(300);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = within(SLOWEST, Json::<T>::from_request(request, state)).await?;
        read.map(|Json(value)| Self(value)).map_err(|rejection| rejected(&rejection))
    }
}

/// What comes of a body, unless it takes too long.
async fn within<T>(slowest: Duration, read: impl Future<Output = T>) -> Result<T, Problem> {
    tokio::time::timeout(slowest, read).await.map_err(|_| {
        let detail = format!("the body took more than {} seconds", slowest.as_secs());
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    })
}

/// A body as it is, which may be large.
pub(super) struct Whole(pub(super) Bytes);

impl<S: Send + Sync> FromRequest<S> for Whole {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = within(SLOWEST_LARGE, Bytes::from_request(request, state)).await?;
        read.map(Self).map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()))
    }
}

/// A request whose body is there, of at most so many bytes: for a service that waits for it without end.
pub(super) async fn read_first(request: Request, most: usize) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    let read = within(SLOWEST, to_bytes(body, most)).await?;
    let detail = format!("the body has more than {most} bytes, or was cut off");
    let read = read.map_err(|_| Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))?;
    Ok(Request::from_parts(parts, read.into()))
}

fn rejected(rejection: &JsonRejection) -> Problem {
    match rejection {
        JsonRejection::MissingJsonContentType(_) => {
            Problem::new(rejection.status(), "send JSON, with `Content-Type: application/json`")
        }
        _ => Problem::new(rejection.status(), rejection.body_text()),
    }
}

/// What stands behind the question mark.
pub(super) struct QueryParameters<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(value)| Self(value)).map_err(|error: QueryRejection| Problem::bad(error.body_text()))
    }
}

/// What stands in the path.
pub(super) struct PathParameters<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(value)| Self(value))
            .map_err(|error: PathRejection| Problem::new(error.status(), error.body_text()))
    }
}

/// Some of a list.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Paged {
    /// How many to skip.
    #[serde(default)]
    #[param(default = 0)]
    offset: u32,
    /// How many at most, 500 at the most.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 1, maximum = 500)]
    limit: u32,
}

fn fifty() -> u32 {
    50
}

impl Paged {
    pub(super) fn window(self) -> Result<Window, Problem> {
        if (1..=500).contains(&self.limit) {
            Ok(Window { offset: self.offset, limit: self.limit })
        } else {
            Err(Problem::bad("limit is a number from 1 to 500"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_for_a_body_without_end() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a thread");
        let waited = within(Duration::from_millis(20), std::future::pending::<()>());
        let problem = runtime.block_on(waited).expect_err("it never comes");
        assert!(problem.detail().contains("took more than"), "{}", problem.detail());
    }
}
