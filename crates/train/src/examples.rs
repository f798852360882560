//! One file of all examples of a recipe, which takes the place of its data and its packages.
//!
//! JSON lines, compressed by zstd: a [`Header`], then a [`Line`] for each of [`Data::examples`]. Sequences and rewritten copies
//! are made again of the code. So recipes may share a file if they differ in nothing that decides what is read.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use familiar_source::Language;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::TrainError;
use crate::data::Data;
use crate::gathering::{self, Gathered, Gathering, Numbered, SHORTEST};
use crate::recipe::{Recipe, SourceRecipe};
use crate::row::Row;

/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// How hard zstd tries: a file is written once and carried around.
const LEVEL: i32 = 9;

/// What every version of a header says.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// The first line.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    version: u32,
    /// What [`key`] says of the recipe.
    recipe: String,
    /// The names of the recipe's sources.
    sources: Vec<String>,
    examples: usize,
    overlaps: usize,
}

/// An example.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Line<Text> {
    source: u32,
    /// Which row of its source it is.
    row: u32,
    /// Number of its group, over all sources.
    group: u32,
    /// Whether its group is kept for validation.
    held_out: bool,
    /// Whether it is not trained on, because it reads like one that is kept for validation.
    left_out: bool,
    language: Text,
    author: Option<Text>,
    code: Text,
}

/// Reads what `recipe` names below `folder` and `packages`, as [`gathering::data`] does, and writes it to `path`, whole or not at all.
pub fn write(recipe: &Recipe, folder: &Path, packages: &Path, path: &Path) -> Result<Data, TrainError> {
    let failed = |source| TrainError::Write { path: path.to_owned(), source };
    let key = key(recipe)?;
    // Before the work, which takes minutes.
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let gathered = gathering::read(recipe, folder, packages, true)?;
    // Others may write the same file at the same time.
    let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
    let written = write_to(&unfinished, recipe, key, &gathered);
    if let Err(error) = written.and_then(|()| std::fs::rename(&unfinished, path)) {
        // It may not be there at all.
        let _ = std::fs::remove_file(&unfinished);
        return Err(failed(error));
    }
    Ok(gathered.data)
}

fn write_to(path: &Path, recipe: &Recipe, key: String, gathered: &Gathered) -> std::io::Result<()> {
    let Gathered { data, left_out, originals } = gathered;
    let mut out = zstd::Encoder::new(File::create(path)?, LEVEL)?;
    out.include_checksum(true)?;
    let header = Header {
        version: VERSION,
        recipe: key,
        sources: recipe.source.iter().map(SourceRecipe::name).collect(),
        examples: data.examples.len(),
        overlaps: data.overlaps,
    };
    write_line(&mut out, &header)?;
    for ((example, original), &left_out) in data.examples.iter().zip(originals).zip(left_out) {
        let line = Line {
            source: example.source,
            row: original.number,
            group: example.group,
            held_out: original.held_out,
            left_out,
            language: example.language.name(),
            author: original.author.as_deref(),
            code: &original.code,
        };
        write_line(&mut out, &line)?;
    }
    out.finish()?.sync_all()
}

fn write_line(out: &mut impl Write, line: &impl Serialize) -> std::io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

/// Reads the file at `path`: the same as what [`write`] gave when it wrote the file. Fails where the file is damaged, or was written for
/// a recipe that reads something else.
pub fn read(recipe: &Recipe, path: &Path) -> Result<Data, TrainError> {
    let damaged = |reason: String| TrainError::Examples { path: path.to_owned(), reason };
    let file = File::open(path).map_err(|source| TrainError::Read { path: path.to_owned(), source })?;
    let content = zstd::Decoder::new(file).map_err(|error| damaged(error.to_string()))?;
    let mut lines = BufReader::new(content).lines();
    let first = lines.next().ok_or_else(|| "it is empty".to_owned());
    let first = first.and_then(|line| line.map_err(|error| error.to_string())).map_err(damaged)?;
    let header = header(&first).map_err(damaged)?;
    let wanted = key(recipe)?;
    if header.recipe != wanted {
        return Err(TrainError::OtherExamples {
            path: path.to_owned(),
            reason: difference(recipe, &header.sources),
        });
    }
    let texts = lines.map(|line| line.map_err(|error| error.to_string()));
    let mut gathering = Gathering::new(recipe, false)?;
    let left_out = fill(&mut gathering, recipe.source.len(), &header, texts).map_err(damaged)?;
    let data = gathering.finish(&left_out);
    if let Some(source) = gathering::without_groups(recipe, &data) {
        return Err(damaged(format!("it has nothing to train on of the source {}", source.name())));
    }
    Ok(data)
}

