//! Columns of a table in Parquet's encodings, made while programs are read: models take tables of billions of tokens.
//!
//! [`Numbers`] packs the differences of numbers, [`Strings`] numbers the different texts and packs the numbers, and [`Flags`] has a
//! bit for each value. [`Lengths`] says how many values each row has. What these give is the content of pages; whoever writes the file
//! adds the headers.

/// How the values of a column are written, by Parquet's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// PLAIN
    Plain,
    /// DELTA_BINARY_PACKED
    Packed,
    /// RLE_DICTIONARY
    Dictionary,
}

/// The pages of one column for some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub encoding: Encoding,
    /// The texts that are numbered, in PLAIN, and how many they are.
    pub dictionary: Option<(Vec<u8>, u32)>,
    /// Levels and values.
    pub page: Vec<u8>,
    /// How many values the page has, one for each empty list among them.
    pub values: u32,
}

/// Some rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowGroup {
    pub rows: u32,
    pub columns: Vec<Column>,
}

/// Texts, each with its length in front.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    bytes: Vec<u8>,
    count: u32,
}

impl Plain {
    pub(crate) fn add(&mut self, text: &str) {
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
        self.count += 1;
    }

    /// Gives the column, and starts anew.
    pub(crate) fn take(&mut self) -> Column {
        let (page, values) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.count));
        Column { encoding: Encoding::Plain, dictionary: None, page, values }
    }
}

/// How many values each row has: the levels of a list.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    repetitions: Vec<u8>,
    definitions: Vec<u8>,
    /// Values since the last empty list.
    defined: u32,
    /// Rows, and values with one for each empty list.
    rows: u32,
    values: u32,
}

impl Lengths {
    pub(crate) fn add(&mut self, length: usize) {
        let length = length as u32;
        run(1, 0, &mut self.repetitions);
        if length == 0 {
            self.close();
            run(1, 0, &mut self.definitions);
        } else {
            run(length - 1, 1, &mut self.repetitions);
            self.defined += length;
        }
        self.rows += 1;
        self.values += length.max(1);
    }

    fn close(&mut self) {
        run(std::mem::take(&mut self.defined), 1, &mut self.definitions);
    }

    /// Gives the levels of all rows and how many these are, and starts anew.
    pub(crate) fn take(&mut self) -> Levels {
        self.close();
        let mut bytes = Vec::with_capacity(self.repetitions.len() + self.definitions.len() + 8);
        for levels in [&mut self.repetitions, &mut self.definitions] {
            bytes.extend_from_slice(&(levels.len() as u32).to_le_bytes());
            bytes.append(levels);
        }
        Levels { bytes, rows: std::mem::take(&mut self.rows), values: std::mem::take(&mut self.values) }
    }
}

/// The levels that stand before the values of each column of a list.
pub(crate) struct Levels {
    bytes: Vec<u8>,
    pub(crate) rows: u32,
    values: u32,
}

impl Levels {
    /// A column that begins with these levels.
    fn column(&self, encoding: Encoding) -> Column {
        Column { encoding, dictionary: None, page: self.bytes.clone(), values: self.values }
    }
}

/// Appends a run of `count` levels.
fn run(count: u32, level: u8, out: &mut Vec<u8>) {
    if count > 0 {
        varint(u64::from(count) << 1, out);
        out.push(level);
    }
}

/// Numbers of 32 bits.
#[derive(Debug, Default)]
pub(crate) struct Numbers(pub(crate) Vec<u32>);

/// Differences that are packed together, in four parts.
const BLOCK: usize = 128;
const PARTS: usize = 4;

impl Numbers {
    /// Gives the column of a list, and starts anew.
    pub(crate) fn take(&mut self, levels: &Levels) -> Column {
        self.take_into(levels.column(Encoding::Packed))
    }

    /// Gives the column of rows, and starts anew.
    pub(crate) fn take_rows(&mut self) -> Column {
        let values = self.0.len() as u32;
        self.take_into(Column { encoding: Encoding::Packed, dictionary: None, page: Vec::new(), values })
    }

