//! How the server starts and ends.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum_server::accept::DefaultAcceptor;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::TokioTimer;
use tokio::signal::unix::{SignalKind, signal};

use crate::connections::Limited;
use crate::error::ServeError;
use crate::options::Options;
use crate::routes;
use crate::state::Server;
use crate::store::{Of, Store, StoreError, now};

/// Jobs that may wait for peers at a time, where any may run.
const REMOTE: usize = 4;

/// Connections that may be open at a time.
const CONNECTIONS: usize = 800;

/// How long a client may take to say what it wants, and how long requests may go on when the server stops.
const HEADERS: Duration = Duration::from_secs(15);
const GRACE: Duration = Duration::from_secs(10);

/// How many seconds a job is listed after its end.
const JOBS_KEPT: i64 = 30 * 86_400;

/// Most bytes of a request's headers.
const HEADER_BYTES: usize = 64 << 10;

/// Serves until it is told to stop (SIGINT, SIGTERM). The address goes to standard output as soon as there is one.
pub fn serve(options: Options) -> Result<(), ServeError> {
    let level = if options.log_requests { tracing::Level::INFO } else { tracing::Level::WARN };
    // Whoever calls this may log already.
    let _already = tracing_subscriber::fmt().json().with_max_level(level).with_writer(io::stderr).try_init();
    let _already = rustls::crypto::ring::default_provider().install_default();
    let data = options.data.clone();
    let unusable = |source| ServeError::Data { path: data.clone(), source };
    prepare(&data).map_err(unusable)?;
    let _only = lock(&data)?;
    let store = Store::open(&data)?;
    if !options.listen.ip().is_loopback() && options.proxy_header.is_none() && !store.has_tokens()? {
        return Err(ServeError::Open(options.listen));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(options, store))
}

/// The folders that the server needs, for nobody else to read.
fn prepare(data: &Path) -> io::Result<()> {
    for folder in ["", "uploads", "jobs", "results"] {
        std::fs::create_dir_all(data.join(folder))?;
    }
    std::fs::set_permissions(data, std::fs::Permissions::from_mode(0o700))
}

/// Keeps other servers out of the folder for as long as the file is open.
fn lock(data: &Path) -> Result<std::fs::File, ServeError> {
    let unusable = |source| ServeError::Data { path: data.to_owned(), source };
    let file = std::fs::File::create(data.join("lock")).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(ServeError::Taken { path: data.to_owned() }),
        Err(std::fs::TryLockError::Error(error)) => Err(unusable(error)),
    }
}

async fn run(options: Options, store: Store) -> Result<(), ServeError> {
    let tls = match &options.tls {
        None => None,
        Some((certificates, key)) => Some(certificates_of(certificates, key).await?),
    };
    let address = options.listen;
    let listener = TcpListener::bind(address).map_err(|source| ServeError::Listen { address, source })?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let server = Arc::new(Server::new(options, store)?);
    sweep(&server)?;
    let app = routes::app(Arc::clone(&server)).into_make_service_with_connect_info::<SocketAddr>();
    let handle = axum_server::Handle::new();
    // Peers are not asked for a job that nobody would go on with.
    let remote = if server.options.jobs == 0 { 0 } else { REMOTE };
    let running = (0..server.options.jobs + remote).map(|number| {
        let server = Arc::clone(&server);
        tokio::spawn(async move { server.jobs.run(number >= server.options.jobs).await })
    });
    let running: Vec<_> = running.collect();
    tokio::spawn(stop(Arc::clone(&server), handle.clone()));
    tokio::spawn(tidy(Arc::clone(&server)));
    let scheme = if tls.is_some() { "https" } else { "http" };
    announce(scheme, address)?;
    macro_rules! listen {
        ($acceptor:expr) => {{
            let mut served =
                axum_server::from_tcp(listener)?.acceptor(Limited::new($acceptor, CONNECTIONS, HEADERS));
            served
                .http_builder()
                .http1()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS)
                .max_buf_size(HEADER_BYTES);
            served
                .http_builder()
                .http2()
                .timer(TokioTimer::new())
                .keep_alive_interval(HEADERS)
                .keep_alive_timeout(HEADERS)
                .max_header_list_size(HEADER_BYTES as u32)
                .max_concurrent_streams(64);
            served.handle(handle).serve(app).await?;
        }};
    }
    match tls {
        None => listen!(DefaultAcceptor::new()),
        Some(tls) => listen!(RustlsAcceptor::new(tls)),
    }
    for job in running {
        let _ended = job.await;
    }
    Ok(())
}

async fn certificates_of(certificates: &Path, key: &Path) -> Result<RustlsConfig, ServeError> {
    RustlsConfig::from_pem_file(certificates, key).await.map_err(|source| ServeError::Tls {
        certificates: certificates.to_owned(),
        key: key.to_owned(),
        source,
    })
}

/// Says where the server listens; a reader that has gone is no failure.
fn announce(scheme: &str, address: SocketAddr) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "listening on {scheme}://{address}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Ends everything when the system asks for it.
async fn stop(server: Arc<Server>, handle: axum_server::Handle<SocketAddr>) {
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
    tracing::info!("stopping");
    server.jobs.stop();
    handle.graceful_shutdown(Some(GRACE));
}

/// Forgets now and then what counts no more.
async fn tidy(server: Arc<Server>) {
    loop {
        if let Err(error) = server.store.forget_jobs(now() - JOBS_KEPT) {
            tracing::error!(error = %error, "old jobs cannot be removed");
        }
        for _ in 0..60 {
            tokio::time::sleep(Duration::from_secs(60)).await;
            server.rates.tidy();
        }
    }
}

/// Removes what a server left that was killed: files that nothing names.
pub(crate) fn sweep(server: &Server) -> Result<(), ServeError> {
    let data = &server.options.data;
    let is_upload = |id: &str| server.store.upload(id, Of::Everybody).map(|found| found.is_some());
    let is_result = |id: &str| server.store.result(id, Of::Everybody).map(|found| found.is_some());
    for (folder, is_known) in [
        ("uploads", &is_upload as &dyn Fn(&str) -> Result<bool, StoreError>),
        ("results", &is_result),
        ("jobs", &|_| Ok(false)),
    ] {
        for entry in std::fs::read_dir(data.join(folder))? {
            let entry = entry?;
            // What is no folder is not the server's.
            if entry.file_type()?.is_dir() && !is_known(&entry.file_name().to_string_lossy())? {
                tracing::info!(folder, "removing what an earlier run left");
                if let Err(error) = std::fs::remove_dir_all(entry.path()) {
                    tracing::warn!(folder, error = %error, "what an earlier run left cannot be removed");
                }
            }
        }
    }
    Ok(())
}
