//! Errors as `application/problem+json` (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::StoreError;

/// An error as the client sees it.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    retry_after: Option<u32>,
}

/// The body of an error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemBody<'a> {
    /// Always `about:blank`: the status says it all.
    #[schema(example = "about:blank")]
    r#type: &'static str,
    /// The status in words.
    title: &'a str,
    status: u16,
    /// What is wrong and what to do.
    detail: &'a str,
}

/// What is said where there is no room.
pub(crate) const FULL: &str = "the server's disk is full; delete uploads or results and try again";

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        if error.is_full() { Self::full() } else { Self::internal(&error) }
    }
}

pub(crate) type Answer<T> = Result<T, Problem>;

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), retry_after: None }
    }

    /// Whether it is about what was asked, and not about the server.
    pub(crate) fn is_unprocessable(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    /// What is wrong and what to do.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// The request says something that cannot be done.
    pub(crate) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// What is meant is well-formed and makes no sense.
    pub(crate) fn unprocessable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// There is no such thing, or it is somebody else's.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}, or it belongs to somebody else"))
    }

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// Something failed on the server. The log says what. The answer names no files.
    pub(crate) fn internal(error: &dyn std::fmt::Display) -> Self {
        Self::failed(error, "the server failed; its log says why")
    }

    /// Something failed on the server. The log says all of it, and `detail` what may be known.
    pub(crate) fn failed(error: &dyn std::fmt::Display, detail: impl Into<String>) -> Self {
        tracing::error!(error = %error, "request failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    /// A limit is reached. The client may try again after `seconds`.
    pub(crate) fn too_many(detail: impl Into<String>, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    pub(crate) fn busy(detail: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
    }

    /// A file could not be written: the disk may be full.
    pub(crate) fn of_writing(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::full(),
            _ => Self::internal(error),
        }
    }

    fn full() -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, FULL)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("Error");
        let body =
            ProblemBody { r#type: "about:blank", title, status: self.status.as_u16(), detail: &self.detail };
        let body = serde_json::to_vec(&body).expect("strings and numbers");
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
