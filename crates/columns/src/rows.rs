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
    /// Pairs of `familiar audit`.
    Audit,
    /// Programs of `familiar transform`.
    Transformed,
}

impl Rows {
    pub const ALL: [Self; 7] = [
        Self::Clones,
        Self::Licenses,
        Self::Found,
        Self::Tokens,
        Self::Duplicates,
        Self::Audit,
        Self::Transformed,
    ];

    /// The name by which results are stored and read back.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clones => "clones",
            Self::Licenses => "licenses",
            Self::Found => "found",
            Self::Tokens => "tokens",
            Self::Duplicates => "duplicates",
            Self::Audit => "audit",
            Self::Transformed => "transformed",
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
            Self::Audit => audit(),
            Self::Transformed => transformed(),
        }))
    }
}

fn clones() -> Fields {
    let mut side = vec![one("project", Utf8)];
    side.extend(fragment());
    let side: Fields = side.into();
    all([
        one("left", DataType::Struct(side.clone())),
        one("right", DataType::Struct(side)),
        one("type", UInt8),
        one("similarity", Float64),
        one("measure", Utf8),
        one("fingerprint", Utf8),
        maybe("vector_similarity", Float32),
        maybe("alignment", list(list(UInt32))),
        maybe("explanation", DataType::Struct(explanation())),
    ])
}

/// What makes both sides of a pair alike.
fn explanation() -> Fields {
    let part = DataType::Struct(all([one("cosine", Float64), one("adds", Float64)]));
    let parts = all(["flow", "words", "spelling", "forms"].map(|name| one(name, part.clone())));
    let words = all([one("left", Utf8), one("right", Utf8), one("adds", Float64)]);
    let matched = all([one("left", list(UInt32)), one("right", list(UInt32)), one("similarity", Float64)]);
    let one_sided = DataType::Struct(all([one("words", list(Utf8)), one("statements", list(list(UInt32)))]));
    all([
        one("similarity", Float64),
        one("parts", DataType::Struct(parts)),
        one("words", list(DataType::Struct(words))),
        one("statements", list(DataType::Struct(matched))),
        one("only_left", one_sided.clone()),
        one("only_right", one_sided),
    ])
}

/// A stretch of a file.
fn fragment() -> Vec<Field> {
    vec![
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
    ]
}

fn audit() -> Fields {
    let mut side = vec![one("project", Utf8)];
    side.extend(fragment());
    side.extend([
        maybe("license", Utf8),
        one("license_by", Utf8),
        one("licenses", list(DataType::Struct(layer()))),
        maybe("disagreements", list(Utf8)),
        one("occurrences", list(DataType::Struct(occurrence()))),
        maybe("copyrights", list(Utf8)),
        maybe("sha1", Utf8),
    ]);
    let side: Fields = side.into();
    let direction = all([
        one("older", Utf8),
        one("evidence", list(Utf8)),
        maybe("left_since", Utf8),
        maybe("right_since", Utf8),
    ]);
    let verdict = all([
        one("status", Utf8),
        maybe("left_to_right", Utf8),
        maybe("right_to_left", Utf8),
        one("duties", list(Utf8)),
        one("rules", list(DataType::Struct(all([one("source", Utf8), one("text", Utf8)])))),
    ]);
    let attribution = all([one("grade", Utf8), one("evidence", list(Utf8))]);
    all([
        one("left", DataType::Struct(side.clone())),
        one("right", DataType::Struct(side)),
        one("type", UInt8),
        one("similarity", Float64),
        one("measure", Utf8),
        one("fingerprint", Utf8),
        maybe("vector_similarity", Float32),
        maybe("alignment", list(list(UInt32))),
        one("direction", DataType::Struct(direction)),
        one("verdict", DataType::Struct(verdict)),
        maybe("apprentice", Utf8),
        one("attribution", DataType::Struct(attribution)),
        one("laundering", Boolean),
        maybe("laundering_reasons", list(Utf8)),
        one("own", Boolean),
        maybe("decision", Utf8),
    ])
}

