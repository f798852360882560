//! Files of solutions to examples that can be learnt from.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use familiar_model::{Sequence, SequenceReader};
use familiar_source::Language;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::TrainError;
use crate::families;
use crate::packages::functions_of_package;
use crate::problem;
use crate::recipe::{ApartRecipe, Recipe, Rewriting, SourceRecipe};
use crate::rewriting::Rewriter;
use crate::row::{Row, form};

/// Most runs of letters of an example that is cut.
const RUNS: usize = 4096;

/// A rewritten copy is longer than its example; so many times as many tokens of it are kept.
const COPY_TIMES: usize = 4;

/// Least tokens of an example.
const SHORTEST: usize = 8;

/// A solution of one problem.
#[derive(Clone, Debug)]
pub struct Example {
    pub sequence: Sequence,
    /// What transformations make of it; empty where it is not rewritten.
    pub copies: Vec<Sequence>,
    pub language: Language,
    /// Number of its group, over all sources.
    pub group: u32,
    /// Number of its source.
    pub source: u32,
}

impl Example {
    /// The example as it is seen once: a share of those that have rewritten copies is seen as one of them.
    pub(crate) fn seen(&self, rewriting: Option<&Rewriting>, random: &mut ChaCha8Rng) -> &Sequence {
        let rewritten = rewriting.filter(|it| !self.copies.is_empty() && random.random_bool(it.share));
        match rewritten {
            Some(_) => &self.copies[random.random_range(0..self.copies.len())],
            None => &self.sequence,
        }
    }
}

