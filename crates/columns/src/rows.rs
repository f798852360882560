//! The kinds of rows, with their columns.

use std::sync::Arc;

use arrow_schema::DataType::{Boolean, Float32, Float64, UInt8, UInt32, UInt64, Utf8};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

/// A kind of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Pairs of `familiar clones`.
    Clones,
    /// Files of `familiar license`.
    Licenses,
    /// Results of `familiar find`, one for each query.
    Found,
    /// Tokens of one program.
    Tokens,
    /// Pairs of near-duplicates.
    Duplicates,
}

impl Rows {
    pub const ALL: [Self; 5] = [Self::Clones, Self::Licenses, Self::Found, Self::Tokens, Self::Duplicates];

    /// The name by which results are stored and read back.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clones => "clones",
            Self::Licenses => "licenses",
            Self::Found => "found",
            Self::Tokens => "tokens",
            Self::Duplicates => "duplicates",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rows| rows.name() == name)
    }

    /// The columns. Those that are null nowhere are marked so.
    pub fn schema(self) -> SchemaRef {
        Arc::new(Schema::new(match self {
            Self::Clones => clones(),
            Self::Licenses => licenses(),
            Self::Found => found(),
            Self::Tokens => tokens(),
            Self::Duplicates => duplicates(),
        }))
    }
}

fn clones() -> Fields {
    let side = all([
        one("project", Utf8),
        one("id", UInt32),
        one("path", Utf8),
        maybe("path_bytes", list(UInt8)),
        maybe("blob", Utf8),
        one("root", UInt32),
        one("language", Utf8),
        one("kind", Utf8),
        one("name", Utf8),
        one("start_line", UInt32),
        one("end_line", UInt32),
        one("start_byte", UInt32),
        one("end_byte", UInt32),
        one("tokens", UInt32),
    ]);
    all([
        one("left", DataType::Struct(side.clone())),
        one("right", DataType::Struct(side)),
        one("type", UInt8),
        one("similarity", Float64),
        one("measure", Utf8),
        one("fingerprint", Utf8),
        maybe("vector_similarity", Float32),
        maybe("alignment", list(list(UInt32))),
    ])
}

fn licenses() -> Fields {
    let copyright = all([
        one("statement", Utf8),
        maybe("holder", Utf8),
        one("start_line", UInt32),
        one("end_line", UInt32),
    ]);
    all([
        one("path", Utf8),
        maybe("path_bytes", list(UInt8)),
        maybe("expression", Utf8),
        one("by", Utf8),
        one("ids", list(Utf8)),
        one("layers", list(DataType::Struct(layer()))),
        one("copyrights", list(DataType::Struct(copyright))),
    ])
}

/// A statement about a license.
fn layer() -> Fields {
    all([
        one("layer", Utf8),
        maybe("expression", Utf8),
        one("evidence", Utf8),
        maybe("path", Utf8),
        maybe("start_line", UInt32),
        maybe("end_line", UInt32),
        maybe("score", Float64),
        maybe("rule", Utf8),
        maybe("disagrees", Boolean),
        maybe("text", Utf8),
    ])
}

fn found() -> Fields {
    let query = all([
        one("path", Utf8),
        one("language", Utf8),
        one("start_line", UInt32),
        one("end_line", UInt32),
        one("tokens", UInt32),
    ]);
    let version = DataType::Struct(blob().into());
    let mut blob = blob();
    blob.push(maybe("versions", list(version)));
    let mut origin = vec![one("known", Boolean), one("reason", Utf8), maybe("blob", Utf8)];
    // Where the first occurrence is not known, all that follows is null.
    let first = occurrence();
    origin.extend(first.iter().map(|field| field.as_ref().clone().with_nullable(true)));
    all([
        one("schema", Utf8),
        one("query", DataType::Struct(query)),
        one("blobs", list(DataType::Struct(blob.into()))),
        one("more_blobs", UInt64),
        one("origin", DataType::Struct(origin.into())),
    ])
}

/// What one blob has of a query.
fn blob() -> Vec<Field> {
    let license = all([
        maybe("expression", Utf8),
        one("layer", Utf8),
        one("layers", list(DataType::Struct(layer()))),
        one("occurrences", list(UInt64)),
    ]);
    vec![
        one("blob", Utf8),
        one("language", Utf8),
        one("matched_lines", list(list(UInt32))),
        one("coverage", Float64),
        one("type", UInt8),
        one("similarity", Float64),
        one("score", Float64),
        one("projects", UInt64),
        one("occurrences", list(DataType::Struct(occurrence()))),
        maybe("licenses", list(DataType::Struct(license))),
    ]
}

/// Where a blob stands.
fn occurrence() -> Fields {
    all([
        one("project", Utf8),
        maybe("family", Utf8),
        maybe("base", Boolean),
        maybe("purl", Utf8),
        maybe("revision", Utf8),
        maybe("removed_by", Utf8),
        one("path", Utf8),
        maybe("title", Utf8),
        one("first_line", UInt32),
        maybe("first_seen", Utf8),
        maybe("last_seen", Utf8),
        one("evidence", Utf8),
        maybe("author", Utf8),
        maybe("link", Utf8),
        maybe("license", Utf8),
    ])
}

fn tokens() -> Fields {
    all([
        one("line", UInt32),
        one("column", UInt32),
        one("class", Utf8),
        one("token", Utf8),
        maybe("directive", Boolean),
    ])
}

fn duplicates() -> Fields {
    all([one("id1", Utf8), one("id2", Utf8), one("set_jaccard", Float64), one("multiset_jaccard", Float64)])
}

fn all<const N: usize>(fields: [Field; N]) -> Fields {
    fields.into_iter().collect()
}

fn one(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, false)
}

fn maybe(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, true)
}

/// A list without nulls in it.
fn list(kind: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(kind, false)))
}
