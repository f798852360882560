//! How much of what somebody may upload is left, while uploads are under way.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What each owner has who uploads something now.
#[derive(Default)]
pub(crate) struct Rooms {
    owners: Mutex<BTreeMap<String, Held>>,
}

/// The uploads of an owner that are under way, and the bytes of all that the owner has, with them.
#[derive(Default)]
struct Held {
    under_way: usize,
    bytes: u64,
}

/// The room for one upload.
pub(crate) struct Room<'r> {
    rooms: &'r Rooms,
    owner: String,
    most: u64,
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
        if !owners.contains_key(owner) {
            owners.insert(owner.to_owned(), Held { under_way: 0, bytes: stored()? });
        }
        if let Some(held) = owners.get_mut(owner) {
            held.under_way += 1;
        }
        Ok(Room { rooms: self, owner: owner.to_owned(), most, taken: 0 })
    }
}

impl Room<'_> {
    /// How much is left.
    pub(crate) fn left(&self) -> u64 {
        let held = self.rooms.lock().get(&self.owner).map_or(0, |held| held.bytes);
        self.most.saturating_sub(held)
    }

    /// Takes room for so many bytes in all; false where there is less.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let Some(more) = bytes.checked_sub(self.taken) else { return true };
        let mut owners = self.rooms.lock();
        let Some(held) = owners.get_mut(&self.owner) else { return false };
        let is_room = held.bytes.checked_add(more).is_some_and(|bytes| bytes <= self.most);
        if is_room {
            held.bytes += more;
            self.taken += more;
        }
        is_room
    }

    /// The upload is kept, and is of this size.
    pub(crate) fn keep(mut self, bytes: u64) {
        self.taken = self.taken.saturating_sub(bytes);
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
        let (mut first, mut second) = (open(2), open(0));
        assert!(first.take(5) && first.take(5) && !second.take(4) && second.take(3));
        assert_eq!(first.left(), 0);
        let other = rooms.open("bob", 10, || Ok::<_, ()>(0)).expect("it is told");
        assert_eq!(other.left(), 10, "others have their own");
        // One was shorter than announced, the other is given up.
        first.keep(4);
        drop(second);
        let mut third = open(6);
        assert!(!third.take(5) && third.take(4));
        drop(third);
        let left = open(0);
        assert_eq!(left.left(), 10, "when all are done, what is stored is asked for anew");
        assert!(rooms.open("eve", 1, || Err(())).is_err());
    }
}
