//! Samples to bags of tokens.

use std::borrow::Cow;
use std::path::PathBuf;

use familiar_source::{Progress, memory};
use familiar_syntax::Limits;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_128;

use super::bags::Bags;
use super::options::{DuplicatesError, DuplicatesOptions};
use super::vocabulary::Vocabulary;
use crate::data::Data;
use crate::sample::Sample;
use crate::set;
use crate::skipped::Skipped;
use crate::tokens::Tokenizer;

/// What was read.
#[derive(Default)]
pub(super) struct Read {
    pub(super) ids: Vec<String>,
    pub(super) rows: Vec<u64>,
    pub(super) problems: Vec<u32>,
    pub(super) problem_names: Vec<String>,
    pub(super) bag_of: Vec<u32>,
    pub(super) bags: Bags,
    pub(super) vocabulary: Vocabulary,
    pub(super) skipped: Vec<Skipped>,
}

impl Read {
    pub(super) fn bytes(&self) -> usize {
        // An id has about 24 bytes beside its place. Its hash has up to 40: the set is half empty after it has grown.
        self.ids.len() * (size_of::<String>() + 24 + 16 + 40) + self.bags.bytes() + self.vocabulary.bytes()
    }
}

/// A sample with its different tokens: where each stands first, and how often it occurs.
struct Counted {
    sample: Sample,
    /// What stands for it where it is left out.
    path: String,
    /// Which of the data it is of.
    data: usize,
    /// What the tokens stand in, where it is not the code of the sample.
    text: Option<Vec<u8>>,
    tokens: Vec<(std::ops::Range<usize>, u32)>,
}

/// What a row is: counted, none that takes part, or left out.
type Row = Result<Option<Counted>, Skipped>;

/// Reads all samples of the data. While the tokens of one batch get their numbers, the next one is read and counted.
pub(super) fn read(options: &DuplicatesOptions, progress: &dyn Progress) -> Result<Read, DuplicatesError> {
    progress.stage("reading", 0);
    let mut adder = Adder { repeated: options.only.repeated, ..Adder::default() };
    let most = memory::budget(options.memory);
    let mut reader = Reader { options, left: options.data.iter(), data: None };
    let mut batch = reader.next()?;
    while let Some(rows) = batch {
        progress.advance(rows.len() as u64);
        batch = rayon::in_place_scope(|scope| {
            scope.spawn(|_| adder.add(rows));
            reader.next()
        })?;
        // What is compared needs the rest.
        if adder.read.bytes() > most / 4 * 3 {
            return Err(DuplicatesError::Memory(adder.read.ids.len()));
        }
    }
    Ok(adder.read)
}

/// Reads rows, and counts their tokens.
struct Reader<'o> {
    options: &'o DuplicatesOptions,
    left: std::slice::Iter<'o, PathBuf>,
    data: Option<Data>,
}

impl Reader<'_> {
    /// The next rows; `None` at the end of all data.
    fn next(&mut self) -> Result<Option<Vec<Row>>, DuplicatesError> {
        let options = self.options;
        let limits = Limits::of_memory(options.memory);
        loop {
            let data = match &mut self.data {
                Some(data) => data,
                None => match self.left.next() {
                    Some(path) => self.data.insert(Data::open(path, false)?),
                    None => return Ok(None),
                },
            };
            let rows = data.batch(memory::batch_budget(options.memory))?;
            if rows.is_empty() {
                self.data = None;
                continue;
            }
            let of = options.data.len() - self.left.len();
            let counted = rows.into_par_iter().map_init(
                || Tokenizer::new(limits),
                |tokenizer, row| {
                    let path = row.name();
                    let sample = row.sample().map_err(|error| error.to_string());
                    match sample.map(|sample| options.only.takes(&sample).then_some(sample)) {
                        Ok(None) => Ok(None),
                        Ok(Some(sample)) => counted(sample, &path, of, tokenizer, options.strings).map(Some),
                        Err(reason) => Err(reason),
                    }
                    .map_err(|reason| Skipped { path, reason })
                },
            );
            return Ok(Some(counted.collect()));
        }
    }
}

/// Gives numbers to what was read.
#[derive(Default)]
struct Adder {
    read: Read,
    row: u64,
    /// Whether an id may come again.
    repeated: bool,
    /// Hashes of the ids that came, with which of the data they are of.
    known: FxHashSet<u128>,
    problems: FxHashMap<String, u32>,
    numbers: Vec<(u32, u32)>,
}

impl Adder {
    fn add(&mut self, rows: Vec<Row>) {
        for row in rows {
            self.row += 1;
            match row {
                Ok(Some(counted)) => self.add_sample(counted),
                Ok(None) => {}
                Err(skipped) => self.read.skipped.push(skipped),
            }
        }
    }

    fn add_sample(&mut self, counted: Counted) {
        let Self { read, problems, numbers, row, repeated, known } = self;
        let Counted { sample, path, data, text, tokens } = counted;
        let may_come_again = *repeated || !sample.own_id;
        if !may_come_again && !known.insert(xxh3_128(sample.id.as_bytes()) ^ data as u128) {
            read.skipped.push(Skipped { path, reason: set::repeated(&sample.id) });
            return;
        }
        let text = text.as_deref().unwrap_or(sample.code.as_bytes());
        numbers.clear();
        numbers
            .extend(tokens.into_iter().map(|(token, count)| (read.vocabulary.number(&text[token]), count)));
        numbers.sort_unstable();
        read.bag_of.push(read.bags.number(numbers));
        let next = problems.len() as u32;
        let problem = *problems.entry(sample.problem).or_insert_with_key(|name: &String| {
            read.problem_names.push(name.clone());
            next
        });
        read.problems.push(problem);
        read.ids.push(sample.id);
        read.rows.push(*row - 1);
    }
}

fn counted(
    sample: Sample,
    path: &str,
    data: usize,
    tokenizer: &mut Tokenizer,
    strings: bool,
) -> Result<Counted, String> {
    let Some(language) = sample.language else {
        return Err(match sample.language_name.as_str() {
            "" => "it says no language".to_owned(),
            name => format!("the language {name} is not known"),
        });
    };
    let read = tokenizer.tokens(language, sample.code.as_bytes(), strings);
    let (text, places) = read.map_err(|error| error.to_string())?;
    let mut counts: FxHashMap<&[u8], (usize, u32)> = FxHashMap::default();
    for token in places {
        counts.entry(&text[token.clone()]).or_insert((token.start, 0)).1 += 1;
    }
    let mut tokens: Vec<_> =
        counts.into_iter().map(|(text, (start, count))| (start..start + text.len(), count)).collect();
    // The order of first appearance, so that numbers do not depend on the table.
    tokens.sort_unstable_by_key(|(token, _)| token.start);
    let text = match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    };
    Ok(Counted { sample, path: path.to_owned(), data, text, tokens })
}
