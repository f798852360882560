//! Fetching over HTTP: proxies, certificates, patience with servers that are busy, bounds on what they send.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::sync::Arc;
use std::time::Duration;

use familiar_source::words::size;
use ureq::http::{Response, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig};
use ureq::{Agent, Body, Proxy, ResponseExt};

use super::checksum::{Checksum, Verifier};
use super::environment::Environment;
use crate::budget::Budget;

/// Most bytes of an answer that is read into memory or parsed; the longest pages of indexes have some tens of megabytes.
const PAGE_BYTES: u64 = 256 << 20;

/// How often a request is made before it counts as failed.
const TRIES: u32 = 5;

/// Longest pause between two tries, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

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
    agent: Agent,
    tokens: Vec<(String, String)>,
    /// The first pause before a request is made again; each further one is twice as long.
    pub(crate) pause: Duration,
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
    pub(crate) fn new(settings: Settings, environment: &Environment) -> Result<Self, String> {
        let timeout = settings.timeout.unwrap_or(Duration::from_secs(30));
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots(settings.certificates.as_deref())?);
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .user_agent(concat!(
                "familiar/",
                env!("CARGO_PKG_VERSION"),
                " (+",
                env!("CARGO_PKG_REPOSITORY"),
                ")"
            ))
            .max_idle_connections_per_host(10)
            .timeout_resolve(Some(timeout))
            .timeout_connect(Some(timeout))
            .timeout_recv_response(Some(timeout))
            .timeout_per_read(Some(timeout))
            // Whoever sends a byte now and then cannot hold a download for ever.
            .timeout_recv_body(Some(Duration::from_secs(3600)));
        // What `HTTP_PROXY` names is not for the encrypted connections that registries have.
        let general =
            || environment.get_in_any_case("https_proxy").or(environment.get_in_any_case("all_proxy"));
        let proxy = settings.proxy.as_deref().or_else(general);
        let no_proxy = settings.no_proxy.as_deref().or_else(|| environment.get_in_any_case("no_proxy"));
        let config = config.proxy(proxy.map(|proxy| proxy_of(proxy, no_proxy)).transpose()?);
        Ok(Self {
            agent: config.build().new_agent(),
            tokens: settings.tokens,
            pause: Duration::from_millis(500),
        })
    }

    /// Fetches a page and has `read` make something of it; where the transfer fails, again.
    pub(crate) fn page<T>(
        &self,
        url: &str,
        accept: &str,
        read: impl Fn(Answer<'_>) -> Result<T, Unusable>,
    ) -> Result<T, HttpError> {
        self.patiently(url, |agent| {
            let response = self.request(agent, url, accept, None)?;
            let kind = response.body().mime_type().unwrap_or_default().to_ascii_lowercase();
            let url = response.get_uri().to_string();
            let budget = Budget::new(PAGE_BYTES);
            let mut body =
                BufReader::with_capacity(1 << 16, budget.meter(response.into_body().into_reader()));
            read(Answer { url, kind, body: &mut body }).map_err(|unusable| match unusable {
                _ if budget.is_overdrawn() => {
                    Trouble::Final(format!("the answer is larger than {}", size(PAGE_BYTES)))
                }
                Unusable::Transfer(error) => Trouble::passing(error.to_string()),
                Unusable::Content(reason) => Trouble::Final(reason),
            })
        })
    }

    /// Fetches a page of JSON.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self, url: &str) -> Result<T, HttpError> {
        self.page(url, "application/json", |answer| Ok(serde_json::from_reader(answer.body)?))
    }

    /// Fetches a file of at most `most` bytes into a temporary file without a name, and checks that it is the right one.
    pub(crate) fn file(&self, url: &str, checksum: Option<&Checksum>, most: u64) -> Result<File, HttpError> {
        self.patiently(url, |agent| {
            let response = self.request(agent, url, "*/*", Some("identity"))?;
            if response.body().content_length().is_some_and(|bytes| bytes > most) {
                return Err(too_large(most));
            }
            let mut file = tempfile::tempfile().map_err(|error| Trouble::Final(error.to_string()))?;
            let mut body = response.into_body().into_reader();
            let mut verifier = Verifier::new(checksum);
            let (mut buffer, mut length) = (vec![0; 1 << 16], 0);
            loop {
                let read = match body.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(Trouble::passing(error.to_string())),
                };
                length += read as u64;
                if length > most {
                    return Err(too_large(most));
                }
                verifier.update(&buffer[..read]);
                file.write_all(&buffer[..read]).map_err(|error| {
                    Trouble::Final(format!("cannot write a temporary file: {error}; is the disk full?"))
                })?;
            }
            if !verifier.finish() {
                return Err(Trouble::Final("its checksum differs from the one in the index".to_owned()));
            }
            file.rewind().map_err(|error| Trouble::Final(error.to_string()))?;
            Ok(file)
        })
    }

    /// Asks again where the trouble may pass, with longer and longer pauses.
    fn patiently<T>(
        &self,
        url: &str,
        attempt: impl Fn(&Agent) -> Result<T, Trouble>,
    ) -> Result<T, HttpError> {
        let mut pause = self.pause;
        let mut left = TRIES;
        loop {
            left -= 1;
            match attempt(&self.agent) {
                Ok(done) => return Ok(done),
                Err(Trouble::Missing(status)) => {
                    return Err(HttpError::Missing { url: without_password(url), status });
                }
                Err(Trouble::Passing { after, .. }) if left > 0 => {
                    std::thread::sleep(after.unwrap_or(pause).min(LONGEST_PAUSE));
                    pause *= 2;
                }
                Err(Trouble::Passing { reason, .. }) => {
                    let reason = format!("{reason} ({TRIES} tries)");
                    return Err(HttpError::Failed { url: without_password(url), reason });
                }
                Err(Trouble::Final(reason)) => {
                    return Err(HttpError::Failed { url: without_password(url), reason });
                }
            }
        }
    }

    fn request(
        &self,
        agent: &Agent,
        url: &str,
        accept: &str,
        encoding: Option<&str>,
    ) -> Result<Response<Body>, Trouble> {
        let mut request = agent.get(url).header(header::ACCEPT, accept);
        if let Some(encoding) = encoding {
            request = request.header(header::ACCEPT_ENCODING, encoding);
        }
        let place = url.split_once("://").map_or(url, |(_, place)| place);
        if let Some((_, token)) = self.tokens.iter().find(|(start, _)| place.starts_with(start.as_str())) {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = request.call().map_err(Trouble::from)?;
        let status = response.status().as_u16();
        match status {
            200..=299 => Ok(response),
            404 | 410 | 451 => Err(Trouble::Missing(status)),
            401 | 403 | 407 => Err(Trouble::Final(format!("HTTP {status}; it asks for a login or refuses"))),
            408 | 425 | 429 | 500..=599 => {
                let after = response.headers().get(header::RETRY_AFTER);
                let seconds = after.and_then(|after| after.to_str().ok()?.trim().parse().ok());
                let after = seconds.map(Duration::from_secs);
                Err(Trouble::Passing { reason: format!("HTTP {status}"), after })
            }
            _ => Err(Trouble::Final(format!("HTTP {status}"))),
        }
    }
}

