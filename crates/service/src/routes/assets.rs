//! The pages of the web UI and of the interactive description; they come with the program.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::problem::Problem;
use crate::server::Server;

const INDEX: &str = include_str!("../../assets/index.html");
const SCRIPT: &str = include_str!("../../assets/app.js");
const STYLE: &str = include_str!("../../assets/app.css");

pub(super) fn pages() -> Router<Arc<Server>> {
    let text = |kind: &'static str, text: &'static str| {
        get(
            move || async move { ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text) },
        )
    };
    Router::new()
        .route("/", text("text/html; charset=utf-8", INDEX))
        .route("/assets/app.js", text("text/javascript; charset=utf-8", SCRIPT))
        .route("/assets/app.css", text("text/css; charset=utf-8", STYLE))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .route("/api", get(|| async { Redirect::temporary("/api/docs/") }))
        .route("/api/docs", get(|| async { Redirect::temporary("/api/docs/") }))
        .route("/api/docs/", get(|| async { description("index.html") }))
        .route("/api/docs/{file}", get(|Path(file): Path<String>| async move { description(&file) }))
}

/// The page that shows `/api/v1/openapi.json` and lets it be tried.
fn description(file: &str) -> Response {
    let config = Arc::new(utoipa_swagger_ui::Config::from("/api/v1/openapi.json"));
    match utoipa_swagger_ui::serve(file, config) {
        Ok(Some(file)) => {
            // Swagger UI sets styles of its own.
            let policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
            let headers = [
                (header::CONTENT_TYPE, file.content_type),
                (header::CONTENT_SECURITY_POLICY, policy.to_owned()),
            ];
            (headers, file.bytes.into_owned()).into_response()
        }
        Ok(None) => Problem::not_found("page").into_response(),
        Err(error) => Problem::internal(&error).into_response(),
    }
}
