//! What a server answers.

use std::time::{Duration, SystemTime};

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

    /// How long the server asks to wait before the next request, which it says in seconds or as a date.
    pub fn retry_after(&self) -> Option<Duration> {
        let after = self.0.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim();
        if let Ok(seconds) = after.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let until = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds_of(after)?);
        Some(until.duration_since(SystemTime::now()).unwrap_or_default())
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

/// Seconds from 1970 to a date of the form `Sun, 06 Nov 1994 08:49:37 GMT`.
fn seconds_of(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = date.split(' ').collect();
    let &[_, day, month, year, time, "GMT"] = words.as_slice() else { return None };
    let mut parts = time.split(':').map(|part| part.parse::<u64>().ok().filter(|it| *it <= 60));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let (day, year): (u64, u64) = (day.parse().ok()?, year.parse().ok()?);
    let month = MONTHS.iter().position(|it| *it == month)? as u64;
    if !(1..=31).contains(&day) || !(1970..=9999).contains(&year) {
        return None;
    }
    // Years that begin in March end with the day that not all of them have.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    days.checked_sub(719_468).map(|days| days * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_seconds() {
        assert_eq!(seconds_of("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(seconds_of("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
        assert_eq!(seconds_of("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds_of("tomorrow"), None);
    }
}
