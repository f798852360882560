//! Threads that look code up, one question after another each.
//!
//! Every thread keeps its parser, and works alone at its question: many questions at once fill all cores, and none waits for
//! another that it happens to share a thread with.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use familiar_engine::corpus::{FindOptions, NoQuery, QueryReader};
use familiar_report::find::write_text;
use familiar_source::{Language, Lines};
use tokio::sync::oneshot;

use crate::libraries::Libraries;
use crate::problem::{Answer, Problem};

/// What is looked up, and where.
pub(crate) struct Question {
    pub(crate) corpus: String,
    pub(crate) folder: PathBuf,
    /// What the code is called; `-` where it has no name.
    pub(crate) path: String,
    pub(crate) code: String,
    pub(crate) language: Option<Language>,
    pub(crate) lines: Option<Lines>,
    pub(crate) options: FindOptions,
    pub(crate) rendered: Rendered,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rendered {
    /// `familiar.find/1`.
    Json,
    /// For people and agents.
    Text,
}

struct Waiting {
    question: Question,
    answer: oneshot::Sender<Answer<Vec<u8>>>,
}

pub(crate) struct Finders {
    queue: SyncSender<Waiting>,
}

/// Questions that may wait.
const QUEUE: usize = 2048;

impl Finders {
    /// So many threads, each within `memory` bytes for what it parses.
    pub(crate) fn new(threads: usize, memory: usize, libraries: &Arc<Libraries>) -> std::io::Result<Self> {
        let (queue, waiting) = sync_channel(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..threads {
            let (waiting, libraries) = (Arc::clone(&waiting), Arc::clone(libraries));
            std::thread::Builder::new()
                .name(format!("find {number}"))
                .spawn(move || work(&waiting, &libraries, memory))?;
        }
        Ok(Self { queue })
    }

    /// What the corpus has, as it is to be rendered.
    pub(crate) async fn ask(&self, question: Question) -> Answer<Vec<u8>> {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send(Waiting { question, answer }).map_err(|error| match error {
            TrySendError::Full(_) => {
                Problem::busy("more questions than the server can take; ask again in a second")
            }
            TrySendError::Disconnected(_) => Problem::internal(&"no thread looks code up"),
        })?;
        answered.await.unwrap_or_else(|_| Err(Problem::internal(&"a question has no answer")))
    }
}

fn work(waiting: &Mutex<Receiver<Waiting>>, libraries: &Libraries, memory: usize) {
    // What is parallel within a question stays on this thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    if let Err(error) = &pool {
        tracing::error!(error = %error, "a thread that looks code up shares the work of others");
    }
    let mut reader = QueryReader::new(memory);
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Waiting { question, answer }) = next else { return };
        // Whoever asked may be gone.
        if answer.is_closed() {
            continue;
        }
        let found =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one(&question, &mut reader, libraries)));
        let found = found.unwrap_or_else(|_| {
            reader = QueryReader::new(memory);
            Err(Problem::internal(&"looking code up panicked"))
        });
        let _gone = answer.send(found);
    }
}

fn one(question: &Question, reader: &mut QueryReader, libraries: &Libraries) -> Answer<Vec<u8>> {
    let Question { corpus, folder, path, code, language, lines, options, rendered } = question;
    let library = libraries.open(corpus, folder).map_err(|error| Problem::internal(&error))?;
    let asked = reader.read(path, code.as_bytes(), *language, *lines).map_err(|error| no_query(&error))?;
    let report = library.find(&asked, options).map_err(|error| Problem::internal(&error))?;
    match rendered {
        Rendered::Json => serde_json::to_vec(&report).map_err(|error| Problem::internal(&error)),
        Rendered::Text => {
            let mut text = Vec::new();
            write_text(&report, &mut text).map_err(|error| Problem::internal(&error))?;
            Ok(text)
        }
    }
}

fn no_query(error: &NoQuery) -> Problem {
    Problem::unprocessable(match error {
        NoQuery::Language { .. } => "no known language; name one with `language`".to_owned(),
        NoQuery::Binary { .. } => "this is no text".to_owned(),
        NoQuery::Nothing { .. } => "there is no code in this".to_owned(),
        NoQuery::TooLarge { .. } => "more tokens than the server takes; ask for less".to_owned(),
        NoQuery::Fingerprint { .. } => error.to_string(),
    })
}
