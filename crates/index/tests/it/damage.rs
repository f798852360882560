//! What a damaged file says: for each question the same as the whole file, or an error.

use std::fmt::{Debug, Display};
use std::path::Path;

/// The answers to all questions that a test asks of a file, in order.
pub(crate) type Answers<E> = Vec<Result<String, E>>;

/// An answer as text, so that those to different questions can be kept together.
pub(crate) fn told<T: Debug, E>(answer: Result<T, E>) -> Result<String, E> {
    answer.map(|answer| format!("{answer:?}"))
}

/// The answers of a file, and whether all of it is as its checksums say; an error where it cannot be opened.
pub(crate) type Asked<E> = Result<(Answers<E>, Result<(), E>), E>;

/// A whole file, and what it answers.
pub(crate) struct Whole<A> {
    bytes: Vec<u8>,
    answers: Vec<String>,
    ask: A,
    folder: tempfile::TempDir,
}

impl<A> Whole<A> {
    /// `ask` opens a file and asks it everything.
    pub(crate) fn new<E: Debug>(path: &Path, ask: A) -> Self
    where
        A: Fn(&Path) -> Asked<E>,
    {
        let bytes = std::fs::read(path).expect("the test has written it");
        let (answers, verified) = ask(path).expect("it is whole");
        verified.expect("it is whole");
        let answers = answers.into_iter().map(|answer| answer.expect("it is whole")).collect();
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        Self { bytes, answers, ask, folder }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Every way to change one byte, to cut the file, and to make it longer is an error somewhere.
    pub(crate) fn finds_all_damage<E: Display>(&self)
    where
        A: Fn(&Path) -> Asked<E>,
    {
        for at in 0..self.bytes.len() {
            for change in [1 << (at % 8), 0xff] {
                self.finds_change(at, change);
            }
        }
        for length in (1..self.bytes.len()).step_by(7) {
            let error = self.error_of(&self.bytes[..length]);
            assert!(error.is_some(), "{length} bytes of {}", self.bytes.len());
        }
        assert!(self.error_of(&[&self.bytes[..], b"\0"].concat()).is_some(), "one byte more");
    }

    /// A byte that is changed by these bits is an error somewhere.
    pub(crate) fn finds_change<E: Display>(&self, at: usize, change: u8)
    where
        A: Fn(&Path) -> Asked<E>,
    {
        let mut damaged = self.bytes.clone();
        damaged[at] ^= change;
        assert!(self.error_of(&damaged).is_some(), "byte {at}, changed by {change}");
    }

    /// The first error that damaged bytes give, if any; panics where an answer is another.
    fn error_of<E: Display>(&self, damaged: &[u8]) -> Option<String>
    where
        A: Fn(&Path) -> Asked<E>,
    {
        let path = self.folder.path().join("damaged");
        std::fs::write(&path, damaged).expect("there is space");
        let (answers, verified) = match (self.ask)(&path) {
            Ok(asked) => asked,
            Err(error) => return Some(error.to_string()),
        };
        assert_eq!(answers.len(), self.answers.len());
        let mut first = verified.err().map(|error| error.to_string());
        for (answer, expected) in answers.into_iter().zip(&self.answers) {
            match answer {
                Ok(answer) => assert_eq!(&answer, expected),
                Err(error) => first = first.or(Some(error.to_string())),
            }
        }
        first
    }
}
