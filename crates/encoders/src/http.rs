//! Asking over HTTP: proxies, certificates, patience with servers that are busy, bounds on what they send.

use std::fmt::Write;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use ureq::http::{Response, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, Proxy};

use crate::address::Address;

/// The variable of the environment that holds the key.
const KEY: &str = "FAMILIAR_API_KEY";

/// Most bytes of an answer: 64 vectors of 16,000 numbers fit.
const ANSWER_BYTES: u64 = 32 << 20;

/// How often a request is made before it counts as failed.
const TRIES: u32 = 4;

/// Longest pause between two tries, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How much of an answer that is of no use is shown.
const SHOWN_CHARS: usize = 200;

/// How a server is reached.
#[derive(Clone)]
pub struct Connection {
    /// Sent as `Authorization: Bearer`, in the place of the user and password that the address may have.
    pub key: Option<String>,
    /// URL of the proxy for encrypted connections, and for others.
    pub https_proxy: Option<String>,
    pub http_proxy: Option<String>,
    /// Hosts that need none, separated by commas. This machine never does.
    pub no_proxy: Option<String>,
    /// How long a request may take until its answer is read.
    pub timeout: Duration,
    /// The first pause before a request is made again; each further one is twice as long.
    pub pause: Duration,
}

impl Default for Connection {
    /// Without key and proxies; a model on a plain processor gets two minutes for a request.
    fn default() -> Self {
        Self {
            key: None,
            https_proxy: None,
            http_proxy: None,
            no_proxy: None,
            timeout: Duration::from_secs(120),
            pause: Duration::from_millis(500),
        }
    }
}

impl Connection {
    /// With the key in `FAMILIAR_API_KEY` and the proxies that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name.
    pub fn from_environment() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let either = |name: &str| variable(name).or_else(|| variable(&name.to_ascii_uppercase()));
        Self {
            key: variable(KEY),
            https_proxy: either("https_proxy").or_else(|| either("all_proxy")),
            http_proxy: either("http_proxy").or_else(|| either("all_proxy")),
            no_proxy: either("no_proxy"),
            ..Self::default()
        }
    }
}

/// Asks one server, again where the trouble may pass. Errors say what to do.
pub(crate) struct Client {
    agent: Agent,
    endpoint: String,
    shown: String,
    authorization: Option<String>,
    /// What must not be shown, though the server says it.
    secrets: Vec<String>,
    timeout: Duration,
    pause: Duration,
}

impl Client {
    pub(crate) fn new(address: &Address, connection: &Connection) -> Result<Self, String> {
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots());
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .user_agent(concat!("familiar/", env!("CARGO_PKG_VERSION")))
            // A key is for the server that was named.
            .max_redirects(0)
            .proxy(proxy_of(address, connection)?)
            .timeout_connect(Some(connection.timeout.min(Duration::from_secs(10))))
            .timeout_global(Some(connection.timeout));
        let bearer = connection.key.as_ref().map(|key| format!("Bearer {}", key.trim()));
        let authorization = bearer.or_else(|| address.login.clone());
        let secret = |value: &String| value.split_once(' ').map(|(_, secret)| secret.to_owned());
        Ok(Self {
            agent: config.build().new_agent(),
            endpoint: address.endpoint.clone(),
            shown: address.shown.clone(),
            secrets: authorization.iter().filter_map(secret).filter(|secret| !secret.is_empty()).collect(),
            authorization,
            timeout: connection.timeout,
            pause: connection.pause,
        })
    }

    /// The body of the answer to `body`, which is JSON. Where the server is busy or the connection breaks, it is asked again with
    /// longer and longer pauses.
    pub(crate) fn post(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let mut pause = self.pause;
        for left in (0..TRIES).rev() {
            match self.once(body) {
                Ok(answer) => return Ok(answer),
                Err(Trouble::Passing { after, .. }) if left > 0 => {
                    std::thread::sleep(after.unwrap_or(pause).min(LONGEST_PAUSE));
                    pause *= 2;
                }
                Err(Trouble::Passing { reason, .. }) => return Err(format!("{reason} ({TRIES} tries)")),
                Err(Trouble::Final(reason)) => return Err(reason),
            }
        }
        Err("it was never asked".to_owned())
    }

    /// The start of a text that the server sent, on one line and without what is secret.
    pub(crate) fn start_of(&self, body: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(&body[..body.len().min(SHOWN_CHARS * 16)]).into_owned();
        for secret in &self.secrets {
            text = text.replace(secret, "…");
        }
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.join(" ").chars().take(SHOWN_CHARS).collect()
    }

    fn once(&self, body: &[u8]) -> Result<Vec<u8>, Trouble> {
        let mut request = self.agent.post(&self.endpoint).content_type("application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let mut response = request.send(body).map_err(|error| self.trouble(error))?;
        let answer = response.body_mut().with_config().limit(ANSWER_BYTES).read_to_vec();
        if response.status().is_success() {
            return answer.map_err(|error| self.trouble(error));
        }
        Err(self.refusal(&response, &answer.unwrap_or_default()))
    }

    /// What a status other than 200 means.
    fn refusal(&self, response: &Response<Body>, answer: &[u8]) -> Trouble {
        let status = response.status().as_u16();
        let mut reason = format!("{} answers HTTP {status}", self.shown);
        let said = self.start_of(answer);
        if !said.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(reason, ": {said}");
        }
        let advice = match status {
            300..=399 => "; give the URL that it redirects to",
            401 | 403 | 407 => "; the variable FAMILIAR_API_KEY has to hold a key that it takes",
            404 | 405 => {
                "; give the URL up to /embeddings, such as http://localhost:11434/v1, and after # a model that it has"
            }
            408 | 425 | 429 | 500..=599 => {
                let after = response.headers().get(header::RETRY_AFTER);
                let seconds = after.and_then(|after| after.to_str().ok()?.trim().parse().ok());
                return Trouble::Passing { reason, after: seconds.map(Duration::from_secs) };
            }
            400 | 413 | 422 => {
                "; it has to know the model after #, and to cut texts that are too long for it"
            }
            _ => "",
        };
        Trouble::Final(reason + advice)
    }

    fn trouble(&self, error: ureq::Error) -> Trouble {
        let insecure = |error: &dyn std::fmt::Display| {
            Trouble::Final(format!(
                "no secure connection to {}: {error}; SSL_CERT_FILE names the certificates to trust",
                self.shown
            ))
        };
        let unreachable = |error: &dyn std::fmt::Display| {
            let reason = format!("cannot reach {}: {error}; is the server running?", self.shown);
            Trouble::Passing { reason, after: None }
        };
        match error {
            ureq::Error::Rustls(error) => insecure(&error),
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => insecure(&error),
            ureq::Error::Timeout(_) => {
                let seconds = self.timeout.as_secs_f64();
                let reason = format!(
                    "{} does not answer within {seconds} s; is it too slow, or too busy?",
                    self.shown
                );
                Trouble::Passing { reason, after: None }
            }
            ureq::Error::BodyExceedsLimit(_) => {
                Trouble::Final(format!("{} sends more than {ANSWER_BYTES} bytes", self.shown))
            }
            ureq::Error::Io(error) => unreachable(&error),
            error
            @ (ureq::Error::Protocol(_) | ureq::Error::HostNotFound | ureq::Error::ConnectionFailed) => {
                unreachable(&error)
            }
            error => Trouble::Final(format!("the request to {} failed: {error}", self.shown)),
        }
    }
}

