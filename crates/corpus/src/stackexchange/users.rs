//! The names of a site's users, for posts that have their authors' numbers alone.

use std::collections::BTreeMap;

/// Most bytes of numbers and names that are held; later users, who have written less, are known by their numbers.
const MOST_BYTES: usize = 32 << 20;

/// What a user takes beside the name, about.
const BYTES_OF_USER: usize = 48;

/// Names by the number of the user's page.
#[derive(Debug, Default)]
pub(super) struct Users {
    names: BTreeMap<u64, Box<str>>,
    bytes: usize,
}

impl Users {
    pub(super) fn insert(&mut self, number: u64, name: &str) {
        let name = name.trim();
        if name.is_empty() || self.bytes > MOST_BYTES {
            return;
        }
        self.bytes += name.len() + BYTES_OF_USER;
        self.names.insert(number, name.into());
    }

    /// The name of an author who is known by a number.
    pub(super) fn named(&self, author: Option<String>) -> Option<String> {
        let number = author.as_ref().and_then(|author| author.parse::<u64>().ok());
        let name = number.and_then(|number| self.names.get(&number));
        name.map(ToString::to_string).or(author)
    }
}
