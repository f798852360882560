//! Who asks, and what they may.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::store::Of;
use crate::tokens::{self, Scope};

/// The cookie that a browser signs in with.
pub(crate) const COOKIE: &str = "familiar";

/// Who owns what is made where nobody signs in.
pub(crate) const EVERYBODY: &str = "everybody";

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The token's name.
    pub(crate) name: String,
    /// Who owns what the caller makes: the caller, or the caller's team. Names have no colons, so that no token is called as a team is.
    pub(crate) owner: String,
    pub(crate) scope: Scope,
    pub(crate) expires: Option<i64>,
    /// Whether nobody has to sign in.
    pub(crate) open: bool,
}

impl Caller {
    /// Whose things the caller may see.
    pub(crate) fn sees(&self) -> Of<'_> {
        if self.scope == Scope::Admin { Of::Everybody } else { Of::Owner(&self.owner) }
    }

    /// Refuses who may do less.
    pub(crate) fn needs(&self, scope: Scope) -> Answer<()> {
        if self.scope >= scope {
            return Ok(());
        }
        let detail = format!(
            "this needs a token with the scope {}; the token {:?} has the scope {}",
            scope.name(),
            self.name,
            self.scope.name()
        );
        Err(Problem::forbidden(detail))
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(sign_in)
    }
}

fn sign_in() -> Problem {
    let detail = "sign in: send `Authorization: Bearer TOKEN`; an administrator creates tokens with `familiar serve token create NAME`";
    Problem::new(StatusCode::UNAUTHORIZED, detail)
}

/// Tells who asks, and refuses what a foreign page makes a browser ask.
pub(crate) async fn identify(
    State(server): State<Arc<Server>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    // These are for everybody, whatever else comes with the request.
    if ["/health", "/ready"].contains(&request.uri().path()) {
        return next.run(request).await;
    }
    match caller_of(&server, peer.ip(), request.method(), request.headers(), &host(&request)) {
        Ok(Some(caller)) => {
            if let Err(problem) = server.rates.caller(&caller.name) {
                return problem.into_response();
            }
            request.extensions_mut().insert(caller);
        }
        Ok(None) => {}
        Err(problem) => return problem.into_response(),
    }
    next.run(request).await
}

/// The host that the client means, with its port.
fn host(request: &Request) -> String {
    let authority = request.uri().authority().map(ToString::to_string);
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    authority.unwrap_or_else(|| host.unwrap_or_default().to_owned())
}

fn caller_of(
    server: &Server,
    peer: IpAddr,
    method: &Method,
    headers: &HeaderMap,
    host: &str,
) -> Answer<Option<Caller>> {
    if let Some(secret) = bearer(headers, server.options.proxy_header.is_some())? {
        return by_token(server, secret, peer).map(Some);
    }
    let foreign = is_foreign(headers, host) && !(method.is_safe() && is_navigation(headers));
    if let Some(secret) = cookie(headers) {
        if foreign {
            return Err(Problem::forbidden("a page of another site is not allowed to do this"));
        }
        // A cookie that is stale is as good as none, and nobody's guess: the page signs in again.
        return known(server, secret);
    }
    if let Some(name) = by_proxy(server, peer, headers) {
        if foreign {
            return Err(Problem::forbidden("a page of another site is not allowed to do this"));
        }
        let scope = Scope::Upload;
        return Ok(Some(Caller { owner: name.clone(), name, scope, expires: None, open: false }));
    }
    if server.is_open(peer, headers)? {
        // Another name for this address is how a foreign page reaches servers in the house (DNS rebinding).
        if foreign || !is_local(host) {
            let detail = "as long as there are no tokens, only this machine may ask, as localhost; create a token with `familiar serve token create NAME`";
            return Err(Problem::forbidden(detail));
        }
        let (name, scope) = (EVERYBODY.to_owned(), Scope::Admin);
        return Ok(Some(Caller { owner: name.clone(), name, scope, expires: None, open: true }));
    }
    Ok(None)
}

