//! Values that stand in a pack once, however often they are named.

use std::collections::HashMap;
use std::io;

use serde::Serialize;

/// Different values, numbered as they come.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Distinct<'r, T: ?Sized> {
    list: Vec<&'r T>,
    #[serde(skip)]
    numbers: HashMap<Vec<u8>, u32>,
    /// Of the JSON of all values.
    #[serde(skip)]
    bytes: usize,
}

impl<T: ?Sized> Default for Distinct<'_, T> {
    fn default() -> Self {
        Self { list: Vec::new(), numbers: HashMap::new(), bytes: 0 }
    }
}

impl<'r, T: Serialize + ?Sized> Distinct<'r, T> {
    pub(super) fn number(&mut self, value: &'r T) -> io::Result<u32> {
        let json = serde_json::to_vec(value)?;
        if let Some(&number) = self.numbers.get(&json) {
            return Ok(number);
        }
        let number = self.list.len() as u32;
        self.bytes += json.len();
        self.list.push(value);
        self.numbers.insert(json, number);
        Ok(number)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
