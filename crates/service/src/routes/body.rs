//! Bodies, queries and paths of requests, refused as problems where they are wrong.

use std::time::Duration;

use axum::Json;
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

/// How long a client may take to send one.
const SLOWEST: Duration = Duration::from_secs(30);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = tokio::time::timeout(SLOWEST, Json::<T>::from_request(request, state)).await;
        match read {
            Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "the body took more than 30 seconds")),
            Ok(Ok(Json(value))) => Ok(Self(value)),
            Ok(Err(rejection)) => Err(rejected(&rejection)),
        }
    }
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