fn header(line: &str) -> Result<Header, String> {
    let no_header = |error: serde_json::Error| format!("its first line is not that of such a file: {error}");
    let Version { version } = serde_json::from_str(line).map_err(no_header)?;
    if version != VERSION {
        return Err(format!("it has version {version} of the format, and this program reads {VERSION}"));
    }
    serde_json::from_str(line).map_err(no_header)
}

/// Adds the lines to `gathering`, one source after the other, and says which of the examples are left out.
fn fill(
    gathering: &mut Gathering<'_>,
    sources: usize,
    header: &Header,
    lines: impl Iterator<Item = Result<String, String>>,
) -> Result<Vec<bool>, String> {
    let (mut groups, mut left_out) = (Vec::new(), Vec::new());
    let (mut current, mut rows) = (0, Vec::new());
    for (number, line) in (2..).zip(lines) {
        let line: Line<String> =
            serde_json::from_str(&line?).map_err(|error| format!("line {number}: {error}"))?;
        let language = Language::from_name(&line.language)
            .ok_or_else(|| format!("line {number}: {} is no language", line.language))?;
        if line.source < current || line.source as usize >= sources {
            return Err(format!("line {number}: source {} is out of order", line.source));
        }
        if line.source > current {
            gathering.add(current, std::mem::take(&mut rows));
            current = line.source;
        }
        groups.push(line.group);
        left_out.push(line.left_out);
        let row = Row { group: line.group.to_string(), language, code: line.code, author: line.author };
        rows.push(Numbered { number: line.row, held_out: line.held_out, row });
    }
    gathering.add(current, rows);
    let overlaps = left_out.iter().filter(|left_out| **left_out).count();
    if (left_out.len(), overlaps) != (header.examples, header.overlaps) {
        let (there, wanted) = (left_out.len(), header.examples);
        return Err(format!(
            "it has {there} examples, {overlaps} of them left out, and should have {wanted} and {}",
            header.overlaps
        ));
    }
    // Code that is read in another way than when it was written may be too short now.
    if !gathering.examples.iter().map(|example| example.group).eq(groups) {
        return Err("its groups are not those that this program finds in it".to_owned());
    }
    Ok(left_out)
}

/// Stands for all in a recipe that decides which examples there are, and which of them are left out.
fn key(recipe: &Recipe) -> Result<String, TrainError> {
    // What a source is called, and how its examples are drawn, changes no example.
    let decisive = |source: &SourceRecipe| SourceRecipe {
        name: String::new(),
        groups_in_batch: 0,
        rows_of_group: 0,
        mix_languages: false,
        groups_of_author: source.groups_of_author.min(1),
        ..source.clone()
    };
    let sources: Vec<SourceRecipe> = recipe.source.iter().map(decisive).collect();
    let parts = (SHORTEST, gathering::most_tokens(recipe)?, sources, &recipe.apart);
    let text = serde_json::to_vec(&parts).map_err(|error| TrainError::Recipe {
        path: recipe.name.clone().into(),
        reason: error.to_string(),
    })?;
    Ok(format!("{:032x}", xxh3_128(&text)))
}

/// In what the recipe differs from one whose sources have these names.
fn difference(recipe: &Recipe, names: &[String]) -> String {
    let own: Vec<String> = recipe.source.iter().map(SourceRecipe::name).collect();
    if own.len() != names.len() {
        return format!("that has {} sources in the place of {}", names.len(), own.len());
    }
    match names.iter().zip(&own).find(|(theirs, own)| theirs != own) {
        Some((theirs, own)) => format!("that has the source {theirs:?} in the place of {own:?}"),
        None => "with other settings of its sources, another context or other files apart".to_owned(),
    }
}
