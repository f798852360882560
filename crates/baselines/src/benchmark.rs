//! Programs of a benchmark, as a model sees them.
//!
//! What tells them apart is called a problem here, whatever the label is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use familiar_codenet::benchmark::Split;
use familiar_codenet::data::Data;
use familiar_source::memory;
use familiar_train::rewriting::Rewriter;
use rayon::prelude::*;

use crate::BaselineError;
use crate::few::Rows;
use crate::input::{Program, Symbols, View, Vocabulary};
use crate::settings::Label;

/// Programs, and the problems that they solve.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    pub list: Vec<Program>,
    /// Rows that are not in it, since they cannot be read or say no problem.
    pub left_out: usize,
}

/// Numbers for problems in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(Vec<String>);

impl Problems {
    pub fn new(mut names: Vec<String>) -> Self {
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    pub fn names(&self) -> &[String] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.0.binary_search_by(|it| it.as_str().cmp(name)).ok().map(|at| at as u32)
    }
}

/// The file of a split in the folder of a benchmark, or the file itself where it is none.
pub fn file_of(data: &Path, split: Split) -> PathBuf {
    let file = data.join(split.file());
    if file.is_file() { file } else { data.to_owned() }
}

/// What is read of programs.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub label: Label,
    /// Most symbols of a program.
    pub length: usize,
    /// Bytes that programs may take.
    pub memory: usize,
}

/// What is read besides: copies of programs that look different and do the same.
#[derive(Clone, Copy)]
pub(crate) struct Copies<'r> {
    pub(crate) rewriter: &'r Rewriter<'r>,
    pub(crate) seed: u64,
}

/// Which rows are read, and what is made of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Made<'r> {
    /// Rows that are read; all where there is no list.
    pub(crate) only: Option<&'r Rows>,
    pub(crate) copies: Option<Copies<'r>>,
}

/// What is read of a program before it is known which symbols there are.
struct Read {
    label: String,
    number: u64,
    symbols: Symbols,
}

/// Reads programs, and learns which problems there are, and which symbols where they are not `known`. Copies follow their program.
pub(crate) fn read_first(
    path: &Path,
    view: View,
    known: Option<Vocabulary>,
    reading: Reading,
    made: Made<'_>,
) -> Result<(Programs, Vocabulary, Problems), BaselineError> {
    let mut growing = Vocabulary::growing(view);
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    let mut programs = Programs::default();
    each(path, view, reading, made, &mut programs, &mut |read| {
        let next = names.len() as u32;
        let problem = *names.entry(read.label).or_insert(next);
        match &known {
            Some(known) => known.program(problem, &read.symbols),
            None => growing.add(problem, &read.symbols),
        }
    })?;
    let vocabulary = known.unwrap_or_else(|| growing.finish(view.most(), &mut programs.list));
    // Numbers were given in the order of the rows; now they follow the order of the names.
    let mut sorted = vec![0; names.len()];
    for (place, number) in (0..).zip(names.values()) {
        sorted[*number as usize] = place;
    }
    programs.list.iter_mut().for_each(|program| program.problem = sorted[program.problem as usize]);
    Ok((programs, vocabulary, Problems::new(names.into_keys().collect())))
}

/// Reads programs in symbols that are known. Those of other problems than `problems` are left out; where there are none, problems get
/// the numbers in which they come.
pub fn read(
    path: &Path,
    vocabulary: &Vocabulary,
    reading: Reading,
    problems: Option<&Problems>,
) -> Result<Programs, BaselineError> {
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    let mut programs = Programs::default();
    let mut unknown = 0;
    each(path, vocabulary.view(), reading, Made::default(), &mut programs, &mut |read| {
        let next = names.len() as u32;
        let problem = match problems {
            Some(problems) => problems.number(&read.label),
            None => Some(*names.entry(read.label).or_insert(next)),
        };
        let Some(problem) = problem else {
            unknown += 1;
            return Program { problem: u32::MAX, ..Program::default() };
        };
        vocabulary.program(problem, &read.symbols)
    })?;
    programs.list.retain(|program| program.problem != u32::MAX);
    programs.left_out += unknown;
    Ok(programs)
}

fn each(
    path: &Path,
    view: View,
    Reading { label, length, memory }: Reading,
    Made { only, copies }: Made<'_>,
    programs: &mut Programs,
    take: &mut dyn FnMut(Read) -> Program,
) -> Result<(), BaselineError> {
    let mut data = Data::open(path, false)?;
    let is_number = label.is_number();
    let (most, tree) = (memory::budget(memory), memory::tree_budget(memory));
    let (mut bytes, mut first) = (0, 0);
    loop {
        let mut rows = data.batch(memory::batch_budget(memory))?;
        if rows.is_empty() {
            return Ok(());
        }
        let numbered: Vec<_> = (first..).zip(rows.drain(..)).collect();
        first += numbered.len() as u64;
        let reads: Vec<Vec<Read>> = numbered
            .into_par_iter()
            .filter(|(number, _)| only.is_none_or(|only| only.contains(number)))
            .map(|(row_number, row)| {
                let read = || {
                    let sample = row.sample().ok()?;
                    let language = sample.language?;
                    let number = label.number(&sample);
                    let label = label.of(&sample);
                    let counts = if is_number { number.is_some() } else { !label.is_empty() };
                    let read = |code: &str| {
                        let symbols = view.symbols(language, code, length, tree)?;
                        Some(Read { label: label.clone(), number: number.unwrap_or(0), symbols })
                    };
                    let mut reads = vec![read(&sample.code).filter(|_| counts)?];
                    if let Some(Copies { rewriter, seed }) = copies {
                        let copies = rewriter.copies(language, sample.code.as_bytes(), seed ^ row_number);
                        reads.extend(copies.iter().filter_map(|copy| read(std::str::from_utf8(copy).ok()?)));
                    }
                    Some(reads)
                };
                read().unwrap_or_default()
            })
            .collect();
        for reads in reads {
            programs.left_out += usize::from(reads.is_empty());
            for read in reads {
                let number = read.number;
                let program = Program { number, ..take(read) };
                bytes += program.bytes();
                if bytes > most {
                    return Err(BaselineError::Memory(programs.list.len()));
                }
                programs.list.push(program);
            }
        }
    }
}
