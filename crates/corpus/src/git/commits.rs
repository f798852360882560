//! The commits of a history, in the order of their times.

use std::time::{SystemTime, UNIX_EPOCH};

use familiar_source::Occurrence;
use gix::ObjectId;
use gix::objs::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::error::ObjectError;
use super::repository::{Repository, Tips};

/// The position of a commit among the [`Commits`].
pub(super) type CommitAt = u32;

/// Times from 1970 until a day after now are taken as they are, since clocks may be wrong by that; a commit that says another has
/// none.
fn times() -> std::ops::Range<i64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    1..now.cast_signed() + 86_400
}

/// Whether a commit may have been made at a time, in seconds since 1970: clocks may be wrong by a day.
pub fn is_possible(time: i64) -> bool {
    times().contains(&time)
}

/// Whether a time that was still to come counts now.
pub(super) fn has_come(time: i64) -> bool {
    time < times().end
}

/// A commit. The order of commits is that of their times, those without a time last, and then that of their ids.
pub(super) struct Commit {
    pub(super) id: ObjectId,
    pub(super) tree: ObjectId,
    /// Seconds since 1970 when it was committed.
    pub(super) time: Option<i64>,
    author: u32,
    /// Where its parents stand in `parents`.
    first: u32,
    count: u32,
}

/// The commits that can be reached from some. A commit takes about 100 bytes.
pub(super) struct Commits {
    pub(super) list: Vec<Commit>,
    parents: Vec<CommitAt>,
    authors: Vec<String>,
    index: FxHashMap<ObjectId, CommitAt>,
    /// Commits that have no parents, as they say.
    pub(super) roots: Vec<CommitAt>,
    /// Commits of which parents are missing: on purpose, or because they were lost.
    shallow: FxHashSet<CommitAt>,
    /// Commits that are missing or damaged.
    pub(super) lost: FxHashSet<ObjectId>,
    /// The least of the times that are still to come and do not count.
    pub(super) next_time: Option<i64>,
    /// What could not be read, and why.
    pub(super) skips: Vec<(String, String)>,
}

/// What is read of a commit's text.
struct Parsed {
    tree: ObjectId,
    parents: Vec<ObjectId>,
    author: String,
    time: Option<i64>,
    /// The time if it is still to come and does not count.
    next_time: Option<i64>,
    /// The time as it stands there, where it cannot be.
    odd_time: Option<String>,
}

/// Commits as they are found.
#[derive(Default)]
struct FoundCommits {
    list: Vec<FoundCommit>,
    authors: Vec<String>,
    numbers: FxHashMap<String, u32>,
    lost: FxHashSet<ObjectId>,
    next_time: Option<i64>,
    skips: Vec<(String, String)>,
}

struct FoundCommit {
    commit: Commit,
    parents: Vec<ObjectId>,
    is_root: bool,
}

impl FoundCommits {
    fn push(&mut self, id: ObjectId, parsed: Parsed, is_root: bool) {
        let Parsed { tree, parents, author, time, .. } = parsed;
        let authors = &mut self.authors;
        let author = *self.numbers.entry(author).or_insert_with_key(|author: &String| {
            authors.push(author.clone());
            authors.len() as u32 - 1
        });
        let commit = Commit { id, tree, time, author, first: 0, count: 0 };
        self.list.push(FoundCommit { commit, parents, is_root });
    }

    /// Puts the commits into their order, with the positions of their parents in it.
    fn in_order(self, shallow: &[ObjectId]) -> Commits {
        let Self { mut list, authors, mut skips, lost, next_time, .. } = self;
        list.sort_unstable_by_key(|FoundCommit { commit, .. }| {
            (commit.time.is_none(), commit.time, commit.id)
        });
        skips.sort();
        let index: FxHashMap<ObjectId, CommitAt> =
            list.iter().zip(0..).map(|(found, at)| (found.commit.id, at)).collect();
        let mut commits = Commits {
            list: Vec::with_capacity(list.len()),
            parents: Vec::new(),
            authors,
            roots: Vec::new(),
            shallow: shallow.iter().filter_map(|id| index.get(id).copied()).collect(),
            index,
            lost,
            next_time,
            skips,
        };
        for FoundCommit { mut commit, parents, is_root } in list {
            commit.first = commits.parents.len() as u32;
            commits.parents.extend(parents.iter().filter_map(|id| commits.index.get(id)));
            commit.count = commits.parents.len() as u32 - commit.first;
            if (commit.count as usize) < parents.len() {
                commits.shallow.insert(commits.list.len() as u32);
            }
            if is_root {
                commits.roots.push(commits.list.len() as u32);
            }
            commits.list.push(commit);
        }
        commits
    }
}

impl Commits {
    /// Reads all commits that lead to the tips.
    pub(super) fn read(repository: &Repository, tips: &Tips) -> Self {
        let mut found = FoundCommits::default();
        let shallow: FxHashSet<ObjectId> = tips.shallow.iter().copied().collect();
        let mut seen: FxHashSet<ObjectId> = tips.commits.iter().copied().collect();
        let mut waiting: Vec<ObjectId> = tips.commits.clone();
        let mut buffer = Vec::new();
        while let Some(id) = waiting.pop() {
            let read = repository.read(&id, Kind::Commit, &mut buffer);
            let parsed = read
                .and_then(|()| Parsed::of(&buffer).ok_or(ObjectError::Malformed { id, kind: Kind::Commit }));
            let mut parsed = match parsed {
                Ok(parsed) => parsed,
                Err(error) => {
                    found.skips.push((id.to_string(), error.to_string()));
                    found.lost.extend(repository.lost(&error));
                    continue;
                }
            };
            if let Some(time) = parsed.odd_time.take() {
                let reason = format!("its time is impossible ({time}) and counts as unknown");
                found.skips.push((id.to_string(), reason));
            }
            found.next_time = found.next_time.into_iter().chain(parsed.next_time).min();
            let is_root = parsed.parents.is_empty();
            if shallow.contains(&id) {
                parsed.parents.clear();
            }
            for &parent in &parsed.parents {
                if seen.insert(parent) {
                    waiting.push(parent);
                }
            }
            found.push(id, parsed, is_root);
        }
        found.in_order(&tips.shallow)
    }

