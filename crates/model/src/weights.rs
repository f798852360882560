//! Files of weights: a name, the sizes, the weights in eight bits, and a checksum.
//!
//! ```text
//! "FAMILIAR WEIGHTS" · version u32 · name · twelve sizes u32 · number of languages u32 · for each its name and its rows u32
//! · two blends of ten f32 · weights · background · checksum u64
//! ```
//!
//! A name is its length as u32 and its bytes. The background is a table of as many rows as the languages have.
//! Numbers are little-endian. A table or a matrix is its rows of `i8`, then a scale `f32` for each row: a number is the
//! product of the two. Other weights are `f32`. The checksum is XXH3 of all before it.

mod reader;

use std::collections::BTreeMap;

use familiar_source::Language;
use xxhash_rust::xxh3::xxh3_64;

use crate::background::Unblended;
use crate::bag::Bag;
use crate::calibration::{Blends, Calibration, Curve};
use crate::network::layout::{self, Kind};
use crate::network::{Linear, Network, Sizes, VECTOR};

use reader::OF_BLEND;
pub(crate) use reader::{Reader, Table};

const MAGIC: &[u8; 16] = b"FAMILIAR WEIGHTS";
const VERSION: u32 = 4;

/// Most languages and rows of a background.
const MOST_LANGUAGES: u32 = 256;
const MOST_ROWS: usize = 1 << 16;

/// Why bytes are no weights that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    #[error("it is not a file of weights")]
    Foreign,
    #[error(
        "the weights have format {0}, and this program reads format {VERSION}: use the weights that came with it"
    )]
    Version(u32),
    #[error("the weights are damaged: the checksum does not match; fetch them again")]
    Damaged,
    #[error("the {0} of the weights cannot be used")]
    Size(&'static str),
    #[error("the weights are cut short; fetch them again")]
    Short,
}

/// The bags, the network, the background, and what they are called.
#[derive(Clone, Debug)]
pub struct Weights {
    pub name: String,
    pub blends: Blends,
    pub bag: Bag,
    /// From the parts of a vector, side by side and as long as they count, to the vector: of the bags, and of all.
    pub(crate) projections: [Linear; 2],
    pub network: Network,
    pub(crate) background: BackgroundTable,
}

/// The background as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct BackgroundTable {
    pub(crate) languages: Vec<(Language, usize)>,
    table: Table,
}

impl BackgroundTable {
    pub(crate) fn rows(&self) -> usize {
        self.languages.iter().map(|(_, rows)| rows).sum()
    }

    /// The parts of one row.
    pub(crate) fn row(&self, at: usize) -> Vec<f32> {
        let mut row = vec![0.0; self.table.columns];
        self.table.add_row(at, 1.0, &mut row);
        row
    }
}

impl Weights {
    /// The weights that `bytes` are.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        Self::of(bytes, None)
    }

    /// The weights that `bytes` are, which live as long as the program, so that their tables are not copied.
    pub(crate) fn read_static(bytes: &'static [u8]) -> Result<Self, WeightsError> {
        Self::of(bytes, Some(bytes))
    }

    fn of(bytes: &[u8], static_bytes: Option<&'static [u8]>) -> Result<Self, WeightsError> {
        let Header { name, sizes, languages, start } = Header::read(bytes)?;
        let mut reader = Reader { bytes, static_bytes, at: start };
        let blends = Blends { whole: reader.blend(), bags: reader.blend() };
        let bag = Bag::read(sizes.bag, &mut reader);
        let projections = [sizes.of_bags(), sizes.unblended()].map(|parts| {
            let (rows, scales) = reader.matrix(parts.min(VECTOR), parts);
            let bias = vec![0.0; scales.len()];
            Linear::new(parts, &rows, &scales, &bias)
        });
        let columns = sizes.unblended();
        let network = Network::read(sizes, &mut reader);
        let rows = languages.iter().map(|(_, rows)| rows).sum();
        let background = BackgroundTable { table: reader.table(rows, columns), languages };
        Ok(Self { name, blends, bag, projections, network, background })
    }

    /// The sizes and the weights by their names in the layout, as rows of numbers: what [`Weights::write`] was given, but for
    /// the rounding.
    pub fn values(bytes: &[u8]) -> Result<(Sizes, BTreeMap<String, Vec<f32>>), WeightsError> {
        let Header { sizes, start, .. } = Header::read(bytes)?;
        let mut reader = Reader { bytes, static_bytes: None, at: start };
        reader.plain(2 * OF_BLEND);
        let mut read = |weight: layout::Weight| {
            let values = if weight.kind == Kind::Plain {
                reader.plain(weight.rows * weight.columns).into_vec()
            } else {
                let (numbers, scales) = reader.matrix(weight.rows, weight.columns);
                let rows = numbers.chunks_exact(weight.columns).zip(&scales);
                rows.flat_map(|(row, scale)| row.iter().map(move |x| f32::from(*x) * scale)).collect()
            };
            (weight.name, values)
        };
        let values = layout::weights(&sizes).into_iter().map(&mut read).collect();
        Ok((sizes, values))
    }

    /// The file of weights in which `value` gives each weight of the layout as rows of numbers.
    pub fn write(
        name: &str,
        sizes: &Sizes,
        blends: &Blends,
        background: &Unblended,
        mut value: impl FnMut(&layout::Weight) -> Vec<f32>,
    ) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        let write_name = |name: &str, out: &mut Vec<u8>| {
            out.extend((name.len() as u32).to_le_bytes());
            out.extend(name.as_bytes());
        };
        write_name(name, &mut out);
        for (_, size) in sizes.named() {
            out.extend((size as u32).to_le_bytes());
        }
        out.extend((background.languages.len() as u32).to_le_bytes());
        for (language, rows) in &background.languages {
            write_name(language.name(), &mut out);
            out.extend((*rows as u32).to_le_bytes());
        }
        for blend in [&blends.whole, &blends.bags] {
            let curve = |curve: Curve| [curve.crowding, curve.slope, curve.offset].map(|x| x as f32);
            let Calibration { within, across } = blend.calibration;
            let calibration = [within, across].into_iter().flat_map(curve);
            let numbers = blend.lengths().into_iter().chain(calibration);
            out.extend(numbers.flat_map(f32::to_le_bytes));
        }
        for weight in layout::weights(sizes) {
            let values = value(&weight);
            debug_assert_eq!(values.len(), weight.rows * weight.columns);
            if weight.kind == Kind::Plain {
                out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            } else {
                write_rounded(&values, weight.columns, &mut out);
            }
        }
        write_rounded(&background.values, sizes.unblended(), &mut out);
        out.extend(xxh3_64(&out).to_le_bytes());
        out
    }
}

