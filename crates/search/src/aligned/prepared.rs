//! A fragment made ready for comparison: its statements, their token bags and outlines.

use familiar_syntax::normal::Symbol;

use super::roles::{Kind, Signs, class, is_fixed, key};
use super::statement::{Item, Outline, Statement, merge};
use crate::sequence::Sequence;
use familiar_source::TokenClass;

/// A fragment made ready for comparison. Depends on the fragment alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Prepared {
    pub(super) statements: Box<[Statement]>,
    /// What the statements look like with all names blind; as many.
    pub(super) outlines: Box<[Outline]>,
    /// By key within each statement.
    items: Box<[Item]>,
    /// Sum of the statements' masses.
    pub(super) mass: f32,
    /// Hash of the blind form.
    pub(super) blind: u64,
    /// Hash of the blind form, its cuts and weights: fragments with the same have equal outlines.
    pub(super) shape: u64,
    /// Hash of the fragment as written.
    pub(super) written: u64,
}

impl Prepared {
    /// The items that no renaming changes.
    pub(super) fn fixed(&self, statement: &Statement) -> &[Item] {
        &self.items[statement.items.0 as usize..statement.items.1 as usize]
    }

    /// The names and literals.
    pub(super) fn open(&self, statement: &Statement) -> &[Item] {
        &self.items[statement.items.1 as usize..statement.items.2 as usize]
    }

    /// Bytes that the fragment takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.statements)
            + size_of_val(&*self.outlines)
            + size_of_val(&*self.items)
    }
}

fn mix(hash: u64, value: u32) -> u64 {
    (hash ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(27)
}

/// Prepares one fragment after another, keeping its memory.
pub(super) struct Preparer {
    signs: Signs,
    statements: Vec<Statement>,
    outlines: Vec<Outline>,
    items: Vec<Item>,
}

impl Preparer {
    pub(super) fn new() -> Self {
        Self { signs: Signs::new(), statements: Vec::new(), outlines: Vec::new(), items: Vec::new() }
    }

    pub(super) fn prepare(&mut self, fragment: Sequence<'_>) -> Prepared {
        self.statements.clear();
        self.outlines.clear();
        self.items.clear();
        let symbols = fragment.symbols;
        let mut whole = Prepared { blind: symbols.len() as u64, shape: 1, written: 1, ..Prepared::default() };
        let by_line = self.breaks_lines(fragment);
        let mut starts = fragment.line_starts.iter().copied().peekable();
        let (mut start, mut depth) = (0, 0);
        for (at, &symbol) in symbols.iter().enumerate() {
            let next = at as u32 + 1;
            let ends = if by_line {
                while starts.next_if(|&line| line < next).is_some() {}
                starts.peek() == Some(&next)
            } else {
                self.ends_statement(symbol, &mut depth)
            };
            if ends || at + 1 == symbols.len() {
                self.add(symbols, start..at + 1, &mut whole);
                start = at + 1;
            }
        }
        whole.mass = self.outlines.iter().map(|outline| outline.mass).sum();
        whole.statements = self.statements.as_slice().into();
        whole.outlines = self.outlines.as_slice().into();
        whole.items = self.items.as_slice().into();
        whole
    }

    /// Whether statements end with lines rather than with semicolons and braces: where other lines than those that
    /// follow a semicolon are more than twice as many. Lines after a brace say neither.
    fn breaks_lines(&self, fragment: Sequence<'_>) -> bool {
        let (mut ended, mut open) = (0, 0);
        for &line in fragment.line_starts {
            let before = (line as usize).checked_sub(1).and_then(|at| fragment.symbols.get(at));
            match before {
                Some(&symbol) if symbol == self.signs.semicolon => ended += 1,
                Some(symbol) if self.signs.braces.contains(symbol) => {}
                Some(_) => open += 1,
                None => {}
            }
        }
        open > 2 * ended
    }

    fn ends_statement(&self, symbol: u32, depth: &mut i32) -> bool {
        if class(symbol) != TokenClass::Operator {
            return false;
        }
        if self.signs.open.contains(&symbol) {
            *depth += 1;
        } else if self.signs.close.contains(&symbol) {
            *depth -= 1;
        }
        *depth <= 0 && (symbol == self.signs.semicolon || self.signs.braces.contains(&symbol))
    }

    /// Adds the statement `range`, and what it tells of the whole fragment.
    fn add(&mut self, symbols: &[u32], range: std::ops::Range<usize>, whole: &mut Prepared) {
        let tokens = &symbols[range.clone()];
        let first = self.items.len();
        let mut statement = Statement {
            tokens: (range.start as u32, range.end as u32),
            items: (first as u32, first as u32, first as u32),
            names: 0,
            locals: 0,
            literals: 0,
            written: 1,
            blind: 1,
        };
        let (mut weight, mut says_something) = (0, false);
        for (at, &symbol) in tokens.iter().enumerate() {
            let role = self.signs.role(tokens, at);
            let blind = Symbol(symbol).blind().0;
            weight += role.weight;
            statement.written = mix(statement.written, symbol);
            statement.blind = mix(statement.blind, blind);
            whole.blind = mix(whole.blind, blind);
            whole.shape = mix(whole.shape, blind ^ (role.weight << 16));
            says_something = says_something || !self.signs.separates(symbol);
            let (mut kept, mut local) = (role.weight as u16, 0);
            match role.kind {
                Kind::Fixed => {}
                Kind::Outside => statement.names += role.weight,
                Kind::Local => {
                    statement.names += role.weight;
                    statement.locals += role.weight;
                    (kept, local) = (0, kept);
                }
                Kind::Literal => {
                    statement.literals += role.weight;
                    (kept, local) = (0, kept);
                }
            }
            self.items.push(Item { key: key(symbol), kept, local });
        }
        whole.written = mix(whole.written, statement.written as u32 ^ (statement.written >> 32) as u32);
        whole.shape = mix(whole.shape, weight);
        if !says_something {
            self.items.truncate(first);
            return;
        }
        merge(&mut self.items, first);
        let fixed = self.items[first..].partition_point(|item| is_fixed(item.key));
        statement.items.1 += fixed as u32;
        statement.items.2 = self.items.len() as u32;
        self.outlines.push(Outline::new(&self.items[first..first + fixed], &statement, weight));
        self.statements.push(statement);
    }
}
