//! An import that runs: entries in, files and rows out.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use familiar_source::{Progress, memory};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::code::Code;
use super::entry::{Entries, Entry, RawProblem};
use super::error::ImportError;
use super::numbers::Numbers;
use super::options::ImportOptions;
use super::prepare::{Prepared, prepare};
use super::spool::Spool;
use crate::layout::Layout;
use crate::set::repeated;
use crate::skipped::Skipped;
use crate::submission::Submission;

/// Problems whose rows stand in one file.
const PROBLEMS_PER_FILE: u32 = 64;
/// Entries after which a checkpoint is made.
const CHECKPOINT: u64 = 20_000;
/// Bytes that the set of known ids takes for each at most: while it grows, there are two of them.
const ID_BYTES: usize = 30;

/// An import that runs.
pub(super) struct Import<'o> {
    options: &'o ImportOptions,
    pub(super) layout: Layout,
    statuses: BTreeMap<String, String>,
    pub(super) spool: Spool,
    pub(super) problems: Numbers,
    pub(super) users: Numbers,
    submissions: Numbers,
    /// Hashes of the ids that submissions keep, or of those in the source.
    ids: HashSet<u128, FxBuildHasher>,
    /// Folders that are there.
    folders: HashSet<PathBuf>,
    /// What was left out first of the source that is read, and last.
    first_skipped: Option<Skipped>,
    skipped: Option<Skipped>,
    /// Of all entries so far.
    hash: Xxh3,
    /// Whether the folder of the set was not there before.
    is_new: bool,
}

/// Fails where the folder of the set holds something that is not of an import that was ended.
pub(super) fn check_output(output: &Path) -> Result<(), ImportError> {
    let layout = Layout::new(output);
    let work = layout.work();
    if layout.summary().exists() {
        // The set is whole. Where an import was ended at its very end, what it kept is still there.
        let _ = fs::remove_dir_all(&work);
        return Err(ImportError::There(output.to_owned()));
    }
    if !work.exists() && fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(ImportError::NotEmpty(output.to_owned()));
    }
    Ok(())
}

impl<'o> Import<'o> {
    /// Begins an import into a folder that was checked, or goes on with the one that was ended.
    pub(super) fn begin(options: &'o ImportOptions) -> Result<Self, ImportError> {
        let layout = Layout::new(&options.output);
        let work = layout.work();
        let is_new = !options.output.exists();
        let write = |source| ImportError::Write { path: work.clone(), source };
        // Threads and memory may change on the way; what the entries are may not.
        let wanted =
            (&options.source, &options.columns, &options.statuses, &options.paths, &options.problems);
        let spool = Spool::open(&work, &format!("{wanted:?}")).map_err(write)?;
        let mut import = Self {
            options,
            statuses: options.statuses.iter().cloned().collect(),
            spool: spool.ok_or_else(|| ImportError::Other(options.output.clone()))?,
            layout,
            problems: Numbers::new('p', 5),
            users: Numbers::new('u', 9),
            submissions: Numbers::new('s', 9),
            ids: HashSet::default(),
            folders: HashSet::new(),
            first_skipped: None,
            skipped: None,
            hash: Xxh3::new(),
            is_new,
        };
        import.restore().map_err(write)?;
        Ok(import)
    }

    /// Takes over what an import that was ended had done.
    fn restore(&mut self) -> io::Result<()> {
        let [problems, users, submissions] = self.spool.checkpoint.kept;
        self.problems.restore(problems, self.spool.lines("problem-ids")?);
        self.users.restore(users, self.spool.lines("user-ids")?);
        self.submissions.restore(submissions, Vec::new());
        for file in self.spool.files("rows-") {
            let rows: Vec<Submission> = self.spool.lines(&file)?;
            let known: Vec<u128> = rows.iter().map(|row| self.known_by(row)).collect();
            self.ids.extend(known);
        }
        Ok(())
    }

