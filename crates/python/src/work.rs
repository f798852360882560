//! Long work on a thread of its own, while Python stays free.
//!
//! The thread that calls holds no lock of the interpreter while it waits. It looks for signals some times a second, and it alone
//! calls back, so that a progress bar needs no care for threads. Work that is not wanted any more ends where it tells its progress:
//! there the stack is unwound, so that temporary files go. Whoever waits does so for a moment only; nothing is left half-written,
//! since results are written as a whole or not at all.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use familiar_cli::calls::CallError;
use familiar_source::Progress;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error;

/// How often signals are looked for, and progress is told.
pub(crate) const TICK: Duration = Duration::from_millis(50);
/// How long work that is not wanted any more is waited for.
const GRACE: Duration = Duration::from_millis(500);

/// How far some work has come, and whether it is still wanted.
#[derive(Default)]
pub(crate) struct Watch {
    unwanted: AtomicBool,
    /// Name of the stage, and its units of work.
    stage: Mutex<(String, u64)>,
    done: AtomicU64,
}

/// What unwinds work that is not wanted any more.
struct Unwanted;

impl Watch {
    fn check(&self) {
        if self.unwanted.load(Ordering::Relaxed) && !std::thread::panicking() {
            resume_unwind(Box::new(Unwanted));
        }
    }

    /// The stage, the units that are done of it, and how many there are.
    fn now(&self) -> (String, u64, u64) {
        let (stage, total) = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (stage, self.done.load(Ordering::Relaxed), total)
    }
}

impl Progress for Watch {
    fn stage(&self, name: &str, total: u64) {
        self.check();
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = (name.to_owned(), total);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, done: u64) {
        self.check();
        self.done.fetch_add(done, Ordering::Relaxed);
    }
}

type Outcome<T> = std::thread::Result<Result<T, CallError>>;

/// Does `work` on a thread of its own. `progress` is called with the stage, the units done and all units.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, CallError> + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let (send, receive) = sync_channel::<Outcome<T>>(1);
    let shared = Arc::clone(&watch);
    let doing = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&shared)));
        // Who asked may be gone.
        let _ = send.send(outcome);
    };
    let thread = std::thread::Builder::new().name("familiar".to_owned()).spawn(doing);
    thread.map_err(|it| error::failed(py, format!("cannot start a thread: {it}")))?;
    let receive = Mutex::new(receive);
    let mut told = (String::new(), 0, 0);
    loop {
        match py.detach(|| wait(&receive, TICK)) {
            Ok(outcome) => {
                tell(progress, &watch, &mut told)?;
                return finished(py, outcome);
            }
            Err(RecvTimeoutError::Timeout) => {
                let wanted = py.check_signals().and_then(|()| tell(progress, &watch, &mut told));
                if let Err(error) = wanted {
                    watch.unwanted.store(true, Ordering::Relaxed);
                    let _ = py.detach(|| wait(&receive, GRACE));
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Err(error::failed(py, "the work ended early")),
        }
    }
}

fn wait<T>(receive: &Mutex<Receiver<T>>, time: Duration) -> Result<T, RecvTimeoutError> {
    receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time)
}

/// Calls back where something has changed.
fn tell(progress: Option<&Bound<'_, PyAny>>, watch: &Watch, told: &mut (String, u64, u64)) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let now = watch.now();
    if now != *told {
        progress.call1((&now.0, now.1, now.2))?;
        *told = now;
    }
    Ok(())
}

fn finished<T>(py: Python<'_>, outcome: Outcome<T>) -> PyResult<T> {
    match outcome {
        Ok(result) => result.map_err(|it| error::of_call(py, it)),
        Err(panic) if panic.is::<Unwanted>() => Err(PyKeyboardInterrupt::new_err(())),
        Err(panic) => Err(error::failed(py, fault(&*panic))),
    }
}

/// What is said of a panic.
pub(crate) fn fault(panic: &(dyn Any + Send)) -> String {
    format!("this is a fault in Familiar: {}", message(panic))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it says nothing")
}
