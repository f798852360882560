//! Solutions of one problem in two languages, to learn to translate.
//!
//! No problem stands in two splits. Of problems that are one, the first one counts, and of near-duplicates one, so nothing of the test
//! was seen. Which solutions are paired and which problems are tested follows from the seed alone.
//!
//! `options` says what is wanted, and `manifest` what was made.

mod manifest;
mod options;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use familiar_corpus::git::blob_id;
use familiar_source::{Progress, memory};
use rayon::prelude::*;
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::benchmark::Split;
use crate::data::{Data, DataRow};
use crate::duplicates::{self, Duplicates, DuplicatesError};
use crate::problems;
use crate::sample::Sample;

pub use manifest::{TranslationCounts, Translations};
pub use options::{TranslationsError, TranslationsOptions};

/// Bytes that a sample takes beside its code.
const SAMPLE_BYTES: usize = 512;
/// The file that says what there is.
const MANIFEST: &str = "manifest.json";

/// A solution: how many rows stand before it, and its id.
type Solution = (u64, String);
/// A solution in each of the languages, and where the pair goes.
struct Pair {
    split: Split,
    problem: String,
    from: Solution,
    to: Solution,
}

/// Pairs solutions, writes the pairs, and says how many there are.
pub fn run(
    options: &TranslationsOptions,
    progress: &dyn Progress,
) -> Result<Translations, TranslationsError> {
    let output = &options.output;
    if fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(TranslationsError::NotEmpty(output.clone()));
    }
    problems::check_names(&options.duplicates.data)?;
    let found = duplicates::run(&options.duplicates, progress)?;
    let mut manifest = Translations::new(options);
    progress.stage("pairing", 0);
    let pairs = drawn(options, solutions(options, &found, &mut manifest)?);
    if pairs.is_empty() {
        return Err(TranslationsError::NoPairs { from: options.from.name(), to: options.to.name() });
    }
    progress.stage("writing", 0);
    write(options, &pairs, &mut manifest).inspect_err(|_| {
        for file in Split::ALL.map(Split::file).into_iter().chain([MANIFEST]) {
            // The error that is told is the first one.
            let _ = fs::remove_file(output.join(file));
        }
    })?;
    manifest.skipped = found.skipped;
    Ok(manifest)
}

/// The solutions of each problem in each of the two languages, without near-duplicates.
fn solutions(
    options: &TranslationsOptions,
    found: &Duplicates,
    manifest: &mut Translations,
) -> Result<BTreeMap<String, [Vec<Solution>; 2]>, TranslationsError> {
    let data = &options.duplicates.data;
    let same = problems::same_statements(data, &found.problem_names);
    let identical =
        problems::of(found, &same, options.identical, &options.decisions).map_err(DuplicatesError::from)?;
    let others: BTreeSet<&str> =
        identical.clusters.iter().flat_map(|cluster| &cluster[1..]).map(String::as_str).collect();
    manifest.identical_problems = others.len() as u64;
    let mut languages = BTreeMap::new();
    each_batch(options, &mut |first, rows| {
        let numbered: Vec<_> = rows.into_iter().zip(first..).collect();
        let read = numbered.into_par_iter().filter_map(|(row, number)| {
            let language = row.sample().ok()?.language?;
            [options.from, options.to].iter().position(|it| *it == language).map(|side| (number, side))
        });
        languages.extend(read.collect::<Vec<_>>());
        Ok(())
    })?;
    let takes = |sample: u32| {
        let problem = found.problem(sample as usize);
        !problem.is_empty()
            && !others.contains(problem)
            && languages.contains_key(&found.rows[sample as usize])
    };
    let mut solutions: BTreeMap<String, [Vec<Solution>; 2]> = BTreeMap::new();
    for (sample, stays) in found.kept_of(&takes).into_iter().enumerate() {
        if stays {
            let row = found.rows[sample];
            let of_problem = solutions.entry(found.problem(sample).to_owned()).or_default();
            of_problem[languages[&row]].push((row, found.ids[sample].clone()));
        } else {
            manifest.near_duplicates += u64::from(takes(sample as u32));
        }
    }
    Ok(solutions)
}