fn transformed() -> Fields {
    let step = all([one("name", Utf8), one("sites", list(list(UInt64))), one("seed", UInt64)]);
    let evidence = ["inputs", "normal", "results", "mutants", "detected"].map(|name| one(name, UInt64));
    all([
        one("source", Utf8),
        one("lang", Utf8),
        one("code", Utf8),
        one("steps", list(DataType::Struct(step))),
        one("verified", Utf8),
        maybe("evidence", DataType::Struct(all(evidence))),
        maybe("reason", Utf8),
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
    let mut explained = vec![one("matched_lines", list(UInt32))];
    explained.extend(explanation().iter().map(|field| field.as_ref().clone()));
    vec![
        one("blob", Utf8),
        one("language", Utf8),
        one("matched_lines", list(list(UInt32))),
        one("coverage", Float64),
        one("type", UInt8),
        one("similarity", Float64),
        one("score", Float64),
        maybe("explanations", list(DataType::Struct(explained.into()))),
        one("projects", UInt64),
        one("occurrences", list(DataType::Struct(occurrence()))),
        maybe("licenses", list(DataType::Struct(license))),
    ]
}

/// Where a blob stands.
fn occurrence() -> Fields {
    all([
        one("project", Utf8),
        maybe("source", Utf8),
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    /// The keys that the schema of a format has for one of its objects.
    fn documented(format: &str, object: &str) -> Vec<String> {
        let file = format!("../../docs/formats/{format}-1.schema.json");
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
        let schema: Value = serde_json::from_str(&text.expect("the schema is there")).expect("it is JSON");
        let keys = schema["$defs"][object]["properties"].as_object().expect("the object has keys");
        keys.keys().cloned().collect()
    }

    /// The columns at a path of names, through lists.
    fn columns(rows: Rows, path: &[&str]) -> Vec<String> {
        let mut fields = rows.schema().fields().clone();
        for name in path {
            let (_, field) = fields.find(name).expect("the column is there");
            let mut kind = field.data_type().clone();
            while let DataType::List(inner) = kind {
                kind = inner.data_type().clone();
            }
            let DataType::Struct(inner) = kind else { panic!("{name} has no columns") };
            fields = inner;
        }
        fields.iter().map(|field| field.name().clone()).collect()
    }

    #[test]
    fn columns_are_those_that_the_formats_document() {
        for (rows, format, object, path) in [
            (Rows::Clones, "clones", "line", &[][..]),
            (Rows::Clones, "clones", "fragment", &["left"]),
            (Rows::Clones, "clones", "explanation", &["explanation"]),
            (Rows::Clones, "clones", "one_sided", &["explanation", "only_left"]),
            (Rows::Audit, "audit", "line", &[]),
            (Rows::Audit, "audit", "fragment", &["right"]),
            (Rows::Audit, "audit", "verdict", &["verdict"]),
            (Rows::Audit, "audit", "direction", &["direction"]),
            (Rows::Audit, "audit", "rule", &["verdict", "rules"]),
            (Rows::Licenses, "license", "file", &[]),
            (Rows::Licenses, "license", "layer", &["layers"]),
            (Rows::Licenses, "license", "copyright", &["copyrights"]),
            (Rows::Found, "find", "result", &[]),
            (Rows::Found, "find", "blob", &["blobs"]),
            (Rows::Found, "find", "blob", &["blobs", "versions"]),
            (Rows::Found, "find", "explanation", &["blobs", "explanations"]),
            (Rows::Found, "find", "one_sided", &["blobs", "explanations", "only_right"]),
            (Rows::Found, "find", "license", &["blobs", "licenses"]),
            (Rows::Found, "find", "occurrence", &["blobs", "occurrences"]),
        ] {
            let (columns, mut keys) = (columns(rows, path), documented(format, object));
            // Only servers write these.
            keys.retain(|key| !["matched_text", "partial", "unanswered"].contains(&key.as_str()));
            let missing: Vec<&String> = keys.iter().filter(|key| !columns.contains(key)).collect();
            assert!(
                missing.is_empty(),
                "{format}: {object} has {missing:?}, and {rows:?} at {path:?} does not"
            );
        }
    }

    #[test]
    fn kinds_have_names() {
        assert!(Rows::ALL.into_iter().all(|rows| Rows::from_name(rows.name()) == Some(rows)));
        assert_eq!(Rows::from_name("rows"), None);
    }
}
