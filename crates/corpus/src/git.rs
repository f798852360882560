//! A git repository with all its history.
//!
//! Every blob that any commit has at a path is one occurrence there, from the first commit that brought it to the last that
//! took it away ([`history`]); which blob it replaced is its lineage. Commits and trees are read first, then each blob once,
//! in the order of the packs. When a repository is read again, only commits that were not there before are compared
//! ([`since`]), unless the whole may give more than it did: under other limits or globs, or if an object is there that was missing.
//! Nothing of a repository's configuration is trusted, and no command is run.

mod commits;
mod emit;
mod error;
mod exclude;
mod history;
mod http;
mod mirror;
mod paths;
mod place;
mod project;
mod repository;
mod since;
mod state;
mod tagged;
#[cfg(test)]
mod tests;
mod tip;
mod trees;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use familiar_source::Project;
use gix::ObjectId;
use rustc_hash::FxHashMap;

use crate::source::Before;
use crate::{Found, Limits, Sink, Source, SourceError};
use commits::{CommitAt, Commits};
use emit::View;
use error::NothingToRead;
use exclude::Exclude;
use history::{Entry, History, NONE};
use project::Named;
use repository::{Repository, Tips};
use state::{Fact, State};
use trees::{There, Trees};

/// A repository: a work tree's folder, or a bare repository.
#[derive(Clone, Debug)]
pub struct Git {
    pub path: PathBuf,
    /// Globs of paths that are left out.
    pub exclude: Vec<String>,
}

pub use commits::is_possible;
pub use error::{InvalidPlace, ObjectError};
pub(crate) use mirror::Mirror;
pub use place::Place;
pub(crate) use place::without_password;
pub use repository::blob_id;
pub use tagged::{Tag, TagFile, TagList, Tags};
pub(crate) use tip::Tip;

/// What is kept of places beside their rows.
type Facts = FxHashMap<state::Key, Fact>;

/// What a reading starts with.
struct Reading<'a> {
    repository: Repository,
    /// Where it was cloned from, if that was told.
    url: Option<String>,
    tips: Tips,
    named: Named,
    commits: Commits,
    /// The tips that could be read: the newest first.
    newest: Vec<CommitAt>,
    exclude: Exclude,
    limits: Limits,
    before: Before<'a>,
    /// Objects that are missing or damaged.
    lost: BTreeSet<ObjectId>,
}

/// Most objects that could not be read which are looked for again, one after another.
const MOST_LOST: usize = 100_000;

impl Source for Git {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        self.read_since(&Before::NONE, limits, sink)
    }

    fn read_since(
        &self,
        before: &Before<'_>,
        limits: &Limits,
        sink: &mut Sink<'_>,
    ) -> Result<(), SourceError> {
        let exclude = Exclude::new(&self.exclude)?;
        let reading = Reading::of(Repository::open(&self.path, limits)?, None, exclude, before, limits)?;
        reading.run(sink)
    }

    fn exclude(&self) -> &[String] {
        &self.exclude
    }
}

impl<'a> Reading<'a> {
    /// Reads the commits of a repository, which was cloned from `url` or from what its configuration says.
    fn of(
        repository: Repository,
        url: Option<&str>,
        exclude: Exclude,
        before: &Before<'a>,
        limits: &Limits,
    ) -> Result<Self, SourceError> {
        let tips = repository.tips()?;
        let commits = Commits::read(&repository, &tips);
        let url = url.map(ToOwned::to_owned);
        let origin = url.clone().or_else(|| repository.origin());
        let named = Named::of(origin.as_deref(), repository.git_dir());
        let mut newest: Vec<CommitAt> = tips.commits.iter().filter_map(|id| commits.find(id)).collect();
        newest.sort_unstable_by_key(|&at| (commits.at(at).time.is_some(), at));
        newest.reverse();
        let lost = tips.lost.iter().chain(&commits.lost).copied().collect();
        let reading = Self {
            repository,
            url,
            tips,
            named,
            commits,
            newest,
            exclude,
            limits: *limits,
            before: *before,
            lost,
        };
        if reading.commits.list.is_empty() {
            let mut skips = reading.tips.skips.iter().chain(&reading.commits.skips);
            let error = match skips.next().cloned() {
                None => NothingToRead::NoRefs,
                Some((what, reason)) => NothingToRead::NoCommits { what, reason },
            };
            return Err(reading.failed(error));
        }
        Ok(reading)
    }

