//! Who claims copyright in a text: statements such as `Copyright (c) 1999-2004, 2006 by Holder, Inc.`, with their years.
//!
//! [`marks`] finds where a statement may begin, [`tokens`] reads on from there through comment leaders and markup, and
//! [`statement`] decides whether it is one and where it ends. License wording, templates and identifiers are none.
//! The work is linear in the text, whatever it holds: a mark that is refused costs no more than the few words after it.

mod before;
mod holder;
mod marks;
mod markup;
mod same_holder;
mod statement;
mod tokens;
mod words;
mod years;

use marks::Marks;
pub use same_holder::have_common_holder;

/// One claim of copyright. A statement that names a holder on each of several lines is one claim for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copyright {
    /// As written, on one line, without comment leaders, markup and `All rights reserved`.
    pub statement: String,
    /// Without years, addresses and links; the link where nothing else names the holder.
    pub holder: Option<String>,
    /// `1999-2004, 2006`, as written but for the spaces.
    pub years: Option<String>,
    /// First and last line, from 1.
    pub lines: (u32, u32),
}

/// The claims of copyright in a text, comment leaders and all, in its order.
pub fn copyrights(text: &str) -> Vec<Copyright> {
    let mut found = Vec::new();
    let mut read_to = 0;
    let mut lines = Lines { text, at: 0, line: 1 };
    for mark in Marks::new(text) {
        if mark.at < read_to {
            continue;
        }
        let Some(read) = statement::read(text, mark) else { continue };
        read_to = read.end;
        let first = lines.of(mark.at);
        found.extend(read.claims.into_iter().map(|claim| Copyright {
            lines: (first + claim.lines.0, first + claim.lines.1),
            statement: claim.statement,
            holder: claim.holder,
            years: claim.years,
        }));
    }
    found
}

/// Counts lines up to places that are asked for in order.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, at: usize) -> u32 {
        self.line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[self.at..at]).count() as u32;
        self.at = at;
        self.line
    }
}
