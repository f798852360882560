//! Simplified parse trees, in each format.

use std::fs::File;
use std::io;

use familiar_represent::tree::{Tree, dot, json, table};
use familiar_source::memory;
use familiar_syntax::Limits;

use super::{Form, Program, Programs, Rows, Table};

/// An empty table of trees in an empty file.
pub fn table(file: File) -> io::Result<Table> {
    Table::new(file, table::SCHEMA)
}

/// Bytes that a node takes in a text format, beside its label.
const TEXT_OF_A_NODE: usize = 220;

/// A text format of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFormat {
    /// Each tree on a line.
    Json,
    /// Each node on a line.
    JsonLines,
    Dot,
}

/// Which trees are made.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions {
    /// Leave out programs that the grammar does not allow.
    pub without_errors: bool,
    /// In bytes.
    pub memory: usize,
}

impl TreeOptions {
    /// Gives the tree of each program to `add`, which says why it does not take one.
    pub(super) fn each(
        self,
        programs: &mut Programs<'_>,
        mut add: impl FnMut(&Program<'_>, &Tree<'_>) -> Result<(), String>,
    ) {
        let budget = Limits::of_memory(self.memory).tree;
        programs.each(|program| {
            let code = program.code();
            let text = String::from_utf8_lossy(&code);
            let tree = Tree::of(program.code_language(), &text, budget).map_err(|it| it.to_string())?;
            match tree.first_error_line().filter(|_| self.without_errors) {
                Some(line) => Err(format!(
                    "line {line}: the grammar of {} does not allow what stands there",
                    program.language.name()
                )),
                None => add(program, &tree),
            }
        });
    }
}

/// Trees as text.
#[derive(Clone, Copy, Debug)]
pub struct TreeText {
    pub format: TreeFormat,
    pub options: TreeOptions,
}

impl Form for TreeText {
    type Made = Vec<u8>;

    const GROWTH: usize = 256;

    type Worker = ();

    fn worker(&self) {}

    fn make(&self, (): &mut (), programs: &mut Programs<'_>) -> Vec<u8> {
        let most = memory::budget(self.options.memory) / 4;
        let mut out = Vec::new();
        self.options.each(programs, |program, tree| {
            if tree.nodes().len() * TEXT_OF_A_NODE + program.text.len() > most {
                return Err("its tree takes more than this --memory allows".to_owned());
            }
            match self.format {
                TreeFormat::Json => json::row(program.id, tree, &mut out),
                TreeFormat::JsonLines => json::lines(program.id, tree, &mut out),
                TreeFormat::Dot => dot::program(program.id, tree, &mut out),
            }
            Ok(())
        });
        out
    }
}

/// Trees as rows of a table, one row for each program.
#[derive(Clone, Copy, Debug)]
pub struct TreeTable {
    pub options: TreeOptions,
}

impl Form for TreeTable {
    type Made = Rows;

    const GROWTH: usize = 64;

    type Worker = table::Table;

    fn worker(&self) -> table::Table {
        table::Table::default()
    }

    fn make(&self, table: &mut table::Table, programs: &mut Programs<'_>) -> Rows {
        self.options.each(programs, |program, tree| {
            table.add(program.id, program.language.name(), tree);
            Ok(())
        });
        table.take()
    }
}
