//! The token symbols of many files, in memory up to a budget and in a temporary file beyond it.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Token symbols by file number. Files are pushed in order and never change.
#[derive(Debug)]
pub struct TokenStore {
    files: Vec<Stored>,
    memory_left: usize,
    memory_used: usize,
    spill_directory: PathBuf,
    spill: Option<Spill>,
    total: u64,
}

#[derive(Debug)]
enum Stored {
    Memory(Box<[u32]>),
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
            memory_left: budget,
            memory_used: 0,
            spill_directory: directory.into(),
            spill: None,
            total: 0,
        }
    }

    /// Adds the next file's symbols. Fails where the spill file cannot be written.
    pub fn push(&mut self, symbols: Box<[u32]>) -> io::Result<()> {
        self.total += symbols.len() as u64;
        let bytes = size_of_val(&*symbols);
        let stored = if bytes <= self.memory_left {
            self.memory_left -= bytes;
            self.memory_used += bytes;
            Stored::Memory(symbols)
        } else {
            self.spill(&symbols)?
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
        (self.memory_left, self.memory_used) = (0, 0);
        for file in 0..self.files.len() {
            if let Stored::Memory(symbols) = &mut self.files[file] {
                let symbols = std::mem::take(symbols);
                self.files[file] = self.spill(&symbols)?;
            }
        }
        Ok(())
    }

    fn spill(&mut self, symbols: &[u32]) -> io::Result<Stored> {
        if self.spill.is_none() {
            self.spill = Some(Spill { file: tempfile::tempfile_in(&self.spill_directory)?, symbols: 0 });
        }
        let spill = self.spill.as_mut().expect("set just above");
        let bytes: Vec<u8> = symbols.iter().flat_map(|symbol| symbol.to_le_bytes()).collect();
        spill.file.write_all_at(&bytes, spill.symbols * 4)?;
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
        match &self.files[file as usize] {
            Stored::Memory(symbols) => symbols.len() as u32,
            Stored::Spilled(_, len) => *len,
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
        match &self.files[file as usize] {
            Stored::Memory(symbols) => Ok(&symbols[range.start as usize..range.end as usize]),
            Stored::Spilled(at, len) => {
                debug_assert!(range.end <= *len);
                let spill = self.spill.as_ref().expect("a spilled file has its spill");
                let mut bytes = vec![0; (range.end - range.start) as usize * 4];
                spill.file.read_exact_at(&mut bytes, (at + u64::from(range.start)) * 4)?;
                buffer.clear();
                buffer.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
                Ok(buffer)
            }
        }
    }

    /// All symbols of `file`.
    pub fn file<'a>(&'a self, file: u32, buffer: &'a mut Vec<u32>) -> io::Result<&'a [u32]> {
        self.get(file, 0..self.len(file), buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spilled_files_read_back_as_they_were() {
        let mut store = TokenStore::new(8, std::env::temp_dir());
        for file in [vec![1, 2], vec![3, 4, 5], vec![], vec![6]] {
            store.push(file.into_boxed_slice()).expect("the temporary folder can be written");
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
