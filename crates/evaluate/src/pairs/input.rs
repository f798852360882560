//! The files of pairs and fragments to numbered snippets and labelled pairs of them.

use std::collections::HashMap;
use std::path::Path;

use familiar_engine::snippet::{Snippet, SnippetReader};
use familiar_source::Language;
use rayon::prelude::*;

use super::rows::{FragmentRow, PairRow, Sides, text};
use super::{PairsOptions, SkippedRow};
use crate::EvaluateError;
use crate::json_lines::JsonLines;

/// Rows that are read and parsed together.
const BATCH: usize = 4096;

/// A snippet and what is known of it.
pub(super) struct Known {
    pub(super) language: Language,
    pub(super) snippet: Snippet,
    /// Number of its group; snippets of one group may be clones of one another.
    pub(super) group: u32,
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
    pub(super) snippets: Vec<Known>,
    pub(super) pairs: Vec<Labelled>,
    pub(super) types: Names,
    groups: Names,
    pub(super) conflicts: u64,
    pub(super) skipped: Vec<SkippedRow>,
}

/// Texts by number, in the order of their first appearance.
#[derive(Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: String) -> u32 {
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() as u32 - 1
        })
    }

    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }
}

/// A snippet that was read, or why it was not.
type Read = Result<(Language, Snippet), String>;

impl Input {
    pub(super) fn read(options: &PairsOptions) -> Result<Self, EvaluateError> {
        let mut input = Self::default();
        let fragments = match &options.fragments {
            Some(path) => input.read_fragments(path, options)?,
            None => HashMap::new(),
        };
        input.read_pairs(options, &fragments)?;
        Ok(input)
    }

    /// The fragments by id: their numbers, or why they are none.
    fn read_fragments(
        &mut self,
        path: &Path,
        options: &PairsOptions,
    ) -> Result<HashMap<String, Result<u32, String>>, EvaluateError> {
        let mut lines = JsonLines::open(path)?;
        let mut fragments = HashMap::new();
        loop {
            let batch = lines.batch(BATCH)?;
            if batch.is_empty() {
                return Ok(fragments);
            }
            let read: Vec<_> = batch
                .par_iter()
                .map_init(SnippetReader::default, |reader, (_, line)| fragment(line, reader, options))
                .collect();
            for (read, (line, _)) in read.into_iter().zip(batch) {
                match read {
                    Ok((id, group, snippet)) => {
                        let group = group.unwrap_or_else(|| format!("fragment {id}"));
                        let number = snippet.map(|snippet| self.add(snippet, group));
                        fragments.insert(id, number);
                    }
                    Err(reason) => self.skipped.push(SkippedRow { file: "fragments", row: line, reason }),
                }
            }
        }
    }

    fn add(&mut self, (language, snippet): (Language, Snippet), group: String) -> u32 {
        let group = self.groups.number(group);
        self.snippets.push(Known { language, snippet, group });
        self.snippets.len() as u32 - 1
    }

    fn read_pairs(
        &mut self,
        options: &PairsOptions,
        fragments: &HashMap<String, Result<u32, String>>,
    ) -> Result<(), EvaluateError> {
        let mut lines = JsonLines::open(&options.pairs)?;
        loop {
            let batch = lines.batch(BATCH)?;
            if batch.is_empty() {
                return Ok(());
            }
            let read: Vec<_> = batch
                .par_iter()
                .map_init(SnippetReader::default, |reader, (_, line)| Pair::read(line, reader, options))
                .collect();
            for (pair, (row, _)) in read.into_iter().zip(batch) {
                let added = pair.and_then(|pair| self.add_pair(row, pair, fragments, options));
                if let Err(reason) = added {
                    self.conflicts += u64::from(reason == CONFLICT);
                    self.skipped.push(SkippedRow { file: "pairs", row, reason });
                }
            }
        }
    }

    fn add_pair(
        &mut self,
        row: u64,
        pair: Pair,
        fragments: &HashMap<String, Result<u32, String>>,
        options: &PairsOptions,
    ) -> Result<(), String> {
        let [left, right] = match pair.content {
            Content::Ids([left, right]) => [find(fragments, &left)?, find(fragments, &right)?],
            Content::Snippets([left, right]) => {
                let group = pair.group.unwrap_or_else(|| format!("pair {row}"));
                [self.add(left, group.clone()), self.add(right, group)]
            }
        };
        for side in [left, right] {
            let snippet = &self.snippets[side as usize].snippet;
            if snippet.tokens() < options.min_tokens || snippet.lines() < options.min_lines {
                return Err("a side is smaller than the least size".to_owned());
            }
        }
        let clone_type = pair.clone_type.map(|name| self.types.number(name));
        self.pairs.push(Labelled { row, left, right, is_clone: pair.is_clone, clone_type });
        Ok(())
    }
}

const CONFLICT: &str = "conflict: the sources disagree about this pair";

fn find(fragments: &HashMap<String, Result<u32, String>>, id: &str) -> Result<u32, String> {
    match fragments.get(id) {
        Some(Ok(number)) => Ok(*number),
        Some(Err(reason)) => Err(format!("fragment {id}: {reason}")),
        None => Err(format!("fragment {id} is not among the fragments")),
    }
}

/// A row of the file of fragments: its id and group, and the snippet or why it could not be read.
fn fragment(
    line: &[u8],
    reader: &mut SnippetReader,
    options: &PairsOptions,
) -> Result<(String, Option<String>, Read), String> {
    let row: FragmentRow = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let id = text(&row.id).ok_or("id is neither text nor a number")?;
    Ok((id, row.group(), snippet(&row.lang, &row.code, reader, options)))
}

fn snippet(lang: &str, code: &str, reader: &mut SnippetReader, options: &PairsOptions) -> Read {
    let language = Language::from_name(lang).ok_or_else(|| format!("unknown language {lang}"))?;
    let snippet = reader.read(language, code.as_bytes()).map_err(|error| error.to_string())?;
    Ok((language, if options.blind { snippet.blind() } else { snippet }))
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
    Snippets([(Language, Snippet); 2]),
}

impl Pair {
    fn read(line: &[u8], reader: &mut SnippetReader, options: &PairsOptions) -> Result<Self, String> {
        let row: PairRow = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if row.is_conflict() {
            return Err(CONFLICT.to_owned());
        }
        let (is_clone, clone_type, group) = (row.label()?, row.clone_type(), row.group());
        let content = match row.sides()? {
            Sides::Ids(ids) => Content::Ids(ids),
            Sides::Codes([left, right]) => Content::Snippets([
                snippet(&left.0, &left.1, reader, options)?,
                snippet(&right.0, &right.1, reader, options)?,
            ]),
        };
        Ok(Self { is_clone, clone_type, group, content })
    }
}
