//! The chunk of some files: their paths, and as columns their licenses, layers, holders and where the rest of them stands.

use serde::Serialize;

use super::words::{Expressions, Words};
use crate::html::columns::Column;
use crate::license::{LayerRow, LicensedFile, PageText};

/// Files of one chunk, and bytes of their paths and names.
const FILES: usize = 1 << 14;
const BYTES: usize = 4 << 20;

#[derive(Default, Serialize)]
pub(super) struct FileTable {
    paths: Vec<String>,
    expressions: Expressions,
    /// Names of layers.
    kinds: Words,
    holders: Words,
    /// Of the expressions, plus one.
    license: Column,
    /// Of the kinds.
    by: Column,
    /// Lines of the whole file; 0 where its text is missing.
    lines: Column,
    /// The pack of its text plus one; 0 where it is missing.
    text: Column,
    /// The pack of its details.
    details: Column,
    /// How many layers and holders there are.
    layers: Column,
    held: Column,
    layer: LayerTable,
    holder: Column,
    #[serde(skip)]
    bytes: usize,
}

/// The layers of the files, one after another.
#[derive(Default, Serialize)]
struct LayerTable {
    kind: Column,
    /// Of the expressions, plus one.
    license: Column,
    /// 1 where it disagrees, and 2 more where it stands in the file itself.
    flags: Column,
    /// The first line, 0 where there is none, and how many more there are.
    start: Column,
    more: Column,
}

impl FileTable {
    pub(super) fn push(&mut self, file: &LicensedFile, text: u32, details: u32) {
        self.bytes += file.path.len();
        self.paths.push(file.path.clone());
        self.license.push(self.expressions.number(file.expression.as_deref()));
        self.by.push(self.kinds.number(file.by));
        self.lines.push(match file.page_text {
            Some(PageText::Text { lines, .. }) => lines,
            _ => 0,
        });
        self.text.push(text);
        self.details.push(details);
        self.layers.push(file.layers.len() as u32);
        file.layers.iter().for_each(|layer| self.layer(file, layer));
        let mut holders: Vec<u32> = Vec::new();
        for claim in &file.copyrights {
            let name = claim.holder.as_ref().unwrap_or(&claim.statement);
            self.bytes += name.len();
            holders.push(self.holders.number(name));
        }
        holders.sort_unstable();
        holders.dedup();
        self.held.push(holders.len() as u32);
        for holder in holders {
            self.holder.push(holder);
        }
    }

    fn layer(&mut self, file: &LicensedFile, layer: &LayerRow) {
        let is_here = layer.path.as_ref() == Some(&file.path);
        self.bytes += layer.expression.as_ref().map_or(0, String::len);
        self.layer.kind.push(self.kinds.number(layer.layer));
        self.layer.license.push(self.expressions.number(layer.expression.as_deref()));
        self.layer.flags.push(u32::from(layer.disagrees) + 2 * u32::from(is_here));
        let start = layer.start_line.unwrap_or(0);
        self.layer.start.push(start);
        self.layer.more.push(layer.end_line.unwrap_or(start).saturating_sub(start));
    }

    pub(super) fn is_full(&self) -> bool {
        self.paths.len() >= FILES || self.bytes >= BYTES
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}
