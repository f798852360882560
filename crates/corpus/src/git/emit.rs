//! From places in a history to what a source yields.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use familiar_license::infer::declares;
use familiar_source::{Evidence, Lineage, Occurrence};
use gix::ObjectId;

use super::commits::{CommitAt, Commits};
use super::error::ObjectError;
use super::history::{Entry, History, NONE, Parent};
use super::paths::Paths;
use super::project::Named;
use super::repository::Repository;
use crate::source::Before;
use crate::{Found, Item, Kept, LanguageHint, Sink};

/// A history that has been looked at.
pub(super) struct View<'v> {
    pub(super) repository: &'v Repository,
    pub(super) commits: &'v Commits,
    pub(super) history: &'v History,
    pub(super) named: &'v Named,
}

impl View<'_> {
    pub(super) fn occurrence(&self, entry: &Entry) -> Occurrence {
        let path = self.history.paths.bytes(entry.path);
        let mut occurrence = Occurrence {
            project: self.named.project.clone(),
            path: familiar_files::percent_encoded(&path),
            first_line: 1,
            ..Occurrence::default()
        };
        self.introduce(&mut occurrence, entry.introduced, &path);
        if entry.may_be_older {
            forget_start(&mut occurrence);
        }
        self.end(&mut occurrence, entry.standing, last(entry));
        occurrence
    }

    /// Says which commit brought it.
    pub(super) fn introduce(&self, occurrence: &mut Occurrence, at: CommitAt, path: &[u8]) {
        self.commits.introduced(occurrence, at);
        let commit = self.commits.at(at);
        occurrence.link = self.named.link(&commit.id.to_string(), path);
        occurrence.evidence = if commit.time.is_some() { Evidence::CommitTime } else { Evidence::None };
    }

    /// Says until when it stood: on a tip, or until a commit took it away.
    pub(super) fn end(&self, occurrence: &mut Occurrence, standing: CommitAt, last: CommitAt) {
        let is_standing = standing != NONE;
        let end = if is_standing { standing } else { last };
        let end = (end != NONE).then(|| self.commits.at(end));
        occurrence.removed_by = end.filter(|_| !is_standing).map(|commit| commit.id.to_string());
        occurrence.last_seen = end.map_or(occurrence.first_seen, |commit| commit.time);
    }

    /// Yields the entries, each blob's together, in the order in which the blobs lie in the packs. Blobs that the corpus
    /// does not know come with their content; `unread` takes those that cannot be read. If there are some and none can be read: the first of them, and why.
    pub(super) fn blobs(
        &self,
        mut entries: Vec<u32>,
        before: &Before<'_>,
        unread: &mut BTreeSet<ObjectId>,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<(), Option<(String, String)>> {
        let history = self.history;
        let (mut lost, mut any) = (None, false);
        let of = |entry: &u32| &history.entries[*entry as usize];
        entries.sort_unstable_by_key(|entry| (of(entry).blob, of(entry).introduced, of(entry).path));
        let mut buffer = Vec::new();
        let mut groups: Vec<_> = entries
            .chunk_by(|a, b| of(a).blob == of(b).blob)
            .map(|group| {
                let blob = history.blobs[of(&group[0]).blob as usize];
                (self.repository.place(blob, &mut buffer), blob, group)
            })
            .collect();
        groups.sort_unstable_by_key(|(place, blob, _)| (*place, *blob));
        for (_, blob, group) in groups {
            let known = |entry, kept| Found::Known { blob, occurrence: self.occurrence(of(entry)), kept };
            if group.iter().all(|entry| (before.knows)(&blob, &history.paths.text(of(entry).path))) {
                any = true;
                group.iter().try_for_each(|entry| sink(known(entry, Kept::Code)))?;
                continue;
            }
            let bytes = match self.repository.blob(blob) {
                Ok(bytes) => {
                    any = true;
                    bytes
                }
                Err(error) => {
                    let first = of(&group[0]);
                    let commit = self.commits.at(first.introduced).id;
                    let path = format!("{commit}:{}", history.paths.text(first.path));
                    let reason = error.to_string();
                    // One that is too large says nothing of the repository.
                    let is_large = matches!(error, ObjectError::TooLarge(_));
                    any |= is_large;
                    unread.extend(self.repository.lost(&error));
                    lost.get_or_insert_with(|| (path.clone(), reason.clone()));
                    sink(Found::Skip { path, reason })?;
                    continue;
                }
            };
            // What a file is may depend on its name: the content comes once for each kind of name, before its other places.
            let mut kinds: Vec<(Kind<'_>, Vec<&u32>)> = Vec::new();
            for entry in group {
                let kind = kind(&history.paths, of(entry), before.name);
                match kinds.iter_mut().find(|(known, _)| *known == kind) {
                    Some((_, entries)) => entries.push(entry),
                    None => kinds.push((kind, vec![entry])),
                }
            }
            for (_, entries) in kinds {
                let (bytes, occurrence) = (bytes.clone(), self.occurrence(of(entries[0])));
                sink(Found::Item(Item::new(bytes, LanguageHint::Unspecified, occurrence)))?;
                entries[1..].iter().try_for_each(|entry| sink(known(entry, Kept::AsBefore)))?;
            }
        }
        ControlFlow::Continue(lost.filter(|_| !any))
    }

    /// Yields which blob each came in the place of.
    pub(super) fn lineage(&self, parents: &[Parent], sink: &mut Sink<'_>) -> ControlFlow<()> {
        let history = self.history;
        parents.iter().try_for_each(|parent| {
            let entry = &history.entries[parent.entry as usize];
            sink(Found::Lineage(Lineage {
                blob: history.blobs[entry.blob as usize],
                parent: (parent.blob != NONE).then(|| history.blobs[parent.blob as usize]),
                project: self.named.project.clone(),
                path: history.paths.text(entry.path),
                parent_path: (parent.path != NONE).then(|| history.paths.text(parent.path)),
                revision: self.commits.at(entry.introduced).id.to_string(),
            }))
        })
    }
}

/// Says that a place may be older than the commit that is known to have it, and of somebody else: a shallow clone lacks the commits
/// before.
pub(super) fn forget_start(occurrence: &mut Occurrence) {
    occurrence.author = None;
    occurrence.evidence = Evidence::None;
}

/// Whether that was said of a place.
pub(super) fn may_be_older(occurrence: &Occurrence) -> bool {
    occurrence.first_seen.is_some() && occurrence.evidence == Evidence::None
}

/// The last commit that took an entry away, or dropped it.
pub(super) fn last(entry: &Entry) -> CommitAt {
    if entry.removed == NONE { entry.dropped } else { entry.removed }
}

/// What of a file's name may tell what it is.
type Kind<'p> = (&'p [u8], u64, bool);

/// What stands behind the last dot of a file's name, or all; what the name says beside that; and whether it speaks for the
/// license of others.
fn kind<'p>(paths: &'p Paths, entry: &Entry, says: &dyn Fn(&str) -> u64) -> Kind<'p> {
    let name = paths.name(entry.path);
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let path = paths.text(entry.path);
    (dot.map_or(name, |dot| &name[dot..]), says(&path), declares(&path))
}
