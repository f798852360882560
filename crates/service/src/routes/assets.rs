//! The pages of the web UI; they come with the program.

use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::routing::get;

use crate::state::Server;

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
}
