//! The texts of an archive, which has them in any order, in one file from which each can be read when its problem comes.
//!
//! Memory holds 16 bytes for each text. Its language and its name stand before it in the file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::code::Code;
use super::entry::EntriesError;
use familiar_corpus::SourceError;

/// Bytes of the lengths that stand before a text.
const LENGTHS: usize = 16;
/// Bytes that the name of a problem takes.
const PROBLEM_BYTES: usize = 128;
/// Bytes that a text takes while its problem is read.
const TEXT_BYTES: usize = 384;

/// Writes texts.
pub(super) struct Spill {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
    numbers: BTreeMap<String, u32>,
    /// The number of the problem of each text, and where the text stands.
    places: Vec<(u32, u64)>,
    /// Most bytes of memory.
    most: usize,
}

/// Reads them.
pub(super) struct Spilled {
    path: PathBuf,
    file: Arc<File>,
    problems: BTreeMap<String, Range<usize>>,
    places: Vec<(u32, u64)>,
    most: usize,
}

/// A text of a problem.
pub(super) struct SpilledText {
    pub(super) language: String,
    /// The name of its file.
    pub(super) name: String,
    pub(super) code: Code,
}

impl Spill {
    /// Makes a file, of which at most `most` bytes are known in memory.
    pub(super) fn create(path: &Path, most: usize) -> Result<Self, EntriesError> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path);
        let file = file.map_err(|source| SourceError::Write { path: path.to_owned(), source })?;
        let out = BufWriter::with_capacity(1 << 18, file);
        let (numbers, places) = (BTreeMap::new(), Vec::new());
        Ok(Self { path: path.to_owned(), out, length: 0, numbers, places, most })
    }

    /// Adds a text.
    pub(super) fn add(
        &mut self,
        problem: &str,
        language: &str,
        name: &str,
        text: &[u8],
    ) -> Result<(), EntriesError> {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(problem.to_owned()).or_insert(next);
        self.places.push((number, self.length));
        // What is reserved and not written to takes no memory.
        let taken = self.places.len() * size_of::<(u32, u64)>() + self.numbers.len() * PROBLEM_BYTES;
        if taken > self.most {
            return Err(EntriesError::Memory(self.places.len()));
        }
        let written = self.write(language, name, text);
        written.map_err(|source| SourceError::Write { path: self.path.clone(), source })?;
        Ok(())
    }

    fn write(&mut self, language: &str, name: &str, text: &[u8]) -> io::Result<()> {
        self.out.write_all(&(language.len() as u32).to_le_bytes())?;
        self.out.write_all(&(name.len() as u32).to_le_bytes())?;
        self.out.write_all(&(text.len() as u64).to_le_bytes())?;
        for bytes in [language.as_bytes(), name.as_bytes(), text] {
            self.out.write_all(bytes)?;
        }
        self.length += (LENGTHS + language.len() + name.len() + text.len()) as u64;
        Ok(())
    }

    /// Ends the writing.
    pub(super) fn finish(self) -> Result<Spilled, EntriesError> {
        let Self { path, out, numbers, mut places, most, .. } = self;
        let file = out
            .into_inner()
            .map_err(|error| SourceError::Write { path: path.clone(), source: error.into_error() })?;
        places.sort_unstable();
        let of = |number: u32| {
            places.partition_point(|&(it, _)| it < number)..places.partition_point(|&(it, _)| it <= number)
        };
        let problems = numbers.into_iter().map(|(problem, number)| (problem, of(number))).collect();
        Ok(Spilled { path, file: Arc::new(file), problems, places, most })
    }
}

impl Spilled {
    /// The problems that have texts, sorted.
    pub(super) fn problems(&self) -> impl Iterator<Item = &String> {
        self.problems.keys()
    }

    /// The texts of a problem in the order of their languages and names, and of the archive where these are the same.
    pub(super) fn texts(&self, problem: &str) -> Result<Vec<SpilledText>, EntriesError> {
        let places = &self.places[self.problems.get(problem).cloned().unwrap_or_default()];
        if places.len() * TEXT_BYTES > self.most {
            return Err(EntriesError::Memory(places.len()));
        }
        let read = |&(_, at): &(u32, u64)| self.text(at);
        let texts: io::Result<Vec<SpilledText>> = places.iter().map(read).collect();
        let mut texts = texts.map_err(|source| SourceError::Read { path: self.path.clone(), source })?;
        texts.sort_by(|one, two| (&one.language, &one.name).cmp(&(&two.language, &two.name)));
        Ok(texts)
    }

    fn text(&self, at: u64) -> io::Result<SpilledText> {
        let mut lengths = [0; LENGTHS];
        self.file.read_exact_at(&mut lengths, at)?;
        let number = |range: Range<usize>| {
            lengths[range].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)) as usize
        };
        let (language, name, text) = (number(0..4), number(4..8), number(8..16));
        let mut names = vec![0; language + name];
        self.file.read_exact_at(&mut names, at + LENGTHS as u64)?;
        let name = String::from_utf8_lossy(&names[language..]).into_owned();
        names.truncate(language);
        let code = Code::Part {
            file: Arc::clone(&self.file),
            at: at + (LENGTHS + language + name.len()) as u64,
            bytes: text,
        };
        Ok(SpilledText { language: String::from_utf8_lossy(&names).into_owned(), name, code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_by_their_problem() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut spill = Spill::create(&folder.path().join("texts"), 1 << 20).expect("it can be written");
        for (problem, language, name, text) in
            [("b", "C", "2.c", "two"), ("a", "C", "1.c", ""), ("b", "Ada", "1.adb", "one")]
        {
            spill.add(problem, language, name, text.as_bytes()).expect("it can be written");
        }
        let spilled = spill.finish().expect("it can be written");
        assert_eq!(spilled.problems().collect::<Vec<_>>(), ["a", "b"]);
        let read = |text: &SpilledText| {
            let text = text.code.clone().read(9).expect("it can be read");
            String::from_utf8(text).expect("it is text")
        };
        let texts = spilled.texts("b").expect("they can be read");
        assert_eq!(texts.iter().map(read).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!((texts[0].language.as_str(), texts[1].name.as_str()), ("Ada", "2.c"));
        assert_eq!(spilled.texts("a").expect("they can be read").iter().map(read).collect::<Vec<_>>(), [""]);
        assert!(spilled.texts("c").expect("there is nothing to read").is_empty());
    }

    #[test]
    fn more_than_fits_into_the_memory_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut spill = Spill::create(&folder.path().join("texts"), 1000).expect("it can be written");
        let added = (0..100).try_for_each(|at: u32| spill.add("p", "C", &format!("{at}.c"), b"x"));
        assert!(matches!(added, Err(EntriesError::Memory(_))));
    }
}
