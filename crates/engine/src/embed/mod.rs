//! `familiar embed`: the vectors of code, written for other tools.
//!
//! A source is read batch after batch: of rows of JSON lines each is a piece of code, of files every function is one.
//!
//! `piece` makes pieces of code of an item, `npy` and `table` write their vectors.

mod npy;
mod piece;
mod table;

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use familiar_corpus::spec::{self, SpecError};
use familiar_corpus::{Found, Item, Limits, SourceError};
use familiar_files::dir::WalkOptions;
use familiar_model::{Code, EncodeError, Encoder, Vectors};
use familiar_source::{Language, Progress};
use familiar_syntax::decode::NotText;
use rayon::prelude::*;

use piece::{Outcome, Piece, PieceReader};

pub use npy::Npy;
pub use piece::EmbeddedRow;
pub use table::Parquet;

/// Most items and bytes that are read before they are encoded together.
const BATCH_ITEMS: usize = 512;
const BATCH_BYTES: usize = 16 << 20;

/// Pieces that an encoder is given at a time.
const CHUNK: usize = 128;

/// The settings of `familiar embed`.
#[derive(Clone)]
pub struct EmbedOptions {
    /// JSON lines, a folder, a file or an archive, as a corpus takes them.
    pub source: String,
    pub encoder: Arc<dyn Encoder>,
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

/// Where vectors go.
pub trait VectorWriter {
    /// Appends a vector for each of `rows`.
    fn write(&mut self, rows: &[EmbeddedRow], vectors: &Vectors) -> io::Result<()>;

    /// Completes what was written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Why there are no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{0} is not on this machine: download it, and name a folder or a file")]
    Remote(String),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("text {at}: {source}")]
    NotText { at: usize, source: NotText },
    #[error("cannot write the vectors: {0}; check that there is space")]
    Write(#[from] io::Error),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}

/// Writes the vectors that `options` ask for, in the order of the source, and tells how many there are. `skipped` is told
/// of what is left out: its path, and why.
pub fn run(
    options: &EmbedOptions,
    mut out: Box<dyn VectorWriter>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<u64, EmbedError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| EmbedError::Threads { threads, source })?;
    let walk = WalkOptions {
        exclude: options.exclude.clone(),
        no_ignore: options.no_ignore,
        threads: options.threads,
    };
    let source = spec::source(&options.source, &walk)?;
    if source.remote().is_some() {
        return Err(EmbedError::Remote(options.source.clone()));
    }
    let mut batch = Batch { options, pool: &pool, items: Vec::new(), bytes: 0, rows: 0 };
    let mut failed = None;
    source.read(&Limits::default(), &mut |found| {
        let added = match found {
            Found::Item(item) => batch.add(item, &mut *out, skipped),
            Found::Skip { path, reason } => {
                skipped(&path, &reason);
                Ok(())
            }
            _ => Ok(()),
        };
        failed = added.err();
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    batch.encode(&mut *out, skipped)?;
    out.finish()?;
    Ok(batch.rows)
}

/// The vectors of texts that stand in no file, in their order. An error names the text, from 0, and says what it is.
pub fn texts(
    encoder: &dyn Encoder,
    texts: &[(Language, Vec<u8>)],
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vectors, EmbedError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| EmbedError::Threads { threads, source })?;
    progress.stage("making vectors", texts.iter().map(|(_, text)| text.len() as u64).sum());
    let chunk = |(number, chunk): (usize, &[(Language, Vec<u8>)])| {
        let decoded = |(at, (language, text)): (usize, &'_ (Language, Vec<u8>))| {
            let decoded = familiar_syntax::decode::decode(text);
            let decoded =
                decoded.map_err(|source| EmbedError::NotText { at: number * CHUNK + at, source })?;
            Ok((*language, decoded.text.into_owned()))
        };
        let decoded = chunk.iter().enumerate().map(decoded).collect::<Result<Vec<_>, EmbedError>>()?;
        let codes: Vec<Code<'_>> =
            decoded.iter().map(|(language, text)| Code { language: *language, text }).collect();
        let vectors = encoder.encode(&codes)?;
        progress.advance(chunk.iter().map(|(_, text)| text.len() as u64).sum());
        Ok(vectors)
    };
    let chunks: Result<Vec<Vectors>, EmbedError> =
        pool.install(|| texts.par_chunks(CHUNK).enumerate().map(chunk).collect());
    let mut vectors = Vectors::default();
    for chunk in chunks? {
        vectors.append(chunk);
    }
    Ok(vectors)
}

/// Items that are encoded together.
struct Batch<'o> {
    options: &'o EmbedOptions,
    pool: &'o rayon::ThreadPool,
    items: Vec<Item>,
    bytes: usize,
    /// Vectors that were written.
    rows: u64,
}

impl Batch<'_> {
    fn add(
        &mut self,
        item: Item,
        out: &mut dyn VectorWriter,
        skipped: &mut dyn FnMut(&str, &str),
    ) -> Result<(), EmbedError> {
        self.bytes += item.bytes.len();
        self.items.push(item);
        if self.items.len() < BATCH_ITEMS && self.bytes < BATCH_BYTES {
            return Ok(());
        }
        self.encode(out, skipped)
    }

    fn encode(
        &mut self,
        out: &mut dyn VectorWriter,
        skipped: &mut dyn FnMut(&str, &str),
    ) -> Result<(), EmbedError> {
        self.bytes = 0;
        let items = std::mem::take(&mut self.items);
        let limits = familiar_syntax::Limits::of_memory(self.options.memory);
        let reader = || PieceReader::new(limits, &self.options.languages);
        let outcomes: Vec<Outcome> =
            self.pool.install(|| items.par_iter().map_init(reader, PieceReader::read).collect());
        let mut pieces = Vec::new();
        for (item, outcome) in items.iter().zip(outcomes) {
            match outcome {
                Outcome::Pieces(found) => pieces.extend(found),
                Outcome::NotCode => {}
                Outcome::Skip(reason) => skipped(&item.occurrence.path, &reason),
            }
        }
        // A batch of files may hold many functions: each chunk is written before the next few are encoded.
        for some in pieces.chunks(CHUNK * self.pool.current_num_threads().max(1) * 4) {
            let vectors = self.pool.install(|| encode(&*self.options.encoder, some))?;
            let rows: Vec<EmbeddedRow> = some.iter().map(|piece| piece.row.clone()).collect();
            out.write(&rows, &vectors)?;
            self.rows += rows.len() as u64;
        }
        Ok(())
    }
}

fn encode(encoder: &dyn Encoder, pieces: &[Piece]) -> Result<Vectors, EncodeError> {
    let chunk = |chunk: &[Piece]| {
        let codes: Vec<Code<'_>> =
            chunk.iter().map(|piece| Code { language: piece.language, text: &piece.text }).collect();
        encoder.encode(&codes)
    };
    let chunks: Vec<Vectors> = pieces.par_chunks(CHUNK).map(chunk).collect::<Result<_, _>>()?;
    let mut vectors = Vectors::default();
    for chunk in chunks {
        vectors.append(chunk);
    }
    Ok(vectors)
}
