//! JSON lines as a source of code: data sets of functions, solutions and pairs, plain or compressed.
//!
//! A row is an object. Its code stands in `code`, `content`, `text` or `func`, whichever comes first; a pair has `code1`
//! and `code2`. `language` or `lang` (`lang1`, `lang2`) says the language, `id`, `idx`, `task_id` or `path` the path,
//! for want of these the line's number; `problem_id` or `group` is a folder in front of it. `author` is the author. How the
//! program is tested may stand there too ([`RowTests`]).

use std::path::PathBuf;

use familiar_source::Occurrence;
use serde_json::{Map, Value};

use crate::compressed::unpacked_name;
use crate::content::name_of;
use crate::lines::{Line, Lines};
use crate::{Found, Item, Limits, RowTests, Sink, Source, SourceError, row};
use familiar_files::bounded::too_large;
use familiar_source::language_called;

const CODE: &[&str] = &["code", "content", "text", "func"];
const LANGUAGE: &[&str] = &["language", "lang"];
const ID: &[&str] = &["id", "idx", "task_id", "path"];
const FOLDER: &[&str] = &["problem_id", "group"];
const AUTHOR: &[&str] = &["author"];

/// A file of JSON lines. The project is its name without `.jsonl` and the compression's ending. A line that is no row with
/// code is a skip, `file:line`.
#[derive(Clone, Debug)]
pub struct Jsonl {
    pub file: PathBuf,
}

