//! What a job says on its standard output: how far it is, and how it ended.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use familiar_engine::Progress;

use crate::tasks::News;

/// Why a job failed, in words for who asked for it.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Says on standard output how far the job is, some times in a second.
#[derive(Default)]
pub(super) struct Reporter {
    done: AtomicU64,
    last: Mutex<Option<Instant>>,
}

/// Between two lines that say how much is done.
const PAUSE: Duration = Duration::from_millis(200);

/// Says something in a line of its own.
pub(super) fn say(news: &News) -> io::Result<()> {
    let mut line = serde_json::to_vec(news)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

impl Progress for Reporter {
    fn stage(&self, name: &str, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        // A source's name holds where an upload lies.
        let name = if name.contains('/') { "reading" } else { name };
        let _ = say(&News::Stage { name: name.to_owned(), total });
    }

    fn advance(&self, done: u64) {
        let done = self.done.fetch_add(done, Ordering::Relaxed) + done;
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            let _ = say(&News::Done(done));
        }
    }
}
