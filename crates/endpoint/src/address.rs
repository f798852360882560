//! Where a server is, and which of its models is meant: `URL#MODEL`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::service::Service;

/// A server and a model, as a user writes them.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// What is asked, without credentials.
    pub(crate) endpoint: String,
    /// The URL as it may be shown: without credentials, query and the path of the service.
    pub(crate) shown: String,
    pub(crate) model: Option<String>,
    /// The `Authorization` that the URL's user and password stand for.
    pub(crate) login: Option<String>,
    /// The password and the values of the query, as they are written and as they are meant.
    pub(crate) secrets: Vec<String>,
}

/// Shorter values of a query are no secrets: they say `v=1`.
const SHORTEST_SECRET: usize = 4;

/// Why a text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("it has to start with http:// or https://")]
    Scheme,
    #[error("it does not name a host")]
    Host,
    #[error("it does not name a model")]
    Model,
}

impl Address {
    /// Reads `URL` or `URL#MODEL`. The URL may end in the path of `service`, or before it.
    pub fn parse(text: &str, service: &Service) -> Result<Self, AddressError> {
        let (url, model) = text.split_once('#').unwrap_or((text, ""));
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let scheme = scheme.to_ascii_lowercase();
        if scheme != "http" && scheme != "https" {
            return Err(AddressError::Scheme);
        }
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (user, host) =
            authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        if host.is_empty() || host.starts_with(':') {
            return Err(AddressError::Host);
        }
        let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
        let path = path.trim_end_matches('/');
        let path = path.strip_suffix(service.path).unwrap_or(path).trim_end_matches('/');
        let shown = format!("{scheme}://{host}{path}");
        let password = user.and_then(|user| user.split_once(':')).map(|(_, password)| password);
        let values =
            query.trim_start_matches('?').split('&').filter_map(|part| Some(part.split_once('=')?.1));
        let values = values.filter(|value| value.len() >= SHORTEST_SECRET);
        let both = |text: &str| [text.to_owned(), String::from_utf8_lossy(&decoded(text)).into_owned()];
        let secrets = password.into_iter().chain(values).flat_map(both).filter(|it| !it.is_empty());
        Ok(Self {
            secrets: secrets.collect(),
            endpoint: format!("{shown}{}{query}", service.path),
            shown,
            model: Some(model.to_owned()).filter(|model| !model.is_empty()),
            login: user.map(|user| {
                let (name, password) = user.split_once(':').unwrap_or((user, ""));
                let both = [decoded(name), decoded(password)].join(&b':');
                format!("Basic {}", BASE64_STANDARD.encode(both))
            }),
        })
    }

    /// The model that is asked for, where one is named.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The name of the model in results: `api:URL#MODEL`.
    pub fn name(&self) -> String {
        let model = self.model.as_deref().map(|model| format!("#{model}")).unwrap_or_default();
        format!("api:{}{model}", self.shown)
    }
}

/// Text with `%` and two hexadecimal digits for a byte; what is none stays.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    while let Some((&first, rest)) = bytes.split_first() {
        let digits = rest.get(..2).filter(|digits| first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(byte.unwrap_or(first));
        bytes = if byte.is_some() { &rest[2..] } else { rest };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_url_and_a_model() {
        for (text, endpoint, name) in [
            (
                "http://localhost:11434/v1#m",
                "http://localhost:11434/v1/embeddings",
                "api:http://localhost:11434/v1#m",
            ),
            ("HTTPS://host/v1/", "https://host/v1/embeddings", "api:https://host/v1"),
            ("https://host/v1/embeddings#a/b:c", "https://host/v1/embeddings", "api:https://host/v1#a/b:c"),
            ("http://host", "http://host/embeddings", "api:http://host"),
            ("http://host?key=secret#m", "http://host/embeddings?key=secret", "api:http://host#m"),
            ("http://[::1]:80/v1#", "http://[::1]:80/v1/embeddings", "api:http://[::1]:80/v1"),
        ] {
            let address = Address::parse(text, &Service::EMBEDDINGS).expect(text);
            assert_eq!((address.endpoint.as_str(), address.name().as_str()), (endpoint, name));
        }
    }

    #[test]
    fn each_service_has_its_path() {
        for text in
            ["http://host/v1#m", "http://host/v1/chat/completions#m", "http://host/v1/chat/completions/#m"]
        {
            let address = Address::parse(text, &Service::CHAT).expect(text);
            assert_eq!(address.endpoint, "http://host/v1/chat/completions");
            assert_eq!((address.model(), address.shown.as_str()), (Some("m"), "http://host/v1"));
        }
    }

    #[test]
    fn credentials_are_sent_and_not_shown() {
        let address =
            Address::parse("https://me:p%40s%2@host/v1#m", &Service::EMBEDDINGS).expect("an address");
        assert_eq!(address.name(), "api:https://host/v1#m");
        assert_eq!(address.endpoint, "https://host/v1/embeddings");
        assert_eq!(address.login, Some(format!("Basic {}", BASE64_STANDARD.encode("me:p@s%2"))));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "host/v1", "ftp://host", "http://", "http:///v1", "http://me:secret@:80/v1"] {
            let error = Address::parse(text, &Service::CHAT).err().expect(text);
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
