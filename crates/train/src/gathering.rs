//! Rows become data: each is read, rewritten where the recipe says so, and put into its group.

use std::path::Path;

use familiar_model::{Sequence, SequenceReader};
use familiar_source::Language;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::TrainError;
use crate::data::{Data, Example, Source};
use crate::recipe::{Recipe, SourceRecipe};
use crate::rewriting::Rewriter;
use crate::row::{Row, form};
use crate::{families, labelled, packages};

/// Most runs of letters of an example that is cut.
const RUNS: usize = 4096;

/// A rewritten copy is longer than its example; so many times as many tokens of it are kept.
const COPY_TIMES: usize = 4;

/// Least tokens of an example.
pub(crate) const SHORTEST: usize = 8;

/// Least problems of an author whose solutions are drawn together.
const LEAST_PROBLEMS: usize = 4;

/// Most tokens of an example: more than the context, as statements may be left out of it.
pub(crate) fn most_tokens(recipe: &Recipe) -> Result<usize, TrainError> {
    Ok(recipe.sizes()?.context * 2)
}

/// A row of a source, and what does not stand in it.
pub(crate) struct Numbered {
    /// Which row of its source it is; its rewritten copies are drawn by that.
    pub(crate) number: u32,
    /// Whether its group is kept for validation.
    pub(crate) held_out: bool,
    pub(crate) row: Row,
}

/// What an example was made of.
pub(crate) struct Original {
    pub(crate) number: u32,
    pub(crate) held_out: bool,
    pub(crate) author: Option<String>,
    pub(crate) code: String,
}

/// Data with what it was made of.
pub(crate) struct Gathered {
    pub(crate) data: Data,
    /// For each example whether it is not trained on, because it reads like one that is kept for validation.
    pub(crate) left_out: Vec<bool>,
    /// For each example what it was made of, where that was to be kept.
    pub(crate) originals: Vec<Original>,
}

/// Reads what `recipe` names below `folder` and `packages`. A file of [`examples`](crate::examples) has the same in one place.
pub fn data(recipe: &Recipe, folder: &Path, packages: &Path) -> Result<Data, TrainError> {
    Ok(read(recipe, folder, packages, false)?.data)
}

/// The same, with what it was made of where that is to be kept.
pub(crate) fn read(
    recipe: &Recipe,
    folder: &Path,
    packages: &Path,
    keep_originals: bool,
) -> Result<Gathered, TrainError> {
    let mut gathering = Gathering::new(recipe, keep_originals)?;
    for (number, source) in (0u32..).zip(&recipe.source) {
        let rows = if !source.packages.is_empty() {
            packages::rows(source, packages)?
        } else if !source.families.is_empty() {
            families::rows(source, packages)?
        } else {
            labelled::rows(source, &folder.join(&source.file))?
        };
        let rows = (0u32..).zip(rows).map(|(number, row)| {
            let held_out = is_held_out(source, &row.group);
            Numbered { number, held_out, row }
        });
        gathering.add(number, rows.collect());
    }
    let mut apart = Vec::new();
    for file in &recipe.apart {
        let codes = labelled::code_apart(file, folder)?;
        apart.extend(gathering.forms(&codes));
    }
    let left_out = gathering.left_out(apart);
    let originals = std::mem::take(&mut gathering.originals);
    let data = gathering.finish(&left_out);
    if let Some(source) = without_groups(recipe, &data) {
        return Err(TrainError::NoExamples { path: folder.join(&source.file) });
    }
    Ok(Gathered { data, left_out, originals })
}

/// The first source that gives nothing to train on, but should.
pub(crate) fn without_groups<'r>(recipe: &'r Recipe, data: &Data) -> Option<&'r SourceRecipe> {
    let mut sources = recipe.source.iter().zip(&data.training);
    sources.find(|(source, found)| !source.validation && found.groups.is_empty()).map(|(source, _)| source)
}

/// Whether a group is kept for validation: decided by its name alone.
fn is_held_out(source: &SourceRecipe, group: &str) -> bool {
    source.validation
        || source.held_out_every.is_some_and(|every| xxh3_64(group.as_bytes()).is_multiple_of(every))
}

/// Data that are put together, one source after the other.
pub(crate) struct Gathering<'r> {
    recipe: &'r Recipe,
    most: usize,
    rewriter: Option<Rewriter<'r>>,
    keep_originals: bool,
    pub(crate) examples: Vec<Example>,
    originals: Vec<Original>,
    /// For each group its source, and whether it is kept for validation.
    groups: Vec<(u32, bool)>,
    /// The source, the name, the language and the example.
    authors: Vec<(u32, String, Language, u32)>,
}

