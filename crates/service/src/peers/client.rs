//! Asks one peer over HTTP: no redirects, no proxies, no more bytes and no longer than it may take.

use std::io::Read;
use std::net::IpAddr;
use std::time::Duration;

use axum::http::Uri;
use familiar_http::url::{encoded, joined};
use familiar_http::{Body, BodyError, ClientError, ErrorKind, Request, RequestError, Response, Settings};
use serde_json::Value;

use crate::libraries::is_name;

/// What marks a request as one of a peer.
pub(super) const HEADER: &str = "familiar-peer";

/// Most bytes of an answer.
const MOST: u64 = 16 << 20;

/// A server that holds other corpora.
#[derive(Clone)]
pub struct Peer {
    /// What its corpora are called after.
    pub name: String,
    /// Scheme, host and port.
    url: String,
    /// What it knows this server by.
    pub token: Option<String>,
}

/// Why a peer cannot be one.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    #[error("{0:?} is not a peer; write NAME=https://HOST:PORT")]
    Url(String),
    #[error("{0:?} cannot name a peer; use only letters, digits, dots, dashes and underscores")]
    Name(String),
    #[error("{0} is not encrypted; use https, or allow it with --allow-insecure-peer")]
    Plain(String),
}

impl Peer {
    /// Reads `NAME=URL`, or a URL whose host is the name. Without encryption only this machine is a peer, unless `allow_plain`.
    pub fn parse(text: &str, allow_plain: bool) -> Result<Self, PeerError> {
        let wrong = || PeerError::Url(text.to_owned());
        let (name, url) = match text.split_once('=') {
            Some((name, url)) if !name.contains("://") => (Some(name), url),
            _ => (None, text),
        };
        let uri: Uri = url.parse().map_err(|_| wrong())?;
        let authority = uri.authority().ok_or_else(wrong)?;
        let is_bare = matches!(uri.path(), "" | "/") && uri.query().is_none() && !url.contains('#');
        let is_encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        if !is_bare || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(wrong());
        }
        if !is_encrypted && !allow_plain && !is_here(authority.host()) {
            return Err(PeerError::Plain(url.to_owned()));
        }
        let name = name.unwrap_or(authority.host()).to_owned();
        if !is_name(&name) {
            return Err(PeerError::Name(name));
        }
        Ok(Self { name, url: url.trim_end_matches('/').to_owned(), token: None })
    }
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Why there is no answer.
pub(super) struct Failed {
    pub(super) reason: String,
    /// Whether the peer seems not to be there at all.
    pub(super) is_gone: bool,
    /// Whether it may answer a moment later.
    pub(super) is_busy: bool,
}

impl Failed {
    pub(super) fn gone(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_gone: true, is_busy: false }
    }

    pub(super) fn refused(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_gone: false, is_busy: false }
    }
}

/// What is said of answers that are of no use.
pub(super) const TOO_LONG: &str = "its answer is too long";
pub(super) const BROKEN: &str = "its answer breaks off, or takes too long";

pub(super) struct Client {
    http: familiar_http::Client,
    url: String,
    authorization: Option<String>,
    timeout: Duration,
}

impl Client {
    pub(super) fn new(peer: &Peer, timeout: Duration) -> Result<Self, ClientError> {
        // Neither proxies nor redirects: a peer is asked at its own address and nowhere else.
        let settings = Settings { kept_connections: 16, ..Settings::default() };
        let authorization = peer.token.as_ref().map(|token| format!("Bearer {token}"));
        let http = familiar_http::Client::new(settings)?;
        Ok(Self { http, url: peer.url.clone(), authorization, timeout })
    }

    /// What it answers to a request of `path`, in the time that a peer has: a POST where there is a body.
    pub(super) fn ask(&self, path: &str, body: Option<&Value>) -> Result<Value, Failed> {
        match body {
            Some(body) => self.post(path, body, self.timeout),
            None => self.get(path, self.timeout),
        }
    }

    pub(super) fn get(&self, path: &str, within: Duration) -> Result<Value, Failed> {
        let request = self.http.get(&self.url_of(path)?);
        json(answered(self.signed(request).timeout(within).send())?)
    }

