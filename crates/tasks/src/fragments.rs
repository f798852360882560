//! Files, and their fragments.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::builder::{BinaryBuilder, Int32Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, LargeBinaryArray, RecordBatch};
use familiar_corpus::git::blob_id;
use familiar_detect::CloneOptions;
use familiar_detect::fragments::{FileFragment, FileFragments, FragmentReader, LeftOut};
use familiar_search::overlap::sorted_bag;
use familiar_source::Language;

use crate::TaskError;
use crate::bag::{encode, of_sorted};
use crate::batch::{Column, batch, bytes, bytes_where_given};
use crate::samples::{PANICKED, language};
use crate::sequence;

/// Most enclosing fragments that a fragment lists, as `familiar_search` looks at them; the outermost count first.
const MOST_ENCLOSING: usize = 16;

/// Says of texts what they are.
#[derive(Debug)]
pub struct Files {
    reader: FragmentReader,
}

impl Files {
    /// `options` are those of a search without input.
    pub fn new(options: &CloneOptions) -> Self {
        Self { reader: FragmentReader::new(options) }
    }

    /// Makes rows of `id`, `code` and, where they are given, `path` and `language` to rows of `id`, `path`, `blob` (its name in git),
    /// `language` and `reason`. A text that does not take part has a `reason` alone. What has no path is called by its id. An id that
    /// is null stays so.
    pub fn read(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let texts = Texts::of(rows)?;
        let (mut id, mut path) = (StringBuilder::new(), StringBuilder::new());
        let (mut blob, mut told) = (StringBuilder::new(), StringBuilder::new());
        let mut reason = StringBuilder::new();
        for row in 0..rows.num_rows() {
            let text = texts.get(row);
            let found = text.open(&self.reader);
            id.append_option(text.id.as_deref());
            path.append_value(text.path());
            blob.append_option(found.as_ref().ok().and(text.code).map(|code| blob_id(code).to_string()));
            told.append_option(found.as_ref().ok().map(|(language, _)| language.name()));
            reason.append_option(found.err());
        }
        batch(vec![
            Column::nullable("id", id.finish()),
            Column::new("path", path.finish()),
            Column::nullable("blob", blob.finish()),
            Column::nullable("language", told.finish()),
            Column::nullable("reason", reason.finish()),
        ])
    }
}

/// The columns of texts.
struct Texts {
    ids: LargeBinaryArray,
    code: LargeBinaryArray,
    paths: Option<LargeBinaryArray>,
    languages: Option<LargeBinaryArray>,
}

/// One row of them.
struct Text<'t> {
    id: Option<Cow<'t, str>>,
    path: Option<Cow<'t, str>>,
    language: Option<&'t [u8]>,
    code: Option<&'t [u8]>,
}

impl Texts {
    fn of(rows: &RecordBatch) -> Result<Self, TaskError> {
        Ok(Self {
            ids: bytes(rows, "id")?,
            code: bytes(rows, "code")?,
            paths: bytes_where_given(rows, "path")?,
            languages: bytes_where_given(rows, "language")?,
        })
    }

    fn get(&self, row: usize) -> Text<'_> {
        fn value(of: Option<&LargeBinaryArray>, row: usize) -> Option<&[u8]> {
            of.filter(|it| it.is_valid(row)).map(|it| it.value(row))
        }
        Text {
            id: value(Some(&self.ids), row).map(String::from_utf8_lossy),
            path: value(self.paths.as_ref(), row).map(String::from_utf8_lossy),
            language: value(self.languages.as_ref(), row),
            code: value(Some(&self.code), row),
        }
    }
}

impl<'t> Text<'t> {
    fn path(&self) -> &str {
        self.path.as_deref().or(self.id.as_deref()).unwrap_or_default()
    }

    /// Its language and its text in UTF-8, where it takes part.
    fn open(&self, reader: &FragmentReader) -> Result<(Language, Cow<'t, [u8]>), String> {
        let code = self.code.ok_or("a null")?;
        let known = language(self.language)?;
        reader.open(self.path(), known, code).map_err(|left| left.to_string())
    }
}

/// Reads fragments.
#[derive(Debug)]
pub struct Fragments {
    options: CloneOptions,
    sequences: bool,
    reader: FragmentReader,
}

#[derive(Default)]
struct Rows {
    blob: StringBuilder,
    language: StringBuilder,
    reason: StringBuilder,
    kind: StringBuilder,
    name: StringBuilder,
    ordinal: Int32Builder,
    start_line: Int32Builder,
    end_line: Int32Builder,
    first: Int32Builder,
    tokens: Int32Builder,
    family: Int32Builder,
    node: BinaryBuilder,
    twin: BinaryBuilder,
    enclosing: ListBuilder<Int32Builder>,
    bag: BinaryBuilder,
    sequence: BinaryBuilder,
    bytes: Vec<u8>,
}

impl Fragments {
    /// `options` are those of a search without input. Fragments come with their `sequences`, or with their bags.
    pub fn new(options: &CloneOptions, sequences: bool) -> Self {
        Self { options: options.clone(), sequences, reader: FragmentReader::new(options) }
    }

