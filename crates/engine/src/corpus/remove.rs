//! `corpus remove`: a source out of a corpus, or a project out of all sources that have it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use familiar_corpus::{Found, spec, submissions};
use familiar_store::tables::{Lineages, OccurrenceRow, Occurrences, Projects, Skips};
use familiar_store::{Corpus, StoreError, Writer};

use super::CorpusError;
use super::segments::Segments;
use crate::memory;

/// Takes a source out of the corpus in `folder`.
pub fn remove(folder: &Path, source: &str) -> Result<(), CorpusError> {
    Corpus::open(folder)?;
    let mut writer = Writer::open(folder, true)?;
    if !writer.remove(source) {
        return Err(CorpusError::NoSource(source.to_owned()));
    }
    Ok(writer.commit()?)
}

/// What was taken out of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    pub source: String,
    pub occurrences: u64,
    /// Whether nothing else was in it, so that it is no source of the corpus any more.
    pub whole: bool,
}

/// Takes projects out of the corpus in `folder`, within `memory` bytes: where they stand, and what was said of them. A source
/// that had nothing else goes with them; in another they stay out until it is added again.
pub fn remove_projects(
    folder: &Path,
    projects: &BTreeSet<String>,
    memory: usize,
) -> Result<Vec<Removed>, CorpusError> {
    Corpus::open(folder)?;
    // Read once nobody else may change it.
    let mut writer = Writer::open(folder, true)?;
    let corpus = Corpus::open(folder)?;
    let counts = counts(&corpus, projects)?;
    let mut removed = Vec::new();
    for (source, Count { theirs: occurrences, others }) in counts {
        if occurrences == 0 {
            continue;
        }
        let whole = others == 0;
        if whole {
            remove_whole(&mut writer, &source);
        } else {
            remove_some(&corpus, &mut writer, &source, projects, memory)?;
        }
        removed.push(Removed { source, occurrences, whole });
    }
    writer.commit()?;
    Ok(removed)
}

/// Occurrences of a source: of the projects that go, and of others.
#[derive(Default)]
struct Count {
    theirs: u64,
    others: u64,
}

/// The occurrences of each source; an error where a project has none.
fn counts(corpus: &Corpus, projects: &BTreeSet<String>) -> Result<BTreeMap<String, Count>, CorpusError> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    corpus.read_latest::<Occurrences>(|part, OccurrenceRow { occurrence, .. }| {
        if !counts.contains_key(&part.source) {
            counts.insert(part.source.clone(), Count::default());
        }
        let count = counts.get_mut(&part.source).expect("just there");
        *(if projects.contains(&occurrence.project) { &mut count.theirs } else { &mut count.others }) += 1;
        if !known.contains(&occurrence.project) {
            known.insert(occurrence.project);
        }
    })?;
    match projects.iter().find(|project| !known.contains(*project)) {
        Some(unknown) => Err(CorpusError::NoProject { name: unknown.clone(), close: close(unknown, &known) }),
        None => Ok(counts),
    }
}

/// Takes out a source, and what stands for the newest release of the package that it is a release of.
fn remove_whole(writer: &mut Writer, source: &str) {
    writer.remove(source);
    let Some(package) = spec::newest_of(source) else { return };
    let manifest = writer.manifest();
    let has_parts = |name: &str| manifest.parts.iter().any(|part| part.source == name);
    let stands_for = |name: &&str| *name == package || spec::newest_of(name).as_ref() == Some(&package);
    let names = manifest.sources.iter().map(|entry| entry.source.as_str());
    let empty: Vec<String> =
        names.filter(stands_for).filter(|name| !has_parts(name)).map(ToOwned::to_owned).collect();
    for name in empty {
        writer.remove(&name);
    }
}

