//! The tables of BigCloneEval, and the files that they speak of.
//!
//! Each seed is a functionality. Its functions stand in `sources/FUNCTIONALITY/selected`, one in a file, as in IJaDataset. `functions.csv`
//! has them with their lines, `clones.csv` the true pairs and `false_positives.csv` the others, with the columns of BigCloneBench's tables that
//! are known here. `places.jsonl` says which lines of which file are which side of a pair, for detectors that report places.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use familiar_syntax::{Parser, Want};

use super::content::Release;
use super::files::write_file;
use crate::error::DatasetError;
use crate::file_names::{ending, file_name, lined};
use crate::inject::{Kind, Place};
use crate::lines;
use crate::pair::BigCloneBand;

const FUNCTIONS: &str = "name,type,startline,endline,id,tokens,functionality_id,language";
const PAIRS: &str = "function_id_one,function_id_two,functionality_id,type,syntactic_type,similarity_line,similarity_token,min_size,max_size";

const FOLDER: &str = "bigcloneeval";
const SOURCES: &str = "sources";
const PLACES: &str = "places.jsonl";

/// The folder of the sources in a release, and the file of places.
pub(super) fn sources(release: &Path) -> [PathBuf; 2] {
    [SOURCES, PLACES].map(|name| release.join(FOLDER).join(name))
}

pub(super) fn write(release: &Release<'_>, folder: &Path) -> Result<(), DatasetError> {
    let [_, manifest] = sources(folder);
    let folder = folder.join(FOLDER);
    let mut tables = Tables {
        folder: &folder,
        parser: Parser::default(),
        functionalities: BTreeMap::new(),
        functions: format!("{FUNCTIONS}\n"),
        known: BTreeMap::new(),
    };
    let (mut clones, mut others) = (format!("{PAIRS}\n"), format!("{PAIRS}\n"));
    let mut places = Vec::new();
    for (pair, split) in release.pairs.iter().zip(&release.splits) {
        let functionality = tables.functionality(&pair.seed_id);
        let [one, other] = [
            tables.function(&pair.seed_id, &pair.seed_id, &pair.lang1, &pair.code1)?,
            tables.function(&pair.seed_id, &pair.id, &pair.lang2, &pair.code2)?,
        ];
        let number = |value: Option<f64>| value.map(|it| it.to_string()).unwrap_or_default();
        let (min, max) = (one.lines.min(other.lines), one.lines.max(other.lines));
        let kind = release.judged.kind(pair).unwrap_or(Kind::of(pair.band));
        let is_false = kind == Kind::False;
        let table = if is_false { &mut others } else { &mut clones };
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{},{},{functionality},familiar,{},{},{},{min},{max}",
            one.number,
            other.number,
            syntactic_type(pair.bigclone),
            number(pair.lines),
            number(pair.tokens)
        );
        for (side, lang, function) in [(1, &pair.lang1, one), (2, &pair.lang2, other)] {
            places.push(Place {
                id: pair.id.clone(),
                side,
                kind,
                lang: lang.clone(),
                prompt: pair.prompt.clone(),
                split: *split,
                path: function.path,
                start_line: 1,
                end_line: function.lines as u32,
            });
        }
    }
    lines::write(&manifest, &places)?;
    write_file(&folder.join("functions.csv"), &tables.functions)?;
    write_file(&folder.join("clones.csv"), &clones)?;
    write_file(&folder.join("false_positives.csv"), &others)
}

struct Tables<'f> {
    folder: &'f Path,
    parser: Parser,
    functionalities: BTreeMap<String, usize>,
    functions: String,
    /// By functionality and name: an implementation may have the name of another seed.
    known: BTreeMap<(usize, String), Function>,
}

/// A function that was written.
#[derive(Clone)]
struct Function {
    number: usize,
    lines: usize,
    /// Below the folder of the sources.
    path: String,
}

impl Tables<'_> {
    fn functionality(&mut self, seed: &str) -> usize {
        let next = self.functionalities.len() + 1;
        *self.functionalities.entry(seed.to_owned()).or_insert(next)
    }

    /// Writes a function the first time.
    fn function(&mut self, seed: &str, name: &str, lang: &str, code: &str) -> Result<Function, DatasetError> {
        let functionality = self.functionality(seed);
        let key = (functionality, name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let file = format!("{}.{}", file_name(name), ending(lang));
        let path = format!("{functionality}/selected/{file}");
        write_file(&self.folder.join(SOURCES).join(&path), &lined(code))?;
        let language = familiar_source::Language::from_name(lang).unwrap_or(familiar_source::Language::Other);
        let tokens = self.parser.parse(language, code.as_bytes(), Want::default()).tokens.len();
        let (number, lines) = (self.known.len() + 1, code.trim_end().lines().count());
        let _ =
            writeln!(self.functions, "{file},selected,1,{lines},{number},{tokens},{functionality},{lang}");
        let function = Function { number, lines, path };
        self.known.insert(key, function.clone());
        Ok(function)
    }
}

/// BigCloneBench's numbers for syntactic types.
fn syntactic_type(band: Option<BigCloneBand>) -> u8 {
    match band {
        Some(BigCloneBand::T1) => 1,
        Some(BigCloneBand::T2) => 2,
        _ => 3,
    }
}
