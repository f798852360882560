//! Reading a repository again: only what commits did that were not there before.
//!
//! New commits and the tips say at which places something may have changed. The rows that the corpus has for these places
//! are taken, brought up to date, and given again where they differ.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use familiar_source::{BlobId, Occurrence};
use gix::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Reading;
use super::commits::CommitAt;
use super::emit;
use super::history::{Entry, History, NONE, Parent};
use super::paths::PathId;
use super::state::{Fact, Key, State, key};
use super::trees::Trees;
use crate::{Found, Kept, Sink, SourceError};

/// A row of before whose place is looked at again.
struct Row {
    entry: u32,
    kept: Kept,
    occurrence: Occurrence,
}

/// What new commits changed.
struct Changes {
    history: History,
    /// What was known beside the rows, brought up to date.
    facts: FxHashMap<Key, Fact>,
    rows: Vec<Row>,
    /// Entries that have a row, or whose first commit was there before.
    old: FxHashSet<u32>,
}

impl Reading<'_> {
    /// Yields what is new since an earlier reading that went as far as `tips`; what is known now beside the rows.
    pub(super) fn since(
        &mut self,
        old: State,
        tips: &[CommitAt],
        sink: &mut Sink<'_>,
    ) -> Result<ControlFlow<(), FxHashMap<Key, Fact>>, SourceError> {
        let unchanged = old.tips == self.tips.commits;
        self.lost.extend(&old.lost);
        if sink(Found::Continues).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if unchanged {
            return Ok(ControlFlow::Continue(old.facts));
        }
        let new = self.commits.not_before(tips);
        let mut history = History::new();
        let (mut skips, _) = self.look(&mut history, Some(&new), tips);
        if old.facts.values().any(|fact| fact.dropped) {
            let dropped = |blob, path: &str| old.facts.get(&key(blob, path)).is_some_and(|fact| fact.dropped);
            let mut trees = Trees::new(&self.repository, &self.exclude, self.limits.archive_entries);
            history.find_dropped_again(&mut trees, &self.commits, &new, &dropped);
            skips.append(&mut trees.skips);
        }
        let mut changes = Changes { history, facts: old.facts, rows: Vec::new(), old: FxHashSet::default() };
        changes.collect(self).map_err(|source| SourceError::Read { path: self.path(), source })?;
        Ok(self.changed(changes, skips, sink))
    }

    fn path(&self) -> std::path::PathBuf {
        self.repository.git_dir().to_owned()
    }

    fn changed(
        &mut self,
        changes: Changes,
        mut skips: Vec<(String, String)>,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<(), FxHashMap<Key, Fact>> {
        let Changes { mut history, mut facts, rows, old } = changes;
        let mut unread = BTreeSet::new();
        // Who took a place away, as far as is known without what merges dropped.
        let mut ends: FxHashMap<u32, End> = FxHashMap::default();
        for row in &rows {
            ends.insert(row.entry, self.end(&history, row, &facts));
        }
        let is_lost = |at: u32, entry: &Entry| {
            let is_known = ends.get(&at).is_some_and(|end| end.taken != NONE || end.dropped != NONE);
            let is_place = entry.introduced != NONE || old.contains(&at);
            entry.standing == NONE && entry.removed == NONE && !is_known && is_place
        };
        let lost: Vec<u32> =
            (0..).zip(&history.entries).filter(|(at, entry)| is_lost(*at, entry)).map(|(at, _)| at).collect();
        skips.extend(self.find_dropped(&mut history, &lost));
        self.skips(&history, skips, sink)?;
        let view = self.view(&history);
        let mut earlier = FxHashSet::default();
        for Row { entry: at, occurrence: before, kept } in rows {
            let entry = &history.entries[at as usize];
            let mut now = before.clone();
            if self.is_earlier(entry.introduced, &before) {
                view.introduce(&mut now, entry.introduced, &history.paths.bytes(entry.path));
                if emit::may_be_older(&before) {
                    emit::forget_start(&mut now);
                }
                earlier.insert(at);
            }
            let End { taken, dropped } = ends[&at];
            let last = if taken == NONE { self.later(dropped, entry.dropped) } else { taken };
            view.end(&mut now, entry.standing, last);
            let blob = history.blobs[entry.blob as usize];
            facts.remove(&key(blob, &before.path));
            self.note(&history, entry, last, taken == NONE, &mut facts);
            if now != before {
                sink(Found::Known { blob, occurrence: now, kept })?;
            }
        }
        let is_new = |at: u32, entry: &Entry| entry.introduced != NONE && !old.contains(&at);
        let new: Vec<u32> =
            (0..).zip(&history.entries).filter(|(at, entry)| is_new(*at, entry)).map(|(at, _)| at).collect();
        for &at in &new {
            let entry = &history.entries[at as usize];
            self.note(&history, entry, emit::last(entry), entry.removed == NONE, &mut facts);
        }
        let given = view.blobs(new, &self.before, &mut unread, sink);
        given?;
        let mut parents = history.parents.clone();
        parents.retain(|parent| !old.contains(&parent.entry) || earlier.contains(&parent.entry));
        let replaced: FxHashSet<u32> = parents.iter().map(|parent| parent.entry).collect();
        let mut alone: Vec<u32> = earlier.into_iter().filter(|entry| !replaced.contains(entry)).collect();
        alone.sort_unstable();
        parents.extend(alone.into_iter().map(|entry| Parent { entry, blob: NONE, path: NONE }));
        view.lineage(&parents, sink)?;
        sink(Found::Project(self.project()))?;
        self.lost.append(&mut unread);
        ControlFlow::Continue(facts)
    }

    /// How a row's place ended, for all that is known of old and new commits.
    fn end(&self, history: &History, row: &Row, facts: &FxHashMap<Key, Fact>) -> End {
        let entry = &history.entries[row.entry as usize];
        let fact = facts.get(&key(history.blobs[entry.blob as usize], &row.occurrence.path));
        let of_fact = |fact: &Fact| self.commits.find(&fact.commit).unwrap_or(NONE);
        let of_row =
            || row.occurrence.removed_by.as_deref().and_then(|id| self.named_commit(id)).unwrap_or(NONE);
        let (taken, dropped) = match fact {
            Some(fact) if fact.dropped => (NONE, of_fact(fact)),
            Some(fact) => (of_fact(fact), NONE),
            None => (of_row(), NONE),
        };
        End { taken: self.later(taken, entry.removed), dropped }
    }

    /// The later of two commits, if there are any; one without a time only if there is no other.
    fn later(&self, a: CommitAt, b: CommitAt) -> CommitAt {
        let order = |&at: &CommitAt| (self.commits.at(at).time.is_some(), at);
        [a, b].into_iter().filter(|&at| at != NONE).max_by_key(order).unwrap_or(NONE)
    }

    fn named_commit(&self, id: &str) -> Option<CommitAt> {
        self.commits.find(&ObjectId::from_hex(id.as_bytes()).ok()?)
    }

    /// Whether a commit comes before the one that brought a row.
    fn is_earlier(&self, introduced: CommitAt, row: &Occurrence) -> bool {
        let known = row.introduced_by.as_deref().and_then(|id| self.named_commit(id));
        introduced != NONE && known.is_none_or(|known| introduced < known)
    }
}

