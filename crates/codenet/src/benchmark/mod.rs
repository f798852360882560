//! A benchmark without leaks, cut out of a data set (Puri et al. 2021, Section 5.2).
//!
//! Each sample is unique: it is no near-duplicate of another. Each problem is unique: it is identical with no other. Each sample
//! went through the tokenizer, the parser and the maker of graphs, and little of it is dead code. Of what is left, problems and
//! samples are drawn by a seed, and put into splits.
//!
//! `quality` looks at one sample, `draw` chooses and splits, and `manifest` says what was chosen, so that the same bytes can be
//! made again.

mod draw;
mod manifest;
mod options;
mod quality;
mod split;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use familiar_corpus::git::blob_id;
use familiar_source::words::counted;
use familiar_source::{Progress, memory};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::data::Data;
use crate::duplicates::{self, Duplicates, DuplicatesError};
use crate::problems::{self, IdenticalProblems};
use crate::sample::Sample;
use draw::Candidate;
use quality::{Checked, Fault};

pub use manifest::{Filters, Leaks, Manifest, ManifestError, Settings, Size, Taken};
pub use options::{BenchmarkError, BenchmarkOptions};
pub use split::{Split, SplitBy};

/// The file that says what is in a benchmark.
const MANIFEST: &str = "manifest.json";

/// Cuts a benchmark, writes it, and says what is in it.
pub fn run(options: &BenchmarkOptions, progress: &dyn Progress) -> Result<Manifest, BenchmarkError> {
    empty(&options.output)?;
    let settings = &options.settings;
    problems::check_names(&options.duplicates.data)?;
    let found = duplicates::run(&options.duplicates, progress)?;
    if !found.ids.is_empty() && found.problem_names.iter().all(String::is_empty) {
        return Err(BenchmarkError::NoProblem);
    }
    let same = problems::same_statements(&options.duplicates.data, &found.problem_names);
    let identical =
        problems::of(&found, &same, settings.identical, &options.decisions).map_err(DuplicatesError::from)?;
    let mut filters = Filters { samples: found.ids.len() as u64, ..Filters::default() };
    let unique = unique_samples(&found, &identical, &mut filters);
    progress.stage("looking at samples", 0);
    let candidates = checked(options, &found, &unique, &mut filters, progress)?;
    if candidates.is_empty() {
        return Err(BenchmarkError::NoneLeft { samples: filters.samples, why: why_none(&found, &filters) });
    }
    let taken = draw::draw(candidates, settings)?;
    let leaks = leaks(&found, &identical, &taken);
    let decisions = options.decisions.list();
    let mut manifest =
        Manifest { decisions, ..Manifest::new(&options.duplicates, settings, filters, leaks, taken) };
    manifest.skipped = found.skipped;
    progress.stage("writing", 0);
    whole(&options.output, || {
        write(&options.duplicates.data, options.duplicates.memory, &options.output, &mut manifest)
    })?;
    Ok(manifest)
}

/// Why no sample is left: how many were left out for each reason.
fn why_none(found: &Duplicates, filters: &Filters) -> String {
    let mut reasons: Vec<String> = filters
        .counts()
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if let Some(first) = found.skipped.first() {
        let rows = counted(found.skipped.len() as u64, "row");
        reasons.push(format!("{rows} cannot be compared (the first is {}: {})", first.path, first.reason));
    }
    if reasons.is_empty() { "the data have none that was asked for".to_owned() } else { reasons.join(", ") }
}

/// Makes a benchmark again from its manifest.
pub fn again(
    data: &[PathBuf],
    memory: usize,
    manifest: &Manifest,
    output: &Path,
) -> Result<(), BenchmarkError> {
    empty(output)?;
    let mut made = manifest.clone();
    whole(output, || {
        write(data, memory, output, &mut made)?;
        Ok(manifest.same_files(&made)?)
    })
}

/// Takes the files of a benchmark away where writing them fails.
fn whole(output: &Path, write: impl FnOnce() -> Result<(), BenchmarkError>) -> Result<(), BenchmarkError> {
    write().inspect_err(|_| {
        for file in Split::ALL.map(Split::file).into_iter().chain([MANIFEST]) {
            // The error that is told is the first one.
            let _ = fs::remove_file(output.join(file));
        }
    })
}

