//! Columns of numbers as text: variable-length integers in base 64. Strings are columns of their numbers.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

/// Numbers, one after another: seven bits a byte, the lowest first, the high bit set on all but the last byte.
#[derive(Debug, Default)]
pub(crate) struct Column {
    bytes: Vec<u8>,
    last: u32,
}

impl Column {
    pub(crate) fn push(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Pushes how much more `number` is than the one pushed so before; numbers may not fall.
    pub(crate) fn push_rise(&mut self, number: u32) {
        debug_assert!(number >= self.last);
        self.push(number - self.last);
        self.last = number;
    }

    /// Pushes the difference from the number pushed so before, folded so that small ones of both signs are short.
    pub(crate) fn push_change(&mut self, number: u32) {
        let change = i64::from(number) - i64::from(self.last);
        self.push(((change << 1) ^ (change >> 63)) as u32);
        self.last = number;
    }
}

impl FromIterator<u32> for Column {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut column = Self::default();
        numbers.into_iter().for_each(|number| column.push(number));
        column
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.bytes))
    }
}

/// Different strings, numbered as they come.
#[derive(Default)]
pub(crate) struct Strings<'s> {
    pub(crate) list: Vec<&'s str>,
    numbers: HashMap<&'s str, u32>,
}

impl<'s> Strings<'s> {
    pub(crate) fn number(&mut self, text: &'s str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_bytes_that_they_need() {
        let mut column = Column::from_iter([0, 127, 128, 300]);
        assert_eq!(column.bytes, [0, 127, 0x80, 1, 0xAC, 2]);
        column.bytes.clear();
        for number in [5, 3, 4] {
            column.push_change(number);
        }
        assert_eq!(column.bytes, [10, 3, 2]);
    }
}
