//! What a server answers.

use std::time::Duration;

use ureq::ResponseExt;
use ureq::http::header;

use crate::body::Body;

/// A status, headers, and a body that is not read yet.
#[derive(Debug)]
pub struct Response(pub(crate) ureq::http::Response<ureq::Body>);

impl Response {
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// Whether the status says that the same request may succeed a moment later.
    pub fn may_pass(&self) -> bool {
        matches!(self.status(), 408 | 425 | 429 | 500..=599)
    }

    /// How long the server asks to wait before the next request.
    pub fn retry_after(&self) -> Option<Duration> {
        let after = self.0.headers().get(header::RETRY_AFTER)?;
        after.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
    }

    /// Where it came from in the end.
    pub fn url(&self) -> String {
        self.0.get_uri().to_string()
    }

    /// All headers, in the order in which they came.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes()))
    }

    /// Such as `text/html`, in lower case and without parameters; empty if the server does not say it.
    pub fn media_type(&self) -> String {
        self.0.body().mime_type().unwrap_or_default().to_ascii_lowercase()
    }

    /// How many bytes the server says that it sends.
    pub fn length(&self) -> Option<u64> {
        self.0.body().content_length()
    }

    /// The body, of which at most `limit` bytes are read.
    pub fn body(self, limit: u64) -> Body {
        Body::new(self.0.into_body().into_reader(), limit)
    }
}
