//! Simplified parse trees as a Parquet table: id, language, first_error_line, and a list of nodes.

use super::Tree;
use crate::columns::{Flags, Lengths, Numbers, Plain, RowGroup, Strings};

/// The columns. A node's id is its place in the list.
pub const SCHEMA: &str = "message trees {
  required binary id (UTF8);
  required binary language (UTF8);
  required int32 first_error_line;
  required group nodes (LIST) {
    repeated group list {
      required group element {
        required int32 parent;
        required binary label (UTF8);
        required binary type_rule_name (UTF8);
        required int32 type_rule_index;
        required boolean reserved_word_flag;
        required int32 dfs_index;
        required int32 depth;
        required int32 token_id;
      }
    }
  }
}";

/// What stands for a number that there is none of.
const NONE: u32 = u32::MAX;

/// The trees of some programs. What it takes it keeps for the next ones.
#[derive(Debug, Default)]
pub struct Table {
    ids: Plain,
    languages: Strings,
    errors: Numbers,
    lengths: Lengths,
    parents: Numbers,
    labels: Strings,
    rules: Strings,
    rule_numbers: Numbers,
    reserved: Flags,
    orders: Numbers,
    depths: Numbers,
    tokens: Numbers,
    name: String,
}

impl Table {
    /// Adds a program.
    pub fn add(&mut self, id: &str, language: &str, tree: &Tree<'_>) {
        self.ids.add(id);
        self.languages.add(language.as_bytes(), 0, language.len());
        self.errors.0.push(tree.first_error_line().map_or(NONE, |line| line as u32));
        let nodes = tree.nodes();
        self.lengths.add(nodes.len());
        for (number, node) in (0..).zip(nodes) {
            let (is_root, is_token) = (number == 0, node.is_token());
            self.name.clear();
            tree.label(node, &mut self.name);
            self.labels.add(self.name.as_bytes(), 0, self.name.len());
            self.name.clear();
            tree.rule(node, &mut self.name);
            self.rules.add(self.name.as_bytes(), 0, self.name.len());
            self.parents.0.push(if is_root { NONE } else { node.parent });
            self.rule_numbers.0.push(tree.rule_number(node).cast_unsigned());
            self.reserved.add(node.is_reserved);
            self.orders.0.push(node.dfs);
            self.depths.0.push(node.depth);
            self.tokens.0.push(if is_token { node.token } else { NONE });
        }
    }

    /// Gives the rows of all programs, and starts anew.
    pub fn take(&mut self) -> RowGroup {
        let levels = self.lengths.take();
        let columns = vec![
            self.ids.take(),
            self.languages.take_rows(),
            self.errors.take_rows(),
            self.parents.take(&levels),
            self.labels.take(&levels),
            self.rules.take(&levels),
            self.rule_numbers.take(&levels),
            self.reserved.take(&levels),
            self.orders.take(&levels),
            self.depths.take(&levels),
            self.tokens.take(&levels),
        ];
        RowGroup { rows: levels.rows, columns }
    }
}