    fn take_into(&mut self, mut column: Column) -> Column {
        let out = &mut column.page;
        let first = self.0.first().copied().unwrap_or(0);
        for number in [BLOCK as u64, PARTS as u64, self.0.len() as u64, zigzag(first.cast_signed())] {
            varint(number, out);
        }
        let mut before = first;
        for block in self.0.get(1..).unwrap_or_default().chunks(BLOCK) {
            let mut differences = [0_i32; BLOCK];
            for (difference, &value) in differences.iter_mut().zip(block) {
                *difference = value.wrapping_sub(before).cast_signed();
                before = value;
            }
            pack_block(&differences[..block.len()], out);
        }
        self.0.clear();
        column
    }
}

fn pack_block(differences: &[i32], out: &mut Vec<u8>) {
    let least = differences.iter().copied().min().unwrap_or(0);
    varint(zigzag(least), out);
    let mut values = [0_u32; BLOCK];
    for (value, difference) in values.iter_mut().zip(differences) {
        *value = difference.wrapping_sub(least).cast_unsigned();
    }
    let parts = values.chunks_exact(BLOCK / PARTS);
    let widths = parts.clone().map(|part| part.iter().fold(0, |all, value| all | value));
    let widths: Vec<u32> = widths.map(|all| 32 - all.leading_zeros()).collect();
    out.extend(widths.iter().map(|&width| width as u8));
    let used = differences.len().div_ceil(BLOCK / PARTS);
    for (part, &width) in parts.zip(&widths).take(used) {
        pack(part.iter().copied(), width, out);
    }
}

/// Truths.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    bytes: Vec<u8>,
    bits: u32,
}

impl Flags {
    #[inline]
    pub(crate) fn add(&mut self, flag: bool) {
        if self.bits.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if flag && let Some(last) = self.bytes.last_mut() {
            *last |= 1 << (self.bits % 8);
        }
        self.bits += 1;
    }

    /// Adds `count` times false.
    pub(crate) fn add_false(&mut self, count: usize) {
        self.bits += count as u32;
        self.bytes.resize(self.bits.div_ceil(8) as usize, 0);
    }

    /// Gives the column, and starts anew.
    pub(crate) fn take(&mut self, levels: &Levels) -> Column {
        let mut column = levels.column(Encoding::Plain);
        column.page.append(&mut self.bytes);
        self.bits = 0;
        column
    }
}

/// Texts of which each different one is kept once.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// The number of each text.
    numbers: Vec<u32>,
    /// The different texts, each with its length in front.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Numbers of entries, plus one, by their hash; a power of two of them.
    table: Vec<u32>,
    /// The same of texts of one byte, by that byte: most tokens are such.
    short: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    /// The first eight bytes.
    head: u64,
    length: u32,
    /// Where the text starts in `bytes`.
    start: u32,
}

impl Strings {
    /// Adds the text in `text` from `start` to `end`.
    #[inline]
    pub(crate) fn add(&mut self, text: &[u8], start: usize, end: usize) {
        if end == start + 1
            && let Some(number) = self.short.get(usize::from(text[start])).and_then(|it| it.checked_sub(1))
        {
            self.numbers.push(number);
            return;
        }
        self.find(text, start, end);
        if end == start + 1 {
            self.short.resize(256, 0);
            self.short[usize::from(text[start])] = self.numbers.last().map_or(0, |number| number + 1);
        }
    }

    fn find(&mut self, text: &[u8], start: usize, end: usize) {
        let (head, hash) = hashed(text, start, end);
        if self.entries.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while let Some(number) = self.table[slot].checked_sub(1) {
            let entry = self.entries[number as usize];
            if entry.head == head
                && entry.length as usize == end - start
                && self.is_same(entry, &text[start..end])
            {
                self.numbers.push(number);
                return;
            }
            slot = (slot + 1) & mask;
        }
        self.insert(slot, Entry { hash, head, length: (end - start) as u32, start: 0 }, &text[start..end]);
    }

    #[inline]
    fn is_same(&self, entry: Entry, text: &[u8]) -> bool {
        text.len() <= 8 || &self.bytes[entry.start as usize..][..text.len()] == text
    }