enum Trouble {
    Missing(u16),
    /// Asking again may help, after the time that the server asks for.
    Passing {
        reason: String,
        after: Option<Duration>,
    },
    Final(String),
}

impl Trouble {
    fn passing(reason: String) -> Self {
        Self::Passing { reason, after: None }
    }
}

impl From<ureq::Error> for Trouble {
    fn from(error: ureq::Error) -> Self {
        let insecure = |error: &dyn std::fmt::Display| {
            Self::Final(format!(
                "no secure connection: {error}; SSL_CERT_FILE names the certificates to trust"
            ))
        };
        match error {
            ureq::Error::Rustls(error) => insecure(&error),
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => insecure(&error),
            ureq::Error::Io(error) => Self::passing(error.to_string()),
            ureq::Error::Timeout(_)
            | ureq::Error::Protocol(_)
            | ureq::Error::HostNotFound
            | ureq::Error::ConnectionFailed => Self::passing(error.to_string()),
            error => Self::Final(error.to_string()),
        }
    }
}

/// The certificates to trust: those of a file, or the system's, which `SSL_CERT_FILE` and `SSL_CERT_DIR` replace.
fn roots(file: Option<&str>) -> Result<RootCerts, String> {
    let Some(path) = file else {
        let native = rustls_native_certs::load_native_certs().certs;
        let certificates = native.iter().map(|one| Certificate::from_der(one).to_owned());
        return Ok(certificates.collect::<Vec<_>>().into());
    };
    let pem = std::fs::read(path).map_err(|error| format!("cannot read the certificates {path}: {error}"))?;
    let mut certificates = Vec::new();
    for item in ureq::tls::parse_pem(&pem) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(error) => return Err(format!("cannot read the certificates {path}: {error}")),
        }
    }
    Ok(certificates.into())
}

