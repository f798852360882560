//! What speaks for the license and the age of each fragment, in packs.

use std::io;

use serde::Serialize;

use super::distinct::Distinct;
use crate::LayerRow;
use crate::audit::AuditReport;
use crate::find::OccurrenceRow;
use crate::html::columns::Column;
use crate::html::safe::to_json;
use crate::html::sink::{PACK_BYTES, PACK_ROWS, Sink};

#[derive(Default, Serialize)]
struct Pack<'r> {
    /// Lists, which the fragments of one file share.
    layers: Distinct<'r, [LayerRow]>,
    places: Distinct<'r, [OccurrenceRow]>,
    texts: Distinct<'r, [String]>,
    /// Of each fragment: positions of its layers, its places, its copyrights and its disagreements.
    fragments: Vec<[u32; 4]>,
}

impl Pack<'_> {
    fn is_full(&self) -> bool {
        self.fragments.len() as u32 >= PACK_ROWS
            || self.layers.bytes() + self.places.bytes() + self.texts.bytes() >= PACK_BYTES
    }
}

/// Puts the packs `evidence-N`, and tells the first fragment of each, as rises.
pub(super) fn put(report: &AuditReport, sink: &mut dyn Sink) -> io::Result<Column> {
    let mut firsts = Column::default();
    let (mut pack, mut number) = (Pack::default(), 0);
    for (id, fragment) in (0u32..).zip(&report.fragments) {
        if pack.fragments.is_empty() {
            firsts.push_rise(id);
        }
        pack.fragments.push([
            pack.layers.number(&*fragment.licenses)?,
            pack.places.number(fragment.occurrences.as_slice())?,
            pack.texts.number(fragment.copyrights.as_slice())?,
            pack.texts.number(fragment.disagreements.as_slice())?,
        ]);
        if pack.is_full() {
            sink.put(&format!("evidence-{number}"), &to_json(&pack)?)?;
            (pack, number) = (Pack::default(), number + 1);
        }
    }
    if !pack.fragments.is_empty() {
        sink.put(&format!("evidence-{number}"), &to_json(&pack)?)?;
    }
    Ok(firsts)
}
