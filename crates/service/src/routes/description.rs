//! The page that shows `/api/v1/openapi.json` and lets it be tried: Swagger UI, out of the archive in which it is published.

use std::borrow::Cow;
use std::io::{Cursor, Read as _};

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;
use zip::result::ZipError;

use super::body::PathParameters;
use crate::problem::Problem;

/// Tells the page where the description is. The one in the archive shows an example of theirs.
const INITIALIZER: &str = r##"window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: "/api/v1/openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: "StandaloneLayout",
  });
};
"##;

/// What the page consists of. Everything else in the archive stays there.
const FILES: [(&str, &str); 7] = [
    ("index.html", "text/html; charset=utf-8"),
    ("index.css", "text/css; charset=utf-8"),
    ("swagger-ui.css", "text/css; charset=utf-8"),
    ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    ("swagger-ui-standalone-preset.js", "text/javascript; charset=utf-8"),
    ("favicon-16x16.png", "image/png"),
    ("favicon-32x32.png", "image/png"),
];

/// Swagger UI sets styles of its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

pub(super) fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/api", get(|| async { Redirect::temporary("/api/docs/") }))
        .route("/api/docs", get(|| async { Redirect::temporary("/api/docs/") }))
        .route("/api/docs/", get(|| async { file("index.html") }))
        .route(
            "/api/docs/{file}",
            get(|PathParameters(name): PathParameters<String>| async move { file(&name) }),
        )
}

fn file(name: &str) -> Response {
    if name == "swagger-initializer.js" {
        return page("text/javascript; charset=utf-8", INITIALIZER.into());
    }
    let Some(&(name, kind)) = FILES.iter().find(|(known, _)| *known == name) else {
        return Problem::not_found("page").into_response();
    };
    match unpacked(name) {
        Ok(content) => page(kind, content),
        Err(error) => Problem::internal(&error).into_response(),
    }
}

fn page(kind: &'static str, content: Vec<u8>) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, content).into_response()
}

/// The content of a file of the page.
fn unpacked(name: &str) -> Result<Vec<u8>, ZipError> {
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    // The folder around all is named after the version.
    let is_it =
        |path: &str| path.split_once('/').and_then(|(_, path)| path.strip_prefix("dist/")) == Some(name);
    let path = archive.file_names().flatten().find(|path| is_it(path)).map(Cow::into_owned);
    let path = path.ok_or(ZipError::FileNotFound)?;
    let mut file = archive.by_name(&path)?;
    let mut content = Vec::with_capacity(usize::try_from(file.size()).unwrap_or(0));
    file.read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_that_the_page_names_are_there() {
        let page = String::from_utf8(unpacked("index.html").expect("it is in the archive")).expect("text");
        let named = page.split(['"', '\'']).filter(|text| text.contains('.') && !text.contains(' '));
        let named: Vec<&str> = named.map(|name| name.trim_start_matches("./")).collect();
        assert!(named.contains(&"swagger-initializer.js"), "{named:?}");
        for name in named.into_iter().filter(|name| *name != "swagger-initializer.js") {
            assert!(FILES.iter().any(|(known, _)| *known == name), "{name}");
        }
        for (name, _) in FILES {
            assert!(!unpacked(name).expect("it is in the archive").is_empty(), "{name}");
        }
    }
}
