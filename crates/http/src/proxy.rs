//! Proxies, and the variables of the environment that name them.

use std::net::IpAddr;

use crate::url;

/// A proxy, and the hosts that are reached without it.
#[derive(Clone, Debug)]
pub struct Proxy(pub(crate) ureq::Proxy);

/// The URL of a proxy is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proxy {shown} cannot be used")]
pub struct ProxyError {
    /// The URL without name and password.
    pub shown: String,
}

impl Proxy {
    /// The proxy at `url`. `no_proxy` lists the hosts that are reached without it, separated by commas.
    pub fn new(url: &str, no_proxy: Option<&str>) -> Result<Self, ProxyError> {
        let wrong = |_| ProxyError { shown: shown(url) };
        let proxy = ureq::Proxy::new(url).map_err(wrong)?;
        let Some(no_proxy) = no_proxy else { return Ok(Self(proxy)) };
        let mut builder = ureq::Proxy::builder(proxy.protocol()).host(proxy.host()).port(proxy.port());
        if let Some(name) = proxy.username() {
            builder = builder.username(name);
        }
        if let Some(password) = proxy.password() {
            builder = builder.password(password);
        }
        for host in no_proxy.split(',').map(str::trim).filter(|host| !host.is_empty()) {
            builder = builder.no_proxy(host);
        }
        builder.build().map(Self).map_err(wrong)
    }
}

/// A proxy without its password; the scheme may be missing.
fn shown(url: &str) -> String {
    if url.contains("://") {
        return url::without_password(url);
    }
    url.rsplit_once('@').map_or(url, |(_, host)| host).to_owned()
}

/// The proxies that the environment names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProxyVariables {
    /// For encrypted connections.
    pub https: Option<String>,
    /// For others.
    pub http: Option<String>,
    /// The hosts that are reached without one, separated by commas.
    pub no_proxy: Option<String>,
}

impl ProxyVariables {
    /// Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` by `get`, which knows variables by their names in
    /// lower case.
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Self {
        let all = get("all_proxy");
        Self {
            https: get("https_proxy").or_else(|| all.clone()),
            http: get("http_proxy").or(all),
            no_proxy: get("no_proxy"),
        }
    }

    /// Reads the variables of this process, in lower or in upper case.
    pub fn from_environment() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self::of(|name| variable(name).or_else(|| variable(&name.to_ascii_uppercase())))
    }

    /// The proxy on the way to `url`. This machine is reached without one.
    pub fn for_url(&self, url: &str) -> Result<Option<Proxy>, ProxyError> {
        let is_encrypted = url.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("https:"));
        let proxy = if is_encrypted { &self.https } else { &self.http };
        let is_here = url::host(url).is_some_and(|host| is_loopback(&host));
        let proxy = proxy.as_ref().filter(|_| !is_here);
        proxy.map(|proxy| Proxy::new(proxy, self.no_proxy.as_deref())).transpose()
    }
}

/// Whether a host is this machine.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_hosts_are_reached_without_a_proxy() {
        let proxy =
            Proxy::new("http://me:p%40ss@proxy:3128", Some("localhost, .internal")).expect("a proxy").0;
        assert_eq!((proxy.host(), proxy.port(), proxy.password()), ("proxy", 3128, Some("p@ss")));
        let is_direct = |url: &str| proxy.is_no_proxy(&url.parse().expect("a URL"));
        assert!(is_direct("http://localhost/") && is_direct("https://a.internal/"));
        assert!(!is_direct("https://pypi.org/"));
    }

    #[test]
    fn passwords_of_proxies_are_not_shown() {
        for url in ["gopher://me:secret@x", "me:secret@x:y:z"] {
            let error = Proxy::new(url, None).expect_err("no such proxy").to_string();
            assert!(error.contains('x') && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn this_machine_is_reached_without_a_proxy() {
        let variables = ProxyVariables::of(|name| match name {
            "all_proxy" => Some("http://me:secret@proxy:3128".to_owned()),
            "no_proxy" => Some(".internal, near".to_owned()),
            _ => None,
        });
        let proxy = |url: &str| variables.for_url(url).expect("a proxy");
        for url in ["https://api.example.org/v1", "http://api.example.org"] {
            let far = proxy(url).expect("a proxy").0;
            assert_eq!((far.host(), far.port(), far.password()), ("proxy", 3128, Some("secret")));
            assert!(far.is_no_proxy(&"https://near/".parse().expect("a URL")));
        }
        for url in ["https://localhost", "https://127.0.0.1:80", "https://[::1]/v1", "http://me@localhost:1/"]
        {
            assert!(proxy(url).is_none(), "{url}");
        }
    }

    #[test]
    fn each_kind_of_connection_has_its_proxy() {
        let variables =
            ProxyVariables::of(|name| (name == "https_proxy").then(|| "http://proxy:3128".to_owned()));
        assert!(variables.for_url("HTTPS://host/").expect("a proxy").is_some());
        assert!(variables.for_url("http://host/").expect("none").is_none());
    }
}