/// Examples by group, of one source.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// For each group its examples.
    pub groups: Vec<Vec<u32>>,
    /// For each author who has solved several problems in one language: the groups, and the author's example of each.
    pub authors: Vec<Vec<(u32, u32)>>,
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
        let rewriter = recipe.rewriting.as_ref().map(Rewriter::new).transpose()?;
        let mut data = Self::default();
        let mut groups = Vec::new();
        let mut authors = Vec::new();
        for (number, source) in (0u32..).zip(&recipe.source) {
            let rows = if !source.packages.is_empty() {
                functions(source, packages)?
            } else if !source.families.is_empty() {
                families::rows(source, packages)?
            } else {
                rows(source, &folder.join(&source.file))?
            };
            let rewriter = rewriter.as_ref().filter(|_| !source.validation);
            let read = |reader: &mut SequenceReader, (at, row): (usize, &Row)| {
                let mut sequence = reader.read(row.language, row.code.as_bytes());
                cut(&mut sequence, most);
                let written = rewriter.filter(|_| !is_held_out(source, &row.group)).map(|rewriter| {
                    let seed = recipe.seed ^ (u64::from(number) << 32 | at as u64);
                    rewriter.copies(row.language, row.code.as_bytes(), seed)
                });
                let copies = written.unwrap_or_default().into_iter().map(|code| {
                    let mut copy = reader.read(row.language, &code);
                    cut(&mut copy, most * COPY_TIMES);
                    copy
                });
                (copies.filter(|copy| copy.len() >= SHORTEST).collect(), sequence)
            };
            let read: Vec<(Vec<Sequence>, Sequence)> =
                rows.par_iter().enumerate().map_init(SequenceReader::default, read).collect();
            let mut numbers = FxHashMap::default();
            for (row, (copies, sequence)) in rows.into_iter().zip(read) {
                if sequence.len() < SHORTEST {
                    continue;
                }
                if let Some(author) = row.author {
                    authors.push((number, author, row.language, data.examples.len() as u32));
                }
                let group = *numbers.entry(row.group).or_insert_with_key(|name: &String| {
                    groups.push((number, is_held_out(source, name)));
                    groups.len() as u32 - 1
                });
                data.examples.push(Example {
                    sequence,
                    copies,
                    language: row.language,
                    group,
                    source: number,
                });
            }
        }
        let mut apart = Vec::new();
        for file in &recipe.apart {
            apart.extend(forms_of(file, folder, most)?);
        }
        data.sort_out(recipe, &groups, apart);
        data.find_authors(authors);
        for (source, found) in recipe.source.iter().zip(&data.training) {
            if !source.validation && found.groups.is_empty() {
                return Err(TrainError::NoExamples { path: folder.join(&source.file) });
            }
        }
        Ok(data)
    }

    /// Puts the examples of those who wrote several side by side: `authors` has the source, the name, the language and the example.
    fn find_authors(&mut self, mut authors: Vec<(u32, String, Language, u32)>) {
        let mut groups: FxHashMap<u32, u32> = FxHashMap::default();
        for source in &self.training {
            for (at, members) in (0u32..).zip(&source.groups) {
                groups.extend(members.iter().map(|&member| (member, at)));
            }
        }
        authors.sort();
        for of_author in authors.chunk_by(|a, b| (a.0, &a.1, a.2) == (b.0, &b.1, b.2)) {
            let mut found: Vec<(u32, u32)> = of_author
                .iter()
                .filter_map(|(.., example)| groups.get(example).map(|&group| (group, *example)))
                .collect();
            found.sort_unstable();
            found.dedup_by_key(|(group, _)| *group);
            if found.len() >= LEAST_PROBLEMS {
                self.training[of_author[0].0 as usize].authors.push(found);
            }
        }
    }

    /// Puts examples into their groups; one whose form is also kept for validation, or in `apart`, is not trained on.
    fn sort_out(&mut self, recipe: &Recipe, groups: &[(u32, bool)], apart: Vec<u64>) {
        let forms: Vec<u64> = self.examples.par_iter().map(|example| form(&example.sequence)).collect();
        let kept_apart = self.examples.iter().zip(&forms);
        let kept_apart = kept_apart.filter(|(example, _)| groups[example.group as usize].1);
        let kept_apart: FxHashSet<u64> = kept_apart.map(|(_, form)| *form).chain(apart).collect();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); groups.len()];
        for (number, (example, form)) in (0u32..).zip(self.examples.iter().zip(&forms)) {
            let held_out = groups[example.group as usize].1;
            if !held_out && kept_apart.contains(form) {
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

/// Least problems of an author whose solutions are drawn together.
const LEAST_PROBLEMS: usize = 4;

/// Whether a group is kept for validation: decided by its name alone.
fn is_held_out(source: &SourceRecipe, group: &str) -> bool {
    source.validation
        || source.held_out_every.is_some_and(|every| xxh3_64(group.as_bytes()).is_multiple_of(every))
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
        sequence.runs.truncate(RUNS);
    }
}

/// The functions of the packages that `source` names, each in a group of its own and once for each form.
fn functions(source: &SourceRecipe, folder: &Path) -> Result<Vec<Row>, TrainError> {
    let mut rows = Vec::new();
    let mut seen = FxHashSet::default();
    for package in &source.packages {
        let found = functions_of_package(&folder.join(package), &mut seen)?;
        // Of a large package a stretch of each hundred functions: what stands beside one another stays together.
        let share = (source.functions_of_package * 100 / found.len().max(1)).clamp(1, 100);
        rows.extend(
            found
                .into_iter()
                .enumerate()
                .filter(|(at, _)| at % 100 < share)
                .map(|(_, function)| function.row),
        );
    }
    Ok(rows)
}

fn rows(source: &SourceRecipe, path: &Path) -> Result<Vec<Row>, TrainError> {
    let mut rows = Vec::new();
    for_each_value(path, |line, value| {
        let row_error = |reason| TrainError::Row { path: path.to_owned(), line, reason };
        let field = |name: &str| value.get(name).and_then(Value::as_str);
        let wanted = source.only.iter().all(|filter| {
            field(&filter.field).is_some_and(|value| filter.values.iter().any(|wanted| wanted == value))
        });
        let group = field(&source.group).ok_or_else(|| row_error(format!("it has no {}", source.group)))?;
        let group = problem::canonical(group);
        if !wanted || source.without_groups.iter().any(|start| group.starts_with(start.as_str())) {
            return Ok(());
        }
        let (language, code) = code_of(value, "lang", "code").map_err(row_error)?;
        let author = (source.groups_of_author > 0).then(|| field("author").map(str::to_owned)).flatten();
        rows.push(Row { group: group.into_owned(), language, code: code.to_owned(), author });
        Ok(())
    })?;
    Ok(rows)
}

/// Hashes of all code in a file of benchmarks without its names.
fn forms_of(apart: &ApartRecipe, folder: &Path, most: usize) -> Result<Vec<u64>, TrainError> {
    let path = folder.join(&apart.file);
    let mut codes: Vec<(Language, String)> = Vec::new();
    for_each_value(&path, |line, value| {
        for (language, code) in &apart.code {
            let (language, code) = code_of(value, language, code).map_err(|reason| TrainError::Row {
                path: path.clone(),
                line,
                reason,
            })?;
            codes.push((language, code.to_owned()));
        }
        Ok(())
    })?;
    let form_of = |reader: &mut SequenceReader, (language, code): &(Language, String)| {
        let mut sequence = reader.read(*language, code.as_bytes());
        cut(&mut sequence, most);
        (sequence.len() >= SHORTEST).then(|| form(&sequence))
    };
    Ok(codes.par_iter().map_init(SequenceReader::default, form_of).flatten().collect())
}

/// Calls `take` with each line of the JSON lines at `path` and its number.
fn for_each_value(
    path: &Path,
    mut take: impl FnMut(usize, &Value) -> Result<(), TrainError>,
) -> Result<(), TrainError> {
    let read_error = |source| TrainError::Read { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(read_error)?;
    let content: Box<dyn Read> = if path.extension().is_some_and(|ending| ending == "zst") {
        Box::new(zstd::Decoder::new(file).map_err(read_error)?)
    } else {
        Box::new(file)
    };
    for (line, text) in (1..).zip(BufReader::new(content).lines()) {
        let value = serde_json::from_str(&text.map_err(read_error)?).map_err(|error| TrainError::Row {
            path: path.to_owned(),
            line,
            reason: error.to_string(),
        })?;
        take(line, &value)?;
    }
    Ok(())
}

/// A row's code and its language, by the names of their fields.
fn code_of<'v>(value: &'v Value, language: &str, code: &str) -> Result<(Language, &'v str), String> {
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    let found = field(language).and_then(Language::from_name);
    let found = found.ok_or_else(|| format!("its field {language} does not name a known language"))?;
    Ok((found, field(code).ok_or_else(|| format!("it has no {code}"))?))
}
