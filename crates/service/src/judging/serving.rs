//! How the server of judges starts and ends.

use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum_server::accept::DefaultAcceptor;
use hyper_util::rt::TokioTimer;
use tokio::signal::unix::{SignalKind, signal};

use super::desk::Desk;
use super::routes::app;
use super::sign_in::Judges;
use crate::connections::Limited;
use crate::error::ServeError;

/// Connections that may be open at a time.
const CONNECTIONS: usize = 200;

/// How long a client may take to say what it wants, and how long requests may go on when the server stops.
const HEADERS: Duration = Duration::from_secs(15);
const GRACE: Duration = Duration::from_secs(5);

/// Serves judges until it is told to stop (SIGINT, SIGTERM). The address goes to standard output as soon as there is one.
pub fn serve(listen: SocketAddr, desk: Arc<dyn Desk>, judges: Judges) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener =
            TcpListener::bind(listen).map_err(|source| ServeError::Listen { address: listen, source })?;
        listener.set_nonblocking(true)?;
        announce(listener.local_addr()?)?;
        let handle = axum_server::Handle::new();
        tokio::spawn(stop(handle.clone()));
        let acceptor = Limited::new(DefaultAcceptor::new(), CONNECTIONS, HEADERS);
        let mut served = axum_server::from_tcp(listener)?.acceptor(acceptor);
        served
            .http_builder()
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS)
            .max_buf_size(64 << 10);
        served
            .http_builder()
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(HEADERS)
            .keep_alive_timeout(HEADERS);
        served.handle(handle).serve(app(desk, judges).into_make_service()).await?;
        Ok(())
    })
}

/// Says where the server listens; a reader that has gone is no failure.
fn announce(address: SocketAddr) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "listening on http://{address}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Ends everything when the system asks for it.
async fn stop(handle: axum_server::Handle<SocketAddr>) {
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
        }
        Err(_) => drop(interrupted.await),
    }
    handle.graceful_shutdown(Some(GRACE));
}
