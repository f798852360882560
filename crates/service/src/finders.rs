//! Threads that look code up, one question after another each.
//!
//! Every thread keeps its parser, and works alone at its question: many questions at once fill all cores, and none waits for
//! another that it happens to share a thread with.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use familiar_library::{CorpusError, FindOptions, Library, NoQuery, QueryReader};
use familiar_report::find::write_text;
use familiar_source::{Language, Lines};
use familiar_syntax::Limits;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::libraries::{Libraries, fault_in_words};
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
    /// `familiar.find/1` with `matched_text`.
    JsonWithText,
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
            TrySendError::Full(_) => Problem::busy("the server is busy; ask again in a second"),
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
    let readers = || [false, true].map(|functions| QueryReader::new(memory).with_functions(functions));
    let mut both = readers();
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Waiting { question, answer }) = next else { return };
        // Whoever asked may be gone.
        if answer.is_closed() {
            continue;
        }
        // Only type 4 asks about functions one by one.
        let reader = &mut both[usize::from(question.options.types.contains(&4))];
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            one(&question, reader, (libraries, memory))
        }));
        let found = found.unwrap_or_else(|_| {
            both = readers();
            Err(Problem::internal(&"looking code up panicked"))
        });
        let _gone = answer.send(found);
    }
}

fn one(
    question: &Question,
    reader: &mut QueryReader,
    (libraries, memory): (&Libraries, usize),
) -> Answer<Vec<u8>> {
    let Question { corpus, folder, path, code, language, lines, options, rendered } = question;
    let library = libraries.open(corpus, folder, options.encoder.as_deref());
    let library = library.map_err(|error| cannot_open(corpus, &error))?;
    let asked = reader.read(path, code.as_bytes(), *language, *lines).map_err(|error| no_query(&error))?;
    // Texts that are parsed for it stay within the limits of this thread.
    let explain = options.explain.map(|_| Limits::of_memory(memory));
    let report = library
        .find(&asked, &FindOptions { explain, ..options.clone() })
        .map_err(|error| cannot_open(corpus, &error))?;
    match rendered {
        Rendered::Json => serde_json::to_vec(&report).map_err(|error| Problem::internal(&error)),
        Rendered::JsonWithText => {
            let mut answer = serde_json::to_value(&report).map_err(|error| Problem::internal(&error))?;
            add_text(&mut answer, &library).map_err(|error| Problem::internal(&error))?;
            serde_json::to_vec(&answer).map_err(|error| Problem::internal(&error))
        }
        Rendered::Text => {
            let mut text = Vec::new();
            write_text(&report, &mut text).map_err(|error| Problem::internal(&error))?;
            Ok(text)
        }
    }
}

/// Most lines of one stretch, and most bytes of a whole answer, that are told with it.
const MOST_LINES: usize = 200;
const MOST_TEXT: usize = 1 << 20;

/// Adds `matched_text` to the blobs of an answer: for each of `matched_lines` the lines there, as far as the corpus keeps text and there
/// is room. Only what corresponds to the code of the question is added.
fn add_text(answer: &mut Value, library: &Library) -> Result<(), CorpusError> {
    let mut room = MOST_TEXT;
    for blob in answer["blobs"].as_array_mut().into_iter().flatten() {
        let Some(text) = blob["blob"].as_str().map(|name| library.text(name)).transpose()?.flatten() else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        let stretches = blob["matched_lines"].as_array().into_iter().flatten();
        let texts = stretches.map(|stretch| lines_of(&lines, stretch, &mut room)).collect();
        blob["matched_text"] = Value::Array(texts);
    }
    Ok(())
}

/// The lines of one stretch of a blob.
fn lines_of(lines: &[&str], stretch: &Value, room: &mut usize) -> Value {
    let at = |place: usize| stretch[place].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
    let (first, last) = (at(2).max(1) - 1, at(3).min(lines.len()));
    let there = lines.get(first..last).unwrap_or_default();
    let fitting = there.iter().take(MOST_LINES).take_while(|line| {
        let fits = line.len() <= *room;
        *room = room.saturating_sub(line.len());
        fits
    });
    fitting.copied().collect()
}

/// Where a corpus lies is nobody's business.
fn cannot_open(corpus: &str, error: &CorpusError) -> Problem {
    let Some(lacks) = error.lacks_vectors() else {
        return Problem::failed(error, fault_in_words(corpus, error));
    };
    Problem::unprocessable(format!(
        "{corpus} {lacks}, which type 4 needs; `familiar corpus add {corpus} --vectors` makes them"
    ))
}

fn no_query(error: &NoQuery) -> Problem {
    Problem::unprocessable(match error {
        NoQuery::Language { .. } => "the language was not recognized; name one with `language`".to_owned(),
        NoQuery::Binary { .. } => "this is not text".to_owned(),
        NoQuery::Nothing { .. } => "this contains no code".to_owned(),
        NoQuery::TooLarge { .. } => "this has more tokens than the server accepts; send less code".to_owned(),
        NoQuery::Fingerprint { .. } => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_lines_of_a_stretch_are_its_own_and_fit() {
        let lines = ["a", "bb", "ccc", "d"];
        let texts_of = |stretch: Value, mut room: usize| lines_of(&lines, &stretch, &mut room);
        assert_eq!(texts_of(json!([9, 9, 2, 3]), 100), json!(["bb", "ccc"]));
        // A text that was cut, or an answer that is none, gives what there is.
        assert_eq!(texts_of(json!([1, 9, 3, 9]), 100), json!(["ccc", "d"]));
        for wrong in [json!([1, 1, 4, 2]), json!([1, 1, 9, 12]), json!([]), json!("")] {
            assert_eq!(texts_of(wrong, 100), json!([]));
        }
        assert_eq!(texts_of(json!([1, 4, 1, 4]), 5), json!(["a", "bb"]));
        let many = vec!["x"; 1000];
        let mut room = MOST_TEXT;
        assert_eq!(
            lines_of(&many, &json!([1, 1, 1, 1000]), &mut room).as_array().map(Vec::len),
            Some(MOST_LINES)
        );
    }
}
