//! Columns of rows that hold lists.

use std::sync::Arc;

use arrow_array::builder::OffsetBufferBuilder;
use arrow_array::{ArrayRef, ListArray, StringArray, StructArray};
use arrow_schema::{DataType, Field, Fields};

/// A list of what has these fields.
pub(super) fn list_of(fields: Fields) -> DataType {
    DataType::List(item(fields))
}

fn item(fields: Fields) -> Arc<Field> {
    // The name that Parquet gives to what is in a list.
    Arc::new(Field::new("element", DataType::Struct(fields), false))
}

/// A list for each of `counts`, one after the other, of what has these fields.
pub(super) fn lists(fields: Fields, counts: &[usize], columns: Vec<ArrayRef>) -> ArrayRef {
    let mut offsets = OffsetBufferBuilder::new(counts.len());
    for &count in counts {
        offsets.push_length(count);
    }
    let item = item(fields.clone());
    let values = StructArray::try_new(fields, columns, None).expect("columns are as long as each other");
    let lists = ListArray::try_new(item, offsets.finish(), Arc::new(values), None);
    Arc::new(lists.expect("the counts are those of the columns"))
}

/// Texts one behind the other.
pub(super) struct Texts {
    bytes: Vec<u8>,
    offsets: OffsetBufferBuilder<i32>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { bytes: Vec::new(), offsets: OffsetBufferBuilder::new(0) }
    }
}

impl Texts {
    /// Adds a text, which stands in UTF-8 where `is_part`. Bytes that are no characters are replaced.
    #[inline]
    pub(super) fn add(&mut self, text: &[u8], is_part: bool) {
        let before = self.bytes.len();
        let is_whole = text.first().is_none_or(u8::is_ascii) && text.last().is_none_or(u8::is_ascii);
        if is_part && is_whole {
            self.bytes.extend_from_slice(text);
        } else {
            self.bytes.extend_from_slice(String::from_utf8_lossy(text).as_bytes());
        }
        self.offsets.push_length(self.bytes.len() - before);
    }

    pub(super) fn finish(self) -> StringArray {
        let texts = StringArray::try_new(self.offsets.finish(), self.bytes.into(), None);
        texts.expect("each text is UTF-8")
    }
}