/// The last commit that took a place away, and the last merge that was known to drop it; [`NONE`] for none.
struct End {
    taken: CommitAt,
    dropped: CommitAt,
}

impl Changes {
    /// Takes the rows of the places that are looked at.
    fn collect(&mut self, reading: &Reading<'_>) -> std::io::Result<()> {
        let mut paths: FxHashMap<String, PathId> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for entry in &self.history.entries {
            if seen.insert(entry.path) {
                paths.insert(self.history.paths.text(entry.path), entry.path);
            }
        }
        let (history, rows, old) = (&self.history, &mut self.rows, &mut self.old);
        let mut take = |blob: BlobId, occurrence: Occurrence, kept: Kept| {
            let path = paths.get(&occurrence.path);
            if let Some(entry) = path.and_then(|&path| history.find(path, blob)) {
                old.insert(entry);
                rows.push(Row { entry, kept, occurrence });
            }
        };
        (reading.before.occurrences)(&mut take)?;
        rows.sort_unstable_by_key(|row| (row.entry, row.kept));
        // A file of code that speaks for others' license is told twice.
        rows.dedup_by(|again, row| {
            let is_same = again.entry == row.entry;
            if is_same && again.kept != row.kept {
                row.kept = Kept::Both;
            }
            is_same
        });
        Ok(())
    }
}
