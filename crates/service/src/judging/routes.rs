//! What the page asks.

use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::desk::{Desk, Refused};
use super::page::{POLICY, pages};
use super::sign_in::{Judges, cookie};
use crate::problem::{Answer, Problem};

/// Most bytes of a request.
const BODY: usize = 256 << 10;

/// What all requests share.
#[derive(Clone)]
struct Shared {
    desk: Arc<dyn Desk>,
    judges: Arc<Judges>,
}

pub(super) fn app(desk: Arc<dyn Desk>, judges: Judges) -> Router {
    Router::new()
        .route("/api/session", get(session).post(sign_in).delete(sign_out))
        .route("/api/next", post(next))
        .route("/api/judgements", post(judge))
        .route("/api/undo", post(undo))
        .merge(pages())
        .fallback(|| async { Problem::new(StatusCode::NOT_FOUND, "this address does not exist; open /") })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn(guarded))
        .with_state(Shared { desk, judges: Arc::new(judges) })
}

/// Refuses what pages of other sites send, and adds the headers that every answer has.
async fn guarded(request: Request, next: Next) -> Response {
    let other_site =
        request.headers().get("sec-fetch-site").is_some_and(|it| it != "same-origin" && it != "none");
    let mut response = if other_site && !request.method().is_safe() {
        Problem::forbidden("a page of another site is not allowed to do this").into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// Does the work of a judge who has signed in, on a thread of its own.
async fn of_judge(
    shared: Shared,
    headers: &HeaderMap,
    work: impl FnOnce(&dyn Desk, &str) -> Result<Value, Refused> + Send + 'static,
) -> Answer<Json<Value>> {
    let Some(judge) = shared.judges.asking(headers).map(str::to_owned) else {
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "sign in with the token of a judge"));
    };
    let done = tokio::task::spawn_blocking(move || work(&*shared.desk, &judge)).await;
    match done.map_err(|error| Problem::internal(&error))? {
        Ok(value) => Ok(Json(value)),
        Err(Refused::Wrong(reason)) => Err(Problem::new(StatusCode::CONFLICT, reason)),
        Err(Refused::Failed(reason)) => Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, reason)),
    }
}

fn body<T>(body: Result<Json<T>, JsonRejection>) -> Answer<T> {
    body.map(|Json(value)| value).map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()))
}

async fn session(State(shared): State<Shared>, headers: HeaderMap) -> Answer<Json<Value>> {
    of_judge(shared, &headers, Desk::progress).await
}

#[derive(Deserialize)]
struct SignIn {
    token: String,
}

async fn sign_in(
    State(shared): State<Shared>,
    sent: Result<Json<SignIn>, JsonRejection>,
) -> Answer<impl IntoResponse> {
    let SignIn { token } = body(sent)?;
    let token = token.trim();
    if shared.judges.by_token(token).is_none() {
        return Err(Problem::new(
            StatusCode::UNAUTHORIZED,
            "no judge has this token; ask who runs this server",
        ));
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie(Some(token)))]))
}

async fn sign_out() -> impl IntoResponse {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie(None))])
}

/// Pairs that the judge wants to see later.
#[derive(Default, Deserialize)]
struct Skipped {
    #[serde(default)]
    skipped: Vec<String>,
}

async fn next(
    State(shared): State<Shared>,
    headers: HeaderMap,
    sent: Result<Json<Skipped>, JsonRejection>,
) -> Answer<Json<Value>> {
    let Skipped { skipped } = body(sent)?;
    of_judge(shared, &headers, move |desk, judge| {
        Ok(json!({"pair": desk.next(judge, &skipped)?, "progress": desk.progress(judge)?}))
    })
    .await
}

/// A judgement, and which pairs the judge wants to see later.
#[derive(Deserialize)]
struct Judged {
    said: Value,
    #[serde(default)]
    skipped: Vec<String>,
}

/// Keeps a judgement, and answers with the next pair.
async fn judge(
    State(shared): State<Shared>,
    headers: HeaderMap,
    sent: Result<Json<Judged>, JsonRejection>,
) -> Answer<Json<Value>> {
    let Judged { said, skipped } = body(sent)?;
    of_judge(shared, &headers, move |desk, judge| {
        let outcome = desk.judge(judge, said)?;
        let (pair, progress) = (desk.next(judge, &skipped)?, desk.progress(judge)?);
        Ok(json!({"outcome": outcome, "pair": pair, "progress": progress}))
    })
    .await
}

async fn undo(State(shared): State<Shared>, headers: HeaderMap) -> Answer<Json<Value>> {
    of_judge(shared, &headers, |desk, judge| {
        let pair = desk.undo(judge)?;
        Ok(json!({"pair": pair, "progress": desk.progress(judge)?}))
    })
    .await
}
