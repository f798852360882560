//! Pages and files of registries: which tokens are sent where, limits on what comes, and checksums.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::time::Duration;

use familiar_http::url::without_password;
use familiar_http::{
    ClientError, ErrorKind, Failure, Proxy, ProxyVariables, Redirects, RequestError, Response, Retries,
    Timeouts,
};
use familiar_source::words::size;

use super::checksum::{Checksum, Verifier};
use super::environment::Environment;

/// Most bytes of an answer that is read into memory or parsed; the longest pages of indexes have some tens of megabytes.
const PAGE_BYTES: u64 = 256 << 20;

/// How often a request is made before it counts as failed.
const TRIES: u32 = 5;

/// How a registry is reached, where it is not as everything else on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) proxy: Option<String>,
    /// Hosts that need none.
    pub(crate) no_proxy: Option<String>,
    /// A file of certificates to trust in the place of the system's.
    pub(crate) certificates: Option<String>,
    /// How long a server may be silent.
    pub(crate) timeout: Option<Duration>,
    /// Starts of URLs without their scheme, and the token that is sent there.
    pub(crate) tokens: Vec<(String, String)>,
}

/// Asks one registry.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: familiar_http::Client,
    tokens: Vec<(String, String)>,
    pub(crate) retries: Retries,
}

/// Why something could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("{url} does not exist (HTTP {status})")]
    Missing { url: String, status: u16 },
    #[error("cannot fetch {url}: {reason}")]
    Failed { url: String, reason: String },
}

/// What a server sent.
pub(crate) struct Answer<'a> {
    /// Where it came from in the end.
    pub(crate) url: String,
    /// Such as `text/html`, in lower case and without parameters.
    pub(crate) kind: String,
    pub(crate) body: &'a mut dyn Read,
}

/// Why an answer is of no use.
pub(crate) enum Unusable {
    /// The transfer broke off; another may not.
    Transfer(io::Error),
    Content(String),
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        Self::Transfer(error)
    }
}

impl From<serde_json::Error> for Unusable {
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() {
            Self::Transfer(error.into())
        } else {
            Self::Content(format!("the answer is not as expected: {error}"))
        }
    }
}

impl Client {
    pub(crate) fn new(settings: Settings, environment: &Environment) -> Result<Self, ClientError> {
        let timeout = Some(settings.timeout.unwrap_or(Duration::from_secs(30)));
        let timeouts = Timeouts {
            resolve: timeout,
            connect: timeout,
            response: timeout,
            silence: timeout,
            // Whoever sends a byte now and then cannot hold a download for ever.
            body: Some(Duration::from_secs(3600)),
            total: None,
        };
        let variables = ProxyVariables::of(|name| environment.get_in_any_case(name).map(ToOwned::to_owned));
        let no_proxy = settings.no_proxy.or(variables.no_proxy);
        // What `HTTP_PROXY` names is not for the encrypted connections that registries have.
        let proxy = settings.proxy.or(variables.https);
        let http = familiar_http::Settings {
            certificates: settings.certificates,
            proxy: proxy.map(|proxy| Proxy::new(&proxy, no_proxy.as_deref())).transpose()?,
            redirects: Redirects::Follow,
            timeouts,
            kept_connections: 10,
        };
        Ok(Self {
            http: familiar_http::Client::new(http)?,
            tokens: settings.tokens,
            retries: Retries { tries: TRIES, pause: Duration::from_millis(500) },
        })
    }

    /// Fetches a page and has `read` make something of it; where the transfer fails, again.
    pub(crate) fn page<T>(
        &self,
        url: &str,
        accept: &str,
        read: impl Fn(Answer<'_>) -> Result<T, Unusable>,
    ) -> Result<T, HttpError> {
        self.patiently(url, || {
            let response = self.request(url, accept, None)?;
            let (url, kind) = (response.url(), response.media_type());
            let mut body = BufReader::with_capacity(1 << 16, response.body(PAGE_BYTES));
            let read = read(Answer { url, kind, body: &mut body });
            read.map_err(|unusable| match unusable {
                _ if body.get_ref().is_exceeded() => {
                    Failure::Final(Refusal::Other(format!("the answer is larger than {}", size(PAGE_BYTES))))
                }
                Unusable::Transfer(error) => Failure::passing(Refusal::Other(error.to_string())),
                Unusable::Content(reason) => Failure::Final(Refusal::Other(reason)),
            })
        })
    }

    /// Fetches a page of JSON.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self, url: &str) -> Result<T, HttpError> {
        self.page(url, "application/json", |answer| Ok(serde_json::from_reader(answer.body)?))
    }

