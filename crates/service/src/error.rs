//! Why a server does not start, or stops.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use familiar_http::ClientError;

use crate::store::StoreError;

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
    Peers(#[from] ClientError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the server stopped: {0}")]
    Io(#[from] io::Error),
}
