//! The files of pairs and fragments to numbered snippets and labelled pairs of them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use familiar_engine::snippet::Snippet;
use familiar_model::{Code, Vectors};
use familiar_source::{Language, Progress};
use rayon::prelude::*;

use super::piece::{Piece, PieceReader};
use super::rows::{FragmentRow, PairRow, Sides};
use super::{Draw, DrawnPairs, PairsOptions, solutions};
use crate::json_lines::JsonLines;
use crate::names::Names;
use crate::row_error::{CodeError, RowError};
use crate::solutions::Solutions;
use crate::{EvaluateError, Judge, SkippedRow, judge};

/// Rows that are read and parsed together.
const BATCH: usize = 4096;

/// A snippet and what is known of it.
pub(super) struct ReadSnippet {
    pub(super) language: Language,
    pub(super) snippet: Snippet,
    /// Number of its group; snippets of one group may be clones of one another.
    pub(super) group: u32,
    /// Numbers of the words of its identifiers in [`Input::words`], where they are wanted.
    pub(super) words: Box<[u32]>,
}

/// A labelled pair of snippets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labelled {
    /// Line in the file of pairs.
    pub(super) row: u64,
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) is_clone: bool,
    /// Number of its type in [`Input::types`].
    pub(super) clone_type: Option<u32>,
}

/// All that is scored, and what is not.
#[derive(Default)]
pub(super) struct Input {
    pub(super) snippets: Vec<ReadSnippet>,
    /// One for each snippet, where an encoder judges.
    pub(super) vectors: Vectors,
    pub(super) words: Names,
    /// Text of the last snippets, which have no vectors yet.
    texts: Vec<(Language, Vec<u8>)>,
    pub(super) pairs: Vec<Labelled>,
    pub(super) types: Names,
    groups: Names,
    /// Where pairs are drawn.
    pub(super) drawn: Option<DrawnPairs>,
    pub(super) conflicts: u64,
    pub(super) skipped: Vec<SkippedRow>,
}

/// A snippet that was read, or why it was not.
type Read = Result<Piece, CodeError>;

/// The fragments by id: their numbers, or why they cannot be read.
type Fragments = HashMap<String, Result<u32, CodeError>>;

impl Input {
    pub(super) fn read(options: &PairsOptions, progress: &dyn Progress) -> Result<Self, EvaluateError> {
        let mut input = Self::default();
        if let Some(draw) = &options.draw {
            input.read_solutions(options, draw, progress)?;
            return Ok(input);
        }
        let fragments = match &options.fragments {
            Some(path) => input.read_fragments(path, options, progress)?,
            None => HashMap::new(),
        };
        input.read_pairs(options, &fragments, progress)?;
        Ok(input)
    }

    fn read_fragments(
        &mut self,
        path: &Path,
        options: &PairsOptions,
        progress: &dyn Progress,
    ) -> Result<Fragments, EvaluateError> {
        let mut lines = JsonLines::open(path)?;
        let mut fragments = HashMap::new();
        loop {
            let batch = lines.batch(BATCH)?;
            if batch.is_empty() {
                return Ok(fragments);
            }
            let read: Vec<_> = batch
                .par_iter()
                .map_init(|| PieceReader::new(options), |reader, (_, line)| fragment(line, reader))
                .collect();
            for (read, (line, _)) in read.into_iter().zip(batch) {
                match read {
                    Ok((id, ..)) if fragments.contains_key(&id) => {
                        self.skip("fragments", line, &RowError::SameId(id));
                    }
                    Ok((id, group, snippet)) => {
                        let group = group.unwrap_or_else(|| format!("fragment {id}"));
                        let number = snippet.map(|snippet| self.add(snippet, group));
                        fragments.insert(id, number);
                    }
                    Err(error) => self.skip("fragments", line, &error),
                }
            }
            self.encode(options, progress)?;
        }
    }

    fn add(&mut self, piece: Piece, group: String) -> u32 {
        let Piece { language, snippet, text, words } = piece;
        let group = self.groups.number(group);
        let words = words.into_iter().map(|word| self.words.number(word)).collect();
        self.snippets.push(ReadSnippet { language, snippet, group, words });
        self.texts.push((language, text));
        self.snippets.len() as u32 - 1
    }

    /// Records a row that takes no part.
    fn skip(&mut self, file: &'static str, row: u64, error: &RowError) {
        self.skipped.push(SkippedRow { file, row, reason: error.to_string() });
    }

    /// Makes all names alike.
    pub(super) fn blind(&mut self) {
        self.snippets.par_iter_mut().for_each(|known| known.snippet.blind());
    }

    /// Gives the snippets that have none their vectors.
    fn encode(&mut self, options: &PairsOptions, progress: &dyn Progress) -> Result<(), EvaluateError> {
        let texts = std::mem::take(&mut self.texts);
        if let Judge::Encoder(encoder) = &options.judge {
            let codes: Vec<Code<'_>> =
                texts.iter().map(|(language, text)| Code { language: *language, text }).collect();
            self.vectors.append(judge::encode(&**encoder, &codes, options.blind, progress)?);
        }
        Ok(())
    }

