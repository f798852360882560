//! What makes the pairs of type 4 alike, in packs.

use std::io;

use serde::Serialize;

use super::columns::Column;
use super::packs::Packed;
use super::safe::to_json;
use super::sink::Sink;
use crate::Explanation;

/// Explanations that are put in packs as their pairs come.
pub(crate) struct Explanations {
    packed: Packed,
    pairs: Column,
    count: u32,
}

/// Where explanations stand.
#[derive(Serialize)]
struct Index {
    /// The number of each pair that has one, as rises.
    pair: Column,
    /// The first row of each pack, as rises.
    first: Column,
}

impl Default for Explanations {
    fn default() -> Self {
        Self { packed: Packed::new("explanations"), pairs: Column::default(), count: 0 }
    }
}

impl Explanations {
    /// Puts what explains the pair with this number; numbers rise.
    pub(crate) fn push(&mut self, pair: u32, of: &Explanation, sink: &mut dyn Sink) -> io::Result<()> {
        self.pairs.push_rise(pair);
        self.count += 1;
        self.packed.push(of, sink)
    }

    /// Puts the rest and the index, where there is any explanation, and says how many there are.
    pub(crate) fn finish(self, sink: &mut dyn Sink) -> io::Result<u32> {
        if self.count > 0 {
            let first = self.packed.finish(sink)?;
            sink.put("explanations", &to_json(&Index { pair: self.pairs, first })?)?;
        }
        Ok(self.count)
    }
}