    /// Fetches a file of at most `most` bytes into a temporary file without a name, and checks that it is the right one.
    pub(crate) fn file(&self, url: &str, checksum: Option<&Checksum>, most: u64) -> Result<File, HttpError> {
        let cannot = |reason: String| Failure::Final(Refusal::Other(reason));
        self.patiently(url, || {
            let response = self.request(url, "*/*", Some("identity"))?;
            let too_large =
                || cannot(format!("the file is larger than {}, the limit for one download", size(most)));
            if response.length().is_some_and(|bytes| bytes > most) {
                return Err(too_large());
            }
            let mut file = tempfile::tempfile().map_err(|error| cannot(error.to_string()))?;
            let mut body = response.body(most);
            let mut verifier = Verifier::new(checksum);
            let mut buffer = vec![0; 1 << 16];
            loop {
                let read = match body.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) if body.is_exceeded() => return Err(too_large()),
                    Err(error) => return Err(Failure::passing(Refusal::Other(error.to_string()))),
                };
                verifier.update(&buffer[..read]);
                file.write_all(&buffer[..read]).map_err(|error| {
                    cannot(format!("cannot write a temporary file: {error}; is the disk full?"))
                })?;
            }
            if !verifier.finish() {
                return Err(cannot("its checksum differs from the one in the index".to_owned()));
            }
            file.rewind().map_err(|error| cannot(error.to_string()))?;
            Ok(file)
        })
    }

    /// Asks again where the failure may pass, with longer and longer pauses.
    fn patiently<T>(
        &self,
        url: &str,
        attempt: impl Fn() -> Result<T, Failure<Refusal>>,
    ) -> Result<T, HttpError> {
        self.retries.run(attempt).map_err(|failure| {
            let url = without_password(url);
            match failure {
                Failure::Final(Refusal::Missing(status))
                | Failure::Passing { error: Refusal::Missing(status), .. } => {
                    HttpError::Missing { url, status }
                }
                Failure::Final(Refusal::Other(reason)) => HttpError::Failed { url, reason },
                Failure::Passing { error: Refusal::Other(reason), .. } => {
                    HttpError::Failed { url, reason: format!("{reason} ({TRIES} tries)") }
                }
            }
        })
    }

    fn request(&self, url: &str, accept: &str, encoding: Option<&str>) -> Result<Response, Failure<Refusal>> {
        let mut request = self.http.get(url).header("accept", accept);
        if let Some(encoding) = encoding {
            request = request.header("accept-encoding", encoding);
        }
        let place = url.split_once("://").map_or(url, |(_, place)| place);
        if let Some((_, token)) = self.tokens.iter().find(|(start, _)| place.starts_with(start.as_str())) {
            request = request.header("authorization", &format!("Bearer {token}"));
        }
        let response = request.send().map_err(|error| unreachable(&error))?;
        let status = response.status();
        let refused = |reason: String| Failure::Final(Refusal::Other(reason));
        match status {
            200..=299 => Ok(response),
            404 | 410 | 451 => Err(Failure::Final(Refusal::Missing(status))),
            401 | 403 | 407 => Err(refused(format!("HTTP {status}; it asks for a login or refuses"))),
            _ if response.may_pass() => {
                let error = Refusal::Other(format!("HTTP {status}"));
                Err(Failure::Passing { error, after: response.retry_after() })
            }
            _ => Err(refused(format!("HTTP {status}"))),
        }
    }
}

/// Why a request was of no use.
enum Refusal {
    /// There is no such thing, as this status says.
    Missing(u16),
    Other(String),
}

/// There was no response.
fn unreachable(error: &RequestError) -> Failure<Refusal> {
    if error.kind == ErrorKind::Insecure {
        return Failure::Final(Refusal::Other(format!(
            "no secure connection: {error}; SSL_CERT_FILE names the certificates to trust"
        )));
    }
    let reason = Refusal::Other(error.to_string());
    if error.may_pass() { Failure::passing(reason) } else { Failure::Final(reason) }
}
