//! The server: its options, its state, and how it starts and ends.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName};
use axum_server::accept::DefaultAcceptor;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::TokioTimer;
use tokio::sync::Semaphore;

use crate::caller::Rates;
use crate::connections::Limited;
use crate::finders::Finders;
use crate::jobs::{Asking, Jobs};
use crate::libraries::Libraries;
use crate::metrics::Metrics;
use crate::peers::{Peer, Peers};
use crate::routes;
use crate::store::{Of, Store, StoreError};
use crate::tasks::Bounds;

/// How a server is set up.
pub struct Options {
    /// Port 0 takes one that is free.
    pub listen: SocketAddr,
    /// Where the server keeps uploads, jobs, results and tokens.
    pub data: PathBuf,
    /// Where corpora with names live and new ones come to be; none where only `corpora` are served.
    pub home: Option<PathBuf>,
    /// Corpora by the names under which they are served.
    pub corpora: BTreeMap<String, PathBuf>,
    /// Whether corpora stay as they are.
    pub read_only: bool,
    /// Certificates and their key, in PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The header in which a proxy on this machine names whom it has signed in.
    pub proxy_header: Option<HeaderName>,
    /// Servers that hold other corpora, and how long each may take to answer.
    pub peers: Vec<Peer>,
    pub peer_timeout: Duration,
    /// How long a peer may take for its part of a job.
    pub peer_job_timeout: Duration,
    /// Hosts that `git:` sources may come from.
    pub hosts: Vec<String>,
    /// Threads that look code up, and threads of a job.
    pub threads: usize,
    /// Jobs that run at the same time; with none they wait.
    pub jobs: usize,
    /// Bytes of memory for a job.
    pub memory: usize,
    /// Requests of one token in a second.
    pub rate: NonZeroU32,
    /// Unfinished jobs of one token.
    pub most_jobs: u64,
    /// Bytes of all uploads of one token, and bytes that one archive may unpack to.
    pub most_uploaded: u64,
    pub most_unpacked: u64,
    /// Whether requests are logged, beside what goes wrong.
    pub log_requests: bool,
    /// Makes the process that does the job in a folder: one that calls [`crate::worker::run`].
    pub worker: Box<dyn Fn(&Path) -> std::process::Command + Send + Sync>,
}

/// Why a server could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {source}; name another address with --listen")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("cannot use the folder {}: {source}; name another with --data", path.display())]
    Data { path: PathBuf, source: io::Error },
    #[error(
        "{0} can be reached from other machines, and there is no token yet: make one with `familiar serve token create NAME`, or listen on 127.0.0.1"
    )]
    Open(SocketAddr),
    #[error("cannot use the certificates {} with the key {}: {source}", certificates.display(), key.display())]
    Tls { certificates: PathBuf, key: PathBuf, source: io::Error },
    #[error("another server uses the folder {}; name another with --data", path.display())]
    Taken { path: PathBuf },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the server stopped: {0}")]
    Io(#[from] io::Error),
}

/// What all requests share.
pub(crate) struct Server {
    pub(crate) options: Options,
    pub(crate) store: Arc<Store>,
    pub(crate) libraries: Arc<Libraries>,
    pub(crate) finders: Arc<Finders>,
    pub(crate) peers: Arc<Peers>,
    pub(crate) jobs: Jobs,
    pub(crate) rates: Rates,
    pub(crate) metrics: Arc<Metrics>,
    /// One for each stream of events that may be open.
    pub(crate) streams: Arc<Semaphore>,
    /// One for each upload that may be under way.
    pub(crate) receiving: Semaphore,
}

/// Streams of events that may be open at a time; uploads that may be under way.
const STREAMS: usize = 256;
const RECEIVING: usize = 32;

/// Jobs that may wait for peers at a time.
const ASKING: usize = 4;

/// Connections that may be open at a time.
const CONNECTIONS: usize = 800;

/// How long a client may take to say what it wants, and how long requests may go on when the server stops.
const HEADERS: Duration = Duration::from_secs(15);
const GRACE: Duration = Duration::from_secs(10);

/// Most bytes of a request's headers.
const HEADER_BYTES: usize = 64 << 10;

impl Server {
    pub(crate) fn new(mut options: Options, store: Store) -> Result<Self, ServeError> {
        let store = Arc::new(store);
        let libraries = Arc::new(Libraries::new(options.home.clone(), std::mem::take(&mut options.corpora)));
        let finders = Arc::new(Finders::new(options.threads, options.memory, &libraries)?);
        let worker =
            std::mem::replace(&mut options.worker, Box::new(|_| std::process::Command::new("false")));
        let peers = Arc::new(Peers::new(&options.peers, options.peer_timeout));
        let metrics = Arc::new(Metrics::new());
        let asking = Asking {
            peers: Arc::clone(&peers),
            metrics: Arc::clone(&metrics),
            patience: options.peer_job_timeout,
        };
        let jobs = Jobs::new(Arc::clone(&store), &options.data, options.jobs, asking, worker)?;
        Ok(Self {
            finders,
            peers,
            jobs,
            rates: Rates::new(options.rate),
            metrics,
            streams: Arc::new(Semaphore::new(STREAMS)),
            receiving: Semaphore::new(RECEIVING),
            store,
            libraries,
            options,
        })
    }

    /// Whether who asks from `peer` need not sign in: nobody has a token, and the connection comes from this machine itself.
    pub(crate) fn is_open(&self, peer: IpAddr, headers: &HeaderMap) -> Result<bool, StoreError> {
        let forwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
        let is_forwarded = forwarded.iter().any(|name| headers.contains_key(*name));
        let is_here = self.options.listen.ip().is_loopback() && peer.is_loopback() && !is_forwarded;
        Ok(is_here && self.options.proxy_header.is_none() && !self.store.has_tokens()?)
    }

    /// The bounds of a job.
    pub(crate) fn bounds(&self) -> Bounds {
        let Options { threads, memory, most_unpacked, .. } = self.options;
        Bounds { threads, memory, unpacked: most_unpacked, file: 64 << 20 }
    }
}

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
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(data, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
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
    let running = (0..server.options.jobs + ASKING).map(|number| {
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
            let mut served = axum_server::from_tcp(listener)?.acceptor(Limited::new($acceptor, CONNECTIONS));
            served
                .http_builder()
                .http1()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS)
                .max_buf_size(HEADER_BYTES);
            served
                .http_builder()
                .http2()
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
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => {
                tokio::select! {
                    _ = interrupted => {}
                    _ = terminated.recv() => {}
                }
            }
            Err(_) => drop(interrupted.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupted.await);
    tracing::info!("stopping");
    server.jobs.stop();
    handle.graceful_shutdown(Some(GRACE));
}

/// Forgets now and then what counts no more.
async fn tidy(server: Arc<Server>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        server.rates.tidy();
    }
}

/// Removes what a server left that was killed: files that nothing names.
fn sweep(server: &Server) -> Result<(), ServeError> {
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
            if !is_known(&entry.file_name().to_string_lossy())? {
                tracing::info!(folder, "removing what an earlier run left");
                std::fs::remove_dir_all(entry.path())?;
            }
        }
    }
    Ok(())
}
