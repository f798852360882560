//! Rewritten programs as files of a folder.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use familiar_engine::transform::TransformedRow;
use familiar_source::Language;
use familiar_syntax::languages;

/// The file of the recipes.
const RECIPES: &str = "recipes.jsonl";

/// A folder into which programs go: `NAME.1.py`, `NAME.2.py` and so on for a source `NAME.py`.
pub(super) struct Folder {
    folder: PathBuf,
    recipes: BufWriter<File>,
    /// Programs of each name and ending so far: a file `a.py` and a row `a` of a data set share them.
    counts: HashMap<(String, String), u64>,
}

impl Folder {
    /// The folder that `output` means: one that exists, or a path that ends in a slash.
    pub(super) fn asked_for(output: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let Some(output) = output else { return Ok(None) };
        let ends = output.as_os_str().as_encoded_bytes().ends_with(b"/");
        if !ends && !output.is_dir() {
            return Ok(None);
        }
        let folder = output.to_owned();
        let recipes = fs::create_dir_all(&folder).and_then(|()| File::create(folder.join(RECIPES)));
        let recipes = recipes.with_context(|| format!("cannot write into {}", folder.display()))?;
        Ok(Some(Self { folder, recipes: BufWriter::new(recipes), counts: HashMap::new() }))
    }

    /// Writes the program, and its recipe: the row without the code, with the name of the file.
    pub(super) fn write(&mut self, row: &TransformedRow) -> io::Result<()> {
        let (stem, ending) = parts(row);
        let count = self.counts.entry((stem.to_owned(), ending.to_owned())).or_default();
        *count += 1;
        let name = format!("{stem}.{count}.{ending}");
        let path = self.folder.join(&name);
        let written =
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, &row.bytes));
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        let mut recipe = serde_json::to_value(row)?;
        if let Some(fields) = recipe.as_object_mut() {
            fields.remove("code");
            fields.insert("file".to_owned(), name.into());
        }
        serde_json::to_writer(&mut self.recipes, &recipe)?;
        writeln!(self.recipes)?;
        // Each program that is there has its recipe, whenever the command ends.
        self.recipes.flush()
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.recipes.flush()
    }
}

/// The name of the source without its ending, and the ending. A row of a data set, which has none, gets that of its language.
fn parts(row: &TransformedRow) -> (&str, &str) {
    let endings = Language::from_name(row.lang).map_or(&[][..], |it| languages::definition(it).extensions);
    match row.source.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !stem.ends_with('/') && endings.contains(&ending) => {
            (stem, ending)
        }
        _ => (&row.source, endings.first().copied().unwrap_or("txt")),
    }
}
