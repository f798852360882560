//! How does Familiar speak to the net? HTTP requests with certificates, proxies, limits and retries.
//!
//! A [`Client`] is made of [`Settings`]: which certificates it trusts, through which [`Proxy`] it goes, whether it follows
//! redirects, and how long it waits. It reads nothing from the environment by itself, except where the system keeps its
//! certificates. Whoever wants the usual variables asks [`ProxyVariables`].
//!
//! Every body has a limit. What the caller makes of a status or of an error is its own: this crate only says what happened
//! ([`RequestError`]), and [`Retries`] asks again if the caller says that the failure may pass.
//!
//! ```
//! use std::time::Duration;
//!
//! use familiar_http::{Client, ErrorKind, Settings, Timeouts};
//!
//! let timeouts = Timeouts { total: Some(Duration::from_secs(5)), ..Timeouts::default() };
//! let client = Client::new(Settings { timeouts, ..Settings::default() })?;
//! // Nobody listens on this port.
//! let error = client.get("http://127.0.0.1:1/").header("accept", "text/html").send().expect_err("nobody answers");
//! assert_eq!(error.kind, ErrorKind::Unreachable);
//! # Ok::<(), familiar_http::ClientError>(())
//! ```
//!
//! # Files
//!
//! `client` makes requests, `response` is what comes back, `body` reads it up to a limit, and `error` says what failed.
//! `certificates`, `proxy` and `retries` are the parts of the way there. `url` joins URLs and shows them without passwords.

mod body;
mod certificates;
mod client;
mod error;
mod proxy;
mod response;
mod retries;
pub mod url;

pub use body::{Body, BodyError};
pub use certificates::CertificateError;
pub use client::{Client, ClientError, Redirects, Request, Settings, Timeouts};
pub use error::{ErrorKind, RequestError};
pub use proxy::{Proxy, ProxyError, ProxyVariables};
pub use response::Response;
pub use retries::{Failure, Retries};
