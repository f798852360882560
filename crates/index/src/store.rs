//! The token symbols of many files, in memory up to a budget and in a temporary file beyond it.
//!
//! In memory they stand in large maps of their own, so that giving them up gives their memory back to the system at once.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use memmap2::MmapMut;

/// Bytes of a map; the system provides its pages as they are written. A larger file has a map of its own.
const MAP: usize = 8 << 20;

/// Token symbols by file number. Files are pushed in order and never change.
#[derive(Debug)]
pub struct TokenStore {
    files: Vec<Stored>,
    maps: Vec<MmapMut>,
    /// Symbols that the last map holds.
    filled: usize,
    memory_left: usize,
    memory_used: usize,
    spill_directory: PathBuf,
    spill: Option<Spill>,
    total: u64,
}

#[derive(Clone, Copy, Debug)]
enum Stored {
    /// Number of the map, first symbol in it, and number of symbols.
    Memory(u32, u32, u32),
    /// Position in symbols in the spill file, and their number.
    Spilled(u64, u32),
}

#[derive(Debug)]
struct Spill {
    file: File,
    symbols: u64,
}

impl TokenStore {
    /// A store that keeps up to `budget` bytes of symbols in memory and the rest in an unnamed file in `directory`.
    pub fn new(budget: usize, directory: impl Into<PathBuf>) -> Self {
        Self {
            files: Vec::new(),
            maps: Vec::new(),
            filled: 0,
            memory_left: budget,
            memory_used: 0,
            spill_directory: directory.into(),
            spill: None,
            total: 0,
        }
    }

    /// Adds the next file's symbols. Fails where there is no memory or the spill file cannot be written.
    pub fn push(&mut self, symbols: &[u32]) -> io::Result<()> {
        self.total += symbols.len() as u64;
        let bytes = size_of_val(symbols);
        let stored = if bytes <= self.memory_left {
            self.memory_left -= bytes;
            self.memory_used += bytes;
            self.keep(symbols)?
        } else {
            self.spill(symbols)?
        };
        self.files.push(stored);
        Ok(())
    }

    /// Bytes of symbols that are in memory.
    pub fn memory_used(&self) -> usize {
        self.memory_used
    }

    /// Moves the symbols that are in memory to the file, whatever is pushed later, too.
    pub fn spill_all(&mut self) -> io::Result<()> {
        let maps = std::mem::take(&mut self.maps);
        (self.memory_left, self.memory_used, self.filled) = (0, 0, 0);
        for number in 0..self.files.len() {
            if let Stored::Memory(map, first, len) = self.files[number] {
                self.files[number] = self.spill(in_map(&maps, map, first..first + len))?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, symbols: &[u32]) -> io::Result<Stored> {
        let room = self.maps.last().map_or(0, |map| map.len() / 4 - self.filled);
        if symbols.len() > room {
            self.maps.push(MmapMut::map_anon(MAP.max(size_of_val(symbols)))?);
            self.filled = 0;
        }
        let first = self.filled;
        if let Some(map) = self.maps.last_mut() {
            let all: &mut [u32] = bytemuck::cast_slice_mut(&mut map[..]);
            all[first..first + symbols.len()].copy_from_slice(symbols);
        }
        self.filled += symbols.len();
        Ok(Stored::Memory(self.maps.len().saturating_sub(1) as u32, first as u32, symbols.len() as u32))
    }

    fn spill(&mut self, symbols: &[u32]) -> io::Result<Stored> {
        if self.spill.is_none() {
            self.spill = Some(Spill { file: tempfile::tempfile_in(&self.spill_directory)?, symbols: 0 });
        }
        let spill = self.spill.as_mut().expect("set just above");
        spill.file.write_all_at(bytemuck::cast_slice(symbols), spill.symbols * 4)?;
        let at = spill.symbols;
        spill.symbols += symbols.len() as u64;
        Ok(Stored::Spilled(at, symbols.len() as u32))
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Number of tokens of all files.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Number of tokens of `file`.
    pub fn len(&self, file: u32) -> u32 {
        match self.files[file as usize] {
            Stored::Memory(.., len) | Stored::Spilled(_, len) => len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The symbols `range` of `file`: borrowed where they are in memory, else read into `buffer`.
    pub fn get<'a>(
        &'a self,
        file: u32,
        range: Range<u32>,
        buffer: &'a mut Vec<u32>,
    ) -> io::Result<&'a [u32]> {
        match self.files[file as usize] {
            Stored::Memory(map, first, len) => {
                debug_assert!(range.end <= len);
                Ok(in_map(&self.maps, map, first + range.start..first + range.end))
            }
            Stored::Spilled(at, len) => {
                debug_assert!(range.end <= len);
                let spill = self.spill.as_ref().expect("a spilled file has its spill");
                buffer.resize((range.end - range.start) as usize, 0);
                let bytes = bytemuck::cast_slice_mut(buffer);
                spill.file.read_exact_at(bytes, (at + u64::from(range.start)) * 4)?;
                Ok(buffer)
            }
        }
    }

    /// All symbols of `file`.
    pub fn file<'a>(&'a self, file: u32, buffer: &'a mut Vec<u32>) -> io::Result<&'a [u32]> {
        self.get(file, 0..self.len(file), buffer)
    }
}

/// Symbols of a map; none of an empty one, for which there may be no map.
fn in_map(maps: &[MmapMut], map: u32, symbols: Range<u32>) -> &[u32] {
    if symbols.is_empty() {
        return &[];
    }
    &bytemuck::cast_slice(&maps[map as usize])[symbols.start as usize..symbols.end as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spilled_files_read_back_as_they_were() {
        let mut store = TokenStore::new(8, std::env::temp_dir());
        for file in [vec![1, 2], vec![3, 4, 5], vec![], vec![6]] {
            store.push(&file).expect("the temporary folder can be written");
        }
        let mut buffer = Vec::new();
        assert_eq!(store.get(1, 1..3, &mut buffer).expect("written above"), [4, 5]);
        assert_eq!(store.file(0, &mut buffer).expect("in memory"), [1, 2]);
        assert_eq!(store.file(3, &mut buffer).expect("written above"), [6]);
        assert_eq!((store.total(), store.memory_used()), (6, 8));
        store.spill_all().expect("the temporary folder can be written");
        assert_eq!(store.file(0, &mut buffer).expect("written above"), [1, 2]);
        assert_eq!(store.get(1, 1..3, &mut buffer).expect("written above"), [4, 5]);
        assert_eq!(store.memory_used(), 0);
    }
}
