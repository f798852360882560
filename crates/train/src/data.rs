//! Files of solutions to examples that can be learnt from.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use familiar_model::{Sequence, SequenceReader};
use familiar_source::{Fragment, FragmentKind, Language};
use familiar_syntax::{Parser, Want, decode, detect, languages};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::TrainError;
use crate::recipe::{Recipe, SourceRecipe};

/// A solution of one problem.
#[derive(Clone, Debug)]
pub struct Example {
    pub sequence: Sequence,
    pub language: Language,
    /// Number of its group, over all sources.
    pub group: u32,
    /// Number of its source.
    pub source: u32,
}

/// Examples by group, of one source.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// For each group its examples.
    pub groups: Vec<Vec<u32>>,
}

/// All that is learnt from, and what is kept apart.
#[derive(Clone, Debug, Default)]
pub struct Data {
    pub examples: Vec<Example>,
    /// Groups to train on, of each source of the recipe.
    pub training: Vec<Source>,
    /// Groups to measure with, of each source of the recipe.
    pub validation: Vec<Source>,
    /// Training examples left out because they read like one that is kept for validation.
    pub overlaps: usize,
}

impl Data {
    /// Reads what `recipe` names below `folder`.
    pub fn read(recipe: &Recipe, folder: &Path, packages: &Path) -> Result<Self, TrainError> {
        // More than the context, as statements may be left out of it.
        let most = recipe.sizes()?.context * 2;
        let mut data = Self::default();
        let mut groups = Vec::new();
        for (number, source) in (0u32..).zip(&recipe.source) {
            let rows = if source.packages.is_empty() {
                rows(source, &folder.join(&source.file))?
            } else {
                functions(source, packages)?
            };
            let read: Vec<_> = rows
                .par_iter()
                .map_init(SequenceReader::default, |reader, row| {
                    let mut sequence = reader.read(row.language, row.code.as_bytes());
                    cut(&mut sequence, most);
                    sequence
                })
                .collect();
            let mut numbers = FxHashMap::default();
            for (row, sequence) in rows.into_iter().zip(read) {
                if sequence.len() < 8 {
                    continue;
                }
                let group = *numbers.entry(row.group).or_insert_with_key(|name: &String| {
                    groups.push((number, is_held_out(source, name)));
                    groups.len() as u32 - 1
                });
                data.examples.push(Example { sequence, language: row.language, group, source: number });
            }
        }
        data.sort_out(recipe, &groups);
        for (source, found) in recipe.source.iter().zip(&data.training) {
            if !source.validation && found.groups.is_empty() {
                return Err(TrainError::NoExamples { path: folder.join(&source.file) });
            }
        }
        Ok(data)
    }

    /// Puts examples into their groups; one whose form is also kept for validation is not trained on.
    fn sort_out(&mut self, recipe: &Recipe, groups: &[(u32, bool)]) {
        let forms: Vec<u64> = self.examples.par_iter().map(|example| form(&example.sequence)).collect();
        let mut kept_apart: Vec<u64> = self
            .examples
            .iter()
            .zip(&forms)
            .filter(|(example, _)| groups[example.group as usize].1)
            .map(|(_, form)| *form)
            .collect();
        kept_apart.sort_unstable();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); groups.len()];
        for (number, (example, form)) in (0u32..).zip(self.examples.iter().zip(&forms)) {
            let held_out = groups[example.group as usize].1;
            if !held_out && kept_apart.binary_search(form).is_ok() {
                self.overlaps += 1;
            } else {
                members[example.group as usize].push(number);
            }
        }
        self.training = vec![Source::default(); recipe.source.len()];
        self.validation = vec![Source::default(); recipe.source.len()];
        for (&(source, held_out), members) in groups.iter().zip(members) {
            let side = if held_out { &mut self.validation } else { &mut self.training };
            if members.len() > 1 || !recipe.source[source as usize].packages.is_empty() && !members.is_empty()
            {
                side[source as usize].groups.push(members);
            }
        }
    }
}

/// Whether a group is kept for validation: decided by its name alone.
fn is_held_out(source: &SourceRecipe, group: &str) -> bool {
    source.validation
        || source.held_out_every.is_some_and(|every| xxh3_64(group.as_bytes()).is_multiple_of(every))
}

