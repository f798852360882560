//! A node of a simplified parse tree.

use std::ops::Range;

/// The number of the rule of `<EOF>`.
pub const EOF: i32 = -1;

/// The number of the rule of what the grammar does not allow.
pub const ERROR: i32 = u16::MAX as i32;

/// A node of a simplified parse tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its number in the parse tree; past its end for `<EOF>`.
    pub(super) at: u32,
    /// Where the text of a token stands.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether it is a keyword, an operator or a sign.
    pub is_reserved: bool,
    /// Its place in depth-first order.
    pub dfs: u32,
    pub depth: u32,
    /// The number of its parent; its own for the root.
    pub parent: u32,
    /// Its first child, where it has children.
    pub(super) first: u32,
    /// How many children it has.
    pub children: u32,
    /// Which of the program's tokens it is, counted from 0, where it is one: it begins in that token. Of `<EOF>` how many there are.
    pub token: u32,
}

impl Node {
    pub fn is_token(&self) -> bool {
        self.children == 0
    }

    /// The numbers of its children.
    pub fn below(&self) -> Range<u32> {
        self.first..self.first + self.children
    }
}
