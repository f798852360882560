//! The functions of packages that are unpacked.

use std::path::{Path, PathBuf};

use familiar_model::Sequence;
use familiar_source::{Fragment, FragmentKind};
use familiar_syntax::{Parser, Want, decode, detect, languages};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::TrainError;
use crate::recipe::SourceRecipe;
use crate::row::{Row, form};

/// The functions of the packages that `source` names, each in a group of its own and once for each form.
pub(crate) fn rows(source: &SourceRecipe, folder: &Path) -> Result<Vec<Row>, TrainError> {
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

/// The functions of the package in `folder` whose form is not in `seen` yet.
pub(crate) fn functions_of_package(
    folder: &Path,
    seen: &mut FxHashSet<u64>,
) -> Result<Vec<Function>, TrainError> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    let found: Vec<Vec<Function>> =
        files.par_iter().map_init(Parser::default, |parser, file| functions_of(file, parser)).collect();
    Ok(found.into_iter().flatten().filter(|function| seen.insert(function.form)).collect())
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

/// The functions of one file that are neither tiny nor huge.
fn functions_of(path: &Path, parser: &mut Parser) -> Vec<Function> {
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
        let text = |range| String::from_utf8_lossy(&decoded.text[range]).into_owned();
        let (path, called) = (name.clone().into_owned(), text(fragment.name.range()));
        let form = form(&Sequence::new(language, &decoded.text, tokens));
        let group = format!("{name}:{}", fragment.bytes.start);
        let row = Row { group, language, code: text(fragment.bytes.range()), author: None };
        Function { path, name: called, tokens: tokens.len(), form, row }
    };
    parsed.fragments.iter().filter(wanted).map(row).collect()
}

/// A function of a package.
pub(crate) struct Function {
    /// Where its file is.
    pub(crate) path: String,
    /// Its name, empty where it has none.
    pub(crate) name: String,
    /// How many tokens it has.
    pub(crate) tokens: usize,
    /// A hash of its code without names.
    pub(crate) form: u64,
    pub(crate) row: Row,
}