    /// Draws pairs of the rows of a file of solutions, and reads these rows.
    fn read_solutions(
        &mut self,
        options: &PairsOptions,
        draw: &Draw,
        progress: &dyn Progress,
    ) -> Result<(), EvaluateError> {
        let drawn = solutions::draw(options, draw, options.negatives.is_none())?;
        let wanted: HashSet<u64> = drawn.pairs.iter().flat_map(|pair| [pair.left, pair.right]).collect();
        let mut numbers = HashMap::new();
        let mut rows = Solutions::open(&options.pairs, &draw.selection)?;
        while let Some(mut batch) = rows.batch()? {
            batch.retain(|solution| wanted.contains(&solution.row));
            let read: Vec<Read> = batch
                .par_iter()
                .map_init(
                    || PieceReader::new(options),
                    |reader, solution| reader.read(solution.language.name(), &solution.text),
                )
                .collect();
            for (solution, piece) in batch.iter().zip(read) {
                let number = piece.map(|piece| self.add(piece, solution.group.to_string()));
                numbers.insert(solution.row, number);
            }
            self.encode(options, progress)?;
        }
        self.drawn = Some(DrawnPairs { asked: draw.pairs as u64, pairs: 2 * drawn.positives as u64 });
        self.skipped = drawn.skipped;
        for pair in drawn.pairs {
            let number = |row: u64| match numbers.get(&row) {
                Some(number) => Ok(number.clone()?),
                None => Err(RowError::Changed),
            };
            let added = number(pair.left).and_then(|left| Ok([left, number(pair.right)?]));
            let row = pair.left;
            let added = added.and_then(|sides| self.add_labelled(sides, row, pair.is_clone, None, options));
            if let Err(error) = added {
                self.skip("solutions", row, &error);
            }
        }
        Ok(())
    }

    fn read_pairs(
        &mut self,
        options: &PairsOptions,
        fragments: &Fragments,
        progress: &dyn Progress,
    ) -> Result<(), EvaluateError> {
        let has_fragments = options.fragments.is_some();
        let mut lines = JsonLines::open(&options.pairs)?;
        loop {
            let batch = lines.batch(BATCH)?;
            if batch.is_empty() {
                return Ok(());
            }
            let read: Vec<_> = batch
                .par_iter()
                .map_init(
                    || PieceReader::new(options),
                    |reader, (_, line)| Pair::read(line, has_fragments, reader),
                )
                .collect();
            for (pair, (row, _)) in read.into_iter().zip(batch) {
                let added = pair.and_then(|pair| self.add_pair(row, pair, fragments, options));
                if let Err(error) = added {
                    self.conflicts += u64::from(matches!(error, RowError::Conflict));
                    self.skip("pairs", row, &error);
                }
            }
            self.encode(options, progress)?;
        }
    }

    fn add_pair(
        &mut self,
        row: u64,
        pair: Pair,
        fragments: &Fragments,
        options: &PairsOptions,
    ) -> Result<(), RowError> {
        let sides = match pair.content {
            Content::Ids([left, right]) => [find(fragments, &left)?, find(fragments, &right)?],
            Content::Pieces(pieces, ids) => {
                let [left, right] = *pieces;
                let of_row = pair.group.unwrap_or_else(|| format!("pair {row}"));
                let [one, two] = match ids {
                    Some(ids) => ids.map(|id| format!("fragment {id}")),
                    None => [of_row.clone(), of_row],
                };
                [self.add(left, one), self.add(right, two)]
            }
        };
        self.add_labelled(sides, row, pair.is_clone, pair.clone_type, options)
    }

    fn add_labelled(
        &mut self,
        [left, right]: [u32; 2],
        row: u64,
        is_clone: bool,
        clone_type: Option<String>,
        options: &PairsOptions,
    ) -> Result<(), RowError> {
        for side in [left, right] {
            if !options.takes(&self.snippets[side as usize].snippet) {
                return Err(RowError::Small);
            }
        }
        let clone_type = clone_type.map(|name| self.types.number(name));
        self.pairs.push(Labelled { row, left, right, is_clone, clone_type });
        Ok(())
    }
}

fn find(fragments: &Fragments, id: &str) -> Result<u32, RowError> {
    match fragments.get(id) {
        Some(Ok(number)) => Ok(*number),
        Some(Err(source)) => Err(RowError::Fragment { id: id.to_owned(), source: source.clone() }),
        None => Err(RowError::NoFragment(id.to_owned())),
    }
}

/// A row of the file of fragments: its id and group, and the piece or why it could not be read.
fn fragment(line: &[u8], reader: &mut PieceReader<'_>) -> Result<(String, Option<String>, Read), RowError> {
    let row: FragmentRow = serde_json::from_slice(line)?;
    let id = row.id.0.clone().ok_or(RowError::Id)?;
    Ok((id, row.group(), reader.read(&row.lang, row.code.as_bytes())))
}

/// A row of the file of pairs whose codes are read.
struct Pair {
    is_clone: bool,
    clone_type: Option<String>,
    group: Option<String>,
    content: Content,
}

enum Content {
    Ids([String; 2]),
    /// Two codes, and the ids that the row gives them where it names no group.
    Pieces(Box<[Piece; 2]>, Option<[String; 2]>),
}

impl Pair {
    fn read(line: &[u8], has_fragments: bool, reader: &mut PieceReader<'_>) -> Result<Self, RowError> {
        let row: PairRow = serde_json::from_slice(line)?;
        if row.is_conflict() {
            return Err(RowError::Conflict);
        }
        let (is_clone, clone_type, group) = (row.label()?, row.clone_type(), row.group());
        let ids = row.ids();
        let content = match row.sides(has_fragments)? {
            Sides::Ids(ids) => Content::Ids(ids),
            Sides::Codes([left, right]) => {
                let pieces =
                    [reader.read(&left.0, left.1.as_bytes())?, reader.read(&right.0, right.1.as_bytes())?];
                Content::Pieces(Box::new(pieces), ids.filter(|_| group.is_none()))
            }
        };
        Ok(Self { is_clone, clone_type, group, content })
    }
}
