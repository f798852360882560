//! Asks one peer over HTTP: no redirects, no proxies, no more bytes and no longer than it may take.

use std::io::Read;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Builder;
use axum::http::{Method, Request, Response, Uri};
use serde_json::Value;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, AsSendBody, SendBody};

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

pub(super) struct Client {
    agent: Agent,
    url: String,
    authorization: Option<String>,
    timeout: Duration,
}

impl Client {
    pub(super) fn new(peer: &Peer, timeout: Duration) -> Self {
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots());
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("familiar/", env!("CARGO_PKG_VERSION")))
            .max_idle_connections_per_host(16);
        let authorization = peer.token.as_ref().map(|token| format!("Bearer {token}"));
        Self { agent: config.build().new_agent(), url: peer.url.clone(), authorization, timeout }
    }

    /// What it answers to a request of `path`, in the time that a peer has: a POST where there is a body.
    pub(super) fn ask(&self, path: &str, body: Option<&Value>) -> Result<Value, Failed> {
        match body {
            Some(body) => self.post(path, body, self.timeout),
            None => self.get(path, self.timeout),
        }
    }

    pub(super) fn get(&self, path: &str, within: Duration) -> Result<Value, Failed> {
        json(self.send(self.request(Method::GET, path), (), within)?)
    }

    pub(super) fn post(&self, path: &str, body: &Value, within: Duration) -> Result<Value, Failed> {
        let request = self.request(Method::POST, path).header(CONTENT_TYPE, "application/json");
        json(self.send(request, body.to_string(), within)?)
    }

    pub(super) fn delete(&self, path: &str, within: Duration) -> Result<(), Failed> {
        self.send(self.request(Method::DELETE, path), (), within).map(drop)
    }

    /// Gives it a file of `length` bytes.
    pub(super) fn upload(
        &self,
        name: &str,
        mut content: impl Read,
        length: u64,
        within: Duration,
    ) -> Result<Value, Failed> {
        let path = format!("/api/v1/uploads?name={}", encoded(name));
        let request = self
            .request(Method::POST, &path)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_LENGTH, length);
        json(self.send(request, SendBody::from_reader(&mut content), within)?)
    }

    /// The bytes of what stands at `path`.
    pub(super) fn download(&self, path: &str, within: Duration) -> Result<impl Read, Failed> {
        let answer = self.send(self.request(Method::GET, path), (), within)?;
        Ok(answer.into_body().into_with_config().limit(u64::MAX).reader())
    }

    fn request(&self, method: Method, path: &str) -> Builder {
        let request =
            Request::builder().method(method).uri(format!("{}{path}", self.url)).header(HEADER, "1");
        match &self.authorization {
            Some(authorization) => request.header(AUTHORIZATION, authorization),
            None => request,
        }
    }

    fn send(
        &self,
        request: Builder,
        body: impl AsSendBody,
        within: Duration,
    ) -> Result<Response<ureq::Body>, Failed> {
        let request =
            request.body(body).map_err(|_| Failed::refused("this question cannot be sent to it"))?;
        let request = self.agent.configure_request(request).timeout_global(Some(within)).build();
        let answer = self.agent.run(request).map_err(|error| Failed::gone(told(&error)))?;
        let refused = |reason: &str| Err(Failed::refused(reason));
        match answer.status().as_u16() {
            200..=204 => Ok(answer),
            401 | 403 => refused("it does not know this server's token, or the token may not do that"),
            404 => refused("it has no such corpus"),
            413 => refused("the uploads are larger than it accepts"),
            429 | 503 => Err(Failed { is_busy: true, ..Failed::refused("it is busy") }),
            status => refused(&format!("it answered with status {status}")),
        }
    }
}

/// What an answer says, of at most [`MOST`] bytes.
fn json(mut answer: Response<ureq::Body>) -> Result<Value, Failed> {
    let mut bytes = Vec::new();
    let mut reader = answer.body_mut().with_config().limit(u64::MAX).reader().take(MOST + 1);
    reader.read_to_end(&mut bytes).map_err(|_| Failed::gone("its answer breaks off, or takes too long"))?;
    if bytes.len() as u64 > MOST {
        return Err(Failed::gone("its answer is too long"));
    }
    serde_json::from_slice(&bytes).map_err(|_| Failed::gone("its answer is not JSON"))
}

/// A text as it may stand in an address.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

/// Why it could not be asked, without what the library knows of this side.
fn told(error: &ureq::Error) -> &'static str {
    match error {
        ureq::Error::Timeout(_) => "it takes too long",
        ureq::Error::HostNotFound => "its host name is not known",
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => "its certificate is not trusted",
        _ => "it cannot be reached",
    }
}

fn roots() -> RootCerts {
    let native = rustls_native_certs::load_native_certs().certs;
    native.iter().map(|one| Certificate::from_der(one).to_owned()).collect::<Vec<_>>().into()
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