fn empty(output: &Path) -> Result<(), BenchmarkError> {
    let holds_something = fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some());
    if holds_something { Err(BenchmarkError::NotEmpty(output.to_owned())) } else { Ok(()) }
}

/// Which samples are unique, and of a problem that is.
fn unique_samples(found: &Duplicates, identical: &IdenticalProblems, filters: &mut Filters) -> Vec<bool> {
    let others: BTreeSet<&str> =
        identical.clusters.iter().flat_map(|cluster| &cluster[1..]).map(String::as_str).collect();
    filters.problems = identical.problems;
    filters.identical_problems = others.len() as u64;
    let of_unique_problem = |sample: u32| {
        let problem = found.problem(sample as usize);
        !problem.is_empty() && !others.contains(problem)
    };
    let stays = found.kept_of(&of_unique_problem);
    for (sample, &stays) in (0..).zip(&stays) {
        if found.problem(sample as usize).is_empty() {
            filters.without_problem += 1;
        } else if !of_unique_problem(sample) {
            filters.of_identical_problems += 1;
        } else if !stays {
            filters.near_duplicates += 1;
        }
    }
    stays
}

/// The unique samples that pass all filters.
fn checked(
    options: &BenchmarkOptions,
    found: &Duplicates,
    unique: &[bool],
    filters: &mut Filters,
    progress: &dyn Progress,
) -> Result<Vec<Candidate>, BenchmarkError> {
    let mut wanted =
        (0..).zip(&found.rows).zip(unique).filter(|(_, unique)| **unique).map(|(it, _)| it).peekable();
    let mut candidates = Vec::new();
    let tree = memory::tree_budget(options.duplicates.memory);
    each_batch(&options.duplicates.data, options.duplicates.memory, &mut |first, rows| {
        progress.advance(rows.len() as u64);
        let mut chosen = Vec::new();
        for (number, row) in (first..).zip(rows) {
            if let Some((sample, _)) = wanted.next_if(|&(_, &wanted): &(u32, &u64)| wanted == number) {
                chosen.push((sample, number, row));
            }
        }
        let looked: Vec<_> = chosen
            .into_par_iter()
            .filter_map(|(sample, number, row)| {
                let row = row.sample().ok()?;
                Some((sample, number, quality::check(&row, &options.settings, tree)))
            })
            .collect();
        for (sample, row, checked) in looked {
            match checked {
                Ok(Checked { tokens, tree_nodes, bytes, lines }) => candidates.push(Candidate {
                    row,
                    id: found.ids[sample as usize].clone(),
                    problem: found.problem(sample as usize).to_owned(),
                    size: Size {
                        samples: 1,
                        bytes,
                        lines,
                        tokens,
                        tree_nodes,
                        tree_edges: tree_nodes.saturating_sub(1),
                    },
                }),
                Err(Fault::Tokens) => filters.too_few_tokens += 1,
                Err(Fault::Tree) => filters.without_tree += 1,
                Err(Fault::Graph) => filters.without_graph += 1,
                Err(Fault::Dead) => filters.dead_code += 1,
            }
        }
        Ok(())
    })?;
    Ok(candidates)
}

