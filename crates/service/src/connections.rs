//! At most so many connections at a time, of all and of one address; what is beyond is closed at once, so that files are left for work.
//! A connection on which nothing is asked is closed, too, whatever protocol it does not speak.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum_server::accept::Accept;
use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tower::Service;

/// An acceptor that counts connections.
#[derive(Clone)]
pub(crate) struct Limited<A> {
    inner: A,
    free: Arc<Semaphore>,
    addresses: Arc<Addresses>,
    silence: Duration,
}

impl<A> Limited<A> {
    /// At most so many of those that `inner` accepts, a quarter of them from one address; `silence` is how long each may ask nothing.
    pub(crate) fn new(inner: A, most: usize, silence: Duration) -> Self {
        let addresses = Arc::new(Addresses { most: most / 4, open: Mutex::default() });
        Self { inner, free: Arc::new(Semaphore::new(most)), addresses, silence }
    }
}

impl<A, S> Accept<TcpStream, S> for Limited<A>
where
    A: Accept<TcpStream, S> + Clone + Send + 'static,
    A::Future: Send,
    A::Stream: Send,
    A::Service: Send,
    S: Send + 'static,
{
    type Stream = Counted<A::Stream>;
    type Service = Asked<A::Service>;
    type Future = BoxFuture<'static, io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let Self { inner, free, addresses, silence } = self.clone();
        Box::pin(async move {
            let permit = free.try_acquire_owned().map_err(io::Error::other)?;
            let address = addresses.take(stream.peer_addr()?.ip())?;
            let (stream, service) = inner.accept(stream, service).await?;
            let is_asked = Arc::new(AtomicBool::new(false));
            let silence = Some(Box::pin(tokio::time::sleep(silence)));
            let service = Asked { service, is_asked: Arc::clone(&is_asked) };
            Ok((Counted { stream, is_asked, silence, _permit: permit, _address: address }, service))
        })
    }
}

/// How many connections each address has.
struct Addresses {
    most: usize,
    open: Mutex<BTreeMap<IpAddr, usize>>,
}

impl Addresses {
    /// Counts a connection of an address until what it gives goes. This machine may have as many as it wants: a proxy speaks for all.
    fn take(self: Arc<Self>, address: IpAddr) -> io::Result<Option<Taken>> {
        let address = match address.to_canonical() {
            // Whoever has one of these has all of them.
            IpAddr::V6(long) => {
                let [a, b, c, d, ..] = long.segments();
                if long.is_loopback() { long.into() } else { Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into() }
            }
            short @ IpAddr::V4(_) => short,
        };
        if address.is_loopback() {
            return Ok(None);
        }
        {
            let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let open = all.entry(address).or_default();
            if *open >= self.most {
                return Err(io::Error::other("one address has too many connections"));
            }
            *open += 1;
        }
        Ok(Some(Taken { all: self, address }))
    }
}

/// A connection of an address.
struct Taken {
    all: Arc<Addresses>,
    address: IpAddr,
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut all = self.all.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = all.get_mut(&self.address) {
            *open -= 1;
            if *open == 0 {
                all.remove(&self.address);
            }
        }
    }
}

/// A service that notes that something is asked.
#[derive(Clone)]
pub(crate) struct Asked<S> {
    service: S,
    is_asked: Arc<AtomicBool>,
}

impl<S: Service<R>, R> Service<R> for Asked<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        self.is_asked.store(true, Ordering::Relaxed);
        self.service.call(request)
    }
}

/// A connection that counts as long as it is open.
pub(crate) struct Counted<T> {
    stream: T,
    is_asked: Arc<AtomicBool>,
    /// The time for the first request, until there is one.
    silence: Option<Pin<Box<Sleep>>>,
    _permit: OwnedSemaphorePermit,
    _address: Option<Taken>,
}

impl<T: AsyncRead + Unpin> AsyncRead for Counted<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_asked.load(Ordering::Relaxed) {
            self.silence = None;
        }
        if self.silence.as_mut().is_some_and(|silence| silence.as_mut().poll(context).is_ready()) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Counted<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use axum_server::accept::DefaultAcceptor;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[test]
    fn a_connection_that_asks_nothing_is_closed_and_one_that_asks_stays() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a thread");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            let address = listener.local_addr().expect("it listens");
            let limited = Limited::new(DefaultAcceptor::new(), 8, Duration::from_millis(200));
            let service = tower::service_fn(|()| async { Ok::<_, io::Error>(()) });
            for asks in [false, true] {
                let mut client = TcpStream::connect(address).await.expect("it listens");
                let (stream, _) = listener.accept().await.expect("it asked");
                let (mut stream, mut service) = limited.accept(stream, service).await.expect("there is room");
                client.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.expect("it is open");
                let mut read = [0; 24];
                stream.read_exact(&mut read).await.expect("it was sent");
                if asks {
                    service.call(()).await.expect("it answers");
                }
                let next = tokio::time::timeout(Duration::from_millis(600), stream.read(&mut read)).await;
                match next {
                    Ok(Err(error)) => assert!(!asks && error.kind() == io::ErrorKind::TimedOut, "{error}"),
                    Ok(Ok(bytes)) => panic!("{bytes} bytes that nobody sent"),
                    Err(_) => assert!(asks, "it stays open"),
                }
            }
        });
    }

    #[test]
    fn one_address_has_a_part_of_the_connections() {
        let addresses = Arc::new(Addresses { most: 2, open: Mutex::default() });
        let take = |address: &str| Arc::clone(&addresses).take(address.parse().expect("an address"));
        let (first, _second) = (take("10.0.0.1"), take("10.0.0.1"));
        assert!(first.is_ok() && take("10.0.0.1").is_err() && take("::ffff:10.0.0.1").is_err());
        assert!(take("10.0.0.2").is_ok(), "others are let in");
        drop(first);
        assert!(take("10.0.0.1").is_ok());
        let _long = (take("2001:db8::1"), take("2001:db8::2"));
        assert!(take("2001:db8::3").is_err() && take("2001:db8:0:1::1").is_ok());
        let _here: Vec<_> = (0..9).map(|_| take("::1").expect("it is this machine")).collect();
    }
}