impl Source for Jsonl {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let name = name_of(&self.file);
        let project = project_of(&name);
        // Escapes take up to six bytes for one.
        let most = limits.item_bytes.saturating_mul(6).saturating_add(1 << 20);
        let mut lines = Lines::open(&self.file, most)?;
        while let Some((number, line)) = lines.next() {
            let found = match line {
                Line::Whole(line) => items(line, project, number, limits),
                Line::TooLong(reason) => Err(reason),
                Line::Damaged(error) => {
                    // What was unpacked so far stays; nothing comes after a damaged place.
                    let _ended = sink(skip(&name, number, &error.to_string()));
                    return Ok(());
                }
            };
            let found = found.unwrap_or_else(|reason| vec![skip(&name, number, &reason)]);
            if found.into_iter().try_for_each(&mut *sink).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn skip(name: &str, number: u64, reason: &str) -> Found {
    Found::Skip { path: format!("{name}:{number}"), reason: reason.to_owned() }
}

fn project_of(name: &str) -> &str {
    let name = unpacked_name(name).unwrap_or(name);
    let endings = [".jsonl", ".ndjson", ".json"];
    endings
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .filter(|stem| !stem.is_empty())
        .unwrap_or(name)
}

/// The one or two items of a row.
fn items(line: &[u8], project: &str, number: u64, limits: &Limits) -> Result<Vec<Found>, String> {
    let row = row::fields(line).map_err(|error| error.to_string())?;
    let own_id = field(&row, ID);
    let id = own_id.clone().unwrap_or_else(|| number.to_string());
    let path = match field(&row, FOLDER) {
        Some(folder) => format!("{}/{}", plain(&folder), plain(&id)),
        None => plain(&id),
    };
    let item = |path: String,
                id: Option<String>,
                code: Option<&Value>,
                language: &[&str],
                author: &[&str]| {
        let Some(Value::String(code)) = code else {
            return Err(format!("this row has none of the fields {}", CODE.join(", ")));
        };
        if code.len() as u64 > limits.item_bytes {
            return Ok(Found::Skip { path, reason: too_large(limits.item_bytes) });
        }
        let named = field(&row, language).unwrap_or_default();
        let language = language_called(&named);
        let (project, author) = (project.to_owned(), field(&row, author));
        let occurrence = Occurrence { project, path, first_line: 1, author, ..Occurrence::default() };
        let tests = RowTests::of_row(&row).map(Box::new);
        let bytes = code.clone().into_bytes();
        let row_id = id.map(String::into_boxed_str);
        let row_language = Some(named.into_boxed_str());
        Ok(Found::Item(Item { bytes, language: language.into(), occurrence, tests, row_id, row_language }))
    };
    let (one, two) = (row.get("code1"), row.get("code2"));
    if one.is_some() || two.is_some() {
        // `author1` and `author2` of some data sets are judges: only a plain `author` is one.
        let side = |number: u8| own_id.as_ref().map(|id| format!("{id}/{number}"));
        let one =
            item(format!("{path}/1"), side(1), one, &["lang1", "language1", "lang", "language"], AUTHOR)?;
        let two =
            item(format!("{path}/2"), side(2), two, &["lang2", "language2", "lang", "language"], AUTHOR)?;
        return Ok(vec![one, two]);
    }
    let code = CODE.iter().find_map(|name| row.get(*name).filter(|value| value.is_string()));
    Ok(vec![item(path, own_id.clone(), code, LANGUAGE, AUTHOR)?])
}

/// The first of the named fields that holds a text or a number.
fn field(row: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match row.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// An id as a path that stays below its root.
fn plain(id: &str) -> String {
    let parts: Vec<&str> = id.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    if parts.is_empty() { "-".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::compressed::tests::{gzip, zstd};
    use crate::tree::tests::{all, summaries};

    fn found(name: &str, bytes: &[u8], limits: &Limits) -> Vec<Found> {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join(name);
        std::fs::write(&file, bytes).expect("just made");
        all(&Jsonl { file }, limits)
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(summaries(&found("set.jsonl", text.as_bytes(), &Limits::default())), expected, "{text}");
    }

    #[test]
    fn a_row_is_an_item() {
        let row = r#"{"id":"s1","problem_id":"p7","lang":"c++","author":"ann","code":"int x;\n"}"#;
        for (name, bytes) in [
            ("set.jsonl", row.as_bytes().to_vec()),
            ("set.jsonl.gz", gzip(row.as_bytes())),
            ("set.jsonl.zst", zstd(row.as_bytes())),
        ] {
            let found = found(name, &bytes, &Limits::default());
            let [Found::Item(item)] = &found[..] else { panic!("{found:?}") };
            assert_eq!(item.bytes, b"int x;\n");
            assert_eq!(item.language, Some(Language::Cpp).into());
            assert_eq!(item.occurrence.project, "set");
            assert_eq!(item.occurrence.path, "p7/s1");
            assert_eq!(item.row_id.as_deref(), Some("s1"));
            assert_eq!(item.no_language(), None);
            assert_eq!(item.occurrence.author.as_deref(), Some("ann"));
        }
    }

    #[test]
    fn fields_have_other_names_and_ids_may_be_missing() {
        check(
            "{\"content\":\"a\"}\n\n{\"func\":\"b\",\"idx\":9}\n{\"text\":\"c\",\"task_id\":\"H/0\"}",
            &["1=a", "9=b", "H/0=c"],
        );
        check(r#"{"id":"../../x","code":"a"}"#, &["x=a"]);
        check(r#"{"id":18446744073709551617,"code":"a"}"#, &["18446744073709551617=a"]);
    }

    #[test]
    fn pairs_are_two_items() {
        let row = r#"{"id":3,"lang1":"java","lang2":"py","code1":"a","code2":"b","group":"g"}"#;
        check(row, &["g/3/1=a", "g/3/2=b"]);
        let found = found("x.jsonl", row.as_bytes(), &Limits::default());
        let languages = found.iter().map(|found| match found {
            Found::Item(item) => item.language,
            other => panic!("{other:?}"),
        });
        let expected = [Language::Java, Language::Python].map(|language| Some(language).into());
        assert_eq!(languages.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn bad_lines_are_skips_by_their_number() {
        let found = found("s.jsonl", b"{\n[1]\n{\"a\":1}\n\xff\n{\"code\":\"ok\"}\n", &Limits::default());
        let summaries = summaries(&found);
        assert_eq!(summaries.len(), 5);
        for (number, line) in summaries[..4].iter().enumerate() {
            assert!(line.starts_with(&format!("s.jsonl:{}!", number + 1)), "{line}");
        }
        assert_eq!(summaries[4], "5=ok");
    }

    #[test]
    fn long_lines_and_large_items_are_skips() {
        let limits = Limits { item_bytes: 3, ..Limits::default() };
        let long = format!(
            "{{\"code\":\"{}\"}}\n{{\"code\":\"four\"}}\n{{\"code\":\"six\"}}\n",
            "x".repeat(2 << 20)
        );
        let summaries = summaries(&found("s.jsonl", long.as_bytes(), &limits));
        assert!(summaries[0].starts_with("s.jsonl:1!a line that is larger than"));
        assert_eq!(summaries[1..], ["2!larger than 3 bytes, the limit for one file", "3=six"]);
    }

    #[test]
    fn a_damaged_file_gives_what_came_before() {
        let row = |n: u32| format!("{{\"id\":{n},\"code\":\"{}\"}}\n", n * 7919).into_bytes();
        let rows: Vec<u8> = (0..20_000).flat_map(row).collect();
        let packed = gzip(&rows);
        let found = found("s.jsonl.gz", &packed[..packed.len() / 2], &Limits::default());
        assert!(found.len() > 100);
        assert!(matches!(found.last(), Some(Found::Skip { .. })));
    }
}
