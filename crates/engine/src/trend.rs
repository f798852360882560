//! `familiar trend`: how much code is duplicated, tag by tag.
//!
//! The files of one tag at a time are read from the repository's objects into a temporary file; the user's work tree is
//! neither read nor changed. What is found in them is what `familiar clones` would find in a folder with these files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_corpus::git::{ObjectError, Tag, TagList, Tags};
use familiar_corpus::{Limits, SourceError};
use familiar_files::TreePath;
use familiar_report::trend::{Point, SkippedTag, TrendReport};
use familiar_report::{Settings, Summary, printable};
use familiar_source::time::utc;
use familiar_syntax::{detect as tell, languages};
use rayon::ThreadPool;

use crate::{CloneOptions, Progress};
use familiar_detect::DetectError;
use familiar_files::input::Input;
use familiar_library::CorpusError;
use familiar_library::files::{Keeper, KeptFile};

/// What is asked of a repository.
#[derive(Clone, Debug)]
pub struct TrendOptions {
    /// A folder of the repository; what stands below it counts.
    pub path: PathBuf,
    /// How many tags to take, the newest ones.
    pub last: usize,
    /// Globs of tags, as for `git tag --list`; all tags where empty.
    pub tags: Vec<String>,
    /// How clones are found; trees, sides, corpora and revisions are not used.
    pub clones: CloneOptions,
}

/// Why there is no trend.
#[derive(Debug, thiserror::Error)]
pub enum TrendError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(
        "{} is not in a git repository; name a folder of a clone, in which or above which there is a .git",
        .0.display()
    )]
    NoRepository(PathBuf),
    #[error("{} has no tags; create some with git tag, or fetch them with git fetch --tags", .0.display())]
    NoTags(PathBuf),
    #[error("{} is a shallow clone without tags; fetch them with git fetch --unshallow --tags", .0.display())]
    Shallow(PathBuf),
    #[error("no tag of {} matches --tags {globs}; git tag --list shows the tags", path.display())]
    NoMatch { path: PathBuf, globs: String },
    #[error(
        "no tag of {} can be read: {name}: {reason}; if this is a clone with --filter, use one without",
        path.display()
    )]
    Unreadable { path: PathBuf, name: String, reason: String },
    #[error("--last 0 leaves no tags: give at least 1")]
    None,
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Clones(#[from] DetectError),
}

/// Finds the clones of one tag after another.
pub fn run(options: &TrendOptions, progress: &dyn Progress) -> Result<TrendReport, TrendError> {
    if options.last == 0 {
        return Err(TrendError::None);
    }
    // What a search within no trees asks for.
    let clones = CloneOptions { paths: vec![options.path.clone()], ..options.clones.clone() };
    clones.check().map_err(DetectError::Options)?;
    let limits = Limits { item_bytes: clones.max_file_bytes(), ..Limits::default() };
    let trend =
        Trend { path: &options.path, options: &clones, limits, pool: familiar_detect::pool(clones.threads)? };
    let TagList { tags: list, mut skips, shallow, .. } = chosen(&trend.open()?, options)?;
    let (mut points, mut settings): (Vec<(Tag, Point)>, _) = (Vec::new(), None);
    for (number, tag) in (1..).zip(&list) {
        if let Some((_, known)) = points.iter().find(|(other, _)| other.is_same(tag)) {
            let point = point(tag, known);
            points.push((tag.clone(), point));
            continue;
        }
        let stages = Stages { progress, of: format!("tag {number} of {}: ", list.len()) };
        match trend.input(tag)? {
            Err(error) => skips.push((tag.name.clone(), error.to_string())),
            Ok((input, left_out)) => {
                let report = familiar_detect::among(&clones, input, &trend.pool, &stages)?;
                settings.get_or_insert(report.settings);
                points.push((tag.clone(), point(tag, &of_summary(&report.summary, left_out))));
            }
        }
    }
    let Some(settings) = settings else {
        let (name, reason) = skips.into_iter().next().unwrap_or_default();
        let path = options.path.clone();
        return Err(TrendError::Unreadable { path, name: printable(&name).into_owned(), reason });
    };
    let settings = Settings { roots: vec![options.path.to_string_lossy().into_owned()], ..settings };
    let skipped = skips.into_iter().map(|(tag, reason)| SkippedTag { tag, reason }).collect();
    let points = points.into_iter().map(|(_, point)| point).collect();
    Ok(TrendReport { settings, shallow, points, skipped })
}

/// The newest of the tags that are asked for; an error where there is none.
fn chosen(tags: &Tags, options: &TrendOptions) -> Result<TagList, TrendError> {
    let mut list = tags.list(&options.tags)?;
    if list.tags.is_empty() && list.skips.is_empty() {
        let path = options.path.clone();
        return Err(match (list.any, list.shallow) {
            (true, _) => TrendError::NoMatch { path, globs: options.tags.join(" ") },
            (false, true) => TrendError::Shallow(path),
            (false, false) => TrendError::NoTags(path),
        });
    }
    list.tags.drain(..list.tags.len().saturating_sub(options.last));
    Ok(list)
}

struct Trend<'t> {
    path: &'t Path,
    options: &'t CloneOptions,
    limits: Limits,
    pool: Arc<ThreadPool>,
}

impl Trend<'_> {
    fn open(&self) -> Result<Tags, TrendError> {
        let tags = Tags::open(self.path, &self.options.exclude, &self.limits)?;
        tags.ok_or_else(|| TrendError::NoRepository(self.path.to_owned()))
    }

    /// The files of a tag, and how many are too large; or why some cannot be read, where the others would give wrong figures.
    fn input(&self, tag: &Tag) -> Result<Result<(Input, u64), ObjectError>, TrendError> {
        // What a repository keeps in memory is gone before the search begins.
        let tags = self.open()?;
        let files = match tags.files(tag) {
            Ok(files) => files,
            Err(error) => return Ok(Err(error)),
        };
        let (mut keeper, mut too_large) = (Keeper::new(Vec::new())?, 0);
        for file in files.into_iter().filter(|file| self.may_count(&file.path)) {
            match tags.content(file.blob) {
                Err(error) => return Ok(Err(error)),
                Ok(None) => too_large += 1,
                Ok(Some(bytes)) => {
                    let path = TreePath::new(Path::new(&file.path));
                    keeper.add_text(KeptFile { root: 0, path, blob: file.blob, language: None }, &bytes)?;
                }
            }
        }
        Ok(Ok((keeper.finish()?, too_large)))
    }

    /// Whether a file is not told from its name to be data, which no search without `--lang` reads.
    fn may_count(&self, path: &str) -> bool {
        let data = tell::by_name(path).is_some_and(languages::others::is_data);
        !self.options.languages.is_empty() || !data
    }
}

/// The figures of one tag as those of another one with the same files.
fn point(tag: &Tag, figures: &Point) -> Point {
    Point { tag: tag.name.clone(), commit: tag.commit.clone(), time: tag.time.map(utc), ..figures.clone() }
}

fn of_summary(summary: &Summary, too_large: u64) -> Point {
    Point {
        files: summary.files,
        lines: summary.lines,
        duplicated_lines: summary.duplicated_lines,
        duplication: summary.duplication,
        classes: summary.classes,
        skipped: summary.skipped.len() as u64 + too_large,
        ..Point::default()
    }
}

/// Says of each stage for which tag it is.
struct Stages<'p> {
    progress: &'p dyn Progress,
    of: String,
}

impl Progress for Stages<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.progress.stage(&format!("{}{name}", self.of), total);
    }

    fn advance(&self, done: u64) {
        self.progress.advance(done);
    }
}
