//! `corpus remove`: a source out of a corpus, or a project out of all sources that have it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use familiar_corpus::{Found, spec, submissions};
use familiar_source::words;
use familiar_store::tables::{
    LicenseFiles, LicenseTexts, Lineages, OccurrenceRow, Occurrences, Projects, Skips, Table as _,
};
use familiar_store::{Corpus, PartWriter, StoreError, Writer};

use crate::CorpusError;
use crate::memory;
use crate::opening::open_to_change;
use crate::segments::Segments;

/// Takes a source out of the corpus in `folder`, by its name or, if no other source has it, by its path. Its name.
pub fn remove(folder: &Path, source: &str) -> Result<String, CorpusError> {
    let (mut writer, corpus) = open_to_change(folder)?;
    let known = || corpus.manifest().sources.iter().map(|entry| entry.source.as_str());
    let name = named(source, known()).unwrap_or(source).to_owned();
    if !writer.remove(&name) {
        let close = words::suggestion(source, known());
        return Err(CorpusError::NoSource { name, close });
    }
    writer.commit()?;
    Ok(name)
}

/// The source of the corpus in `folder` that looks for newer releases of the package of which `name` is one release.
pub fn follows(folder: &Path, name: &str) -> Result<Option<String>, CorpusError> {
    let Some(package) = spec::newest_of(name) else { return Ok(None) };
    let corpus = Corpus::open(folder)?;
    let is_there = corpus.manifest().sources.iter().any(|entry| entry.source == package);
    Ok(Some(package).filter(|_| is_there))
}

/// The one source that is meant: it has the name, or the path, also one by way of links.
fn named<'s>(given: &str, known: impl Iterator<Item = &'s str> + Clone) -> Option<&'s str> {
    let path = std::path::absolute(given).ok()?;
    let canonical = spec::canonical(given).ok();
    let place = path.canonicalize().ok();
    let is_there = |name: &&str| {
        let rest = name.split_once(':').map(|(_, rest)| Path::new(rest));
        rest.is_some_and(|rest| rest == path || Some(rest) == place.as_deref())
    };
    let is_named = |name: &&str| *name == given || Some(*name) == canonical.as_deref();
    known.clone().find(|name| *name == given).or_else(|| known.clone().find(is_named)).or_else(|| {
        let mut there = known.filter(is_there);
        there.next().filter(|_| there.next().is_none())
    })
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
    let (mut writer, corpus) = open_to_change(folder)?;
    let counts = counts(&corpus, projects)?;
    let mut removed = Vec::new();
    for (source, Count { rows, occurrences, others }) in counts {
        if rows == 0 {
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
    // Its files count no more.
    drop(corpus);
    writer.commit()?;
    Ok(removed)
}

/// What a source says of the projects that go: rows of any table, and occurrences among them. And rows about others.
#[derive(Default)]
struct Count {
    rows: u64,
    occurrences: u64,
    others: u64,
}

/// What each source says; an error where none says anything of a project.
fn counts(corpus: &Corpus, projects: &BTreeSet<String>) -> Result<BTreeMap<String, Count>, CorpusError> {
    let mut counting = Counting { projects, counts: BTreeMap::new(), known: BTreeSet::new() };
    corpus.read_latest::<Occurrences>(|part, OccurrenceRow { occurrence, .. }| {
        let goes = counting.row(&part.source, occurrence.project);
        counting.of(&part.source).occurrences += u64::from(goes);
    })?;
    corpus.read_latest::<LicenseFiles>(|part, OccurrenceRow { occurrence, .. }| {
        counting.row(&part.source, occurrence.project);
    })?;
    corpus.read_latest::<Lineages>(|part, row| {
        counting.row(&part.source, row.project);
    })?;
    corpus.read_latest::<Projects>(|part, row| {
        counting.row(&part.source, row.project);
    })?;
    corpus.read_latest_of::<Skips>(names_in_skips, |part, row| counting.skip(&part.source, &row.path))?;
    let Counting { counts, known, .. } = counting;
    match projects.iter().find(|project| !known.contains(*project)) {
        Some(unknown) => {
            let close = words::suggestion(unknown, known.iter().map(String::as_str));
            Err(CorpusError::NoProject { name: unknown.clone(), close })
        }
        None => Ok(counts),
    }
}

/// What was counted, and the projects that were met.
struct Counting<'p> {
    projects: &'p BTreeSet<String>,
    counts: BTreeMap<String, Count>,
    known: BTreeSet<String>,
}

