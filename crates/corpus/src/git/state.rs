//! What is kept between two readings: how far the first went, and what its rows do not tell.
//!
//! The rows of occurrences hold all that the next reading needs but for blobs that stand although commits took them away,
//! and for blobs that a merge dropped. Those facts, and the tips, are a file in the cache; its name is the state.

use std::fs;
use std::io;
use std::path::Path;

use familiar_source::BlobId;
use gix::ObjectId;
use rustc_hash::FxHashMap;
use sha1::{Digest, Sha1};

const MAGIC: &[u8] = b"familiar git history 5\n";
/// Of Familiars that did not note what could not be read, and took the places of a blob that is code under another name for code:
/// after them the history is read as a whole.
const OLDER: [&[u8]; 2] = [b"familiar git history 4\n", b"familiar git history 3\n"];
const PREFIX: &str = "history-";
/// Stands for a time that is not known.
const NO_TIME: i64 = i64::MIN;

/// Names a blob at a path.
pub(super) type Key = [u8; 16];

/// What is known of a blob at a path beside its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// The last commit that took it away, or the merge that dropped it.
    pub(super) commit: ObjectId,
    pub(super) time: Option<i64>,
    /// Whether no commit took it away, but a merge dropped it.
    pub(super) dropped: bool,
}

/// How far a reading went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) project: String,
    pub(super) tips: Vec<ObjectId>,
    pub(super) shallow: Vec<ObjectId>,
    /// Globs of the paths that were left out.
    pub(super) exclude: Vec<String>,
    /// Most bytes of a blob and most paths that were read; nothing is known of an older reading.
    pub(super) limits: Option<(u64, u64)>,
    /// The least time of a commit that was still to come and did not count.
    pub(super) next_time: Option<i64>,
    /// Objects that are missing or damaged, the first of them, in the order of their ids.
    pub(super) lost: Vec<ObjectId>,
    pub(super) facts: FxHashMap<Key, Fact>,
}

pub(super) fn key(blob: BlobId, path: &str) -> Key {
    let mut hash = Sha1::new();
    hash.update(blob.0);
    hash.update(path);
    let hash: [u8; 20] = hash.finalize().into();
    *hash.first_chunk().expect("20 bytes are more than 16")
}

impl State {
    /// The state of this name, if the cache has it whole.
    pub(super) fn load(cache: &Path, name: &str) -> Option<Self> {
        let digest =
            name.strip_prefix(PREFIX).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let bytes = fs::read(cache.join(name)).ok()?;
        if digest != hex(&bytes) {
            return None;
        }
        let older = OLDER.iter().find_map(|magic| bytes.strip_prefix(*magic));
        let mut rest = older.or_else(|| bytes.strip_prefix(MAGIC))?;
        let project = String::from_utf8(take(&mut rest)?.to_vec()).ok()?;
        let ids = |bytes: &[u8]| bytes.chunks_exact(20).map(ObjectId::from_bytes_or_panic).collect();
        let (tips, shallow): (_, Vec<ObjectId>) = (ids(take(&mut rest)?), ids(take(&mut rest)?));
        let exclude = String::from_utf8(take(&mut rest)?.to_vec()).ok()?;
        let exclude = exclude.split_terminator('\0').map(ToOwned::to_owned).collect();
        let (mut limits, mut next_time, mut lost) = (None, None, Vec::new());
        if older.is_none() {
            let [bytes, entries, next @ ..] = take(&mut rest)?.as_chunks().0 else { return None };
            limits = Some((u64::from_le_bytes(*bytes), u64::from_le_bytes(*entries)));
            // Of a state without one, nothing is known.
            next_time = next.first().map(|next| i64::from_le_bytes(*next)).filter(|&next| next != NO_TIME);
            lost = ids(take(&mut rest)?);
        }
        let (records, []) = rest.as_chunks::<45>() else { return None };
        let facts = records.iter().map(|record| {
            let time = i64::from_le_bytes(*record[36..].first_chunk().expect("45 is more than 36 and 8"));
            let fact = Fact {
                commit: ObjectId::from_bytes_or_panic(&record[16..36]),
                time: (time != NO_TIME).then_some(time),
                dropped: record[44] != 0,
            };
            (*record.first_chunk().expect("45 is more than 16"), fact)
        });
        Some(Self { project, tips, shallow, exclude, limits, next_time, lost, facts: facts.collect() })
    }