    /// Takes all entries of a source. `seen` counts those of all sources; those that are done already are passed over.
    pub(super) fn read(
        &mut self,
        entries: &mut dyn Entries,
        seen: &mut u64,
        progress: &dyn Progress,
    ) -> Result<(), ImportError> {
        let bytes = memory::batch_budget(self.options.memory);
        let most = self.options.text_bytes();
        self.first_skipped = None;
        let (mut waiting, mut taken) = (Vec::new(), 0);
        let mut failed = None;
        entries.read(bytes, &mut |entry| {
            *seen += 1;
            entry.hash(&mut self.hash);
            let done = self.spool.checkpoint.entries;
            if *seen == done && self.spool.checkpoint.hash.is_some_and(|hash| hash != self.hash.digest()) {
                failed = Some(self.changed());
                return ControlFlow::Break(());
            }
            if *seen <= done {
                return ControlFlow::Continue(());
            }
            taken += size(&entry, most);
            waiting.push(entry);
            if taken < bytes {
                return ControlFlow::Continue(());
            }
            taken = 0;
            progress.advance(waiting.len() as u64);
            match self.take(std::mem::take(&mut waiting), *seen) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        progress.advance(waiting.len() as u64);
        self.take(waiting, *seen)?;
        self.check(*seen)
    }

    /// Fails where the sources have fewer entries, `seen`, than are done already.
    pub(super) fn check_seen(&self, seen: u64) -> Result<(), ImportError> {
        if seen < self.spool.checkpoint.entries { Err(self.changed()) } else { Ok(()) }
    }

    fn changed(&self) -> ImportError {
        ImportError::Changed(self.options.output.clone())
    }

    /// Takes some entries, the last of which is the one with the number `seen`.
    fn take(&mut self, entries: Vec<Entry>, seen: u64) -> Result<(), ImportError> {
        let (statuses, most) = (&self.statuses, self.options.text_bytes());
        let prepared: Vec<_> = entries
            .into_par_iter()
            .map(|entry| match entry {
                Entry::Submission(raw) => {
                    let path = raw.place.clone();
                    match prepare(*raw, statuses, most) {
                        Ok(prepared) => Ready::Submission { path, prepared: Box::new(prepared) },
                        Err(reason) => Ready::Skip { path, reason },
                    }
                }
                Entry::Problem(problem) => Ready::Problem(problem),
                Entry::Skip { path, reason } => Ready::Skip { path, reason },
            })
            .collect();
        let mut texts = Vec::new();
        for ready in prepared {
            let spooled = match ready {
                Ready::Submission { path, prepared } => self.submission(path, *prepared, &mut texts),
                Ready::Problem(problem) => self.problem(*problem)?,
                Ready::Skip { path, reason } => self.skip(Skipped { path, reason }),
            };
            spooled.map_err(|source| ImportError::Write { path: self.layout.work(), source })?;
        }
        if self.ids.capacity() * ID_BYTES > memory::budget(self.options.memory) / 2 {
            return Err(ImportError::Memory(self.ids.len() as u64));
        }
        for (path, _) in &texts {
            self.make_folder(path)?;
        }
        texts.into_par_iter().try_for_each(|(path, text)| {
            fs::write(&path, text).map_err(|source| ImportError::Write { path, source })
        })?;
        if seen.saturating_sub(self.spool.checkpoint.entries) >= CHECKPOINT {
            self.check(seen)
        } else {
            Ok(())
        }
    }

    /// Keeps what was left out. What is said twice in a row, by an archive and by what it is packed in, is kept once.
    fn skip(&mut self, skipped: Skipped) -> io::Result<()> {
        if self.skipped.as_ref() == Some(&skipped) {
            return Ok(());
        }
        self.spool.add("skipped", &skipped)?;
        self.first_skipped.get_or_insert_with(|| skipped.clone());
        self.skipped = Some(skipped);
        Ok(())
    }

    /// Whether there is neither a submission nor a problem of the source.
    pub(super) fn is_empty(&self) -> bool {
        let of_source = self.options.problems.is_none() && !self.spool.files("problems").is_empty();
        self.spool.checkpoint.submissions == 0 && !of_source
    }

    /// The first entry of the source that was left out. Where an import goes on, it may be one of the table of problems.
    pub(super) fn first_skipped(&self) -> Option<Skipped> {
        self.first_skipped.clone().or_else(|| self.spool.first("skipped"))
    }

    /// Takes away what was written by an import that took no submission, so that it can begin anew; gives the error.
    pub(super) fn forget<T>(&self, error: ImportError) -> Result<T, ImportError> {
        if self.spool.checkpoint.submissions == 0 {
            let Layout { root } = &self.layout;
            // Who ends this in the middle begins anew, too.
            self.spool.forget();
            // Texts may be there of an import that was ended before its first checkpoint.
            let folders = ["data", "metadata", "problem_descriptions", "derived"].map(|name| root.join(name));
            for folder in folders.into_iter().chain([self.layout.work()]) {
                // The error that is told is the first one.
                let _ = fs::remove_dir_all(folder);
            }
            if self.is_new {
                let _ = fs::remove_dir(root);
            }
        }
        Err(error)
    }

    /// Says that all is done up to the entry with the number `seen`.
    fn check(&mut self, seen: u64) -> Result<(), ImportError> {
        if seen >= self.spool.checkpoint.entries {
            self.spool.checkpoint.entries = seen;
            self.spool.checkpoint.hash = Some(self.hash.digest());
        }
        self.spool.checkpoint.kept = [self.problems.kept(), self.users.kept(), self.submissions.kept()];
        self.spool.check().map_err(|source| ImportError::Write { path: self.layout.work(), source })
    }

    /// Gives a submission its ids, spools its row, and adds its file to `texts`.
    fn submission(
        &mut self,
        path: String,
        prepared: Prepared,
        texts: &mut Vec<(PathBuf, String)>,
    ) -> io::Result<()> {
        let Prepared { mut submission, text } = prepared;
        let number = self.spool.checkpoint.submissions;
        let id = match self.submissions.once(&submission.source_id, number) {
            Ok(id) => id,
            Err(reason) => return self.skip(Skipped { path, reason }),
        };
        submission.submission_id = id;
        let known = self.known_by(&submission);
        if self.ids.contains(&known) {
            let Submission { submission_id, source_id, .. } = &submission;
            let reason = if self.submissions.kept() == Some(true) && submission_id != source_id {
                format!("its id {source_id} would become {submission_id}, which was there before")
            } else {
                repeated(source_id)
            };
            return self.skip(Skipped { path, reason });
        }
        if let Err(reason) = self.number(&mut submission)? {
            return self.skip(Skipped { path, reason });
        }
        self.ids.insert(known);
        self.spool.checkpoint.submissions += 1;
        texts.push((self.layout.text(&submission), text));
        self.spool.add(&rows_file(&submission.problem_id), &submission)
    }

    /// A hash of what tells a submission from others: the id that it keeps, or the one in the source.
    fn known_by(&self, submission: &Submission) -> u128 {
        let is_kept = self.submissions.kept() == Some(true);
        let id = if is_kept { &submission.submission_id } else { &submission.source_id };
        xxh3_128(id.as_bytes())
    }

    /// Puts ids of the set in the place of those of the source for the problem and the user, or says why one has none.
    fn number(&mut self, submission: &mut Submission) -> io::Result<Result<(), String>> {
        let problem = match self.problem_id(&submission.problem_id)? {
            Ok(problem) => problem,
            Err(reason) => return Ok(Err(reason)),
        };
        if !submission.user_id.is_empty() {
            let before = self.users.given().len();
            match self.users.id(&submission.user_id) {
                Ok(user) => submission.user_id = user,
                Err(reason) => return Ok(Err(reason)),
            }
            if let Some(given) = self.users.given().get(before) {
                self.spool.add("user-ids", given)?;
            }
        }
        submission.problem_id = problem;
        Ok(Ok(()))
    }

    fn problem_id(&mut self, given: &str) -> io::Result<Result<String, String>> {
        let before = self.problems.given().len();
        let id = self.problems.id(given);
        if let Some(given) = self.problems.given().get(before) {
            self.spool.add("problem-ids", given)?;
        }
        Ok(id)
    }

    /// Writes what belongs to a problem, and spools its row.
    fn problem(&mut self, raw: RawProblem) -> Result<io::Result<()>, ImportError> {
        let RawProblem { mut problem, statement, input, output } = raw;
        let id = match self.problem_id(&problem.id) {
            Ok(Ok(id)) => id,
            Ok(Err(reason)) => {
                return Ok(self.skip(Skipped { path: problem.id, reason }));
            }
            Err(error) => return Ok(Err(error)),
        };
        problem.id = id;
        let samples = self.layout.samples(&problem.id);
        let files = [
            (self.layout.description(&problem.id), statement),
            (samples.join("input.txt"), input),
            (samples.join("output.txt"), output),
        ];
        for (path, bytes) in files {
            let Some(bytes) = bytes else { continue };
            self.make_folder(&path)?;
            fs::write(&path, bytes).map_err(|source| ImportError::Write { path, source })?;
        }
        Ok(self.spool.add("problems", &problem))
    }

    /// Makes the folder of a file.
    fn make_folder(&mut self, file: &Path) -> Result<(), ImportError> {
        let Some(folder) = file.parent() else { return Ok(()) };
        if self.folders.contains(folder) {
            return Ok(());
        }
        fs::create_dir_all(folder)
            .map_err(|source| ImportError::Write { path: folder.to_owned(), source })?;
        self.folders.insert(folder.to_owned());
        Ok(())
    }
}

/// An entry that is ready to be written.
enum Ready {
    Submission { path: String, prepared: Box<Prepared> },
    Problem(Box<RawProblem>),
    Skip { path: String, reason: String },
}

/// The file in which the rows of a problem wait.
fn rows_file(problem: &str) -> String {
    let number: u32 = problem.trim_start_matches('p').parse().unwrap_or_default();
    format!("rows-{:07}", number / PROBLEMS_PER_FILE)
}

/// About the bytes of an entry, with its text, which is read where it has `most` bytes or less.
fn size(entry: &Entry, most: u64) -> usize {
    const ROW: usize = 512;
    let text = match entry {
        Entry::Submission(raw) => match &raw.code {
            Code::Bytes(bytes) => bytes.len(),
            Code::File(path) => fs::metadata(path).map_or(0, |it| it.len().min(most) as usize),
            Code::Part { bytes, .. } => *bytes,
            Code::Missing => 0,
        },
        Entry::Problem(problem) => {
            let RawProblem { statement, input, output, .. } = &**problem;
            [statement, input, output].into_iter().flatten().map(Vec::len).sum()
        }
        Entry::Skip { .. } => 0,
    };
    ROW + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_of_project_codenet_fit_into_the_usual_memory() {
        let ids: HashSet<u128, FxBuildHasher> = HashSet::with_capacity_and_hasher(13_916_868, FxBuildHasher);
        assert!(ids.capacity() * ID_BYTES <= memory::budget(memory::DEFAULT) / 2);
    }
}