enum Trouble {
    /// Asking again may help, after the time that the server asks for.
    Passing {
        reason: String,
        after: Option<Duration>,
    },
    Final(String),
}

/// The system's certificates, which `SSL_CERT_FILE` and `SSL_CERT_DIR` replace.
fn roots() -> RootCerts {
    let native = rustls_native_certs::load_native_certs().certs;
    native.iter().map(|one| Certificate::from_der(one).to_owned()).collect::<Vec<_>>().into()
}

/// The proxy on the way to a server that is not this machine.
fn proxy_of(address: &Address, connection: &Connection) -> Result<Option<Proxy>, String> {
    let host = address.host();
    let is_here = host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
    let is_secure = address.shown.starts_with("https:");
    let url = if is_secure { &connection.https_proxy } else { &connection.http_proxy };
    let Some(url) = url.as_ref().filter(|_| !is_here) else { return Ok(None) };
    let host = url.rsplit_once('@').map_or(url.as_str(), |(_, host)| host);
    let wrong = |_| format!("the proxy {host} cannot be used: set HTTPS_PROXY or HTTP_PROXY to its URL");
    let proxy = Proxy::new(url).map_err(wrong)?;
    let Some(no_proxy) = &connection.no_proxy else { return Ok(Some(proxy)) };
    let mut builder = Proxy::builder(proxy.protocol()).host(proxy.host()).port(proxy.port());
    if let Some(name) = proxy.username() {
        builder = builder.username(name);
    }
    if let Some(password) = proxy.password() {
        builder = builder.password(password);
    }
    for host in no_proxy.split(',').map(str::trim).filter(|host| !host.is_empty()) {
        builder = builder.no_proxy(host);
    }
    builder.build().map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_for_other_machines() {
        let connection = Connection {
            https_proxy: Some("http://me:secret@proxy:3128".to_owned()),
            no_proxy: Some(".internal, spared".to_owned()),
            ..Connection::default()
        };
        let proxy = |url: &str| {
            let address = Address::parse(url).expect("an address");
            proxy_of(&address, &connection).expect("a proxy")
        };
        let far = proxy("https://api.example.org/v1").expect("a proxy");
        assert_eq!((far.host(), far.port(), far.password()), ("proxy", 3128, Some("secret")));
        assert!(far.is_no_proxy(&"https://spared/".parse().expect("a URL")));
        for url in ["http://api.example.org", "https://localhost", "https://127.0.0.1:80", "https://[::1]/v1"]
        {
            assert!(proxy(url).is_none(), "{url}");
        }
    }

    #[test]
    fn passwords_of_proxies_are_not_shown() {
        let https_proxy = Some("gopher://me:secret@x".to_owned());
        let address = Address::parse("https://api.example.org").expect("an address");
        let error = proxy_of(&address, &Connection { https_proxy, ..Connection::default() });
        let error = error.expect_err("no such proxy");
        assert!(error.contains('x') && !error.contains("secret"), "{error}");
    }
}