/// Writes anew what a source says of places, without some of its projects.
fn remove_some(
    corpus: &Corpus,
    writer: &mut Writer,
    source: &str,
    projects: &BTreeSet<String>,
    memory: usize,
) -> Result<(), CorpusError> {
    let mut part = writer.part(source)?;
    let mut segments = Segments::new(memory::segment(memory));
    let of = |name: &str| name == source;
    let goes = |project: &String| projects.contains(project);
    corpus.try_read_latest_of::<Occurrences, CorpusError>(of, |_, row| {
        if goes(&row.occurrence.project) {
            return Ok(());
        }
        segments.place(row.blob, &row.occurrence, part.segments())?;
        Ok(part.occurrence(&row)?)
    })?;
    corpus.try_read_latest_of::<Lineages, StoreError>(of, |_, row| {
        if goes(&row.project) {
            return Ok(());
        }
        segments.lineage(&row);
        part.lineage(&row)
    })?;
    corpus.try_read_latest_of::<Projects, StoreError>(of, |_, row| {
        if goes(&row.project) {
            return Ok(());
        }
        segments.project(&row);
        part.project(&row)
    })?;
    corpus.try_read_latest_of::<Skips, StoreError>(of, |_, row| {
        let goes = projects.iter().any(|project| submissions::is_of(project, &row.path));
        if goes { Ok(()) } else { part.skip(&row) }
    })?;
    segments.finish(part.segments())?;
    let part = part.finish()?;
    writer.replace_places(part);
    let entry = writer.manifest().sources.iter().find(|entry| entry.source == source);
    let mut without: BTreeSet<String> = entry.into_iter().flat_map(|entry| entry.without.clone()).collect();
    without.extend(projects.iter().cloned());
    writer.leave_out(source, &without.into_iter().collect::<Vec<_>>());
    Ok(())
}

/// Whether what a source yields is of a project that stays out of it.
pub(super) fn is_left_out(found: &Found, without: &[String]) -> bool {
    let has = |project: &String| without.contains(project);
    match found {
        Found::Item(item) => has(&item.occurrence.project),
        Found::Known { occurrence, .. } => has(&occurrence.project),
        Found::Lineage(row) => has(&row.project),
        Found::Project(row) => has(&row.project),
        Found::Skip { path, .. } => without.iter().any(|project| submissions::is_of(project, path)),
        Found::State(_) | Found::Continues => false,
    }
}

/// How alike names are that may be meant, from 0 to 1, and how many are told.
const ALIKE: f64 = 0.8;
const TOLD: usize = 3;

/// Names that may be meant, in words.
fn close(name: &str, known: &BTreeSet<String>) -> String {
    let lower = name.to_lowercase();
    let alike = |known: &String| {
        let other = known.to_lowercase();
        if other.contains(&lower) { 1.0 } else { strsim::jaro_winkler(&lower, &other) }
    };
    let mut close: Vec<(f64, &String)> = known.iter().map(|known| (alike(known), known)).collect();
    close.retain(|(alike, _)| *alike >= ALIKE);
    close.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let close: Vec<&str> = close.iter().take(TOLD).map(|(_, known)| known.as_str()).collect();
    if close.is_empty() { String::new() } else { format!(" (close are {})", close.join(", ")) }
}

#[cfg(test)]
mod tests {
    use familiar_source::{BlobId, Occurrence};

    use super::*;

    #[test]
    fn close_names_are_told_and_others_not() {
        let known = ["github.com/ann/parser", "github.com/bob/lexer", "pypi/numpy"];
        let known: BTreeSet<String> = known.map(ToOwned::to_owned).into();
        for (name, told) in [
            ("parser", " (close are github.com/ann/parser)"),
            ("pypi/numpi", " (close are pypi/numpy)"),
            ("zzz", ""),
        ] {
            assert_eq!(close(name, &known), told);
        }
    }

    #[test]
    fn a_package_that_goes_is_not_looked_for_any_more() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let mut writer = Writer::open(dir.path(), true).expect("an empty folder");
        for (source, project) in [
            ("pypi:a==1", Some("pypi/a")),
            ("pypi:a==2", Some("pypi/a")),
            ("pypi:a", None),
            ("pypi:a==2.0", None),
            ("pypi:b==1", Some("pypi/b")),
            ("pypi:b", None),
        ] {
            let mut part = writer.part(source).expect("it can be written");
            if let Some(project) = project {
                let occurrence = Occurrence { project: project.to_owned(), ..Occurrence::default() };
                part.occurrence(&OccurrenceRow { blob: BlobId([1; 20]), occurrence })
                    .expect("it can be written");
            }
            writer.add(part.finish().expect("it can be written"), 1);
        }
        writer.commit().expect("it can be written");
        drop(writer);
        let removed =
            remove_projects(dir.path(), &["pypi/a".to_owned()].into(), 1 << 30).expect("it is there");
        assert!(removed.len() == 2 && removed.iter().all(|removed| removed.whole), "{removed:?}");
        let corpus = Corpus::open(dir.path()).expect("it is there");
        let names: Vec<&str> = corpus.manifest().sources.iter().map(|entry| entry.source.as_str()).collect();
        assert_eq!(names, ["pypi:b==1", "pypi:b"]);
    }
}