fn write_rounded(values: &[f32], columns: usize, out: &mut Vec<u8>) {
    let scale = |row: &[f32]| row.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs())) / 127.0;
    for row in values.chunks_exact(columns) {
        let scale = scale(row).max(f32::MIN_POSITIVE);
        out.extend(row.iter().map(|x| ((x / scale).round() as i8).cast_unsigned()));
    }
    out.extend(values.chunks_exact(columns).flat_map(|row| scale(row).to_le_bytes()));
}

/// What stands before the blends, of bytes whose length and checksum are right.
struct Header {
    name: String,
    sizes: Sizes,
    languages: Vec<(Language, usize)>,
    /// Where the blends begin.
    start: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        if !bytes.starts_with(MAGIC) {
            return Err(WeightsError::Foreign);
        }
        let mut head = Head { bytes, at: MAGIC.len() };
        let version = head.number()?;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let name = head.name()?;
        let mut values = [0; 12];
        for value in &mut values {
            *value = head.number()? as usize;
        }
        let sizes = Sizes::from_values(values).map_err(WeightsError::Size)?;
        let mut languages = Vec::new();
        for _ in 0..head.number()?.min(MOST_LANGUAGES) {
            let language = Language::from_name(&head.name()?).ok_or(WeightsError::Size("languages"))?;
            languages.push((language, head.number()? as usize));
        }
        let rows: usize = languages.iter().map(|(_, rows)| rows).sum();
        if rows > MOST_ROWS {
            return Err(WeightsError::Size("background"));
        }
        let start = head.at;
        let checked =
            start + 2 * OF_BLEND * 4 + length_of(&sizes) + rows * (sizes.unblended() + size_of::<f32>());
        let checksum = bytes.get(checked..).ok_or(WeightsError::Short)?;
        if checksum.len() < 8 {
            return Err(WeightsError::Short);
        }
        if checksum != xxh3_64(&bytes[..checked]).to_le_bytes() {
            return Err(WeightsError::Damaged);
        }
        Ok(Self { name, sizes, languages, start })
    }
}

/// Gives numbers and names of bytes of which nothing is known yet.
struct Head<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Head<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], WeightsError> {
        let end = self.at.checked_add(count).ok_or(WeightsError::Short)?;
        let taken = self.bytes.get(self.at..end).ok_or(WeightsError::Short)?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, WeightsError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn name(&mut self) -> Result<String, WeightsError> {
        let length = self.number()? as usize;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

fn length_of(sizes: &Sizes) -> usize {
    let length = |weight: layout::Weight| match weight.kind {
        Kind::Plain => weight.rows * weight.columns * 4,
        Kind::Table | Kind::Matrix => weight.rows * (weight.columns + 4),
    };
    layout::weights(sizes).into_iter().map(length).sum()
}
