//! Tokens as a Parquet table: id, language, and a list of tokens.

use std::fs::File;
use std::io;
use std::sync::{Arc, LazyLock};

use arrow_array::types::UInt8Type;
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, StringArray, UInt8Array, UInt32Array};
use arrow_schema::{DataType, Field, Fields, Schema};
use familiar_represent::tokens::{Class, Tokens};
use parquet::basic::Encoding;
use parquet::schema::types::ColumnPath;

use super::Program;
use super::columns::{Texts, list_of, lists};
use super::table::{Rows, Table};

/// What a token has.
static TOKEN: LazyLock<Fields> = LazyLock::new(|| {
    let class = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    Fields::from(vec![
        Field::new("line", DataType::UInt32, false),
        Field::new("column", DataType::UInt32, false),
        Field::new("class", class, false),
        Field::new("token", DataType::Utf8, false),
        Field::new("directive", DataType::Boolean, false),
    ])
});

/// The columns of the table.
static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("language", DataType::Utf8, false),
        Field::new("tokens", list_of(TOKEN.clone()), false),
    ]))
});

/// An empty table of tokens in an empty file.
pub fn table(file: File) -> io::Result<Table> {
    let column = |name: &str| ColumnPath::new(["tokens", "list", "element", name].map(String::from).to_vec());
    let mut properties = Table::properties();
    // Numbers that grow, and texts that are nearly all short, take a dictionary more time than it saves.
    for (name, encoding) in [
        ("line", Encoding::DELTA_BINARY_PACKED),
        ("column", Encoding::DELTA_BINARY_PACKED),
        ("token", Encoding::DELTA_LENGTH_BYTE_ARRAY),
    ] {
        properties = properties
            .set_column_dictionary_enabled(column(name), false)
            .set_column_encoding(column(name), encoding);
    }
    Table::new(file, SCHEMA.clone(), properties)
}

/// The tokens of some programs.
#[derive(Default)]
pub(super) struct Columns {
    ids: Vec<String>,
    languages: Vec<&'static str>,
    counts: Vec<usize>,
    lines: Vec<u32>,
    columns: Vec<u32>,
    classes: Vec<u8>,
    directives: Vec<bool>,
    texts: Texts,
}

impl Columns {
    pub(super) fn add(&mut self, program: &Program<'_>, tokens: &Tokens<'_>) {
        self.ids.push(program.id.to_owned());
        self.languages.push(program.language.name());
        self.counts.push(tokens.list.len());
        self.lines.extend(tokens.list.iter().map(|token| token.line));
        self.columns.extend(tokens.list.iter().map(|token| token.column));
        self.classes.extend(tokens.list.iter().map(|token| token.class as u8));
        self.directives.extend(tokens.list.iter().map(|token| token.directive));
        let is_utf8 = str::from_utf8(&tokens.text).is_ok();
        for token in tokens.list {
            self.texts.add(tokens.text_of(token), is_utf8);
        }
    }

    pub(super) fn finish(self) -> Rows {
        let names = StringArray::from_iter_values(Class::ALL.map(Class::name));
        let classes = DictionaryArray::<UInt8Type>::try_new(UInt8Array::from(self.classes), Arc::new(names));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(self.lines)),
            Arc::new(UInt32Array::from(self.columns)),
            Arc::new(classes.expect("each class has its number")),
            Arc::new(self.texts.finish()),
            Arc::new(BooleanArray::from(self.directives)),
        ];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from_iter_values(self.ids)),
            Arc::new(StringArray::from_iter_values(self.languages)),
            lists(TOKEN.clone(), &self.counts, columns),
        ];
        Rows::try_new(SCHEMA.clone(), columns).expect("the columns are those of the schema")
    }
}
