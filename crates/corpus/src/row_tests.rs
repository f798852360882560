//! How a row of a data set says that its program is tested.

use serde_json::{Map, Value};

/// The tests of one program. At least one part is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowTests {
    /// Code in the program's language that stands behind it, and fails if something is wrong (`test`).
    pub asserts: Option<String>,
    /// The function that is tested (`entry_point`).
    pub function: Option<String>,
    /// Texts on standard input (`samples`, `input`).
    pub inputs: Vec<String>,
}

impl RowTests {
    /// What the fields `test`, `entry_point`, `samples` and `input` of a row say. `samples` is a list of texts, or of objects with the
    /// text in `in` or `input`, as in Project CodeNet. `None` where they say nothing.
    pub fn of_row(row: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| {
            let text = row.get(name).and_then(Value::as_str);
            text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let samples = row.get("samples").and_then(Value::as_array).into_iter().flatten();
        let sample = |value: &Value| {
            let value = value.get("in").or_else(|| value.get("input")).unwrap_or(value);
            value.as_str().map(str::to_owned)
        };
        let inputs = samples.filter_map(sample).chain(text("input")).collect();
        let tests = Self { asserts: text("test"), function: text("entry_point"), inputs };
        (tests != Self::default()).then_some(tests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(row: &str) -> Option<RowTests> {
        RowTests::of_row(&serde_json::from_str(row).expect("a test's own JSON"))
    }

    #[test]
    fn a_row_says_how_its_program_is_tested() {
        let row = r#"{"code":"def f(a): return a","test":"assert f(1) == 1","entry_point":"f"}"#;
        let found = tests(row).expect("it has a test");
        assert_eq!(found.asserts.as_deref(), Some("assert f(1) == 1"));
        assert_eq!(found.function.as_deref(), Some("f"));
        let found = tests(r#"{"samples":[{"in":"1\n","out":"2"},"3\n"],"input":"4\n"}"#);
        assert_eq!(found.expect("it has inputs").inputs, ["1\n", "3\n", "4\n"]);
        assert_eq!(tests(r#"{"code":"x","test":" ","samples":[]}"#), None);
        assert_eq!(tests(r#"{"test":7,"samples":[7]}"#), None);
    }
}
