//! A program as symbols.

/// Symbols by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    pub names: Vec<Box<str>>,
    /// From parents to children, and from each leaf to the next.
    pub edges: Vec<[u32; 2]>,
}

/// A program in numbers of symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub problem: u32,
    /// The number that is guessed; 0 where none is.
    pub number: u64,
    pub symbols: Vec<u32>,
    pub edges: Vec<[u32; 2]>,
}

impl Program {
    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.symbols) + size_of_val(&*self.edges)
    }
}