/// Gives all rows of the data in batches to `each`, with the number of the first from 0.
fn each_batch(
    data: &[PathBuf],
    memory: usize,
    each: &mut dyn FnMut(u64, Vec<crate::data::DataRow>) -> Result<(), BenchmarkError>,
) -> Result<(), BenchmarkError> {
    let mut first = 0;
    for path in data {
        let mut data = Data::open(path, false)?;
        loop {
            let rows = data.batch(memory::batch_budget(memory))?;
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

/// Near-duplicates and identical problems across splits. There are none, since neither is left; this looks whether that is so.
fn leaks(found: &Duplicates, identical: &IdenticalProblems, taken: &[Taken]) -> Leaks {
    let split_of: BTreeMap<u64, Split> = taken.iter().map(|it| (it.row, it.split)).collect();
    let split = |sample: u32| split_of.get(&found.rows[sample as usize]).copied();
    let mut leaks = Leaks::default();
    let samples = found.samples_by_bag();
    let across = |one: &[u32], two: &[u32]| {
        let splits = |group: &[u32]| group.iter().filter_map(|&sample| split(sample)).collect::<Vec<_>>();
        let (one, two) = (splits(one), splits(two));
        one.iter().map(|split| two.iter().filter(|other| *other != split).count() as u64).sum::<u64>()
    };
    for bag in 0..found.bags.len() as u32 {
        // Each pair of equal bags is counted from both sides.
        leaks.near_duplicates += across(samples.group(bag), samples.group(bag)) / 2;
    }
    for &[one, two] in &found.pairs {
        leaks.near_duplicates += across(samples.group(one), samples.group(two));
    }
    let mut splits_of_problem: BTreeMap<&str, BTreeSet<Split>> = BTreeMap::new();
    for it in taken {
        splits_of_problem.entry(&it.problem).or_default().insert(it.split);
    }
    for pair in identical.pairs.iter().filter(|pair| pair.identical) {
        let of = |problem: &str| splits_of_problem.get(problem).cloned().unwrap_or_default();
        let (left, right) = (of(&pair.left), of(&pair.right));
        let apart = left.iter().any(|split| right.iter().any(|other| other != split));
        leaks.identical_problems += u64::from(apart);
    }
    leaks
}

/// The row of a sample. What is not known is not in it.
fn row_of(sample: Sample) -> Value {
    let Sample { id, problem, language_name, code, status, cpu_time, memory, next_status, .. } = sample;
    let mut row = json!({ "id": id, "problem_id": problem, "lang": language_name, "code": code });
    for (name, status) in [("status", status), ("to_status", next_status)] {
        if !status.is_empty() {
            row[name] = status.into();
        }
    }
    for (name, number) in [("cpu_time", cpu_time), ("memory", memory)] {
        if let Some(number) = number {
            row[name] = number.into();
        }
    }
    row
}

/// Writes the rows of each split, and the manifest with the names of these files' contents.
fn write(
    data: &[PathBuf],
    memory: usize,
    output: &Path,
    manifest: &mut Manifest,
) -> Result<(), BenchmarkError> {
    let error = |path: &Path| {
        let path = path.to_owned();
        move |source| BenchmarkError::Write { path, source }
    };
    fs::create_dir_all(output).map_err(error(output))?;
    let mut files = BTreeMap::new();
    for split in Split::ALL {
        let path = output.join(split.file());
        files.insert(split, BufWriter::new(File::create(&path).map_err(error(&path))?));
    }
    let wanted: BTreeMap<u64, &Taken> = manifest.samples.iter().map(|it| (it.row, it)).collect();
    let mut written = 0;
    each_batch(data, memory, &mut |first, rows| {
        for (number, row) in (first..).zip(rows) {
            let (Some(taken), Ok(sample)) = (wanted.get(&number), row.sample()) else { continue };
            if sample.id != taken.id {
                continue;
            }
            let line = row_of(sample);
            let file = files.get_mut(&taken.split).expect("there is a file for each split");
            writeln!(file, "{line}").map_err(error(&output.join(taken.split.file())))?;
            written += 1;
        }
        Ok(())
    })?;
    if written != manifest.samples.len() {
        return Err(ManifestError::OtherData { written, wanted: manifest.samples.len() }.into());
    }
    manifest.files.clear();
    for (split, mut file) in files {
        let path = output.join(split.file());
        file.flush().map_err(error(&path))?;
        let bytes = fs::read(&path).map_err(error(&path))?;
        manifest.files.insert(split.file().to_owned(), blob_id(&bytes).swhid());
    }
    let path = output.join(MANIFEST);
    let text = serde_json::to_vec_pretty(manifest)
        .map_err(|source| BenchmarkError::Write { path: path.clone(), source: source.into() })?;
    fs::write(&path, text).map_err(error(&path))
}