    pub(super) fn post(&self, path: &str, body: &Value, within: Duration) -> Result<Value, Failed> {
        let request = self.http.post(&self.url_of(path)?).header("content-type", "application/json");
        json(answered(self.signed(request).timeout(within).send_bytes(body.to_string().as_bytes()))?)
    }

    pub(super) fn delete(&self, path: &str, within: Duration) -> Result<(), Failed> {
        let request = self.http.delete(&self.url_of(path)?);
        answered(self.signed(request).timeout(within).send()).map(drop)
    }

    /// Gives it a file of `length` bytes.
    pub(super) fn upload(
        &self,
        name: &str,
        mut content: impl Read,
        length: u64,
        within: Duration,
    ) -> Result<Value, Failed> {
        let url = self.url_of(&format!("/api/v1/uploads?name={}", encoded(name)))?;
        let request = self.http.post(&url).header("content-type", "application/octet-stream");
        json(answered(self.signed(request).timeout(within).send_reader(&mut content, length))?)
    }

    /// The bytes of what stands at `path`, at most `most` of them.
    pub(super) fn download(&self, path: &str, most: u64, within: Duration) -> Result<Body, Failed> {
        let request = self.http.get(&self.url_of(path)?);
        Ok(answered(self.signed(request).timeout(within).send())?.body(most))
    }

    fn url_of(&self, path: &str) -> Result<String, Failed> {
        joined(&self.url, path).ok_or_else(|| Failed::refused("this question cannot be sent to it"))
    }

    /// The request of a peer, with the token that the other side knows.
    fn signed<'c>(&self, request: Request<'c>) -> Request<'c> {
        let request = request.header(HEADER, "1");
        match &self.authorization {
            Some(authorization) => request.header("authorization", authorization),
            None => request,
        }
    }
}

/// An answer that is one, by its status.
fn answered(response: Result<Response, RequestError>) -> Result<Response, Failed> {
    let response = response.map_err(|error| unreachable(&error))?;
    let refused = |reason: &str| Err(Failed::refused(reason));
    match response.status() {
        200..=204 => Ok(response),
        401 | 403 => refused("it does not know this server's token, or the token may not do that"),
        404 => refused("it has no such corpus"),
        413 => refused("the uploads are larger than it accepts"),
        429 | 503 => Err(Failed { is_busy: true, ..Failed::refused("it is busy") }),
        status => refused(&format!("it answered with status {status}")),
    }
}

/// What an answer says, of at most [`MOST`] bytes.
fn json(answer: Response) -> Result<Value, Failed> {
    let bytes = answer.body(MOST).bytes().map_err(|error| match error {
        BodyError::TooLarge(_) => Failed::gone(TOO_LONG),
        BodyError::Transfer(_) => Failed::gone(BROKEN),
    })?;
    serde_json::from_slice(&bytes).map_err(|_| Failed::gone("its answer is not JSON"))
}

/// Why it could not be asked, without what the library knows of this side.
fn unreachable(error: &RequestError) -> Failed {
    Failed::gone(match error.kind {
        ErrorKind::Invalid => return Failed::refused("this question cannot be sent to it"),
        ErrorKind::Timeout => "it takes too long",
        ErrorKind::HostNotFound => "its host name is not known",
        ErrorKind::Insecure => "its certificate is not trusted",
        ErrorKind::Unreachable | ErrorKind::Other => "it cannot be reached",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_whole_servers_and_encrypted_elsewhere() {
        let name = |text: &str| Peer::parse(text, false).map(|peer| peer.name).ok();
        assert_eq!(name("lab=https://lab.example:7420/").as_deref(), Some("lab"));
        assert_eq!(name("https://lab.example").as_deref(), Some("lab.example"));
        assert_eq!(name("here=http://[::1]:7420").as_deref(), Some("here"));
        for wrong in [
            "",
            "lab",
            "lab=",
            "lab=ftp://lab.example",
            "lab=http://lab.example",
            "lab=https://user:secret@lab.example",
            "lab=https://lab.example/path",
            "lab=https://lab.example?a=b",
            "lab=https://lab.example#a",
            "../lab=https://lab.example",
            "a/b=https://lab.example",
            "http://127.0.0.1.lab.example",
        ] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
        assert!(Peer::parse("lab=http://lab.example", true).is_ok());
    }
}