/// A proxy, without the hosts that need none.
fn proxy_of(url: &str, no_proxy: Option<&str>) -> Result<Proxy, String> {
    let wrong = |_| format!("the proxy {} cannot be used", without_password(url));
    let proxy = Proxy::new(url).map_err(wrong)?;
    let Some(no_proxy) = no_proxy else { return Ok(proxy) };
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
    builder.build().map_err(wrong)
}

/// A URL as it may be shown.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// The URL that `link` means on the page at `base`, without its fragment.
pub(crate) fn joined(base: &str, link: &str) -> String {
    let link = link.split('#').next().unwrap_or_default();
    let (scheme, rest) = base.split_once("://").unwrap_or(("https", base));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let has_scheme = link.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '?']));
    if has_scheme {
        return link.to_owned();
    }
    if let Some(elsewhere) = link.strip_prefix("//") {
        return format!("{scheme}://{elsewhere}");
    }
    let (link, query) = link.split_at(link.find('?').unwrap_or(link.len()));
    let folder = path.rfind('/').map_or("", |end| &path[..end]);
    let full = if link.starts_with('/') { link.to_owned() } else { format!("{folder}/{link}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("{scheme}://{authority}/{}{query}", parts.join("/"))
}

fn too_large(most: u64) -> Trouble {
    Trouble::Final(format!("the file is larger than {}, the limit for one download", size(most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_joined_to_the_page_that_has_them() {
        let base = "https://host/simple/six/?x";
        for (link, expected) in [
            ("https://other/a.zip#sha256=1", "https://other/a.zip"),
            ("//other/a.zip", "https://other/a.zip"),
            ("/files/a.zip?v=1", "https://host/files/a.zip?v=1"),
            ("../../files/./a.zip", "https://host/files/a.zip"),
            ("../../../../a.zip", "https://host/a.zip"),
            ("a.zip", "https://host/simple/six/a.zip"),
        ] {
            assert_eq!(joined(base, link), expected);
        }
        assert_eq!(joined("https://host", "a"), "https://host/a");
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("https://me:secret@host/simple@x"), "https://host/simple@x");
        assert_eq!(without_password("https://host"), "https://host");
    }

    #[test]
    fn proxies_spare_the_hosts_that_need_none() {
        let proxy = proxy_of("http://me:p%40ss@proxy:3128", Some("localhost, .internal")).expect("a proxy");
        assert_eq!((proxy.host(), proxy.port(), proxy.password()), ("proxy", 3128, Some("p@ss")));
        let is_spared = |url: &str| proxy.is_no_proxy(&url.parse().expect("a URL"));
        assert!(is_spared("http://localhost/") && is_spared("https://a.internal/"));
        assert!(!is_spared("https://pypi.org/"));
        let error = proxy_of("gopher://me:secret@x", None).expect_err("no such proxy");
        assert!(!error.contains("secret"), "{error}");
    }
}
