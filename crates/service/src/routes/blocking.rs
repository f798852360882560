//! Work that blocks its thread.

use crate::problem::{Answer, Problem};

/// Does work that takes a while on a thread of its own, so that it keeps no other request waiting.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(Problem::internal(&error)))
}
