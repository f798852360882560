//! Whole texts to bags, for near-duplicates.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::builder::{BinaryBuilder, Float32Builder, Int32Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, RecordBatch, StringArray};
use familiar_codenet::duplicates::BagReader;
use familiar_source::Language;
use familiar_syntax::Limits;
use xxhash_rust::xxh3::xxh3_128;

use crate::TaskError;
use crate::bag::{encode, length};
use crate::batch::{Column, batch, bytes, bytes_where_given};

/// Reads texts.
pub struct Samples {
    limits: Limits,
    strings: bool,
    reader: BagReader,
    language: Option<Language>,
}

/// Of a text that no parser gets through.
pub(crate) const PANICKED: &str = "the parser failed on it";

impl Samples {
    /// Texts are in `language` where their rows name none. Without `strings`, the literals of strings do not count. A text that takes more
    /// than `memory` bytes is left out.
    pub fn new(language: Option<Language>, strings: bool, memory: usize) -> Self {
        let limits = Limits::of_memory(memory);
        Self { limits, strings, reader: BagReader::new(limits, strings), language }
    }

    /// Makes rows of `id`, `code` and, where it is given, `language` to rows of `id`, `reason`, `node`, `tokens` and `bag`. Of a text that is
    /// left out there is a `reason`, and nothing else.
    pub fn read(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let (ids, code, languages) =
            (bytes(rows, "id")?, bytes(rows, "code")?, bytes_where_given(rows, "language")?);
        let (mut id, mut reason) = (StringBuilder::new(), StringBuilder::new());
        let (mut node, mut tokens, mut bag) =
            (BinaryBuilder::new(), Int32Builder::new(), BinaryBuilder::new());
        let mut bytes = Vec::new();
        for row in 0..rows.num_rows() {
            id.append_value(String::from_utf8_lossy(ids.value(row)));
            let named = languages.as_ref().filter(|it| it.is_valid(row)).map(|it| it.value(row));
            let code = code.is_valid(row).then(|| code.value(row));
            match self.bag(named, code) {
                Ok(read) => {
                    encode(&read, &mut bytes);
                    reason.append_null();
                    node.append_value(xxh3_128(&bytes).to_be_bytes());
                    tokens.append_value(length(&read).cast_signed());
                    bag.append_value(&bytes);
                }
                Err(why) => {
                    reason.append_value(why);
                    node.append_null();
                    tokens.append_null();
                    bag.append_null();
                }
            }
        }
        batch(vec![
            Column::new("id", id.finish()),
            Column::nullable("reason", reason.finish()),
            Column::nullable("node", node.finish()),
            Column::nullable("tokens", tokens.finish()),
            Column::nullable("bag", bag.finish()),
        ])
    }

    fn bag(&mut self, named: Option<&[u8]>, code: Option<&[u8]>) -> Result<Vec<(u64, u32)>, String> {
        let code = code.ok_or("a null")?;
        let language = match named {
            Some(name) => language(name)?,
            None => self.language.ok_or("it says no language")?,
        };
        let read = catch_unwind(AssertUnwindSafe(|| self.reader.read(language, code)));
        read.unwrap_or_else(|_| {
            self.reader = BagReader::new(self.limits, self.strings);
            Err(PANICKED.to_owned())
        })
    }
}

/// A text: its id, language and code.
pub type Text = (String, Language, Vec<u8>);

/// The texts of rows of `id`, `language` and `code`. What has no code, or no language that is known, is left out.
pub fn texts(rows: &RecordBatch) -> Result<Vec<Text>, TaskError> {
    let (ids, code, languages) = (bytes(rows, "id")?, bytes(rows, "code")?, bytes(rows, "language")?);
    let text = |row: usize| {
        let language = language(languages.is_valid(row).then(|| languages.value(row))?).ok()?;
        let code = code.is_valid(row).then(|| code.value(row).to_vec())?;
        Some((String::from_utf8_lossy(ids.value(row)).into_owned(), language, code))
    };
    Ok((0..rows.num_rows()).filter_map(text).collect())
}

/// Rows of `id` and `vector`, each with so many numbers.
pub fn vectors(ids: Vec<String>, dimensions: usize, values: &[f32]) -> Result<RecordBatch, TaskError> {
    let mut vector = ListBuilder::new(Float32Builder::new());
    for row in values.chunks_exact(dimensions.max(1)).take(ids.len()) {
        vector.append_value(row.iter().copied().map(Some));
    }
    batch(vec![Column::new("id", StringArray::from(ids)), Column::new("vector", vector.finish())])
}

pub(crate) fn language(name: &[u8]) -> Result<Language, String> {
    let name = String::from_utf8_lossy(name);
    Language::from_name(&name).ok_or_else(|| format!("the language {name} is not known"))
}
