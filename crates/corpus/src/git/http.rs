//! The smart protocol's requests over HTTP.
//!
//! A request is made when the first byte of its answer is read, for only then is its body whole.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use familiar_http::{ClientError, ProxyVariables, Redirects, Settings, Timeouts};
use gix::error::{Result, ResultExt as _};
use gix_transport::client::blocking_io::http::{GetResponse, Http, PostBodyDataKind, PostResponse};

/// How long it may take until a server is reached.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a server may be silent. One that makes a large pack says every few seconds that it is still at it.
const SILENCE: Duration = Duration::from_secs(120);
/// Most bytes that are sent: what the mirror has, and what it wants.
const REQUEST_BYTES: usize = 256 << 20;

/// Asks one server.
pub(super) struct Client {
    http: familiar_http::Client,
    /// Most bytes of one answer.
    most: u64,
    /// Where the server sent the first request to.
    redirected: Option<String>,
}

impl Client {
    /// A client for the server at `url`, through the proxy that the environment names for it.
    pub(super) fn new(url: &str, most: u64) -> std::result::Result<Self, ClientError> {
        let (patience, silence) = (Some(PATIENCE), Some(SILENCE));
        let timeouts = Timeouts {
            resolve: patience,
            connect: patience,
            response: silence,
            silence,
            ..Timeouts::default()
        };
        let proxy = ProxyVariables::from_environment().for_url(url)?;
        let settings = Settings { proxy, redirects: Redirects::Follow, timeouts, ..Settings::default() };
        Ok(Self { http: familiar_http::Client::new(settings)?, most, redirected: None })
    }

    fn request(&self, url: &str, headers: Vec<(String, String)>, is_post: bool) -> Arc<Mutex<Request>> {
        let (http, url) = (self.http.clone(), url.to_owned());
        let asked = GitRequest { http, url, headers, body: is_post.then(Vec::new), most: self.most };
        Arc::new(Mutex::new(Request::Waiting(asked)))
    }
}

impl Http for Client {
    type Headers = Headers;
    type ResponseBody = BufReader<Body>;
    type PostBody = Sent;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<GetResponse<Headers, BufReader<Body>>> {
        let request = self.request(url, parsed(headers), false);
        // The refs are asked for first, and the server may be elsewhere from then on.
        let mut body = Body(request.clone());
        let now = body.answer(|answer| answer.url.clone()).or_error()?;
        let tail = url.strip_prefix(base_url).filter(|tail| !tail.is_empty());
        self.redirected = tail.and_then(|tail| now.strip_suffix(tail)).map(ToOwned::to_owned);
        Ok(GetResponse { headers: Headers::of(request), body: BufReader::with_capacity(1 << 16, body) })
    }

    fn post(
        &mut self,
        url: &str,
        _base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _body: PostBodyDataKind,
    ) -> Result<PostResponse<Headers, BufReader<Body>, Sent>> {
        let request = self.request(url, parsed(headers), true);
        let body = BufReader::with_capacity(1 << 16, Body(request.clone()));
        Ok(PostResponse { post_body: Sent(request.clone()), headers: Headers::of(request), body })
    }

    fn configure(&mut self, _config: &dyn std::any::Any) -> Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.redirected.clone()
    }
}

/// `Name: value` in two parts.
fn parsed(headers: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<(String, String)> {
    let parts = |header: &str| {
        let (name, value) = header.split_once(':')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    headers.into_iter().filter_map(|header| parts(header.as_ref())).collect()
}

/// A request, from its first byte to the last of its answer.
enum Request {
    Waiting(GitRequest),
    Answered(Answer),
    Failed,
}

struct GitRequest {
    http: familiar_http::Client,
    url: String,
    headers: Vec<(String, String)>,
    /// What is posted.
    body: Option<Vec<u8>>,
    most: u64,
}

struct Answer {
    /// Where it came from in the end.
    url: String,
    headers: Vec<u8>,
    body: familiar_http::Body,
}

impl GitRequest {
    fn answer(self) -> io::Result<Answer> {
        let request = if self.body.is_some() { self.http.post(&self.url) } else { self.http.get(&self.url) };
        let headers = self.headers.iter();
        let request = headers.fold(request, |request, (name, value)| request.header(name, value));
        let response = match &self.body {
            Some(body) => request.send_bytes(body),
            None => request.send(),
        };
        let response =
            response.map_err(|error| io::Error::other(format!("cannot fetch {}: {error}", self.url)))?;
        let status = response.status();
        match status {
            200..=299 => {}
            401 | 403 | 407 => {
                let reason = format!("HTTP {status}; it asks for a login or refuses");
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
            }
            404 | 410 => {
                return Err(io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("HTTP {status}; it is not there"),
                ));
            }
            _ => return Err(io::Error::other(format!("HTTP {status}"))),
        }
        let mut headers = Vec::new();
        for (name, value) in response.headers() {
            headers.extend([name.as_bytes(), b": ", value, b"\n"].concat());
        }
        Ok(Answer { url: response.url(), headers, body: response.body(self.most) })
    }
}

/// Takes what is posted.
pub(super) struct Sent(Arc<Mutex<Request>>);

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Request::Waiting(GitRequest { body: Some(body), .. })
                if body.len() + bytes.len() <= REQUEST_BYTES =>
            {
                body.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            _ => Err(io::Error::other("the request is larger than expected, or was made already")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives the answer's body.
pub(super) struct Body(Arc<Mutex<Request>>);

impl Body {
    /// Has `take` see the answer, which is asked for if it was not yet.
    fn answer<T>(&mut self, take: impl FnOnce(&mut Answer) -> T) -> io::Result<T> {
        let mut request = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Request::Waiting(_) = *request
            && let Request::Waiting(asked) = std::mem::replace(&mut *request, Request::Failed)
        {
            *request = Request::Answered(asked.answer()?);
        }
        match &mut *request {
            Request::Answered(answer) => Ok(take(answer)),
            _ => Err(io::Error::other("the request failed")),
        }
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.answer(|answer| {
            answer.body.read(buffer).map_err(|error| {
                if answer.body.is_exceeded() {
                    io::Error::other("the answer is larger than the limit for one repository")
                } else {
                    error
                }
            })
        })?
    }
}

/// Gives the answer's headers, line by line.
pub(super) struct Headers {
    body: Body,
    lines: Option<Cursor<Vec<u8>>>,
}

impl Headers {
    fn of(request: Arc<Mutex<Request>>) -> Self {
        Self { body: Body(request), lines: None }
    }
}

impl Read for Headers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Headers {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.lines.is_none() {
            self.lines = Some(Cursor::new(self.body.answer(|answer| answer.headers.clone())?));
        }
        self.lines.as_mut().expect("just set").fill_buf()
    }

    fn consume(&mut self, read: usize) {
        if let Some(lines) = &mut self.lines {
            lines.consume(read);
        }
    }
}