impl Counting<'_> {
    fn of(&mut self, source: &str) -> &mut Count {
        if !self.counts.contains_key(source) {
            self.counts.insert(source.to_owned(), Count::default());
        }
        self.counts.get_mut(source).expect("just there")
    }

    /// Counts a row about a project; whether it goes.
    fn row(&mut self, source: &str, project: String) -> bool {
        let goes = self.projects.contains(&project);
        self.add(source, goes);
        if !self.known.contains(&project) {
            self.known.insert(project);
        }
        goes
    }

    /// Counts a skip of a source whose skips begin with the project.
    fn skip(&mut self, source: &str, path: &str) {
        let theirs = self.projects.iter().filter(|project| submissions::is_of(project, path));
        let theirs: Vec<String> = theirs.cloned().collect();
        self.add(source, !theirs.is_empty());
        self.known.extend(theirs);
    }

    fn add(&mut self, source: &str, goes: bool) {
        let count = self.of(source);
        *(if goes { &mut count.rows } else { &mut count.others }) += 1;
    }
}

/// Whether the paths of a source's skips begin with the project. Of other sources skips go with all the rest.
fn names_in_skips(source: &str) -> bool {
    source.starts_with("submissions:")
}

/// Takes out a source, and what stands for the newest release of the package that it is a release of.
fn remove_whole(writer: &mut Writer, source: &str) {
    writer.remove(source);
    let Some(package) = spec::newest_of(source) else { return };
    let manifest = writer.manifest();
    let has_places = |name: &str| {
        let mut parts = manifest.parts.iter().filter(|part| part.source == name);
        parts.any(|part| part.tables.iter().any(|file| file.table == Occurrences::NAME))
    };
    let stands_for = |name: &&str| *name == package || spec::newest_of(name).as_ref() == Some(&package);
    let names = manifest.sources.iter().map(|entry| entry.source.as_str());
    let empty: Vec<String> =
        names.filter(stands_for).filter(|name| !has_places(name)).map(ToOwned::to_owned).collect();
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
    let mut segments = Segments::new(memory::segment(memory), false);
    let of = |name: &str| name == source;
    let goes = |project: &String| projects.contains(project);
    corpus.try_read_latest_of::<Occurrences, CorpusError>(of, |_, row| {
        if goes(&row.occurrence.project) {
            return Ok(());
        }
        segments.place(row.blob, &row.occurrence, part.segments())?;
        Ok(part.occurrence(&row)?)
    })?;
    license_files(corpus, source, projects, &mut part, &mut segments)?;
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
        let is_of = |project: &String| submissions::is_of(project, &row.path);
        if names_in_skips(source) && projects.iter().any(is_of) { Ok(()) } else { part.skip(&row) }
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

/// Writes anew what speaks for licenses in a source, without some of its projects.
fn license_files(
    corpus: &Corpus,
    source: &str,
    projects: &BTreeSet<String>,
    part: &mut PartWriter,
    segments: &mut Segments,
) -> Result<(), CorpusError> {
    let mut paths = BTreeMap::new();
    corpus.try_read_latest_of::<LicenseFiles, CorpusError>(
        |name| name == source,
        |_, row| {
            if projects.contains(&row.occurrence.project) {
                return Ok(());
            }
            paths.entry(row.blob).or_insert_with(|| row.occurrence.path.clone());
            segments.license_file(row.blob, &row.occurrence, part.segments())?;
            Ok(part.license_file(&row)?)
        },
    )?;
    for before in corpus.manifest().parts.iter().filter(|part| part.source == source) {
        corpus.try_read::<LicenseTexts, CorpusError>(before.number, |row| {
            let Some(path) = paths.remove(&row.blob) else { return Ok(()) };
            segments.license_text(row.blob, &path, &row.text, part.segments())?;
            Ok(part.license_text(&row)?)
        })?;
    }
    Ok(())
}

/// Whether what a source yields is of a project that stays out of it.
pub(crate) fn is_left_out(found: &Found, without: &[String]) -> bool {
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

#[cfg(test)]
mod tests {
    use familiar_source::{BlobId, Occurrence, Project};
    use familiar_store::tables::SkipRow;

    use super::*;

    /// A corpus of what these sources say: of places in a project, and the paths of skips.
    fn corpus(sources: &[(&str, Option<&str>, &[&str])]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let mut writer = Writer::open(dir.path(), true).expect("an empty folder");
        for (source, project, skips) in sources {
            let mut part = writer.part(source).expect("it can be written");
            if let Some(project) = project {
                let occurrence = Occurrence { project: (*project).to_owned(), ..Occurrence::default() };
                let row = OccurrenceRow { blob: BlobId([1; 20]), occurrence };
                part.occurrence(&row).expect("it can be written");
            }
            for path in *skips {
                let row = SkipRow { path: (*path).to_owned(), reason: "binary".to_owned() };
                part.skip(&row).expect("it can be written");
            }
            writer.add(part.finish().expect("it can be written"), 1);
        }
        writer.commit().expect("it can be written");
        dir
    }

    /// The sources of a corpus.
    fn sources(folder: &Path) -> Vec<String> {
        let corpus = Corpus::open(folder).expect("it is there");
        corpus.manifest().sources.iter().map(|entry| entry.source.clone()).collect()
    }

    #[test]
    fn a_package_that_goes_is_not_looked_for_any_more() {
        let dir = corpus(&[
            ("pypi:a==1", Some("pypi/a"), &[]),
            ("pypi:a==2", Some("pypi/a"), &["a.bin"]),
            ("pypi:a==3", None, &["setup.py"]),
            ("pypi:a", None, &[]),
            ("pypi:a==2.0", None, &[]),
            ("pypi:b==1", Some("pypi/b"), &[]),
            ("pypi:b", None, &[]),
        ]);
        let removed =
            remove_projects(dir.path(), &["pypi/a".to_owned()].into(), 1 << 30).expect("it is there");
        assert!(removed.len() == 2 && removed.iter().all(|removed| removed.whole), "{removed:?}");
        assert_eq!(sources(dir.path()), ["pypi:b==1", "pypi:b"]);
    }

    #[test]
    fn a_project_that_stands_nowhere_goes_with_what_else_is_said_of_it() {
        let dir = corpus(&[
            ("submissions:/work", Some("ann"), &["bob/a.bin"]),
            ("submissions:/more", Some("bob"), &["ann/a.bin"]),
            ("dir:/x", Some("x"), &["bob/b.bin"]),
        ]);
        let mut writer = Writer::open(dir.path(), true).expect("just made");
        let mut part = writer.part("git:/empty").expect("it can be written");
        let row = Project { project: "empty".to_owned(), ..Project::default() };
        part.project(&row).expect("it can be written");
        writer.add(part.finish().expect("it can be written"), 1);
        writer.commit().expect("it can be written");
        drop(writer);
        let go = ["bob".to_owned(), "empty".to_owned()].into();
        let removed = remove_projects(dir.path(), &go, 1 << 30).expect("they are there");
        let gone =
            |source: &str, occurrences, whole| Removed { source: source.to_owned(), occurrences, whole };
        let expected = [
            gone("git:/empty", 0, true),
            gone("submissions:/more", 1, false),
            gone("submissions:/work", 0, false),
        ];
        assert_eq!(removed, expected);
        assert_eq!(sources(dir.path()), ["submissions:/work", "submissions:/more", "dir:/x"]);
        let mut skips = Vec::new();
        let corpus = Corpus::open(dir.path()).expect("it is there");
        corpus.read_latest::<Skips>(|_, row| skips.push(row.path)).expect("it is whole");
        assert_eq!(skips, ["bob/b.bin", "ann/a.bin"]);
    }

    #[test]
    fn a_source_is_found_by_a_link_to_its_path() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let place = dir.path().canonicalize().expect("just made").join("code");
        std::fs::create_dir(&place).expect("just made");
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&place, &link).expect("just made");
        let known = format!("git:{}", place.display());
        for given in [link.display().to_string(), format!("git:{}", link.display())] {
            assert_eq!(named(&given, [known.as_str()].into_iter()), Some(known.as_str()));
        }
    }

    #[test]
    fn a_source_is_named_or_found_by_its_path() {
        let known = ["dir:/a/b", "git:/a/c", "archive:/a/c", "pypi:a"];
        let meant = |given| named(given, known.into_iter());
        assert_eq!(meant("dir:/a/b"), Some("dir:/a/b"));
        assert_eq!(meant("/a/b"), Some("dir:/a/b"));
        assert_eq!(meant("/a/b/"), Some("dir:/a/b"));
        assert_eq!(meant("pypi:a"), Some("pypi:a"));
        assert_eq!(meant("/a/c"), None, "there are two");
        assert_eq!(meant("/a"), None);
    }
}