    /// The error of a repository that cannot be read as a whole.
    fn failed(&self, error: NothingToRead) -> SourceError {
        match &self.url {
            Some(url) => SourceError::remote(url, error),
            None => SourceError::format(self.repository.path(), error),
        }
    }

    fn run(mut self, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let old = self.before.state.zip(self.before.cache);
        let old = old.and_then(|(name, cache)| State::load(cache, name));
        let old_tips = old.as_ref().and_then(|old| self.positions_of(old));
        let state = match (old, old_tips) {
            (Some(old), Some(tips)) => self.since(old, &tips, sink)?,
            (Some(old), None) => {
                self.check_tips(&old)?;
                self.whole(sink)?
            }
            (None, _) => self.whole(sink)?,
        };
        let ControlFlow::Continue(facts) = state else { return Ok(()) };
        let Some(cache) = self.before.cache else { return Ok(()) };
        let Tips { commits: tips, shallow, .. } = std::mem::take(&mut self.tips);
        let limits = Some((self.limits.item_bytes, self.limits.archive_entries));
        let lost = self.lost.into_iter().take(MOST_LOST).collect();
        let (project, exclude, next_time) = (self.named.project, self.exclude.globs, self.commits.next_time);
        let state = State { project, tips, shallow, exclude, limits, next_time, lost, facts };
        let name = state
            .store(cache, self.before.state)
            .map_err(|source| SourceError::Write { path: cache.to_owned(), source })?;
        let _ = sink(Found::State(name));
        Ok(())
    }

    /// Where the tips of an earlier reading are, if everything that was there then is still there, and the same is left out: for
    /// globs, for limits, and because it cannot be read; and if no commit has a time now that was still to come.
    fn positions_of(&self, old: &State) -> Option<Vec<CommitAt>> {
        let is_same = old.project == self.named.project && old.exclude == self.exclude.globs;
        let limits = (self.limits.item_bytes, self.limits.archive_entries);
        if !is_same || old.shallow != self.tips.shallow || old.limits != Some(limits) || self.before.anew {
            return None;
        }
        if old.next_time.is_some_and(commits::has_come) {
            return None;
        }
        if old.lost.iter().any(|id| self.repository.is_whole(id)) {
            return None;
        }
        old.tips.iter().map(|id| self.commits.find(id)).collect()
    }

    /// Refuses a repository that lost commits up to which it was read before: its places would go.
    fn check_tips(&self, old: &State) -> Result<(), SourceError> {
        let is_lost = |id: &&ObjectId| self.tips.lost.contains(*id) || self.commits.lost.contains(*id);
        match old.tips.iter().find(is_lost) {
            Some(&id) => Err(self.failed(NothingToRead::Lost(id))),
            None => Ok(()),
        }
    }

    /// Yields the whole history. One of which no file can be read is an error.
    fn whole(&mut self, sink: &mut Sink<'_>) -> Result<ControlFlow<(), Facts>, SourceError> {
        let mut history = History::new();
        let (mut skips, damaged) = self.look(&mut history, None, &[]);
        if let (true, Some((what, reason))) = (damaged && history.entries.is_empty(), skips.first()) {
            let (what, reason) = (what.clone(), reason.clone());
            return Err(self.failed(NothingToRead::NoFiles { what, reason }));
        }
        let lost = |entry: &Entry| entry.removed == NONE && entry.standing == NONE;
        let lost: Vec<u32> =
            (0..).zip(&history.entries).filter(|(_, entry)| lost(entry)).map(|(at, _)| at).collect();
        skips.extend(self.find_dropped(&mut history, &lost));
        let mut lost = None;
        let mut unread = std::mem::take(&mut self.lost);
        let given = self.give_whole(&history, skips, (&mut lost, &mut unread), sink);
        self.lost = unread;
        match lost {
            Some((what, reason)) => Err(self.failed(NothingToRead::NoFiles { what, reason })),
            None => Ok(given),
        }
    }

