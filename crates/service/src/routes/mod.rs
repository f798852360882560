//! What the server answers: a file for each kind of thing.
//!
//! This file joins them to one router with its OpenAPI description, and sets the headers that every
//! answer has, such as `Content-Security-Policy`.

mod assets;
mod audit;
mod blocking;
mod body;
mod clones;
mod corpora;
mod decisions;
mod description;
mod find;
mod health;
mod jobs;
mod results;
mod session;
mod submit;
#[cfg(test)]
mod tests;
mod uploads;

use std::sync::Arc;
use std::time::Instant;

use axum::body::to_bytes;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::agents::Agents;
use crate::caller::{Caller, identify};
use crate::problem::{Answer, Problem, ProblemBody};
use crate::state::Server;
use crate::tokens::Scope;

/// Most bytes of a request that is no upload.
const BODY: usize = 4 << 20;
/// Most bytes of decisions that are taken over, or of a result that is accepted as a whole.
const IMPORT: usize = 64 << 20;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Familiar",
        description = "Have I seen this code before? Long work is a job: poll it or follow its events, then read its result. \
            Errors are application/problem+json (RFC 9457).",
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT")
    ),
    modifiers(&Tokens),
    components(schemas(ProblemBody)),
    security(("token" = [])),
    tags(
        (name = "find", description = "Look code up at once"),
        (name = "uploads", description = "Files to compare or to add to a corpus"),
        (name = "clones", description = "Clones among uploads and corpora, as a job"),
        (name = "licenses", description = "Audits and licenses of uploads, as jobs; verdicts on licenses, at once"),
        (name = "corpora", description = "What may be asked"),
        (name = "jobs", description = "Long work"),
        (name = "results", description = "What jobs left"),
        (name = "decisions", description = "What people say of findings, by fingerprint"),
        (name = "session", description = "Who asks, and sign-in for browsers"),
        (name = "server", description = "How the server is")
    )
)]
struct Api;

struct Tokens;

impl utoipa::Modify for Tokens {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let components = api.components.get_or_insert_default();
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
    }
}

/// All routes, and the description of those under `/api/v1`.
fn api() -> (Router<Arc<Server>>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(session::session, session::sign_in, session::sign_out))
        .routes(routes!(corpora::list))
        .routes(routes!(corpora::info))
        .routes(routes!(corpora::skips))
        .routes(routes!(corpora::add, corpora::remove))
        .routes(routes!(corpora::update))
        .routes(routes!(find::find))
        .routes(routes!(find::queries))
        .routes(routes!(uploads::list))
        .routes(routes!(uploads::delete))
        .routes(routes!(clones::clones))
        .routes(routes!(audit::audit))
        .routes(routes!(audit::licenses))
        .routes(routes!(audit::verdicts))
        .routes(routes!(jobs::list))
        .routes(routes!(jobs::one, jobs::cancel))
        .routes(routes!(jobs::events))
        .routes(routes!(results::list))
        .routes(routes!(results::one, results::delete))
        .routes(routes!(results::file))
        .routes(routes!(decisions::list, decisions::decide))
        .routes(routes!(decisions::history))
        .routes(routes!(decisions::file))
        .layer(DefaultBodyLimit::max(BODY))
        .merge(OpenApiRouter::new().routes(routes!(decisions::import)).layer(DefaultBodyLimit::max(IMPORT)))
        // Its body is as long as the token's uploads may be.
        .merge(OpenApiRouter::new().routes(routes!(uploads::receive)).layer(DefaultBodyLimit::disable()))
        .split_for_parts()
}

/// Says of every operation that whatever goes wrong is told as a problem.
fn describe_errors(api: &mut utoipa::openapi::OpenApi) {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ProblemBody"))).build();
    let problem = ResponseBuilder::new()
        .description(
            "What is wrong and what to do: 400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503 or 507",
        )
        .content("application/problem+json", content)
        .build();
    for item in api.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten() {
            operation.responses.responses.insert("default".to_owned(), problem.clone().into());
        }
    }
}

/// The whole server.
pub(crate) fn app(server: Arc<Server>) -> Router {
    let (api, mut description) = api();
    describe_errors(&mut description);
    let description: Arc<str> = description.to_json().expect("a description is plain data").into();
    let described = move || {
        let description = Arc::clone(&description);
        async move { ([(header::CONTENT_TYPE, "application/json")], description.to_string()) }
    };
    let agents = Agents::remote(Arc::clone(&server.libraries), Arc::clone(&server.finders)).service();
    api.route("/api/v1/openapi.json", get(described))
        .merge(
            Router::new()
                .route_service("/mcp", agents)
                .layer(middleware::from_fn(told))
                .layer(middleware::from_fn(known)),
        )
        .merge(assets::pages())
        .merge(description::pages())
        .route("/reports/{id}/{*path}", get(results::page))
        .fallback(|| async {
            Problem::new(StatusCode::NOT_FOUND, "this address does not exist; /api/docs lists those that do")
        })
        .method_not_allowed_fallback(|| async {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address does not accept this method; /api/docs says which it accepts",
            )
        })
        .layer(middleware::from_fn_with_state(Arc::clone(&server), identify))
        .layer(middleware::from_fn_with_state(Arc::clone(&server), note))
        .with_state(server)
}

/// Refuses whoever has not signed in, and whoever takes too long to say what is asked.
async fn known(caller: Caller, request: Request, next: Next) -> Answer<Response> {
    caller.needs(Scope::Read)?;
    Ok(next.run(body::read_first(request, BODY).await?).await)
}

/// Tells an agent in JSON what is wrong with a message that cannot be read, as JSON-RPC has it; and everything else as a problem.
async fn told(request: Request, next: Next) -> Response {
    /// How the protocol's library begins what it says of messages.
    const UNREADABLE: &str = "fail to deserialize request body ";
    let response = next.run(request).await;
    let (status, kind) = (response.status(), response.headers().get(header::CONTENT_TYPE));
    if !status.is_client_error() || kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/")) {
        return response;
    }
    let text = to_bytes(response.into_body(), BODY).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let Some(reason) = text.strip_prefix(UNREADABLE) else {
        return Problem::new(status, text).into_response();
    };
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": reason}});
    (StatusCode::BAD_REQUEST, Json(error)).into_response()
}

/// What every answer says to browsers: nothing but this server's own files, in no frame of others, and no guesses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

/// Counts and logs a request, without what was in it, and adds the headers that every answer has.
async fn note(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = match request.method() {
        known @ (&Method::GET
        | &Method::HEAD
        | &Method::POST
        | &Method::PUT
        | &Method::DELETE
        | &Method::OPTIONS) => known.to_string(),
        _ => "OTHER".to_owned(),
    };
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let mut response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), start.elapsed());
    server.metrics.request(&method, &route, status, took);
    tracing::info!(method, route, status, milliseconds = took.as_millis() as u64, "request");
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
