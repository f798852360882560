//! A fragment's tokens with its statements, as measures see them.

/// One fragment's tokens.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'t> {
    /// Type-1 symbols (`familiar_syntax::normal::Symbol` as numbers).
    pub symbols: &'t [u32],
    /// Ascending positions in `symbols` that start a statement.
    pub line_starts: &'t [u32],
}

impl<'t> Sequence<'t> {
    /// The statements in order. What stands before the first start is one, too.
    pub(crate) fn statements(self) -> impl Iterator<Item = &'t [u32]> {
        let Self { symbols, line_starts } = self;
        let mut start = 0;
        let ends = line_starts.iter().map(|&at| at as usize).chain([symbols.len()]);
        ends.filter(|&end| end > 0).map(move |end| &symbols[std::mem::replace(&mut start, end)..end])
    }
}
