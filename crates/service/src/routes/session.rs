//! Who asks, and sign-in for browsers: a token becomes a cookie that scripts cannot read.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use familiar_source::Language;
use familiar_syntax::languages;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use crate::caller::{COOKIE, Caller, by_token};
use crate::problem::{Answer, Problem};
use crate::state::Server;

/// Who asks.
#[derive(Serialize, ToSchema)]
pub(super) struct Session {
    /// The token's name.
    name: String,
    /// Whose members see what the others make.
    team: Option<String>,
    /// Some of read, upload, admin.
    scopes: Vec<&'static str>,
    /// Whether nobody has to sign in.
    open: bool,
    /// Seconds since 1970.
    expires: Option<i64>,
    version: &'static str,
    /// Whether corpora stay as they are.
    read_only: bool,
    /// By which ending of a file's name the server knows each language, where there is one.
    endings: BTreeMap<&'static str, &'static str>,
}

/// A token to sign in with.
#[derive(Deserialize, ToSchema)]
pub(super) struct SignIn {
    token: String,
}

fn of(caller: Caller, server: &Server) -> Json<Session> {
    let Caller { name, owner, scope, expires, open } = caller;
    let team = owner.strip_prefix("team:").map(str::to_owned);
    let (version, read_only) = (env!("CARGO_PKG_VERSION"), server.options.read_only);
    Json(Session { name, team, scopes: scope.names(), open, expires, version, read_only, endings: endings() })
}

/// The first ending of each language.
fn endings() -> BTreeMap<&'static str, &'static str> {
    let ending =
        |language: Language| Some((language.name(), *languages::definition(language).extensions.first()?));
    Language::all().filter_map(ending).collect()
}

/// Who asks.
#[utoipa::path(get, path = "/api/v1/session", tag = "session", responses(
    (status = 200, body = Session)
))]
pub(super) async fn session(State(server): State<Arc<Server>>, caller: Caller) -> Json<Session> {
    of(caller, &server)
}

/// Signs a browser in.
#[utoipa::path(post, path = "/api/v1/session", tag = "session", security(()), request_body = SignIn, responses(
    (status = 200, body = Session, headers(("set-cookie" = String)))
))]
pub(super) async fn sign_in(
    State(server): State<Arc<Server>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Body(SignIn { token }): Body<SignIn>,
) -> Answer<impl IntoResponse> {
    // Nobody is to be signed in as somebody else by a page of another site.
    if headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin") {
        return Err(Problem::forbidden("a page of another site is not allowed to do this"));
    }
    let token = token.trim();
    let caller = by_token(&server, token, peer.ip())?;
    let secure = if server.options.tls.is_some() { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800{secure}");
    Ok(([(header::SET_COOKIE, cookie)], of(caller, &server)))
}

/// Signs a browser out.
#[utoipa::path(delete, path = "/api/v1/session", tag = "session", responses((status = 204)))]
pub(super) async fn sign_out(_: Caller) -> impl IntoResponse {
    let cookie = format!("{COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)])
}