    pub(super) fn at(&self, at: CommitAt) -> &Commit {
        &self.list[at as usize]
    }

    pub(super) fn find(&self, id: &ObjectId) -> Option<CommitAt> {
        self.index.get(id).copied()
    }

    /// The parents that could be read.
    pub(super) fn parents(&self, at: CommitAt) -> &[CommitAt] {
        let commit = self.at(at);
        &self.parents[commit.first as usize..][..commit.count as usize]
    }

    /// Whether the history before a commit is missing, or some of it.
    pub(super) fn is_shallow(&self, at: CommitAt) -> bool {
        self.shallow.contains(&at)
    }

    /// Name and mail address.
    pub(super) fn author(&self, at: CommitAt) -> &str {
        &self.authors[self.at(at).author as usize]
    }

    /// Which commits lead to none of `tips`, by their positions.
    pub(super) fn not_before(&self, tips: &[CommitAt]) -> Vec<bool> {
        let mut new = vec![true; self.list.len()];
        let mut waiting = tips.to_vec();
        while let Some(at) = waiting.pop() {
            if std::mem::replace(&mut new[at as usize], false) {
                waiting.extend(self.parents(at));
            }
        }
        new
    }

    /// Says who brought something to a place, and when.
    pub(super) fn introduced(&self, occurrence: &mut Occurrence, at: CommitAt) {
        occurrence.introduced_by = Some(self.at(at).id.to_string());
        occurrence.author = Some(self.author(at).to_owned()).filter(|author| !author.is_empty());
        occurrence.first_seen = self.at(at).time;
    }
}

impl Parsed {
    fn of(text: &[u8]) -> Option<Self> {
        let (mut tree, mut parents, mut author) = (None, Vec::new(), None);
        for line in text.split(|&byte| byte == b'\n') {
            let space = line.iter().position(|&byte| byte == b' ')?;
            let value = &line[space + 1..];
            match &line[..space] {
                b"tree" => tree = Some(ObjectId::from_hex(value).ok()?),
                b"parent" => parents.push(ObjectId::from_hex(value).ok()?),
                b"author" => author = Some(person(value)),
                b"committer" => {
                    let given = person(value).1;
                    let given = given.trim();
                    let number = given.split(' ').next().and_then(|number| number.parse().ok());
                    let times = times();
                    let time = number.filter(|time| times.contains(time));
                    let next_time = number.filter(|&time| time >= times.end);
                    let odd_time = time.is_none().then(|| familiar_files::percent_encoded(given.as_bytes()));
                    let author = author.map_or_else(String::new, |(author, _)| author);
                    return Some(Self { tree: tree?, parents, author, time, next_time, odd_time });
                }
                _ => {}
            }
        }
        None
    }
}

/// `Name <mail>` and what stands behind it.
fn person(value: &[u8]) -> (String, String) {
    let end = value.iter().rposition(|&byte| byte == b'>').map_or(value.len(), |at| at + 1);
    (text(&value[..end]), text(&value[end..]))
}

/// Text that is UTF-8, or Latin-1 as in old commits.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n";

    fn check(committer: &str, expected: Option<i64>) {
        let text = format!("{TREE}author A <a@b> 5 +0000\ncommitter {committer}\n\nmessage");
        let parsed = Parsed::of(text.as_bytes()).expect("well-formed");
        assert_eq!((parsed.time, parsed.author.as_str()), (expected, "A <a@b>"), "{committer}");
        assert_eq!(parsed.odd_time.is_some(), expected.is_none());
        assert_eq!(parsed.next_time, Some(4_000_000_000).filter(|_| committer.contains(" 4000000000")));
    }

    #[test]
    fn times_that_cannot_be_are_none() {
        check("A <a@b> 1700000000 +0200", Some(1_700_000_000));
        check("A > B <a@b>  1700000000", Some(1_700_000_000));
        for odd in [
            "A <a@b> 4000000000 +0000",
            "A <a@b> -1 +0000",
            "A <a@b> 0 +0000",
            "A <a@b> 99999999999999999999 +0000",
            "A <a@b>",
            "A",
        ] {
            check(odd, None);
        }
    }

    #[test]
    fn names_in_old_encodings_are_kept() {
        let text =
            [TREE.as_bytes(), b"author J\xfcrgen <j@x> 5 +0000\ncommitter A <a@b> 7 +0000\n\n"].concat();
        assert_eq!(Parsed::of(&text).expect("well-formed").author, "Jürgen <j@x>");
    }

    #[test]
    fn what_is_no_commit_is_none() {
        for text in ["", "\n", "tree x\n", TREE, "author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n"] {
            assert!(Parsed::of(text.as_bytes()).is_none(), "{text}");
        }
    }
}