/// A hash of the code without its names.
fn form(sequence: &Sequence) -> u64 {
    let bytes: Vec<u8> = sequence.pieces.iter().flat_map(|piece| piece.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// Keeps the first `most` tokens.
fn cut(sequence: &mut Sequence, most: usize) {
    if sequence.len() > most {
        sequence.pieces.truncate(most);
        sequence.depths.truncate(most);
        sequence.statements.truncate(most);
        sequence.names.truncate(most);
        sequence.word_ends.truncate(most);
        sequence.words.truncate(sequence.word_ends.last().map_or(0, |&end| end as usize));
    }
}

/// The functions of the packages that `source` names, each in a group of its own and once for each form.
fn functions(source: &SourceRecipe, folder: &Path) -> Result<Vec<Row>, TrainError> {
    let mut rows = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for package in &source.packages {
        let mut files = Vec::new();
        list(&folder.join(package), &mut files)?;
        let found: Vec<Vec<(u64, Row)>> =
            files.par_iter().map_init(Parser::default, |parser, file| functions_of(file, parser)).collect();
        let found: Vec<(u64, Row)> =
            found.into_iter().flatten().filter(|(form, _)| seen.insert(*form)).collect();
        // Of a large package a stretch of each hundred functions: what stands beside one another stays together.
        let share = (source.functions_of_package * 100 / found.len().max(1)).clamp(1, 100);
        rows.extend(
            found.into_iter().enumerate().filter(|(at, _)| at % 100 < share).map(|(_, (_, row))| row),
        );
    }
    Ok(rows)
}

/// The files below `folder`, in the order of their paths.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), TrainError> {
    let error = |source| TrainError::Read { path: folder.to_owned(), source };
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).map_err(error)?.collect::<Result<_, _>>().map_err(error)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(error)?;
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The functions of one file that are neither tiny nor huge, with hashes of their forms.
fn functions_of(path: &Path, parser: &mut Parser) -> Vec<(u64, Row)> {
    let name = path.to_string_lossy();
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    if bytes.len() > 1 << 20 {
        return Vec::new();
    }
    let Ok(decoded) = decode::decode(&bytes) else { return Vec::new() };
    let Some(language) = detect::language(&name, &decoded.text).filter(|l| !languages::others::is_data(*l))
    else {
        return Vec::new();
    };
    let parsed = parser.parse(language, &decoded.text, Want { fragments: true, line_starts: true });
    let wanted = |fragment: &&Fragment| {
        fragment.kind == FragmentKind::Function && (40..600).contains(&fragment.tokens.len())
    };
    let row = |fragment: &Fragment| {
        let tokens = &parsed.tokens[fragment.tokens.range()];
        let form = form(&Sequence::new(language, &decoded.text, tokens));
        let code = String::from_utf8_lossy(&decoded.text[fragment.bytes.range()]).into_owned();
        (form, Row { group: format!("{name}:{}", fragment.bytes.start), language, code })
    };
    parsed.fragments.iter().filter(wanted).map(row).collect()
}

struct Row {
    group: String,
    language: Language,
    code: String,
}

fn rows(source: &SourceRecipe, path: &Path) -> Result<Vec<Row>, TrainError> {
    let read_error = |source| TrainError::Read { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(read_error)?;
    let content: Box<dyn Read> = if path.extension().is_some_and(|ending| ending == "zst") {
        Box::new(zstd::Decoder::new(file).map_err(read_error)?)
    } else {
        Box::new(file)
    };
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(BufReader::new(content).lines()) {
        let row_error = |reason| TrainError::Row { path: path.to_owned(), line, reason };
        let value: Value =
            serde_json::from_str(&text.map_err(read_error)?).map_err(|error| row_error(error.to_string()))?;
        let field = |name: &str| value.get(name).and_then(Value::as_str);
        let wanted = source.only.iter().all(|filter| {
            field(&filter.field).is_some_and(|value| filter.values.iter().any(|wanted| wanted == value))
        });
        let group = field(&source.group).ok_or_else(|| row_error(format!("it has no {}", source.group)))?;
        if !wanted || source.without_groups.iter().any(|start| group.starts_with(start.as_str())) {
            continue;
        }
        let language = field("lang").and_then(Language::from_name);
        let language = language.ok_or_else(|| row_error("its lang is no language".to_owned()))?;
        let code = field("code").ok_or_else(|| row_error("it has no code".to_owned()))?;
        rows.push(Row { group: group.to_owned(), language, code: code.to_owned() });
    }
    Ok(rows)
}
