//! Whole texts to bags, for near-duplicates.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::builder::{BinaryBuilder, Float32Builder, Int32Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, LargeBinaryArray, RecordBatch, StringArray};
use familiar_codenet::duplicates::BagReader;
use familiar_source::{Language, language_named};
use familiar_syntax::{Limits, decode};
use xxhash_rust::xxh3::xxh3_128;

use crate::TaskError;
use crate::bag::{encode, length};
use crate::batch::{Column, batch, bytes, bytes_where_given};
use crate::text::utf8;

/// Reads texts.
pub struct Samples {
    limits: Limits,
    strings: bool,
    reader: BagReader,
    language: Option<Language>,
}

/// Of a text that no parser gets through.
pub(crate) const PANICKED: &str = "the parser failed on it";
/// Of a row that names no language.
const NO_LANGUAGE: &str = "it says no language";

impl Samples {
    /// Texts are in `language` where their rows name none. Without `strings`, the literals of strings do not count. A text that takes more
    /// than `memory` bytes is left out.
    pub fn new(language: Option<Language>, strings: bool, memory: usize) -> Self {
        let limits = Limits::of_memory(memory);
        Self { limits, strings, reader: BagReader::new(limits, strings), language }
    }

    /// Makes rows of `id`, `code` and, where it is given, `language` to rows of `id`, `reason`, `node`, `tokens` and `bag`. Of a text that is
    /// left out there is a `reason`, and nothing else. An id that is null stays so.
    pub fn read(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let (ids, code, languages) =
            (bytes(rows, "id")?, bytes(rows, "code")?, bytes_where_given(rows, "language")?);
        let (mut id, mut reason) = (StringBuilder::new(), StringBuilder::new());
        let (mut node, mut tokens, mut bag) =
            (BinaryBuilder::new(), Int32Builder::new(), BinaryBuilder::new());
        let mut bytes = Vec::new();
        for row in 0..rows.num_rows() {
            id.append_option(value(&ids, row).map(String::from_utf8_lossy));
            let named = languages.as_ref().and_then(|it| value(it, row));
            match self.bag(named, value(&code, row)) {
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
            Column::nullable("id", id.finish()),
            Column::nullable("reason", reason.finish()),
            Column::nullable("node", node.finish()),
            Column::nullable("tokens", tokens.finish()),
            Column::nullable("bag", bag.finish()),
        ])
    }

    fn bag(&mut self, named: Option<&[u8]>, code: Option<&[u8]>) -> Result<Vec<(u64, u32)>, String> {
        let code = code.ok_or("a null")?;
        let language = language(named)?.or(self.language).ok_or(NO_LANGUAGE)?;
        let text = utf8(code).map_err(|it| it.to_string())?;
        let read = catch_unwind(AssertUnwindSafe(|| self.reader.read(language, text.as_bytes())));
        read.unwrap_or_else(|_| {
            self.reader = BagReader::new(self.limits, self.strings);
            Err(PANICKED.to_owned())
        })
    }
}

/// Rows of texts, some of which take part.
pub struct Texts {
    ids: Vec<Option<String>>,
    /// Of each row why it does not take part.
    reasons: Vec<Option<String>>,
    /// The others, in their order: language and code.
    pub taken: Vec<(Language, Vec<u8>)>,
}

impl Texts {
    /// The texts of rows of `id`, `code` and, where it is given, `language`. Texts are in `otherwise` where their rows name none.
    pub fn of(rows: &RecordBatch, otherwise: Option<Language>) -> Result<Self, TaskError> {
        let (ids, code, languages) =
            (bytes(rows, "id")?, bytes(rows, "code")?, bytes_where_given(rows, "language")?);
        let mut texts = Self { ids: Vec::new(), reasons: Vec::new(), taken: Vec::new() };
        for row in 0..rows.num_rows() {
            texts.ids.push(value(&ids, row).map(|id| String::from_utf8_lossy(id).into_owned()));
            let named = languages.as_ref().and_then(|it| value(it, row));
            let text = value(&code, row).ok_or("a null".to_owned()).and_then(|code| {
                let language = language(named)?.or(otherwise).ok_or(NO_LANGUAGE)?;
                decode::decode(code).map_err(|it| it.to_string())?;
                Ok((language, code.to_vec()))
            });
            match text {
                Ok(text) => {
                    texts.taken.push(text);
                    texts.reasons.push(None);
                }
                Err(reason) => texts.reasons.push(Some(reason)),
            }
        }
        Ok(texts)
    }

