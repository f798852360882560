//! Judgements as CSV and as JSON lines.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Deserializer, Serialize};

use crate::judgement::{Judgement, Verdict};

/// Why a file of judgements cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("line {line}: {reason}")]
    Line { line: u64, reason: String },
    /// The table lacks columns.
    #[error("{0}")]
    Columns(String),
}

/// The columns that a table has to have. JSON lines need not have a verdict.
const NEEDED: [&str; 4] = ["pair_id", "judge", "verdict", "at"];
/// The columns that a table may have beside them.
const KNOWN: [&str; 5] = ["comment", "label", "seconds", "blind", "codes"];

/// A row of the table.
#[derive(Serialize, Deserialize)]
struct Row {
    pair_id: String,
    judge: String,
    #[serde(default)]
    verdict: String,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    label: String,
    #[serde(default, deserialize_with = "or_default")]
    seconds: f64,
    at: String,
    #[serde(default, deserialize_with = "or_default")]
    blind: bool,
    #[serde(default)]
    codes: String,
}

/// A value, or the usual one where the field is empty.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Writes judgements as CSV, with the names of the columns. `columns` are further ones, whose fields `beside` gives.
pub fn write_csv<'j>(
    out: impl Write,
    rows: impl IntoIterator<Item = &'j Judgement>,
    columns: &[&str],
    beside: impl Fn(&Judgement) -> Vec<String>,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    let own = ["pair_id", "judge", "verdict", "comment", "label", "seconds", "at", "blind", "codes"];
    writer.write_record(own.iter().chain(columns))?;
    for row in rows {
        let own = Row {
            pair_id: row.pair_id.clone(),
            judge: row.judge.clone(),
            verdict: row.verdict.map_or("", Verdict::name).to_owned(),
            comment: row.comment.clone(),
            label: row.label.clone().unwrap_or_default(),
            seconds: row.seconds,
            at: row.at.clone(),
            blind: row.blind,
            codes: row.codes.clone().unwrap_or_default(),
        };
        writer.serialize((own, beside(row)))?;
    }
    writer.flush()
}

/// Reads judgements from CSV. The columns may stand in any order, and there may be others; `pair_id`, `judge`, `verdict` and `at` have to be there.
pub fn read_csv(input: impl io::Read) -> Result<Vec<Judgement>, ExchangeError> {
    let mut reader = csv::Reader::from_reader(input);
    let columns = reader.headers().map_err(|error| ExchangeError::Columns(error.to_string()))?;
    if let Some(reason) = lacking("column", &NEEDED, &KNOWN, |name| columns.iter().any(|it| it == name)) {
        return Err(ExchangeError::Columns(reason));
    }
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        let row: Row = row.map_err(|error| ExchangeError::Line {
            line: error.position().map_or(0, csv::Position::line),
            reason: error.to_string(),
        })?;
        let verdict = Verdict::from_name(&row.verdict);
        if verdict.is_none() && !row.verdict.is_empty() {
            let reason = format!("verdict {:?}: give true, false or undecided", row.verdict);
            return Err(ExchangeError::Line { line: rows.len() as u64 + 2, reason });
        }
        rows.push(Judgement {
            pair_id: row.pair_id,
            judge: row.judge,
            verdict,
            comment: row.comment,
            label: Some(row.label).filter(|it| !it.is_empty()),
            seconds: row.seconds,
            at: row.at,
            blind: row.blind,
            codes: Some(row.codes).filter(|it| !it.is_empty()),
        });
    }
    checked(rows, 2)
}

/// Writes judgements as JSON lines, the form of `judgements.jsonl`.
pub fn write_jsonl<'j>(mut out: impl Write, rows: impl IntoIterator<Item = &'j Judgement>) -> io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut out, row)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Reads judgements from JSON lines.
pub fn read_jsonl(input: impl BufRead) -> Result<Vec<Judgement>, ExchangeError> {
    let mut rows = Vec::new();
    for (at, line) in input.lines().enumerate() {
        let line = line?;
        let row = serde_json::from_str(&line);
        rows.push(
            row.map_err(|error| ExchangeError::Line { line: at as u64 + 1, reason: wrong(&line, &error) })?,
        );
    }
    checked(rows, 1)
}

/// What is wrong with a line of JSON that is no judgement.
fn wrong(line: &str, error: &serde_json::Error) -> String {
    let needed: Vec<&str> = NEEDED.into_iter().filter(|name| *name != "verdict").collect();
    let known: Vec<&str> = ["verdict"].into_iter().chain(KNOWN).collect();
    let lacking = match serde_json::from_str(line) {
        Ok(serde_json::Value::Object(row)) => lacking("key", &needed, &known, |name| row.contains_key(name)),
        Ok(_) => Some("it is no JSON object".to_owned()),
        Err(_) => None,
    };
    lacking.unwrap_or_else(|| error.to_string())
}

