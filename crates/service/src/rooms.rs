//! How much of what somebody may upload is left, while uploads are under way.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What each owner has who uploads something now.
#[derive(Default)]
pub(crate) struct Rooms {
    owners: Mutex<BTreeMap<String, Held>>,
}

/// The uploads of an owner that are under way: their bytes, and those of the uploads that were kept in the meantime.
#[derive(Default)]
struct Held {
    under_way: usize,
    bytes: u64,
    kept: u64,
}

/// The room for one upload.
pub(crate) struct Room<'r> {
    rooms: &'r Rooms,
    owner: String,
    most: u64,
    /// What was stored when it was opened, and how much had been kept then.
    stored: u64,
    kept: u64,
    taken: u64,
}

impl Rooms {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Held>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for an upload of somebody, who may have `most` bytes; `stored` tells how many are there already.
    pub(crate) fn open<E>(
        &self,
        owner: &str,
        most: u64,
        stored: impl FnOnce() -> Result<u64, E>,
    ) -> Result<Room<'_>, E> {
        let mut owners = self.lock();
        let stored = stored()?;
        let held = owners.entry(owner.to_owned()).or_default();
        held.under_way += 1;
        Ok(Room { rooms: self, owner: owner.to_owned(), most, stored, kept: held.kept, taken: 0 })
    }
}

impl Room<'_> {
    /// How much is left.
    pub(crate) fn left(&self) -> u64 {
        let used = self.rooms.lock().get(&self.owner).map_or(self.stored, |held| self.used(held));
        self.most.saturating_sub(used)
    }

    /// What is stored, and what is under way.
    fn used(&self, held: &Held) -> u64 {
        self.stored.saturating_add(held.kept - self.kept).saturating_add(held.bytes)
    }

    /// Takes room for so many bytes in all; false where there is less.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let Some(more) = bytes.checked_sub(self.taken) else { return true };
        let mut owners = self.rooms.lock();
        let Some(held) = owners.get_mut(&self.owner) else { return false };
        let is_room = self.used(held).checked_add(more).is_some_and(|bytes| bytes <= self.most);
        if is_room {
            held.bytes += more;
            self.taken += more;
        }
        is_room
    }

    /// Keeps the upload, which is of this size, with `store`: others see it under way or stored, never both.
    pub(crate) fn keep<E>(mut self, bytes: u64, store: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let mut owners = self.rooms.lock();
        store()?;
        if let Some(held) = owners.get_mut(&self.owner) {
            held.bytes -= std::mem::take(&mut self.taken);
            held.kept = held.kept.saturating_add(bytes);
        }
        drop(owners);
        Ok(())
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        let mut owners = self.rooms.lock();
        if let Some(held) = owners.get_mut(&self.owner) {
            held.bytes -= self.taken;
            held.under_way -= 1;
            if held.under_way == 0 {
                owners.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_at_the_same_time_share_the_room() {
        let rooms = Rooms::default();
        let open = |stored: u64| rooms.open("ada", 10, || Ok::<_, ()>(stored)).expect("it is told");
        let (mut first, mut second) = (open(2), open(2));
        assert!(first.take(5) && first.take(5) && !second.take(4) && second.take(3));
        assert_eq!(first.left(), 0);
        let other = rooms.open("bob", 10, || Ok::<_, ()>(0)).expect("it is told");
        assert_eq!(other.left(), 10, "others have their own");
        // One was shorter than announced, the other is given up.
        first.keep(4, || Ok::<_, ()>(())).expect("it is stored");
        assert_eq!(second.left(), 1, "what was kept since counts");
        drop(second);
        let mut third = open(6);
        assert!(!third.take(5) && third.take(4));
        third.keep(4, || Err(())).expect_err("it is not stored");
        assert_eq!(open(0).left(), 10);
        // Somebody who uploads without a pause has the room of what was deleted, too.
        let mut full = open(10);
        let mut next = open(0);
        assert!(!full.take(1) && next.take(10));
        next.keep(10, || Ok::<_, ()>(())).expect("it is stored");
        assert_eq!((open(10).left(), open(3).left()), (0, 7));
        drop(full);
        assert!(rooms.open("eve", 1, || Err(())).is_err());
    }
}
