//! Who asks: a token becomes a cookie that scripts cannot read.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, header};
use familiar_source::words::hexadecimal;

use crate::identifier;
use crate::tokens;

/// The cookie of the page.
const COOKIE: &str = "familiar-judge";

/// Who may judge: names by the hashes of their tokens.
#[derive(Clone, Debug, Default)]
pub struct Judges(BTreeMap<String, String>);

impl Judges {
    /// Of names with the hashes of their tokens.
    pub fn new(hashes: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(hashes.into_iter().map(|(name, hash)| (hash, name)).collect())
    }

    /// Whose token it is.
    pub(super) fn by_token(&self, token: &str) -> Option<&str> {
        self.0.get(&hashed(token.trim())).map(String::as_str)
    }

    /// Who asks, by the header `Authorization` or the cookie.
    pub(super) fn asking(&self, headers: &HeaderMap) -> Option<&str> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
        if let Some(token) = bearer.and_then(|it| it.strip_prefix("Bearer ")) {
            return self.by_token(token);
        }
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|it| it.to_str().ok());
        let mut cookies = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
        cookies.find(|(name, _)| *name == COOKIE).and_then(|(_, token)| self.by_token(token))
    }
}

/// A new token. It is shown once; only its hash is kept.
pub fn new_token() -> String {
    identifier::token()
}

/// What is kept of a token.
pub fn hashed(token: &str) -> String {
    hexadecimal(&tokens::hash(token))
}

/// The cookie that signs a browser in for a year, so that a judge who was away need not sign in again. Without a token, it signs out.
pub(super) fn cookie(token: Option<&str>) -> String {
    let age = if token.is_some() { 365 * 24 * 3600 } else { 0 };
    format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}", token.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_judge() {
        let token = new_token();
        let judges = Judges::new([("ada".to_owned(), hashed(&token))]);
        let with = |name: header::HeaderName, value: &str| {
            HeaderMap::from_iter([(name, value.parse().expect("a header"))])
        };
        assert_eq!(judges.asking(&with(header::AUTHORIZATION, &format!("Bearer {token}"))), Some("ada"));
        let cookie = format!("other=1; {COOKIE}={token}");
        assert_eq!(judges.asking(&with(header::COOKIE, &cookie)), Some("ada"));
        assert_eq!(judges.asking(&with(header::AUTHORIZATION, "Bearer fam_0")), None);
        assert_eq!(judges.asking(&HeaderMap::new()), None);
    }
}
