//! The file of an index (`docs/formats/vectors.md`).

use std::borrow::Cow;
use std::path::Path;

use super::codes::{Codes, MOST_DIMENSIONS};
use super::error::{VERSION, VectorError};
use super::graph::{Graph, Level, NONE, shape};
use super::index::VectorIndex;
use crate::blocks::{self, Blocks, Layout, SegmentError, Written, u32_at};

/// How its sections stand in the file. [`VERSION`] says what is in them.
pub(super) const LAYOUT: Layout = Layout { kind: *b"vecs", version: 1, sections: &[section::COUNT] };

/// The sections of the file, in order.
pub(super) mod section {
    /// Version, dimensions, vectors, whether there is a graph.
    pub(in crate::vectors) const HEAD: usize = 0;
    pub(in crate::vectors) const ENCODER: usize = 1;
    pub(in crate::vectors) const NUMBERS: usize = 2;
    pub(in crate::vectors) const SCALES: usize = 3;
    pub(in crate::vectors) const CODES: usize = 4;
    pub(in crate::vectors) const LINKS: usize = 5;
    /// What whoever made the file wants to know.
    pub(in crate::vectors) const NOTES: usize = 6;
    pub(in crate::vectors) const COUNT: usize = 7;
}

impl VectorIndex {
    /// Writes a new file.
    pub fn write(&self, path: &Path) -> Result<Written, VectorError> {
        let codes = &self.codes;
        let head = [VERSION, codes.dimensions as u32, self.vectors, u32::from(self.graph.is_some())];
        let scales: Vec<u32> = codes.scales.iter().map(|scale| scale.to_bits()).collect();
        let links: Vec<u32> = match &self.graph {
            None => Vec::new(),
            Some(graph) => graph.levels.iter().flat_map(|level| &level.links).copied().collect(),
        };
        let sections = [
            little_endian(&head),
            Cow::Borrowed(self.encoder.as_bytes()),
            little_endian(&codes.numbers),
            little_endian(&scales),
            Cow::Borrowed(bytemuck::cast_slice(&codes.bytes)),
            little_endian(&links),
            Cow::Borrowed(&self.notes),
        ];
        Ok(blocks::write(path, &LAYOUT, &sections)?)
    }

    /// Reads the vectors that were made by the encoder of this name.
    pub fn open(path: &Path, encoder: &str) -> Result<Self, VectorError> {
        if !blocks::is_of_kind(path, LAYOUT.kind)? {
            return Err(VectorError::Foreign { path: path.to_owned() });
        }
        let blocks = Blocks::open(path, &LAYOUT)?;
        let head = numbers(blocks.all(section::HEAD)?);
        let damaged = |reason| VectorError::from(blocks.damaged(reason));
        let [version, rest @ ..] = &head[..] else { return Err(damaged("its head has changed")) };
        if *version != VERSION {
            return Err(VectorError::Version { path: path.to_owned(), found: *version });
        }
        let &[dimensions, vectors, has_graph @ (0 | 1)] = rest else {
            return Err(damaged("its head has changed"));
        };
        let found = String::from_utf8_lossy(blocks.all(section::ENCODER)?).into_owned();
        if found != encoder {
            let expected = encoder.to_owned();
            return Err(VectorError::Encoder { path: path.to_owned(), expected, found });
        }
        let codes = read_codes(&blocks, dimensions as usize, vectors)?;
        let graph = if has_graph == 1 { Some(read_graph(&blocks, codes.len())?) } else { None };
        let notes = blocks.all(section::NOTES)?.to_vec();
        Ok(Self { encoder: found, vectors, codes, graph, notes })
    }
}

fn read_codes(blocks: &Blocks, dimensions: usize, vectors: u32) -> Result<Codes, SegmentError> {
    let stored = blocks.len(section::NUMBERS) / 4;
    let lengths = [section::NUMBERS, section::SCALES, section::CODES].map(|section| blocks.len(section));
    if dimensions > MOST_DIMENSIONS
        || (dimensions == 0 && stored > 0)
        || lengths != [stored * 4, stored * 4, stored * dimensions]
    {
        return Err(blocks.damaged("its vectors have changed"));
    }
    let scales = numbers(blocks.all(section::SCALES)?).into_iter().map(f32::from_bits).collect();
    let bytes = bytemuck::cast_slice(blocks.all(section::CODES)?).to_vec();
    let codes = Codes { dimensions, numbers: numbers(blocks.all(section::NUMBERS)?), scales, bytes };
    let are_scales_sound = codes.scales.iter().all(|scale| scale.is_normal() && (0.0..=1.0).contains(scale));
    if !are_scales_sound || codes.numbers.iter().any(|&number| number >= vectors) {
        return Err(blocks.damaged("its vectors have changed"));
    }
    Ok(codes)
}

fn read_graph(blocks: &Blocks, places: usize) -> Result<Graph, SegmentError> {
    let shape = shape(places);
    let total: usize = shape.iter().map(|(degree, places)| degree * places).sum();
    let bytes = blocks.all(section::LINKS)?;
    if bytes.len() != total * 4 {
        return Err(blocks.damaged("its graph has changed"));
    }
    let mut levels = Vec::new();
    let mut rest = bytes;
    for (degree, places) in shape {
        let (now, later) = rest.split_at(degree * places * 4);
        let links = numbers(now);
        if links.iter().any(|&link| link != NONE && link as usize >= places) {
            return Err(blocks.damaged("its graph has changed"));
        }
        levels.push(Level { degree, links });
        rest = later;
    }
    Ok(Graph { levels })
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    (0..bytes.len() / 4).map(|at| u32_at(bytes, at)).collect()
}

fn little_endian(numbers: &[u32]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        Cow::Borrowed(bytemuck::cast_slice(numbers))
    } else {
        Cow::Owned(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
    }
}
