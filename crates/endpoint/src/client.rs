//! Asks a server: the key, and errors that say what to do.

use std::fmt::Write;
use std::time::Duration;

use familiar_http::{
    BodyError, ErrorKind, Failure, Proxy, ProxyError, ProxyVariables, RequestError, Response, Retries,
    Settings, Timeouts,
};
use familiar_source::words::{counted, size};

use crate::address::Address;
use crate::service::Service;

/// The variable of the environment that holds the key.
const KEY: &str = "FAMILIAR_API_KEY";

/// How much of an answer that is of no use is shown.
const SHOWN_CHARS: usize = 200;

/// How a server is reached.
#[derive(Clone)]
pub struct Connection {
    /// Sent as `Authorization: Bearer`, in the place of the user and password that the address may have.
    pub key: Option<String>,
    pub proxies: ProxyVariables,
    /// How long a request may take until its answer is read.
    pub timeout: Duration,
    /// How often a request is made before it counts as failed.
    pub tries: u32,
    /// The first pause before a request is made again; each further one is twice as long.
    pub pause: Duration,
}

/// Why there is no answer that is of use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct AskError {
    /// What happened, and what to do.
    pub reason: String,
    pub cause: Cause,
}

/// What kind of trouble there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// No answer came at all.
    Connection,
    /// The server answered with this status, which is not one of success.
    Status(u16),
    /// The answer is larger than it may be.
    TooLarge,
    /// The answer is not what was asked for, and does not look as if it ever could be.
    WrongServer,
    /// The answer is not what was asked for.
    Useless,
}

impl Default for Connection {
    /// Without key and proxies; a model on a plain processor gets two minutes for a request.
    fn default() -> Self {
        Self {
            key: None,
            proxies: ProxyVariables::default(),
            timeout: Duration::from_secs(120),
            tries: 4,
            pause: Duration::from_millis(500),
        }
    }
}

impl Connection {
    /// With the key in `FAMILIAR_API_KEY` and the proxies that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name.
    pub fn from_environment() -> Self {
        let key = std::env::var(KEY).ok().filter(|key| !key.is_empty());
        Self { key, proxies: ProxyVariables::from_environment(), ..Self::default() }
    }
}

/// Asks one server, again where the trouble may pass. Errors say what to do.
pub struct Client {
    http: familiar_http::Client,
    service: Service,
    endpoint: String,
    shown: String,
    authorization: Option<String>,
    /// What must not be shown, though the server says it.
    secrets: Vec<String>,
    timeout: Duration,
    retries: Retries,
}

/// Why nothing can be asked of a server.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("{0}: set HTTPS_PROXY or HTTP_PROXY to its URL")]
    Proxy(ProxyError),
    #[error(transparent)]
    Http(#[from] familiar_http::ClientError),
}

impl Client {
    /// A client for one service of a server. Fails where the proxy or the certificates of the environment cannot be used.
    pub fn new(address: &Address, service: Service, connection: &Connection) -> Result<Self, ClientError> {
        let timeouts = Timeouts {
            connect: Some(connection.timeout.min(Duration::from_secs(10))),
            total: Some(connection.timeout),
            ..Timeouts::default()
        };
        let proxy = proxy_of(address, &connection.proxies).map_err(ClientError::Proxy)?;
        // Redirects are refused: a key is for the server that was named.
        let settings = Settings { proxy, timeouts, ..Settings::default() };
        let http = familiar_http::Client::new(settings)?;
        let bearer = connection.key.as_ref().map(|key| format!("Bearer {}", key.trim()));
        let authorization = bearer.or_else(|| address.login.clone());
        let secret = |value: &String| value.split_once(' ').map(|(_, secret)| secret.to_owned());
        Ok(Self {
            http,
            service,
            endpoint: address.endpoint.clone(),
            shown: address.shown.clone(),
            secrets: authorization
                .iter()
                .filter_map(secret)
                .filter(|secret| !secret.is_empty())
                .chain(address.secrets.iter().cloned())
                .collect(),
            authorization,
            timeout: connection.timeout,
            retries: Retries { tries: connection.tries, pause: connection.pause },
        })
    }

    /// The body of the answer to `body`, which is JSON. Where the server is busy or the connection breaks, it is asked again with
    /// longer and longer pauses.
    pub fn post(&self, body: &[u8]) -> Result<Vec<u8>, AskError> {
        self.post_and_read(body, Ok)
    }

    /// As [`Client::post`], with what `read` makes of the body. Where it fails and says that this may pass, the server is asked again.
    pub fn post_and_read<T>(
        &self,
        body: &[u8],
        read: impl Fn(Vec<u8>) -> Result<T, Failure<AskError>>,
    ) -> Result<T, AskError> {
        self.retries.run(|| read(self.once(body)?)).map_err(|failure| match failure {
            Failure::Passing { error, .. } => {
                let tries = counted(u64::from(self.retries.tries), "try");
                AskError { reason: format!("{} ({tries})", error.reason), ..error }
            }
            Failure::Final(error) => error,
        })
    }

