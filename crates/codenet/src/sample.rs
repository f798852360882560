//! The rows of a data set that hold code.

use familiar_source::{Language, language_called};
use serde_json::{Map, Value};

use crate::status::status_called;
use crate::table::{RowError, text_of, whole_number};

/// Names of the column that holds code, the first that is there.
pub const CODE: &[&str] = &["code", "content", "text", "func", "source_code", "from_code"];
/// Names of the column that says the language.
pub const LANGUAGE: &[&str] = &["lang", "language", "programming_language"];
/// Names of the column that says which row it is.
pub const ID: &[&str] = &["id", "submission_id", "idx", "task_id", "blob_id", "hexsha", "path"];
/// Those of them that no two rows of a table share.
const OWN_ID: &[&str] = &["id", "submission_id"];
/// Names of the column that says for which problem it is.
pub const PROBLEM: &[&str] = &["problem_id", "problem", "group"];

/// Names of the column that says what the judge said.
pub const STATUS: &[&str] = &["status", "verdict", "from_status"];
/// Names of the column that says how long a program ran, in milliseconds.
pub const CPU_TIME: &[&str] = &["cpu_time", "run_time", "time_ms", "runtime"];
/// Names of the column that says how much memory it took, in kilobytes.
pub const MEMORY: &[&str] = &["memory", "memory_kb"];
/// Names of the column that says what the judge said of the user's next program.
pub const NEXT_STATUS: &[&str] = &["to_status"];

/// A row with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub id: String,
    /// Whether the id is meant for this sample alone, as those in a column `id` are. A `task_id` or a `path` may come again.
    pub own_id: bool,
    /// The problem that it solves; empty where the data do not say.
    pub problem: String,
    /// The language as the data call it.
    pub language_name: String,
    /// `None` where it is not known here.
    pub language: Option<Language>,
    pub code: String,
    /// One of [`crate::status::STATUSES`]; empty where the data do not say.
    pub status: String,
    /// Milliseconds.
    pub cpu_time: Option<u64>,
    /// Kilobytes.
    pub memory: Option<u64>,
    /// What the judge said of the next program of the same user for the problem, as `status`; empty where the data do not say.
    pub next_status: String,
}

impl Sample {
    /// The sample in a row; its number stands for an id that is missing.
    pub fn of(mut fields: Map<String, Value>, number: u64) -> Result<Self, RowError> {
        let code = CODE.iter().find_map(|name| match fields.get_mut(*name) {
            Some(Value::String(code)) => Some(std::mem::take(code)),
            _ => None,
        });
        let code = code.ok_or(RowError::Missing("code"))?;
        let language_name = text_of(&fields, LANGUAGE).unwrap_or_default();
        let status = |names: &[&str]| {
            let status = text_of(&fields, names).unwrap_or_default();
            status_called(&status).map_or(status, str::to_owned)
        };
        let whole = |names: &[&str]| whole_number(&text_of(&fields, names)?)?.try_into().ok();
        Ok(Self {
            status: status(STATUS),
            cpu_time: whole(CPU_TIME),
            memory: whole(MEMORY),
            next_status: status(NEXT_STATUS),
            own_id: text_of(&fields, OWN_ID).is_some(),
            id: text_of(&fields, ID).unwrap_or_else(|| number.to_string()),
            problem: text_of(&fields, PROBLEM).unwrap_or_default(),
            language: language_called(&language_name),
            language_name,
            code,
        })
    }

    /// All names that a column of a sample may have.
    pub fn columns() -> Vec<&'static str> {
        [CODE, LANGUAGE, ID, PROBLEM, STATUS, CPU_TIME, MEMORY, NEXT_STATUS].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_a_fraction_are_numbers() {
        let fields = serde_json::json!({"code": "x", "cpu_time": 20.0, "memory": "3000.4"});
        let Value::Object(fields) = fields else { unreachable!("it is an object") };
        let sample = Sample::of(fields, 1).expect("there is code");
        assert_eq!((sample.cpu_time, sample.memory), (Some(20), Some(3000)));
    }
}