/// The token that is sent. Where a proxy signs people in, what it asks them for may come along, and is none.
fn bearer(headers: &HeaderMap, by_proxy: bool) -> Answer<Option<&str>> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let wrong = || Problem::new(StatusCode::UNAUTHORIZED, "write `Authorization: Bearer TOKEN`");
    let (scheme, secret) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(wrong)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(Some(secret.trim()))
    } else if by_proxy {
        Ok(None)
    } else {
        Err(wrong())
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value).next()
}

/// The caller whom a token stands for.
pub(crate) fn by_token(server: &Server, secret: &str, peer: IpAddr) -> Answer<Caller> {
    known(server, secret)?.ok_or_else(|| server.rates.wrong(peer))
}

/// The caller whom a token stands for, if it stands for any.
fn known(server: &Server, secret: &str) -> Answer<Option<Caller>> {
    let Some(token) = server.store.token(&tokens::hash(secret))? else { return Ok(None) };
    let owner = token.team.map_or_else(|| token.name.clone(), |team| format!("team:{team}"));
    let (name, scope, expires) = (token.name, token.scope, token.expires);
    Ok(Some(Caller { name, owner, scope, expires, open: false }))
}

/// Whom a proxy on this machine has signed in, where the server is configured to trust it.
fn by_proxy(server: &Server, peer: IpAddr, headers: &HeaderMap) -> Option<String> {
    let header: &HeaderName = server.options.proxy_header.as_ref()?;
    let name = headers.get(header).filter(|_| peer.is_loopback())?.to_str().ok()?.trim();
    (!name.is_empty() && name.len() <= 128).then(|| format!("proxy:{name}"))
}

/// Whether a browser says that a page of another origin asks. Browsers that say how a page relates to the server know it best: behind
/// a proxy, the server may have another name for itself than the page has.
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return !matches!(site, "same-origin" | "none");
    }
    let origin = text(header::ORIGIN).map(|origin| origin.split_once("://").map_or(origin, |(_, host)| host));
    origin.is_some_and(|origin| origin != host)
}

/// Whether a browser says that the user follows a link here.
fn is_navigation(headers: &HeaderMap) -> bool {
    let mode = headers.get(HeaderName::from_static("sec-fetch-mode"));
    mode.is_some_and(|mode| mode == "navigate") && !headers.contains_key(header::ORIGIN)
}

/// Whether a host is a name of this machine to itself.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_proxy_asks_for_is_no_token() {
        let of = |value: &str, by_proxy: bool| {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().expect("a value"))]);
            bearer(&headers, by_proxy).map(|found| found.map(str::to_owned))
        };
        assert_eq!(of("Basic YW5uOmE=", true).expect("it is left alone"), None);
        assert!(of("Basic YW5uOmE=", false).is_err());
        for by_proxy in [false, true] {
            assert_eq!(of("bearer fam_1", by_proxy).expect("a token").as_deref(), Some("fam_1"));
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        for host in ["localhost", "localhost:7420", "127.0.0.1:7420", "[::1]:7420", "127.8.0.1"] {
            assert!(is_local(host), "{host}");
        }
        for host in
            ["", "example.org", "localhost.example.org:80", "10.0.0.1", "[::2]:80", "127.0.0.1.example.org"]
        {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn pages_of_others_are_foreign() {
        let of = |pairs: &[(&'static str, &'static str)]| {
            let pair = |&(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), value.parse().expect("a value"))
            };
            is_foreign(&pairs.iter().map(pair).collect(), "localhost:7420")
        };
        assert!(!of(&[]) && !of(&[("origin", "http://localhost:7420"), ("sec-fetch-site", "same-origin")]));
        assert!(of(&[("origin", "http://evil.example")]) && of(&[("sec-fetch-site", "cross-site")]));
        // Behind a proxy that does not pass the name on.
        assert!(!of(&[("origin", "https://code.example"), ("sec-fetch-site", "same-origin")]));
        assert!(of(&[("origin", "http://localhost:7420"), ("sec-fetch-site", "same-site")]));
        assert!(of(&[("origin", "null")]) && of(&[("origin", "http://localhost:7421")]));
    }
}
