//! The part of a job that peers do: each compares what was uploaded with its corpora, all at the same time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use crate::metrics::Metrics;
use crate::peers::{Peers, RemoteJob};
use crate::tasks::{Answered, OfPeer, Task, What};

/// The peers, and how long they have for a job.
pub(crate) struct RemoteJobs {
    pub(crate) peers: Arc<Peers>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) timeout: Duration,
}

/// Sets what it holds when it goes.
struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl RemoteJobs {
    /// What the peers of a task answer; `progress` is told how many have, of how many. Whoever is still asked when this is dropped gives up.
    pub(super) async fn all(
        &self,
        task: &Task,
        folder: &Path,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Vec<Answered> {
        let peers = task.what.peers();
        let is_cancelled = Guard(Arc::new(AtomicBool::new(false)));
        let done = AtomicU64::new(0);
        progress(0, peers.len() as u64);
        let one = async |(number, of): (usize, &OfPeer)| {
            let into = folder.join(format!("{number}.excerpt"));
            let (path, wanted, files) = parts(&task.what, of);
            let (most, timeout, is_cancelled) =
                (task.bounds.unpacked, self.timeout, Arc::clone(&is_cancelled.0));
            let job = RemoteJob { path, wanted, files, into: into.clone(), most, timeout, is_cancelled };
            let answer = self.peers.run(&self.metrics, &of.peer, job).await;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, peers.len() as u64);
            Answered {
                of: of.clone(),
                excerpt: answer.map(|()| into).map_err(|unanswered| unanswered.reason),
            }
        };
        join_all(peers.iter().enumerate().map(one)).await
    }
}

type Files = Vec<(&'static str, Vec<std::path::PathBuf>)>;

/// Where a peer is asked for such a job, what it is asked for, and the files that go with it.
fn parts(what: &What, of: &OfPeer) -> (&'static str, serde_json::Value, Files) {
    match what {
        What::Clones(clones) => {
            let wanted = json!({
                "corpora": of.corpora,
                "layout": clones.layout,
                "between_projects": clones.between_projects,
                "granularity": clones.granularity,
                "types": clones.types,
                "min_tokens": clones.min_tokens,
                "min_lines": clones.min_lines,
                "cross_language": clones.cross_language,
            });
            let files = vec![("uploads", clones.uploads.clone()), ("base", clones.base.clone())];
            ("/api/v1/clones", wanted, files)
        }
        What::Audit(audit) => {
            let wanted = json!({"corpora": of.corpora, "license": audit.license});
            ("/api/v1/audit", wanted, vec![("uploads", audit.uploads.clone())])
        }
        _ => unreachable!("peers take part in clones and audits alone"),
    }
}
