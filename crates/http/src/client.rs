//! Makes requests.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use ureq::http::{self, Method, request};
use ureq::tls::TlsConfig;
use ureq::{Agent, AsSendBody, SendBody};

use crate::certificates::{CertificateError, roots};
use crate::error::{ErrorKind, RequestError};
use crate::proxy::{Proxy, ProxyError};
use crate::response::Response;

/// What every request says of who asks.
const USER_AGENT: &str =
    concat!("familiar/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");

/// How servers are reached.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// A file of certificates to trust in the place of the system's.
    pub certificates: Option<String>,
    pub proxy: Option<Proxy>,
    pub redirects: Redirects,
    pub timeouts: Timeouts,
    /// Connections to one host that are kept open for the next request; 0 for a usual number.
    pub kept_connections: usize,
}

/// What happens when a server redirects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// The redirect itself is the response.
    #[default]
    Refuse,
    /// The response is that of the place to which some redirects lead. Credentials are not sent there.
    Follow,
}

/// How long something may take; without a time, as long as it wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the name of the host is known.
    pub resolve: Option<Duration>,
    /// Until there is a connection.
    pub connect: Option<Duration>,
    /// Until the response begins.
    pub response: Option<Duration>,
    /// How long the server may be silent.
    pub silence: Option<Duration>,
    /// Until the body is read.
    pub body: Option<Duration>,
    /// All of it, from the name of the host to the last byte of the body.
    pub total: Option<Duration>,
}

/// Why there is no client with such settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    #[error(transparent)]
    Certificates(#[from] CertificateError),
    #[error(transparent)]
    Proxy(#[from] ProxyError),
}

/// Asks servers. A copy uses the same connections.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
}

impl Client {
    pub fn new(settings: Settings) -> Result<Self, ClientError> {
        let Settings { certificates, proxy, redirects, timeouts, kept_connections } = settings;
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots(certificates.as_deref())?);
        let mut config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .user_agent(USER_AGENT)
            // Without this the environment would name one.
            .proxy(proxy.map(|Proxy(proxy)| proxy))
            .timeout_resolve(timeouts.resolve)
            .timeout_connect(timeouts.connect)
            .timeout_recv_response(timeouts.response)
            .timeout_per_read(timeouts.silence)
            .timeout_recv_body(timeouts.body)
            .timeout_global(timeouts.total);
        if redirects == Redirects::Refuse {
            config = config.max_redirects(0).max_redirects_will_error(false);
        }
        if kept_connections > 0 {
            config = config.max_idle_connections_per_host(kept_connections);
        }
        Ok(Self { agent: config.build().new_agent() })
    }

    pub fn get(&self, url: &str) -> Request<'_> {
        self.request(Method::GET, url)
    }

    pub fn post(&self, url: &str) -> Request<'_> {
        self.request(Method::POST, url)
    }

    pub fn delete(&self, url: &str) -> Request<'_> {
        self.request(Method::DELETE, url)
    }

    fn request(&self, method: Method, url: &str) -> Request<'_> {
        Request {
            agent: &self.agent,
            builder: http::Request::builder().method(method).uri(url),
            timeout: None,
        }
    }
}

/// A request that is not sent yet.
pub struct Request<'c> {
    agent: &'c Agent,
    builder: request::Builder,
    timeout: Option<Duration>,
}

impl Request<'_> {
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        Self { builder: self.builder.header(name, value), ..self }
    }

    /// How long this request may take, until its body is read, in the place of [`Timeouts::total`].
    #[must_use]
    pub fn timeout(self, total: Duration) -> Self {
        Self { timeout: Some(total), ..self }
    }

    pub fn send(self) -> Result<Response, RequestError> {
        self.run(())
    }

    pub fn send_bytes(self, body: &[u8]) -> Result<Response, RequestError> {
        self.run(body)
    }

    /// Sends what a reader gives, of which the length is known.
    pub fn send_reader(self, body: &mut dyn Read, length: u64) -> Result<Response, RequestError> {
        let mut body = body;
        self.header("content-length", &length.to_string()).run(SendBody::from_reader(&mut body))
    }

    fn run(self, body: impl AsSendBody) -> Result<Response, RequestError> {
        let request = self.builder.body(body);
        let request =
            request.map_err(|error| RequestError { kind: ErrorKind::Invalid, reason: error.to_string() })?;
        let response = match self.timeout {
            Some(total) => {
                self.agent.run(self.agent.configure_request(request).timeout_global(Some(total)).build())
            }
            None => self.agent.run(request),
        };
        Ok(Response(response?))
    }
}
