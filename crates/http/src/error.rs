//! Why a request failed.

use std::io;

/// A request got no response, or a response broke off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct RequestError {
    pub kind: ErrorKind,
    /// What the connection says, in words.
    pub reason: String,
}

/// What failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The server is not the one that it claims to be, or its encryption does not work.
    Insecure,
    /// It took longer than it may.
    Timeout,
    HostNotFound,
    /// The connection was refused or broke, or what came was not HTTP.
    Unreachable,
    /// The request cannot be sent as it is.
    Invalid,
    /// There is no response for another reason, such as too many redirects.
    Other,
}

impl RequestError {
    /// Whether the same request may succeed a moment later.
    pub fn may_pass(&self) -> bool {
        matches!(self.kind, ErrorKind::Timeout | ErrorKind::HostNotFound | ErrorKind::Unreachable)
    }

    /// What failed while a body was read.
    pub(crate) fn of_reading(error: io::Error) -> Self {
        ureq::Error::from(error).into()
    }
}

impl From<ureq::Error> for RequestError {
    fn from(error: ureq::Error) -> Self {
        let kind = match &error {
            ureq::Error::Rustls(_) | ureq::Error::Tls(_) => ErrorKind::Insecure,
            // What rustls says of a certificate while a connection is made comes so.
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => ErrorKind::Insecure,
            ureq::Error::Timeout(_) => ErrorKind::Timeout,
            ureq::Error::HostNotFound => ErrorKind::HostNotFound,
            ureq::Error::Io(_) | ureq::Error::Protocol(_) | ureq::Error::ConnectionFailed => {
                ErrorKind::Unreachable
            }
            ureq::Error::Http(_) | ureq::Error::BadUri(_) => ErrorKind::Invalid,
            _ => ErrorKind::Other,
        };
        let reason = match error {
            ureq::Error::Rustls(error) => error.to_string(),
            ureq::Error::Io(error) => error.to_string(),
            error => error.to_string(),
        };
        Self { kind, reason }
    }
}