    /// The start of a text that the server sent, on one line and without what is secret.
    pub fn start_of(&self, body: &[u8]) -> String {
        let text = self.hidden(&String::from_utf8_lossy(&body[..body.len().min(SHOWN_CHARS * 16)]));
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.join(" ").chars().take(SHOWN_CHARS).collect()
    }

    /// A text without what is secret.
    fn hidden(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
    }

    fn once(&self, body: &[u8]) -> Result<Vec<u8>, Failure<AskError>> {
        let mut request = self.http.post(&self.endpoint).header("content-type", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let response = request.send_bytes(body).map_err(|error| self.failure(&error))?;
        let refusal = Refusal::of(&response);
        let answer = response.body(self.service.answer_bytes).bytes();
        match refusal {
            Some(refusal) => Err(self.refused(&refusal, &answer.unwrap_or_default())),
            None => answer.map_err(|error| match error {
                BodyError::TooLarge(limit) => Failure::Final(AskError {
                    reason: format!("the answer of {} is larger than {}", self.shown, size(limit)),
                    cause: Cause::TooLarge,
                }),
                BodyError::Transfer(error) => self.failure(&error),
            }),
        }
    }

    /// What a status other than 200 means.
    fn refused(&self, refusal: &Refusal, answer: &[u8]) -> Failure<AskError> {
        let status = refusal.status;
        let mut reason = format!("{} answers HTTP {status}", self.shown);
        let said = self.start_of(answer);
        if !said.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(reason, ": {said}");
        }
        if refusal.may_pass {
            let error = AskError { reason, cause: Cause::Status(status) };
            return Failure::Passing { error, after: refusal.after };
        }
        let Service { path, refused, example, .. } = self.service;
        match status {
            300..=399 => reason.push_str("; give the URL that it redirects to"),
            401 | 403 | 407 => {
                reason.push_str("; the variable FAMILIAR_API_KEY has to hold a key that it takes");
            }
            404 | 405 => {
                let url = example.trim_start_matches("api:").split('#').next().unwrap_or_default();
                // Writing to a string does not fail.
                let _ = write!(
                    reason,
                    "; give the URL up to {path}, such as {url}, and after # a model that it has"
                );
            }
            400 | 413 | 422 => {
                let _ = write!(reason, "; {refused}");
            }
            _ => {}
        }
        Failure::Final(AskError { reason, cause: Cause::Status(status) })
    }

    fn failure(&self, error: &RequestError) -> Failure<AskError> {
        let (shown, may_pass) = (&self.shown, error.may_pass());
        let kind = error.kind;
        let error = self.hidden(&error.to_string());
        let reason = match kind {
            ErrorKind::Insecure => format!(
                "no secure connection to {shown}: {error}; SSL_CERT_FILE names the certificates to trust"
            ),
            ErrorKind::Timeout => {
                let seconds = self.timeout.as_secs_f64();
                format!("{shown} does not answer within {seconds} s; is it too slow, or too busy?")
            }
            ErrorKind::HostNotFound | ErrorKind::Unreachable => {
                format!("cannot reach {shown}: {error}; is the server running?")
            }
            ErrorKind::Invalid | ErrorKind::Other => format!("the request to {shown} failed: {error}"),
        };
        let failed = AskError { reason, cause: Cause::Connection };
        if may_pass { Failure::passing(failed) } else { Failure::Final(failed) }
    }
}

/// A status other than one of success.
struct Refusal {
    status: u16,
    may_pass: bool,
    after: Option<Duration>,
}

impl Refusal {
    fn of(response: &Response) -> Option<Self> {
        let (status, may_pass, after) = (response.status(), response.may_pass(), response.retry_after());
        (!(200..=299).contains(&status)).then_some(Self { status, may_pass, after })
    }
}

/// The proxy on the way to a server that is not this machine.
fn proxy_of(address: &Address, proxies: &ProxyVariables) -> Result<Option<Proxy>, ProxyError> {
    proxies.for_url(&address.endpoint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_for_other_machines() {
        let https = Some("http://me:secret@proxy:3128".to_owned());
        let proxies = ProxyVariables { https, ..ProxyVariables::default() };
        let proxy = |url: &str| {
            let address = Address::parse(url, &Service::CHAT).expect("an address");
            proxy_of(&address, &proxies).expect("a proxy")
        };
        assert!(proxy("https://api.example.org/v1").is_some());
        for url in ["http://api.example.org", "https://localhost", "https://127.0.0.1:80", "https://[::1]/v1"]
        {
            assert!(proxy(url).is_none(), "{url}");
        }
    }

    #[test]
    fn passwords_of_proxies_are_not_shown() {
        let https = Some("gopher://me:secret@x".to_owned());
        let address = Address::parse("https://api.example.org", &Service::CHAT).expect("an address");
        let error = proxy_of(&address, &ProxyVariables { https, ..ProxyVariables::default() });
        let error = error.expect_err("no such proxy");
        assert!(error.to_string().contains('x') && !error.to_string().contains("secret"), "{error}");
    }
}
