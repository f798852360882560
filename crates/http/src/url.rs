//! URLs: joined, taken apart, and shown.

use std::fmt::Write;

use fluent_uri::{Uri, UriRef};

/// The URL that `link` means on the page at `base`, without its fragment (RFC 3986, section 5). Characters that no URL has
/// are percent-encoded. None if one of both is no URL.
///
/// ```
/// use familiar_http::url::joined;
///
/// assert_eq!(joined("https://host/simple/six/", "../a b.zip#x").as_deref(), Some("https://host/simple/a%20b.zip"));
/// ```
pub fn joined(base: &str, link: &str) -> Option<String> {
    let base = escaped(base);
    let link = escaped(link.split('#').next().unwrap_or_default());
    let base = Uri::parse(base.split('#').next().unwrap_or_default()).ok()?;
    let link = UriRef::parse(link.as_str()).ok()?;
    Some(link.resolve_against(&base).ok()?.into_string())
}

/// The URL of what has the relative `path` below `base`, whether or not `base` ends with a slash. The query of `base` stays.
///
/// ```
/// use familiar_http::url::below;
///
/// assert_eq!(below("https://host/simple?key=1", "six/"), "https://host/simple/six/?key=1");
/// ```
pub fn below(base: &str, path: &str) -> String {
    let (place, rest) = base.split_at(base.find(['?', '#']).unwrap_or(base.len()));
    format!("{}/{}{rest}", place.trim_end_matches('/'), path.trim_start_matches('/'))
}

/// A text as one part of a path or of a query: everything but letters, digits and `-._~` is percent-encoded.
pub fn encoded(text: &str) -> String {
    percent_encoded(text, |_, byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// The host of a URL, without its port and without the brackets of IPv6.
pub fn host(url: &str) -> Option<String> {
    let url = Uri::parse(url).ok()?;
    let host = url.authority()?.host();
    Some(host.trim_start_matches('[').trim_end_matches(']').to_owned())
}

/// A URL as it may be shown: without name and password.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// A link with everything percent-encoded that no URL has, as browsers do. What is encoded already stays.
fn escaped(link: &str) -> String {
    percent_encoded(link, |at, byte| {
        let is_escape =
            || link.as_bytes().get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        byte.is_ascii_alphanumeric()
            || b"-._~:/?#[]@!$&'()*+,;=".contains(&byte)
            || byte == b'%' && is_escape()
    })
}

/// A text in which every byte is percent-encoded that `stays` does not keep, told where it stands.
fn percent_encoded(text: &str, stays: impl Fn(usize, u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for (at, byte) in text.bytes().enumerate() {
        if stays(at, byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
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
            ("a|b é%20%zz.zip", "https://host/simple/six/a%7Cb%20%C3%A9%20%25zz.zip"),
        ] {
            assert_eq!(joined(base, link).as_deref(), Some(expected));
        }
        assert_eq!(joined("https://host", "a").as_deref(), Some("https://host/a"));
        for (base, link) in [("", "a"), ("host", "a"), ("https://host", "http://[a")] {
            assert_eq!(joined(base, link), None, "{base} {link}");
        }
    }

    #[test]
    fn a_path_stands_below_its_base_once() {
        for (base, path, expected) in [
            ("https://host", "a/b", "https://host/a/b"),
            ("https://host/", "/a", "https://host/a"),
            ("https://host/simple", "@a%2fb", "https://host/simple/@a%2fb"),
        ] {
            assert_eq!(below(base, path), expected);
        }
    }

    #[test]
    fn hosts_stand_without_ports() {
        for (url, expected) in [
            ("http://a.b:80/c", Some("a.b")),
            ("http://me:p@[::1]:80", Some("::1")),
            ("http://a", Some("a")),
            ("a", None),
        ] {
            assert_eq!(host(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("https://me:secret@host/simple@x"), "https://host/simple@x");
        assert_eq!(without_password("https://host"), "https://host");
    }

    #[test]
    fn a_part_of_a_path_has_no_separators() {
        assert_eq!(encoded("a b/é?.py"), "a%20b%2F%C3%A9%3F.py");
    }
}