impl<'r> Gathering<'r> {
    pub(crate) fn new(recipe: &'r Recipe, keep_originals: bool) -> Result<Self, TrainError> {
        Ok(Self {
            recipe,
            most: most_tokens(recipe)?,
            rewriter: recipe.rewriting.as_ref().map(Rewriter::new).transpose()?,
            keep_originals,
            examples: Vec::new(),
            originals: Vec::new(),
            groups: Vec::new(),
            authors: Vec::new(),
        })
    }

    /// Reads the rows of the source of that number; those that are too short are no examples.
    pub(crate) fn add(&mut self, source: u32, rows: Vec<Numbered>) {
        let read: Vec<_> = rows
            .par_iter()
            .map_init(SequenceReader::default, |reader, row| self.sequences(source, row, reader))
            .collect();
        let mut numbers = FxHashMap::default();
        for (Numbered { number, held_out, row }, read) in rows.into_iter().zip(read) {
            let Some((sequence, copies)) = read else { continue };
            let Row { group, language, code, author } = row;
            let group = *numbers.entry(group).or_insert_with(|| {
                self.groups.push((source, held_out));
                self.groups.len() as u32 - 1
            });
            if let Some(author) = author.clone() {
                self.authors.push((source, author, language, self.examples.len() as u32));
            }
            self.examples.push(Example { sequence, copies, language, group, source });
            if self.keep_originals {
                self.originals.push(Original { number, held_out, author, code });
            }
        }
    }

    /// The row as the network reads it, and its rewritten copies.
    fn sequences(
        &self,
        source: u32,
        Numbered { number, held_out, row }: &Numbered,
        reader: &mut SequenceReader,
    ) -> Option<(Sequence, Vec<Sequence>)> {
        let code = row.code.as_bytes();
        let sequence = read_cut(reader, row.language, code, self.most)?;
        let written = self.rewriter.as_ref().filter(|_| !held_out).map(|rewriter| {
            let seed = self.recipe.seed ^ (u64::from(source) << 32 | u64::from(*number));
            rewriter.copies(row.language, code, seed)
        });
        let copies = written.unwrap_or_default();
        let copies =
            copies.iter().filter_map(|copy| read_cut(reader, row.language, copy, self.most * COPY_TIMES));
        Some((sequence, copies.collect()))
    }

    /// Hashes of the codes without their names.
    fn forms(&self, codes: &[(Language, String)]) -> Vec<u64> {
        let form_of = |reader: &mut SequenceReader, (language, code): &(Language, String)| {
            read_cut(reader, *language, code.as_bytes(), self.most).map(|sequence| form(&sequence))
        };
        codes.par_iter().map_init(SequenceReader::default, form_of).flatten().collect()
    }

    /// For each example whether its form is also kept for validation, or in `apart`, while its group is not.
    fn left_out(&self, apart: Vec<u64>) -> Vec<bool> {
        let held_out = |example: &Example| self.groups[example.group as usize].1;
        let forms: Vec<u64> = self.examples.par_iter().map(|example| form(&example.sequence)).collect();
        let kept_apart = self.examples.iter().zip(&forms).filter(|(example, _)| held_out(example));
        let kept_apart: FxHashSet<u64> = kept_apart.map(|(_, form)| *form).chain(apart).collect();
        let examples = self.examples.iter().zip(&forms);
        examples.map(|(example, form)| !held_out(example) && kept_apart.contains(form)).collect()
    }

    /// Puts examples into their groups, but for those that are left out.
    pub(crate) fn finish(self, left_out: &[bool]) -> Data {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.groups.len()];
        for ((number, example), _) in
            (0u32..).zip(&self.examples).zip(left_out).filter(|(_, left_out)| !**left_out)
        {
            members[example.group as usize].push(number);
        }
        let sources = &self.recipe.source;
        let mut training = vec![Source::default(); sources.len()];
        let mut validation = training.clone();
        for (&(source, held_out), members) in self.groups.iter().zip(members) {
            let source = source as usize;
            let side = if held_out { &mut validation } else { &mut training };
            if members.len() > 1 || !sources[source].packages.is_empty() && !members.is_empty() {
                side[source].groups.push(members);
            }
        }
        find_authors(&mut training, self.authors);
        let overlaps = left_out.iter().filter(|left_out| **left_out).count();
        Data { examples: self.examples, training, validation, overlaps }
    }
}

/// Puts the examples of those who wrote several side by side: `authors` has the source, the name, the language and the example.
fn find_authors(training: &mut [Source], mut authors: Vec<(u32, String, Language, u32)>) {
    let mut groups: FxHashMap<u32, u32> = FxHashMap::default();
    for source in &*training {
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
            training[of_author[0].0 as usize].authors.push(found);
        }
    }
}

/// The first `most` tokens of the code, where it has enough of them.
fn read_cut(reader: &mut SequenceReader, language: Language, code: &[u8], most: usize) -> Option<Sequence> {
    let mut sequence = reader.read(language, code);
    cut(&mut sequence, most);
    (sequence.len() >= SHORTEST).then_some(sequence)
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