/// The pairs that the seed draws, by split, problem and row.
fn drawn(options: &TranslationsOptions, solutions: BTreeMap<String, [Vec<Solution>; 2]>) -> Vec<Pair> {
    let hash = |text: &str| xxh3_64_with_seed(text.as_bytes(), options.seed);
    let mut problems: Vec<_> =
        solutions.into_iter().filter(|(_, sides)| sides.iter().all(|side| !side.is_empty())).collect();
    problems.sort_by_cached_key(|(problem, _)| (hash(problem), problem.clone()));
    let (count, most) = (problems.len(), options.of_each_problem);
    let mut pairs = Vec::new();
    for (at, (problem, mut sides)) in problems.into_iter().enumerate() {
        let split = Split::of(at, count, options.test, options.valid);
        for side in &mut sides {
            side.sort_by_cached_key(|(row, id)| (hash(id), *row));
        }
        let [from, to] = sides;
        let most = if most == 0 { usize::MAX } else { most };
        let of_problem = from.into_iter().zip(to).take(most);
        pairs.extend(of_problem.map(|(from, to)| Pair { split, problem: problem.clone(), from, to }));
    }
    pairs.sort_by(|one, two| {
        (one.split, &one.problem, one.from.0).cmp(&(two.split, &two.problem, two.from.0))
    });
    pairs
}

/// Writes the pairs. The codes are read once more; those of a split wait in memory.
fn write(
    options: &TranslationsOptions,
    pairs: &[Pair],
    manifest: &mut Translations,
) -> Result<(), TranslationsError> {
    let output = &options.output;
    let error = |path: &Path| {
        let path = path.to_owned();
        move |source| TranslationsError::Write { path, source }
    };
    fs::create_dir_all(output).map_err(error(output))?;
    for split in Split::ALL {
        let path = output.join(split.file());
        let pairs: Vec<&Pair> = pairs.iter().filter(|pair| pair.split == split).collect();
        let mut codes: BTreeMap<u64, Sample> = BTreeMap::new();
        let wanted: BTreeSet<u64> = pairs.iter().flat_map(|pair| [pair.from.0, pair.to.0]).collect();
        let mut left = memory::budget(options.duplicates.memory) / 2;
        each_batch(options, &mut |first, rows| {
            for (number, row) in (first..).zip(rows).filter(|(number, _)| wanted.contains(number)) {
                let Ok(sample) = row.sample() else { continue };
                left = left.checked_sub(SAMPLE_BYTES + sample.code.len()).ok_or(TranslationsError::Memory)?;
                codes.insert(number, sample);
            }
            Ok(())
        })?;
        let mut out = BufWriter::new(File::create(&path).map_err(error(&path))?);
        for pair in pairs {
            let (Some(from), Some(to)) = (codes.get(&pair.from.0), codes.get(&pair.to.0)) else { continue };
            let row = json!({
                "id": format!("{}-{}", from.id, to.id), "problem_id": pair.problem,
                "from_id": from.id, "to_id": to.id,
                "from_language": from.language_name, "to_language": to.language_name,
                "from_code": from.code, "to_code": to.code,
            });
            writeln!(out, "{row}").map_err(error(&path))?;
            manifest.count(split, &pair.problem);
        }
        out.flush().map_err(error(&path))?;
        let bytes = fs::read(&path).map_err(error(&path))?;
        manifest.files.insert(split.file().to_owned(), blob_id(&bytes).swhid());
    }
    let path = output.join(MANIFEST);
    let text = serde_json::to_vec_pretty(manifest).map_err(io::Error::from).map_err(error(&path))?;
    fs::write(&path, text).map_err(error(&path))
}

/// Gives all rows of the data in batches to `each`, with the number of the first from 0.
fn each_batch(
    options: &TranslationsOptions,
    each: &mut dyn FnMut(u64, Vec<DataRow>) -> Result<(), TranslationsError>,
) -> Result<(), TranslationsError> {
    let mut first = 0;
    for path in &options.duplicates.data {
        let mut data = Data::open(path, false)?;
        loop {
            let rows = data.batch(memory::batch_budget(options.duplicates.memory))?;
            if rows.is_empty() {
                break;
            }
            let count = rows.len() as u64;
            each(first, rows)?;
            first += count;
        }
    }
    Ok(())
}