    /// Rows of `id`, `vector` and `reason`: a vector, or why there is none. `values` are the vectors of what takes part, one after another,
    /// each with so many numbers.
    pub fn with_vectors(self, dimensions: usize, values: &[f32]) -> Result<RecordBatch, TaskError> {
        let mut vector = ListBuilder::new(Float32Builder::new());
        let mut made = values.chunks_exact(dimensions.max(1));
        for reason in &self.reasons {
            let of = if reason.is_none() { made.next() } else { None };
            vector.append_option(of.map(|of| of.iter().copied().map(Some)));
        }
        batch(vec![
            Column::nullable("id", StringArray::from(self.ids)),
            Column::nullable("vector", vector.finish()),
            Column::nullable("reason", StringArray::from(self.reasons)),
        ])
    }
}

fn value(of: &LargeBinaryArray, row: usize) -> Option<&[u8]> {
    of.is_valid(row).then(|| of.value(row))
}

/// The language that a row names; none where it names none.
pub(crate) fn language(name: Option<&[u8]>) -> Result<Option<Language>, String> {
    let name = String::from_utf8_lossy(name.unwrap_or_default());
    let name = name.trim();
    if name.is_empty() {
        return Ok(None);
    }
    language_named(name).map(Some).ok_or_else(|| format!("the language {name} is not known"))
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    fn rows(texts: &[(&[u8], &str)]) -> RecordBatch {
        let ids = StringArray::from_iter_values((0..texts.len()).map(|it| it.to_string()));
        let code = LargeBinaryArray::from_iter_values(texts.iter().map(|it| it.0));
        let languages = StringArray::from_iter_values(texts.iter().map(|it| it.1));
        let columns =
            vec![Column::new("id", ids), Column::new("code", code), Column::new("language", languages)];
        batch(columns).expect("rows")
    }

    fn reasons(rows: &RecordBatch) -> Vec<Option<&str>> {
        rows.column_by_name("reason").expect("reasons").as_string::<i32>().iter().collect()
    }

    const TEXTS: [(&[u8], &str); 4] =
        [(b"int a;", "C++"), (b"int a;", ""), (b"int a;", "klingon"), (b"\x7fELF\0\0\x01\0", "c")];
    const REASONS: [Option<&str>; 4] =
        [None, Some(NO_LANGUAGE), Some("the language klingon is not known"), Some("binary")];

    #[test]
    fn what_is_no_text_in_a_known_language_is_a_row_with_a_reason() {
        let read = Samples::new(None, true, 1 << 28).read(&rows(&TEXTS)).expect("samples");
        assert_eq!(reasons(&read), REASONS);
        let texts = Texts::of(&rows(&TEXTS), None).expect("texts");
        assert_eq!(texts.taken, [(Language::Cpp, b"int a;".to_vec())]);
        let made = texts.with_vectors(2, &[0.6, 0.8]).expect("rows");
        assert_eq!(reasons(&made), REASONS);
        let vectors = made.column_by_name("vector").expect("vectors").as_list::<i32>();
        assert!(vectors.is_valid(0) && vectors.null_count() == 3);
    }

    #[test]
    fn bytes_that_are_not_utf8_tell_samples_apart() {
        let texts: [(&[u8], &str); 2] = [(b"s = 'caf\xe9'", "python"), (b"s = 'caf\xe8'", "python")];
        let read = Samples::new(None, true, 1 << 28).read(&rows(&texts)).expect("samples");
        let nodes = read.column_by_name("node").expect("nodes").as_binary::<i32>();
        assert_ne!(nodes.value(0), nodes.value(1));
    }
}
