//! Rows that are put in packs as they come.

use std::io;

use serde::Serialize;

use super::columns::Column;
use super::safe::to_json;
use super::sink::{PACK_BYTES, PACK_ROWS, Sink};

/// Packs `NAME-N`, each a list.
pub(crate) struct Packed {
    name: &'static str,
    json: Vec<u8>,
    rows: u32,
    held: u32,
    number: u32,
    /// The first row of each.
    firsts: Column,
}

impl Packed {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, json: Vec::new(), rows: 0, held: 0, number: 0, firsts: Column::default() }
    }

    pub(crate) fn push(&mut self, row: &impl Serialize, sink: &mut dyn Sink) -> io::Result<()> {
        if self.held == 0 {
            self.firsts.push_rise(self.rows);
        }
        self.json.push(if self.held == 0 { b'[' } else { b',' });
        self.json.extend(to_json(row)?);
        self.held += 1;
        self.rows += 1;
        if self.held >= PACK_ROWS || self.json.len() >= PACK_BYTES { self.flush(sink) } else { Ok(()) }
    }

    /// Puts the last pack, and tells the first row of each, as rises.
    pub(crate) fn finish(mut self, sink: &mut dyn Sink) -> io::Result<Column> {
        if self.held > 0 {
            self.flush(sink)?;
        }
        Ok(self.firsts)
    }

    fn flush(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        self.json.push(b']');
        sink.put(&format!("{}-{}", self.name, self.number), &self.json)?;
        self.json.clear();
        (self.held, self.number) = (0, self.number + 1);
        Ok(())
    }
}
