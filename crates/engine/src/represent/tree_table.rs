//! Simplified parse trees as a Parquet table: id, language, first_error_line, and a list of nodes.

use std::fs::File;
use std::io;
use std::sync::{Arc, LazyLock};

use arrow_array::{ArrayRef, BooleanArray, Int32Array, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Fields, Schema};
use familiar_represent::tree::Tree;
use parquet::basic::Encoding;
use parquet::schema::types::ColumnPath;

use super::Program;
use super::columns::{Texts, list_of, lists};
use super::table::{Rows, Table};

/// What a node has. Its id is its place in the list.
static NODE: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("parent", DataType::UInt32, true),
        Field::new("label", DataType::Utf8, false),
        Field::new("type_rule_name", DataType::Utf8, false),
        Field::new("type_rule_index", DataType::Int32, false),
        Field::new("reserved_word_flag", DataType::Boolean, false),
        Field::new("dfs_index", DataType::UInt32, false),
        Field::new("depth", DataType::UInt32, false),
        Field::new("token_id", DataType::UInt32, true),
    ])
});

/// The columns of the table.
static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("language", DataType::Utf8, false),
        Field::new("first_error_line", DataType::UInt32, true),
        Field::new("nodes", list_of(NODE.clone()), false),
    ]))
});

/// An empty table of trees in an empty file.
pub fn table(file: File) -> io::Result<Table> {
    let mut properties = Table::properties();
    for name in ["parent", "dfs_index", "depth", "token_id"] {
        let column = ColumnPath::new(["nodes", "list", "element", name].map(String::from).to_vec());
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    Table::new(file, SCHEMA.clone(), properties)
}

/// The trees of some programs.
#[derive(Default)]
pub(super) struct Columns {
    ids: Vec<String>,
    languages: Vec<&'static str>,
    errors: Vec<Option<u32>>,
    counts: Vec<usize>,
    parents: Vec<Option<u32>>,
    labels: Texts,
    rules: Texts,
    rule_numbers: Vec<i32>,
    reserved: Vec<bool>,
    dfs: Vec<u32>,
    depths: Vec<u32>,
    tokens: Vec<Option<u32>>,
}

impl Columns {
    pub(super) fn add(&mut self, program: &Program<'_>, tree: &Tree<'_>) {
        self.ids.push(program.id.to_owned());
        self.languages.push(program.language.name());
        self.errors.push(tree.first_error_line().map(|line| line as u32));
        self.counts.push(tree.nodes().len());
        let mut label = String::new();
        for (id, node) in tree.nodes().iter().enumerate() {
            label.clear();
            tree.label(node, &mut label);
            self.parents.push((id > 0).then_some(node.parent));
            self.labels.add(label.as_bytes(), true);
            self.rules.add(tree.rule(node).as_bytes(), true);
            self.rule_numbers.push(tree.rule_number(node));
            self.reserved.push(node.is_reserved);
            self.dfs.push(node.dfs);
            self.depths.push(node.depth);
            self.tokens.push(node.is_token().then_some(node.token));
        }
    }

    pub(super) fn finish(self) -> Rows {
        let nodes: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(self.parents)),
            Arc::new(self.labels.finish()),
            Arc::new(self.rules.finish()),
            Arc::new(Int32Array::from(self.rule_numbers)),
            Arc::new(BooleanArray::from(self.reserved)),
            Arc::new(UInt32Array::from(self.dfs)),
            Arc::new(UInt32Array::from(self.depths)),
            Arc::new(UInt32Array::from(self.tokens)),
        ];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from_iter_values(self.ids)),
            Arc::new(StringArray::from_iter_values(self.languages)),
            Arc::new(UInt32Array::from(self.errors)),
            lists(NODE.clone(), &self.counts, nodes),
        ];
        Rows::try_new(SCHEMA.clone(), columns).expect("the columns are those of the schema")
    }
}
