//! Whether what a server says is `familiar.find/1`, in every part that is read or passed on.

use familiar_report::find::SCHEMA;
use serde_json::Value;

/// Whether it is an answer to one query.
pub(super) fn is_answer(answer: &Value) -> bool {
    answer["schema"] == SCHEMA
        && is_query(&answer["query"])
        && (answer["more_blobs"].is_u64())
        && answer["origin"]["known"].is_boolean()
        && is_text(&answer["origin"]["reason"])
        && (answer["origin"]["blob"].is_null()
            || is_text(&answer["origin"]["blob"]) && is_place(&answer["origin"]))
        && each(&answer["blobs"], &|row| is_found(row) && versions(row).iter().all(is_found))
}

/// The versions of a blob that an answer lists.
pub(super) fn versions(row: &Value) -> &[Value] {
    row["versions"].as_array().map_or(&[], Vec::as_slice)
}

fn is_query(query: &Value) -> bool {
    is_text(&query["path"])
        && is_text(&query["language"])
        && ["start_line", "end_line", "tokens"].iter().all(|key| query[key].is_u64())
}

fn is_found(found: &Value) -> bool {
    let is_stretch = |lines: &Value| {
        lines.as_array().is_some_and(|four| four.len() == 4 && four.iter().all(Value::is_u64))
    };
    is_text(&found["blob"])
        && is_text(&found["language"])
        && ["coverage", "similarity", "score"].iter().all(|key| found[key].is_number())
        && (1..=4).contains(&found["type"].as_u64().unwrap_or(0))
        && each(&found["matched_lines"], &is_stretch)
        && (found["matched_text"].is_null() || each(&found["matched_text"], &|lines| each(lines, &is_text)))
        && each(&found["occurrences"], &is_place)
        && (found["licenses"].is_null() || each(&found["licenses"], &is_license))
        && (found["versions"].is_null() || found["versions"].is_array())
}

fn is_place(place: &Value) -> bool {
    const MAY_BE: [&str; 10] = [
        "family",
        "purl",
        "revision",
        "removed_by",
        "title",
        "first_seen",
        "last_seen",
        "author",
        "link",
        "license",
    ];
    ["project", "path", "evidence"].iter().all(|key| is_text(&place[key]))
        && place["first_line"].is_u64()
        && (place["base"].is_null() || place["base"].is_boolean())
        && MAY_BE.iter().all(|key| place[key].is_null() || is_text(&place[key]))
}

fn is_license(license: &Value) -> bool {
    let is_layer = |layer: &Value| {
        is_text(&layer["layer"])
            && ["expression", "evidence", "path", "rule"]
                .iter()
                .all(|key| layer[key].is_null() || is_text(&layer[key]))
    };
    is_text(&license["layer"])
        && (license["expression"].is_null() || is_text(&license["expression"]))
        && each(&license["occurrences"], &Value::is_u64)
        && each(&license["layers"], &is_layer)
}

fn is_text(value: &Value) -> bool {
    value.is_string()
}

/// Whether it is a list in which everything holds.
fn each(list: &Value, holds: &dyn Fn(&Value) -> bool) -> bool {
    list.as_array().is_some_and(|list| list.iter().all(holds))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer() -> Value {
        json!({
            "schema": SCHEMA,
            "query": {"path": "-", "language": "c", "start_line": 1, "end_line": 2, "tokens": 9},
            "blobs": [{
                "blob": "swh:1:cnt:0", "language": "c", "matched_lines": [[1, 2, 3, 4]], "coverage": 1.0, "type": 1,
                "similarity": 1, "score": 0.5, "projects": 1,
                "occurrences": [{"project": "p", "path": "a.c", "first_line": 1, "evidence": "none", "first_seen": null}],
                "licenses": [{"expression": "MIT", "layer": "file-tag", "layers": [{"layer": "file-tag"}], "occurrences": [0]}],
            }],
            "more_blobs": 0,
            "origin": {"known": false, "reason": "none"},
        })
    }

    #[test]
    fn whatever_is_otherwise_is_no_answer() {
        assert!(is_answer(&answer()));
        for (pointer, wrong) in [
            ("/schema", json!("familiar.find/2")),
            ("/query", json!([])),
            ("/more_blobs", json!(-1)),
            ("/blobs", json!({})),
            ("/blobs/0", json!("x")),
            ("/blobs/0/blob", json!(1)),
            ("/blobs/0/type", json!(9)),
            ("/blobs/0/matched_lines", json!([[1, 2]])),
            ("/blobs/0/occurrences/0", json!(null)),
            ("/blobs/0/occurrences/0/project", json!({"a": 1})),
            ("/blobs/0/occurrences/0/first_seen", json!(5)),
            ("/blobs/0/licenses", json!(["MIT"])),
            ("/blobs/0/licenses/0/layers/0", json!("MIT")),
            ("/origin", json!("here")),
        ] {
            let mut answer = answer();
            *answer.pointer_mut(pointer).expect("it is there") = wrong;
            assert!(!is_answer(&answer), "{pointer}");
        }
        for (key, wrong) in [("link", json!(7)), ("base", json!("yes"))] {
            let mut answer = answer();
            answer["blobs"][0]["occurrences"][0][key] = wrong;
            assert!(!is_answer(&answer), "{key}");
        }
        let mut answer = answer();
        answer["blobs"][0]["versions"] = json!([{"blob": "y"}]);
        assert!(!is_answer(&answer));
        assert!(!is_answer(&Value::Null));
    }
}