/// Which of the needed columns or keys are not there, and which are known beside them; nothing where all are there.
fn lacking(what: &str, needed: &[&str], known: &[&str], has: impl Fn(&str) -> bool) -> Option<String> {
    let missing: Vec<&str> = needed.iter().copied().filter(|name| !has(name)).collect();
    let (missing, verb) = match missing.as_slice() {
        [] => return None,
        [one] => (format!("{what} {one}"), "is"),
        several => (format!("{what}s {}", several.join(", ")), "are"),
    };
    let (needed, known) = (needed.join(", "), known.join(", "));
    Some(format!("the {missing} {verb} missing; needed are {needed}; {known} may be there"))
}

/// Refuses times that are none.
fn checked(rows: Vec<Judgement>, first: u64) -> Result<Vec<Judgement>, ExchangeError> {
    for (line, row) in (first..).zip(&rows) {
        if familiar_source::time::parse(&row.at).is_none() || row.at.len() < 10 {
            let reason = format!("time {:?}: give one such as 2026-11-26T04:00:00Z", row.at);
            return Err(ExchangeError::Line { line, reason });
        }
        if !row.seconds.is_finite() || row.seconds < 0.0 {
            let reason = format!("seconds {}: give a number of at least 0", row.seconds);
            return Err(ExchangeError::Line { line, reason });
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rows in prop::collection::vec((".*", ".*", 0usize..4, ".*", 0u32..9999, any::<bool>()), 0..8)
        ) {
            let rows: Vec<Judgement> = rows
                .into_iter()
                .map(|(pair_id, judge, verdict, comment, tenths, blind)| Judgement {
                    pair_id,
                    judge,
                    verdict: Verdict::ALL.get(verdict).copied(),
                    label: (tenths % 2 == 0).then(|| "a, \"label\"".to_owned()),
                    comment,
                    seconds: f64::from(tenths) / 10.0,
                    at: "2026-11-26T04:00:00Z".to_owned(),
                    blind,
                    codes: (tenths % 3 == 0).then(|| "0123456789abcdef".to_owned()),
                })
                .collect();
            let mut table = Vec::new();
            write_csv(&mut table, &rows, &["more"], |_| vec!["is left alone".to_owned()]).expect("it is written");
            prop_assert_eq!(read_csv(&table[..]).expect("it is read"), rows.clone());
            let mut lines = Vec::new();
            write_jsonl(&mut lines, &rows).expect("it is written");
            prop_assert_eq!(read_jsonl(&lines[..]).expect("it is read"), rows);
        }
    }

    #[test]
    fn empty_fields_are_the_usual_ones() {
        let text = "pair_id,judge,verdict,comment,label,seconds,at,blind\np,ada,true,,,,2026-01-01,\n";
        let rows = read_csv(text.as_bytes()).expect("it is read");
        assert_eq!((rows[0].seconds, rows[0].blind, rows[0].label.as_deref()), (0.0, false, None));
    }

    #[test]
    fn wrong_rows_are_named() {
        let of = |text: &str| read_csv(text.as_bytes()).expect_err("it is wrong").to_string();
        assert!(of("pair_id,judge,verdict,at\np,ada,maybe,2026-01-01").contains("line 2: verdict"));
        assert!(of("pair_id,judge,verdict,at\np,ada,true,yesterday").contains("line 2: time"));
        assert!(of("pair_id,judge,verdict,seconds,at\np,ada,true,x,2026-01-01").contains("line 2"));
        let of = |text: &str| read_jsonl(text.as_bytes()).expect_err("it is wrong").to_string();
        assert!(of("[1]\n").contains("line 1: it is no JSON object"));
        assert!(of("{\"pair_id\": \"p\"").contains("line 1: EOF"));
    }

    #[test]
    fn what_is_missing_is_named_with_what_is_known() {
        let known =
            "needed are pair_id, judge, verdict, at; comment, label, seconds, blind, codes may be there";
        for (text, missing) in [
            ("id,judge,verdict,at\n", "the column pair_id is missing"),
            ("pair_id,judge,at\np,ada,2026-01-01\n", "the column verdict is missing"),
            ("id,who\n", "the columns pair_id, judge, verdict, at are missing"),
            ("", "the columns pair_id, judge, verdict, at are missing"),
        ] {
            let error = read_csv(text.as_bytes()).expect_err("it is wrong").to_string();
            assert_eq!(error, format!("{missing}; {known}"), "{text}");
        }
        let error = read_jsonl(&b"{\"id\": \"p\", \"at\": \"2026-01-01\"}\n"[..]).expect_err("it is wrong");
        let missing = "line 1: the keys pair_id, judge are missing; needed are pair_id, judge, at; verdict,";
        assert!(error.to_string().starts_with(missing), "{error}");
    }

    #[test]
    fn a_line_without_a_verdict_takes_one_back() {
        let text = "{\"pair_id\": \"p\", \"judge\": \"ada\", \"at\": \"2026-01-01\"}\n";
        assert_eq!(read_jsonl(text.as_bytes()).expect("it is read")[0].verdict, None);
    }
}
