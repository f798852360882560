//! The page; it comes with the program, and asks no other server for anything.

use axum::Router;
use axum::http::{StatusCode, header};
use axum::routing::get;

const INDEX: &str = include_str!("../../judging/index.html");
const SCRIPT: &str = include_str!("../../judging/judge.js");
const STYLE: &str = include_str!("../../judging/judge.css");

/// What every answer says to browsers: nothing but this server's own files, in no frame, and no markup out of texts.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

pub(super) fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let text = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, kind)], text) })
    };
    Router::new()
        .route("/", text("text/html; charset=utf-8", INDEX))
        .route("/judge.js", text("text/javascript; charset=utf-8", SCRIPT))
        .route("/judge.css", text("text/css; charset=utf-8", STYLE))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_makes_no_markup_of_texts() {
        for word in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:"]
        {
            assert!(!SCRIPT.contains(word) && !INDEX.contains(word) && !STYLE.contains(word), "{word}");
        }
        for word in [" style=", "onclick", "<script>"] {
            assert!(!INDEX.contains(word), "{word}");
        }
    }
}
