//! A function of Python as a detector of clones.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use familiar_evaluate::attack::{AnswerError, PairDetector, TextPair};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Pairs that one call of the function gets at most.
const MOST_PAIRS: usize = 256;

/// How long an answer is waited for that nobody wants any more, and how often it is looked for.
const LAST_ANSWER: Duration = Duration::from_millis(400);
const LOOK: Duration = Duration::from_millis(10);

/// A function that gets a list of pairs and gives a list of scores.
pub(crate) struct Guest {
    name: String,
    function: Py<PyAny>,
    /// What the function raised.
    raised: Mutex<Option<PyErr>>,
    /// Held while it is asked: who wrote it need not care for threads.
    asking: Mutex<()>,
    /// Whether nobody wants its answers any more.
    ended: AtomicBool,
}

impl Guest {
    pub(crate) fn new(name: String, function: Py<PyAny>) -> Arc<Self> {
        Arc::new(Self {
            name,
            function,
            raised: Mutex::new(None),
            asking: Mutex::new(()),
            ended: AtomicBool::new(false),
        })
    }

    /// Does `work`, in which guests are asked, and raises what one of them raised.
    ///
    /// Work that was given up may still ask. The answer under way is waited for, since a thread that is in the interpreter when
    /// that ends takes the process with it.
    pub(crate) fn around<T>(
        py: Python<'_>,
        guests: &[Arc<Self>],
        work: impl FnOnce() -> PyResult<T>,
    ) -> PyResult<T> {
        let result = work();
        for guest in guests {
            guest.ended.store(true, Ordering::Relaxed);
        }
        py.detach(|| guests.iter().for_each(|guest| guest.wait()));
        for guest in guests {
            if let Some(raised) = guest.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Err(raised);
            }
        }
        result
    }

    /// Waits until it is not asked, but for a moment only.
    fn wait(&self) {
        let start = Instant::now();
        while matches!(self.asking.try_lock(), Err(TryLockError::WouldBlock)) && start.elapsed() < LAST_ANSWER
        {
            std::thread::sleep(LOOK);
        }
    }

    fn asked(&self, py: Python<'_>, pairs: &[TextPair<'_>]) -> PyResult<Vec<f64>> {
        let list = PyList::empty(py);
        for [(lang1, code1), (lang2, code2)] in pairs {
            let pair = PyDict::new(py);
            pair.set_item("code1", String::from_utf8_lossy(code1))?;
            pair.set_item("lang1", lang1.name())?;
            pair.set_item("code2", String::from_utf8_lossy(code2))?;
            pair.set_item("lang2", lang2.name())?;
            list.append(pair)?;
        }
        // Arrays of numpy are no sequences, so their numbers are taken one by one.
        self.function.bind(py).call1((list,))?.try_iter()?.map(|score| score?.extract()).collect()
    }

    fn failed(&self, raised: PyErr) -> AnswerError {
        let error = AnswerError::Failed(raised.to_string());
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
        error
    }
}

impl PairDetector for Guest {
    fn name(&self) -> &str {
        &self.name
    }

    fn scores_between(&self, pairs: &[TextPair<'_>]) -> Result<Vec<f64>, AnswerError> {
        let mut scores = Vec::with_capacity(pairs.len());
        for some in pairs.chunks(MOST_PAIRS) {
            let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            if self.ended.load(Ordering::Relaxed) {
                return Err(AnswerError::Ended);
            }
            // Nobody can be asked once the interpreter has ended.
            let answer = Python::try_attach(|py| self.asked(py, some).map_err(|raised| self.failed(raised)));
            scores.extend(AnswerError::checked(answer.unwrap_or(Err(AnswerError::Ended))?, some.len())?);
        }
        Ok(scores)
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guest").field("name", &self.name).finish_non_exhaustive()
    }
}