    /// Makes rows as [`Files`] takes them to rows with the columns of the table of fragments: one for each fragment, and one for each text
    /// that takes part, which has no `kind`. That one has a `reason` where no parser gets through the text.
    pub fn read(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let texts = Texts::of(rows)?;
        let mut out = Rows::default();
        for row in 0..rows.num_rows() {
            let text = texts.get(row);
            let Ok((language, utf8)) = text.open(&self.reader) else { continue };
            let blob = blob_id(text.code.unwrap_or_default()).to_string();
            match self.file(language, &utf8) {
                Ok(file) => {
                    out.add_text(&blob, language, None);
                    for (fragment, enclosing) in file.fragments.iter().zip(enclosing(&file)) {
                        out.add(&blob, file.language, fragment, enclosing);
                        out.add_tokens(fragment, self.sequences);
                    }
                }
                Err(reason) => out.add_text(&blob, language, Some(&reason)),
            }
        }
        out.finish()
    }

    fn file(&mut self, language: Language, text: &[u8]) -> Result<FileFragments, String> {
        let read = catch_unwind(AssertUnwindSafe(|| self.reader.fragments(language, text)));
        let read = read.unwrap_or_else(|_| {
            self.reader = FragmentReader::new(&self.options);
            Err(LeftOut::Skipped(PANICKED.to_owned()))
        });
        read.map_err(|left| left.to_string())
    }
}

impl Rows {
    fn add(&mut self, blob: &str, language: Language, fragment: &FileFragment, enclosing: Vec<i32>) {
        self.blob.append_value(blob);
        self.language.append_value(language.name());
        self.reason.append_null();
        self.kind.append_value(fragment.kind.name());
        self.name.append_value(&fragment.name);
        self.ordinal.append_value(fragment.ordinal.cast_signed());
        self.start_line.append_value(fragment.lines.start.cast_signed());
        self.end_line.append_value(fragment.lines.end.cast_signed());
        self.first.append_value(fragment.tokens.start.cast_signed());
        self.tokens.append_value(fragment.tokens.len().cast_signed());
        self.family.append_value(i32::from(language.family().0));
        self.node.append_value(fragment.exact.to_be_bytes());
        self.twin.append_value(fragment.renamed.to_be_bytes());
        self.enclosing.append_value(enclosing.into_iter().map(Some));
    }

    fn add_tokens(&mut self, fragment: &FileFragment, sequences: bool) {
        if sequences {
            sequence::encode(&fragment.symbols, &fragment.line_starts, &mut self.bytes);
            self.sequence.append_value(&self.bytes);
            self.bag.append_null();
        } else {
            encode(&of_sorted(&sorted_bag(&fragment.symbols)), &mut self.bytes);
            self.bag.append_value(&self.bytes);
            self.sequence.append_null();
        }
    }

    fn add_text(&mut self, blob: &str, language: Language, reason: Option<&str>) {
        self.blob.append_value(blob);
        self.language.append_value(language.name());
        self.reason.append_option(reason);
        for texts in [&mut self.kind, &mut self.name] {
            texts.append_null();
        }
        let numbers = [&mut self.ordinal, &mut self.start_line, &mut self.end_line, &mut self.first];
        for numbers in numbers.into_iter().chain([&mut self.tokens, &mut self.family]) {
            numbers.append_null();
        }
        for bytes in [&mut self.node, &mut self.twin, &mut self.bag, &mut self.sequence] {
            bytes.append_null();
        }
        self.enclosing.append_null();
    }

    fn finish(mut self) -> Result<RecordBatch, TaskError> {
        batch(vec![
            Column::new("blob", self.blob.finish()),
            Column::new("language", self.language.finish()),
            Column::nullable("reason", self.reason.finish()),
            Column::nullable("kind", self.kind.finish()),
            Column::nullable("name", self.name.finish()),
            Column::nullable("ordinal", self.ordinal.finish()),
            Column::nullable("start_line", self.start_line.finish()),
            Column::nullable("end_line", self.end_line.finish()),
            Column::nullable("first", self.first.finish()),
            Column::nullable("tokens", self.tokens.finish()),
            Column::nullable("family", self.family.finish()),
            Column::nullable("node", self.node.finish()),
            Column::nullable("twin", self.twin.finish()),
            Column::nullable("enclosing", self.enclosing.finish()),
            Column::nullable("bag", self.bag.finish()),
            Column::nullable("sequence", self.sequence.finish()),
        ])
    }
}

/// For each fragment those of the same kind around it, by their ordinals, the outermost first.
fn enclosing(file: &FileFragments) -> Vec<Vec<i32>> {
    let mut order: Vec<usize> = (0..file.fragments.len()).collect();
    order.sort_unstable_by_key(|&at| {
        let tokens = file.fragments[at].tokens;
        (tokens.start, std::cmp::Reverse(tokens.end), at)
    });
    let mut all = vec![Vec::new(); order.len()];
    let mut open: Vec<usize> = Vec::new();
    for at in order {
        let fragment = &file.fragments[at];
        open.retain(|&outer| file.fragments[outer].tokens.end > fragment.tokens.start);
        let around = open.iter().map(|&outer| &file.fragments[outer]);
        let around = around.filter(|it| it.kind == fragment.kind && it.tokens.contains(fragment.tokens));
        all[at] = around.take(MOST_ENCLOSING).map(|it| it.ordinal.cast_signed()).collect();
        if open.len() < 4 * MOST_ENCLOSING {
            open.push(at);
        }
    }
    all
}