    /// Yields what a whole history has. `lost` becomes what cannot be read, if nothing can; `unread` takes all objects that cannot.
    fn give_whole(
        &self,
        history: &History,
        skips: Vec<(String, String)>,
        (lost, unread): (&mut Option<(String, String)>, &mut BTreeSet<ObjectId>),
        sink: &mut Sink<'_>,
    ) -> ControlFlow<(), Facts> {
        self.skips(history, skips, sink)?;
        let view = self.view(history);
        *lost = view.blobs((0..history.entries.len() as u32).collect(), &self.before, unread, sink)?;
        view.lineage(&history.parents, sink)?;
        sink(Found::Project(self.project()))?;
        let mut facts = FxHashMap::default();
        for entry in &history.entries {
            self.note(history, entry, emit::last(entry), entry.removed == NONE, &mut facts);
        }
        ControlFlow::Continue(facts)
    }

    /// Notes what the row of an entry does not tell.
    fn note(&self, history: &History, entry: &Entry, last: CommitAt, dropped: bool, facts: &mut Facts) {
        if last == NONE || (entry.standing == NONE) != dropped {
            return;
        }
        let commit = self.commits.at(last);
        let key = state::key(history.blobs[entry.blob as usize], &history.paths.text(entry.path));
        facts.insert(key, Fact { commit: commit.id, time: commit.time, dropped });
    }

    /// Takes what the commits did, or those of them that are `new`, and what stands on the tips and on those of `before`;
    /// what could not be read, and whether objects are missing or damaged.
    fn look(
        &mut self,
        history: &mut History,
        new: Option<&[bool]>,
        before: &[CommitAt],
    ) -> (Vec<(String, String)>, bool) {
        self.repository.keep_objects(true);
        let mut trees = Trees::new(&self.repository, &self.exclude, self.limits.archive_entries);
        for at in 0..self.commits.list.len() {
            if new.is_none_or(|new| new[at]) {
                history.take(&mut trees, &self.commits, at as CommitAt);
            }
        }
        history.stand(&mut trees, &self.commits, &self.newest, before);
        let looked = (std::mem::take(&mut trees.skips), trees.is_damaged());
        let lost = std::mem::take(&mut trees.lost);
        self.lost.extend(lost);
        self.repository.keep_objects(false);
        looked
    }

    fn find_dropped(&self, history: &mut History, lost: &[u32]) -> Vec<(String, String)> {
        let mut trees = Trees::new(&self.repository, &self.exclude, self.limits.archive_entries);
        history.find_dropped(&mut trees, &self.commits, lost);
        trees.skips
    }

    fn view<'v>(&'v self, history: &'v History) -> View<'v> {
        View { repository: &self.repository, commits: &self.commits, history, named: &self.named }
    }

    /// Yields what was not read, and why.
    fn skips(&self, history: &History, trees: Vec<(String, String)>, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let mut skips = self.tips.skips.clone();
        skips.extend(self.shallow());
        skips.extend(self.commits.skips.iter().cloned());
        skips.extend(trees);
        skips.extend(history.no_files.iter().map(|&(path, there)| {
            let reason =
                if there == There::Link { "symbolic link, not followed" } else { "submodule, not followed" };
            (history.paths.text(path), reason.to_owned())
        }));
        skips.into_iter().try_for_each(|(path, reason)| sink(Found::Skip { path, reason }))
    }

    /// What is to be said of a history that does not go back to its start.
    fn shallow(&self) -> Option<(String, String)> {
        let first = self.tips.shallow.iter().filter_map(|id| self.commits.find(id)).min()?;
        let commit = self.commits.at(first);
        let reason = format!(
            "history is shallow: what commit {} and others like it have may be older than they; `git fetch --unshallow` gets the rest",
            commit.id
        );
        Some((".".to_owned(), reason))
    }

    fn project(&self) -> Project {
        let commits = &self.commits;
        let times = || commits.list.iter().filter_map(|commit| commit.time);
        let mut roots: Vec<String> = commits.roots.iter().map(|&at| commits.at(at).id.to_string()).collect();
        roots.sort();
        Project {
            project: self.named.project.clone(),
            url: self.named.url.clone(),
            kind: "git".to_owned(),
            roots,
            commits: commits.list.len() as u64,
            first_commit: times().next(),
            last_commit: times().next_back(),
        }
    }
}