    /// Keeps the state in the cache, beside `previous`; its name.
    pub(super) fn store(&self, cache: &Path, previous: Option<&str>) -> io::Result<String> {
        let mut bytes = MAGIC.to_vec();
        let mut put = |field: &[u8]| {
            bytes.extend((field.len() as u64).to_le_bytes());
            bytes.extend(field);
        };
        let ids = |ids: &[ObjectId]| ids.iter().flat_map(|id| id.as_bytes().to_vec()).collect::<Vec<u8>>();
        put(self.project.as_bytes());
        put(&ids(&self.tips));
        put(&ids(&self.shallow));
        put(self.exclude.iter().flat_map(|glob| [glob, "\0"]).collect::<String>().as_bytes());
        let (most, entries) = self.limits.unwrap_or_default();
        let next = self.next_time.unwrap_or(NO_TIME);
        put(&[most.to_le_bytes(), entries.to_le_bytes(), next.to_le_bytes()].concat());
        put(&ids(&self.lost));
        let mut facts: Vec<_> = self.facts.iter().collect();
        facts.sort_unstable_by_key(|(key, _)| **key);
        for (key, fact) in facts {
            bytes.extend(key);
            bytes.extend(fact.commit.as_bytes());
            bytes.extend(fact.time.unwrap_or(NO_TIME).to_le_bytes());
            bytes.push(u8::from(fact.dropped));
        }
        let name = format!("{PREFIX}{}", hex(&bytes));
        fs::create_dir_all(cache)?;
        for entry in fs::read_dir(cache)? {
            let entry = entry?;
            let known = entry.file_name().to_string_lossy().into_owned();
            if known.starts_with(PREFIX) && Some(known.as_str()) != previous {
                fs::remove_file(entry.path())?;
            }
        }
        // Only a file that has its name's content counts, so that one cut short does no harm.
        fs::write(cache.join(&name), bytes)?;
        Ok(name)
    }
}

/// Takes a field with its length before it.
fn take<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, behind) = rest.split_first_chunk()?;
    let (field, behind) = behind.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    *rest = behind;
    Some(field)
}

fn hex(bytes: &[u8]) -> String {
    let digest: [u8; 20] = Sha1::digest(bytes).into();
    BlobId(digest).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_and_a_damaged_one_is_none() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let id = |byte| ObjectId::from_bytes_or_panic(&[byte; 20]);
        let fact = |time, dropped| Fact { commit: id(3), time, dropped };
        let facts = [([1; 16], fact(Some(-7), false)), ([0; 16], fact(None, true))];
        let state = State {
            project: "a/ö".to_owned(),
            tips: vec![id(1), id(2)],
            shallow: vec![],
            exclude: vec!["/a".to_owned(), "b/".to_owned()],
            limits: Some((7, 8)),
            next_time: Some(9),
            lost: vec![id(4)],
            facts: facts.into_iter().collect(),
        };
        let name = state.store(folder.path(), None).expect("it can be written");
        assert_eq!(State::load(folder.path(), &name), Some(state.clone()));
        let next =
            State { tips: vec![], ..state }.store(folder.path(), Some(&name)).expect("it can be written");
        assert!(State::load(folder.path(), &name).is_some(), "the one before stays");
        let file = folder.path().join(&next);
        let bytes = fs::read(&file).expect("just written");
        fs::write(&file, &bytes[..bytes.len() - 1]).expect("it can be written");
        for name in [next.as_str(), "history-", "history-../x", "other"] {
            assert_eq!(State::load(folder.path(), name), None, "{name}");
        }
    }
}
