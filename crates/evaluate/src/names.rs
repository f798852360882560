//! Texts by number.

use std::collections::HashMap;

/// Texts by number, in the order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    pub(crate) fn number(&mut self, name: String) -> u32 {
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() as u32 - 1
        })
    }

    pub(crate) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}
