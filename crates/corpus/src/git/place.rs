//! Where a repository is: in a folder, or on the net.

use std::path::{Path, PathBuf};

use gix::url::Scheme;

use super::error::InvalidPlace;

/// What `git:` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Folder(PathBuf),
    /// As it is asked for, without a slash at the end.
    Url(String),
}

impl Place {
    /// The place that `text` names: a URL, or a path.
    pub fn parse(text: &Path) -> Result<Self, InvalidPlace> {
        let Some(url) = text.to_str().filter(|text| is_url(text)) else {
            return Ok(Self::Folder(text.to_owned()));
        };
        let parsed = gix::url::parse(url.as_bytes()).map_err(|_| InvalidPlace::Malformed)?;
        if parsed.user.is_some() || parsed.password.is_some() {
            return Err(InvalidPlace::Login);
        }
        match parsed.scheme {
            Scheme::Http | Scheme::Https | Scheme::Git => Ok(Self::Url(url.trim_end_matches('/').to_owned())),
            Scheme::File => {
                gix::path::from_bstring(parsed.path).map(Self::Folder).map_err(|_| InvalidPlace::Path)
            }
            _ => Err(InvalidPlace::Scheme),
        }
    }
}

/// Whether a text is a URL rather than a path.
pub(crate) fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// A URL as it may be shown, also behind a kind.
pub(crate) fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_url() {
        let parse = |text: &str| Place::parse(Path::new(text));
        let url = |text: &str| Ok(Place::Url(text.to_owned()));
        assert_eq!(parse("https://host/a.git/"), url("https://host/a.git"));
        assert_eq!(parse("git://host/a"), url("git://host/a"));
        for folder in ["/a/b", "a:b/c", "git@host:a/b.git"] {
            assert_eq!(parse(folder), Ok(Place::Folder(folder.into())));
        }
        assert_eq!(parse("file:///a/b"), Ok(Place::Folder("/a/b".into())));
        for wrong in ["https://me:secret@host/a", "ssh://host/a", "ext://sh", "https://"] {
            let reason = parse(wrong).expect_err("wrong").to_string();
            assert!(!reason.contains("secret"), "{reason}");
        }
    }
}
