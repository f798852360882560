//! `familiar tokens`, `familiar tree` and `familiar graph`: programs as models see them, one or many.
//!
//! A [`Form`] is one representation in one format. Sources are read in stretches of programs that depend on the input and on the
//! memory alone. A form makes something of each stretch, on some threads, and [`run`] gives what they made in the order of the
//! input. So the output is the same for any number of threads.
//!
//! `programs` makes programs of what sources hold, `pipeline` keeps the order, `table` writes Parquet.
//! There is a file for each representation, and `gnn` writes trees for neural networks.

mod error;
pub mod gnn;
pub mod graph;
mod pipeline;
mod programs;
mod table;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod tree;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use familiar_corpus::{Found, Item, LanguageHint, Limits, spec};
use familiar_files::dir::WalkOptions;
use familiar_source::{Language, Occurrence, memory};

use pipeline::Pipeline;
use programs::Stretch;

pub use error::RepresentError;
pub use programs::{Program, Programs};
pub use table::{Rows, Table};

/// Most programs of a stretch.
const MOST_PROGRAMS: usize = 4096;
/// A stretch has at least so many bytes of source, where there are as many.
const LEAST_STRETCH: usize = 32 << 10;

/// Which programs are represented, and what that may take.
#[derive(Clone, Debug)]
pub struct RepresentOptions {
    /// Files, folders, archives or JSON lines, as a corpus takes them.
    pub sources: Vec<String>,
    /// All where empty.
    pub languages: Vec<Language>,
    /// Globs in the manner of `.gitignore`; what they match is left out.
    pub exclude: Vec<String>,
    pub no_ignore: bool,
    /// In bytes.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}

impl RepresentOptions {
    fn walk(&self) -> WalkOptions {
        WalkOptions { exclude: self.exclude.clone(), no_ignore: self.no_ignore, threads: self.threads }
    }

    /// Whether the sources are one file that is one program: neither a folder, nor an archive, nor rows.
    pub fn is_one_program(&self) -> bool {
        let [source] = &self.sources[..] else { return false };
        Path::new(source).is_file() && spec::canonical(source).is_ok_and(|name| name.starts_with("dir:"))
    }
}

/// One representation of programs, in one format.
pub trait Form: Sync {
    /// What a stretch of programs gives: bytes, or rows of a table.
    type Made: Send;

    /// What a thread keeps from stretch to stretch, such as its memory.
    type Worker;

    /// How many bytes what is made of a byte of source takes, with all that is needed to make it.
    const GROWTH: usize;

    /// What a thread begins with.
    fn worker(&self) -> Self::Worker;

    /// Represents some programs that follow each other.
    fn make(&self, worker: &mut Self::Worker, programs: &mut Programs<'_>) -> Self::Made;
}

/// How many programs there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Represented {
    pub programs: u64,
    pub left_out: u64,
}

/// Represents all programs of the sources, and gives what `form` makes of them to `out`, in their order. `skipped` is told of what is
/// left out: its path, and why.
pub fn run<F: Form>(
    options: &RepresentOptions,
    form: &F,
    out: &mut dyn FnMut(F::Made) -> io::Result<()>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<Represented, RepresentError> {
    let mut counts = Represented::default();
    let make = |worker: &mut F::Worker, stretch: Stretch| {
        let mut programs = Programs::new(stretch, &options.languages);
        let made = form.make(worker, &mut programs);
        (made, programs.finish())
    };
    let mut take = |(made, report): (F::Made, programs::Report)| {
        counts.programs += report.programs;
        counts.left_out += report.left_out.len() as u64;
        for (path, reason) in &report.left_out {
            skipped(path, reason);
        }
        out(made)
    };
    let begin = || form.worker();
    pipeline::within(options.threads, &begin, &make, &mut take, |pipeline| {
        read(options, F::GROWTH, pipeline)
    })?;
    Ok(counts)
}

/// Represents one program that stands in no file. An error says why it is left out.
pub fn one<F: Form>(form: &F, language: Language, code: Vec<u8>) -> Result<F::Made, String> {
    let mut stretch = Stretch::default();
    let item = Item::new(code, LanguageHint::Language(language), Occurrence::default());
    stretch.add(Found::Item(item));
    let mut programs = Programs::new(stretch, &[]);
    let made = form.make(&mut form.worker(), &mut programs);
    match programs.finish().left_out.pop() {
        Some((_, reason)) => Err(reason),
        None => Ok(made),
    }
}

/// Reads all sources and gives them to `pipeline` in stretches.
fn read(
    options: &RepresentOptions,
    growth: usize,
    pipeline: &mut dyn Pipeline<Stretch>,
) -> Result<(), RepresentError> {
    let most_bytes = (memory::batch_budget(options.memory) / growth).max(LEAST_STRETCH);
    let most_item = memory::file_budget(options.memory) as u64;
    let limits = Limits { item_bytes: Limits::default().item_bytes.min(most_item), ..Limits::default() };
    let mut stretch = Stretch::default();
    for source in &options.sources {
        let opened = spec::source(source, &options.walk())?;
        if opened.remote().is_some() {
            return Err(RepresentError::Remote(source.clone()));
        }
        let mut failed = None;
        opened.read(&limits, &mut |found: Found| {
            stretch.add(found);
            if stretch.bytes() < most_bytes && stretch.len() < MOST_PROGRAMS {
                return ControlFlow::Continue(());
            }
            match pipeline.give(std::mem::take(&mut stretch)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    Ok(pipeline.give(stretch)?)
}
