//! A submission as it stands in its source to one of the set: cleaned, and checked for what contradicts itself.

use std::collections::BTreeMap;

use familiar_source::time;

use super::entry::RawSubmission;
use crate::clean::cleaned;
use crate::language_name::consolidated;
use crate::status::{ACCEPTED, status_called};
use crate::submission::Submission;
use crate::table::whole_number;

/// Later seconds than this are milliseconds, or smaller parts: it is the year 5138.
const LAST_SECOND: u64 = 99_999_999_999;
/// Earlier numbers than this are no date where the column may hold something else: it is the year 1973.
const EARLIEST_DATE: i64 = 100_000_000;

/// A submission with its text. Its ids are still those of the source.
pub(super) struct Prepared {
    pub(super) submission: Submission,
    pub(super) text: String,
}

/// Cleans a submission, or says why it is left out. `statuses` are other names of statuses, with ours. A text may have `most` bytes.
pub(super) fn prepare(
    raw: RawSubmission,
    statuses: &BTreeMap<String, String>,
    most: u64,
) -> Result<Prepared, String> {
    if raw.problem.is_empty() {
        return Err("it says no problem".to_owned());
    }
    let named = [&raw.language, &raw.original_language].into_iter().find(|name| !name.is_empty());
    let (language, ending) = consolidated(named.ok_or("it says no language")?);
    let bytes = raw.code.read(most)?;
    let cleaned = cleaned(&bytes).map_err(|error| error.to_string())?;
    let status = status(&raw.status, statuses)?;
    let submission = Submission {
        source_id: if raw.id.is_empty() { raw.place } else { raw.id },
        problem_id: raw.problem,
        user_id: raw.user,
        date: date(&raw.date)?,
        filename_ext: if is_ending(&raw.filename_ext) {
            raw.filename_ext.trim_start_matches('.').to_owned()
        } else {
            ending.to_owned()
        },
        cpu_time: number("cpu_time", &raw.cpu_time)?,
        memory: number("memory", &raw.memory)?,
        code_size: i64::try_from(code_size(number("code_size", &raw.code_size)?, &bytes)).ok(),
        accuracy: raw.accuracy,
        original_language: if raw.original_language.is_empty() {
            raw.language
        } else {
            raw.original_language
        },
        language,
        status,
        original_blob: cleaned.original.swhid(),
        submission_id: String::new(),
    };
    consistent(&submission)?;
    Ok(Prepared { submission, text: cleaned.text })
}

fn status(name: &str, statuses: &BTreeMap<String, String>) -> Result<String, String> {
    if name.is_empty() {
        return Ok(String::new());
    }
    if let Some(ours) = statuses.get(name) {
        return Ok(ours.clone());
    }
    let known = status_called(name).map(str::to_owned);
    known.ok_or_else(|| {
        format!("the status {name} is not known: say what it means by --status '{name}=Wrong Answer'")
    })
}

fn date(text: &str) -> Result<Option<i64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let seconds = match text.parse::<i64>() {
        Ok(number) => Some(in_seconds(number)),
        Err(_) => time::instant(text).or_else(|| {
            let number = text.parse::<f64>().ok();
            number.filter(|number| number.is_finite()).map(|number| in_seconds(number as i64))
        }),
    };
    seconds.map(Some).ok_or_else(|| format!("its date {text} is no time"))
}

/// Seconds of what may be milliseconds, microseconds or nanoseconds.
fn in_seconds(mut number: i64) -> i64 {
    while number.unsigned_abs() > LAST_SECOND {
        number = number.div_euclid(1000);
    }
    number
}

/// Whether a text is a date, and not the time that something took.
pub(super) fn is_date(text: &str) -> bool {
    let is_late = |number: f64| number >= EARLIEST_DATE as f64;
    time::instant(text).is_some() || text.parse().is_ok_and(is_late)
}

/// Whether a text says how many tests were passed, and of how many.
pub(super) fn is_accuracy(text: &str) -> bool {
    passed_tests(text).is_some()
}

/// The tests that were passed, and all of them.
fn passed_tests(accuracy: &str) -> Option<(u64, u64)> {
    let (passed, all) = accuracy.split_once('/')?;
    Some((passed.parse().ok()?, all.parse().ok()?))
}

fn number(column: &str, text: &str) -> Result<Option<i64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let whole = whole_number(text);
    whole.map(Some).ok_or_else(|| format!("its {column} {text} is no number, or too large"))
}

/// The bytes of a text before it was cleaned. What the data say counts only where an earlier import can have taken the difference away:
/// a byte order mark, and one sign at the end of each line.
fn code_size(said: Option<i64>, bytes: &[u8]) -> usize {
    const MARK: usize = 3;
    let lines = bytes.split(|&byte| byte == b'\n').count();
    let possible = bytes.len()..=bytes.len() + lines + MARK;
    said.and_then(|said| usize::try_from(said).ok())
        .filter(|said| possible.contains(said))
        .unwrap_or(bytes.len())
}

fn is_ending(ending: &str) -> bool {
    let ending = ending.trim_start_matches('.');
    (1..=12).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Fails where fields contradict each other.
fn consistent(submission: &Submission) -> Result<(), String> {
    let accepted = submission.status == ACCEPTED;
    let measured = [("cpu_time", submission.cpu_time), ("memory", submission.memory)];
    for (column, value) in measured {
        if let Some(value) = value.filter(|&value| accepted && value < 0) {
            return Err(format!("it is accepted, but its {column} is {value}"));
        }
    }
    if submission.accuracy.is_empty() {
        return Ok(());
    }
    match passed_tests(&submission.accuracy) {
        Some((passed, all)) if passed > all || accepted && passed < all => {
            Err(format!("it is {}, but its accuracy is {}", submission.status, submission.accuracy))
        }
        Some(_) => Ok(()),
        None => Err(format!("its accuracy {} is not of the form 3/4", submission.accuracy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_any_unit() {
        for (text, seconds) in [
            ("1684584012", 1_684_584_012),
            ("1684584012345", 1_684_584_012),
            ("1684584012345678", 1_684_584_012),
            ("1684584012345.5", 1_684_584_012),
            ("1.684584012e9", 1_684_584_012),
            ("2023-05-20 21:00:12+0900", 1_684_584_012),
            ("-9223372036854775808", -9_223_372_037),
        ] {
            assert_eq!(date(text), Ok(Some(seconds)), "{text}");
        }
        assert!(date("2023-05-20 21:00:12 Tokyo").is_err() && date("NaN").is_err());
    }
}