    fn insert(&mut self, slot: usize, entry: Entry, text: &[u8]) {
        let number = self.entries.len() as u32;
        self.table[slot] = number + 1;
        self.bytes.extend_from_slice(&entry.length.to_le_bytes());
        self.entries.push(Entry { start: self.bytes.len() as u32, ..entry });
        self.bytes.extend_from_slice(text);
        self.numbers.push(number);
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(1 << 10);
        self.table.clear();
        self.table.resize(size, 0);
        for (number, entry) in (1..).zip(&self.entries) {
            let mut slot = (entry.hash >> 32) as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = number;
        }
    }

    /// Gives the column of a list, and starts anew.
    pub(crate) fn take(&mut self, levels: &Levels) -> Column {
        let column = levels.column(Encoding::Dictionary);
        self.take_into(column)
    }

    /// Gives the column of rows, and starts anew.
    pub(crate) fn take_rows(&mut self) -> Column {
        let values = self.numbers.len() as u32;
        self.take_into(Column { encoding: Encoding::Dictionary, dictionary: None, page: Vec::new(), values })
    }

    fn take_into(&mut self, mut column: Column) -> Column {
        indices(self.numbers.iter().copied(), self.numbers.len(), self.entries.len(), &mut column.page);
        column.dictionary = Some((std::mem::take(&mut self.bytes), self.entries.len() as u32));
        self.numbers.clear();
        self.entries.clear();
        self.table.fill(0);
        self.short.fill(0);
        column
    }
}

/// The first eight bytes of a text, and the hash of all of them.
#[inline]
fn hashed(text: &[u8], start: usize, end: usize) -> (u64, u64) {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let head = eight(text, start, end);
    let mut hash = (head ^ (end - start) as u64).wrapping_mul(FACTOR);
    let mut at = start + 8;
    while at < end {
        hash = (hash.rotate_left(23) ^ eight(text, at, end)).wrapping_mul(FACTOR);
        at += 8;
    }
    (head, hash ^ hash << 29)
}

/// Up to eight bytes of a text as a number.
#[inline]
fn eight(text: &[u8], start: usize, end: usize) -> u64 {
    let length = (end - start).min(8);
    if let Some(&bytes) = text[start..].first_chunk() {
        // What is behind the end does not count.
        let behind = 64 - 8 * length as u32;
        return u64::from_le_bytes(bytes).unbounded_shl(behind).unbounded_shr(behind);
    }
    let mut bytes = [0; 8];
    bytes[..length].copy_from_slice(&text[start..start + length]);
    u64::from_le_bytes(bytes)
}

/// Names of a fixed list, by their place in it.
#[derive(Debug, Default)]
pub(crate) struct Names(pub(crate) Vec<u8>);

impl Names {
    /// Gives the column, and starts anew.
    pub(crate) fn take(&mut self, names: &[&str], levels: &Levels) -> Column {
        let mut column = levels.column(Encoding::Dictionary);
        indices(self.0.iter().map(|&name| u32::from(name)), self.0.len(), names.len(), &mut column.page);
        let mut known = Plain::default();
        for name in names {
            known.add(name);
        }
        column.dictionary = Some((known.bytes, names.len() as u32));
        self.0.clear();
        column
    }
}

/// Appends the numbers of texts, of which there are `texts` different ones.
fn indices(numbers: impl Iterator<Item = u32>, count: usize, texts: usize, out: &mut Vec<u8>) {
    let width = (texts.max(1) as u32 - 1).checked_ilog2().map_or(1, |log| log + 1);
    out.push(width as u8);
    let groups = count.div_ceil(8);
    varint((groups as u64) << 1 | 1, out);
    let end = out.len() + groups * width as usize;
    pack(numbers, width, out);
    out.resize(end, 0);
}

/// Appends numbers of `width` bits, the lowest bits first, up to a whole byte.
#[inline]
fn pack(numbers: impl Iterator<Item = u32>, width: u32, out: &mut Vec<u8>) {
    let (mut waiting, mut bits) = (0_u64, 0);
    for number in numbers {
        waiting |= u64::from(number) << bits;
        bits += width;
        if bits >= 32 {
            out.extend_from_slice(&(waiting as u32).to_le_bytes());
            waiting >>= 32;
            bits -= 32;
        }
    }
    let rest = bits.div_ceil(8) as usize;
    out.extend_from_slice(&waiting.to_le_bytes()[..rest]);
}

fn zigzag(number: i32) -> u64 {
    u64::from((number << 1 ^ number >> 31).cast_unsigned())
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests;
