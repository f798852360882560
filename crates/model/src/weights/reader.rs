//! One weight after another, out of the bytes of a file of weights.

use std::borrow::Cow;

use crate::calibration::{Blend, Calibration, Curve};
use crate::sums::Rows;

/// Numbers of a blend: four lengths, and three numbers of each of two curves.
pub(super) const OF_BLEND: usize = 10;

/// Gives one weight after another, of bytes whose length and checksum are right.
pub(crate) struct Reader<'b> {
    pub(super) bytes: &'b [u8],
    /// The same bytes, where they live as long as the program.
    pub(super) static_bytes: Option<&'static [u8]>,
    pub(super) at: usize,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> &[u8] {
        self.at += count;
        &self.bytes[self.at - count..self.at]
    }

    pub(super) fn blend(&mut self) -> Blend {
        let numbers = self.plain(OF_BLEND);
        let number = |at: usize| f64::from(numbers[at]);
        let curve = |at| Curve { crowding: number(at), slope: number(at + 1), offset: number(at + 2) };
        Blend {
            network: numbers[0],
            words: numbers[1],
            spelling: numbers[2],
            forms: numbers[3],
            calibration: Calibration { within: curve(4), across: curve(7) },
        }
    }

    pub(crate) fn plain(&mut self, count: usize) -> Box<[f32]> {
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.take(count * 4).chunks_exact(4).map(number).collect()
    }

    /// The numbers and scales of `rows` of `columns`.
    pub(crate) fn matrix(&mut self, rows: usize, columns: usize) -> (Vec<i8>, Box<[f32]>) {
        let numbers = self.take(rows * columns).iter().map(|&byte| byte.cast_signed()).collect();
        (numbers, self.plain(rows))
    }

    pub(crate) fn table(&mut self, rows: usize, columns: usize) -> Table {
        let range = self.at..self.at + rows * columns;
        let bytes = match self.static_bytes {
            Some(bytes) => Cow::Borrowed(&bytes[range.clone()]),
            None => Cow::Owned(self.bytes[range.clone()].to_vec()),
        };
        self.at = range.end;
        Table { columns, bytes, scales: self.plain(rows) }
    }
}

/// Rows of eight-bit numbers, each row with its scale.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(super) columns: usize,
    bytes: Cow<'static, [u8]>,
    scales: Box<[f32]>,
}

impl Table {
    /// Adds `weight` times the row at `at`.
    pub(crate) fn add_row(&self, at: usize, weight: f32, to: &mut [f32]) {
        let scale = self.scales[at] * weight;
        for (to, &byte) in to.iter_mut().zip(&self.bytes[at * self.columns..(at + 1) * self.columns]) {
            *to += f32::from(byte.cast_signed()) * scale;
        }
    }

    /// The sum of `rows`, each times its weight, into `out`.
    pub(crate) fn sum_rows(&self, rows: &[(u16, f32)], out: &mut [f32]) {
        Rows { columns: self.columns, bytes: &self.bytes, scales: &self.scales }.sum(rows, out);
    }
}
