//! One answer of several: blobs that more than one corpus knows are one, with the places of all.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use familiar_report::find::SCHEMA;
use serde_json::{Map, Value, json};

use super::form::{self, versions};

/// What one corpus answered, in the shape of `familiar.find/1`.
pub(crate) struct Part {
    pub(crate) corpus: String,
    pub(crate) answer: Value,
}

impl Part {
    /// A part whose answer has the form of one.
    pub(crate) fn checked(corpus: String, answer: Value) -> Option<Self> {
        form::is_answer(&answer).then_some(Self { corpus, answer })
    }

    fn rows(&self) -> &[Value] {
        self.answer["blobs"].as_array().map_or(&[], Vec::as_slice)
    }

    fn best(&self) -> f64 {
        self.rows().iter().filter_map(|row| row["coverage"].as_f64()).fold(0.0, f64::max)
    }
}

/// A blob, what was found of it first, and where the others say it is.
struct Merged {
    found: Map<String, Value>,
    /// With the corpus and the position there.
    places: Vec<(usize, usize, Value)>,
    licenses: Vec<(usize, Value)>,
}

/// Merges answers to one question; at least one. `limit` rows are listed. What is said of a blob itself, and of the query, is said by the first
/// that knows it, so that those whose word counts most come first.
pub(crate) fn merge(parts: &[Part], limit: usize) -> Value {
    let mut rows: Vec<Vec<Merged>> = Vec::new();
    let mut known: HashMap<String, (usize, usize)> = HashMap::new();
    for (number, part) in parts.iter().enumerate() {
        for row in part.rows() {
            add_row(row, (number, &part.corpus), &mut rows, &mut known);
        }
    }
    let mut blobs: Vec<Value> = rows.into_iter().map(finish_row).collect();
    let score = |row: &Value, key: &str| row[key].as_f64().unwrap_or(0.0);
    blobs.sort_by(|a, b| {
        let by = |key| score(b, key).total_cmp(&score(a, key));
        by("score").then(by("coverage")).then_with(|| a["blob"].as_str().cmp(&b["blob"].as_str()))
    });
    let more = parts.iter().filter_map(|part| part.answer["more_blobs"].as_u64());
    let more = more.fold(blobs.len().saturating_sub(limit) as u64, u64::saturating_add);
    let origin = origin(parts, &blobs);
    blobs.truncate(limit);
    json!({"schema": SCHEMA, "query": parts[0].answer["query"], "blobs": blobs, "more_blobs": more, "origin": origin})
}

/// Puts a row where one of its blobs is known, or as a new one.
fn add_row(
    row: &Value,
    part: (usize, &str),
    rows: &mut Vec<Vec<Merged>>,
    known: &mut HashMap<String, (usize, usize)>,
) {
    let all: Vec<&Value> = std::iter::once(row).chain(versions(row)).collect();
    let name = |found: &Value| found["blob"].as_str().unwrap_or_default().to_owned();
    let at = all.iter().find_map(|found| known.get(&name(found)).map(|&(row, _)| row)).unwrap_or_else(|| {
        rows.push(Vec::new());
        rows.len() - 1
    });
    for found in all {
        let (row, blob) = *known.entry(name(found)).or_insert_with(|| {
            let mut kept = found.as_object().cloned().unwrap_or_default();
            for key in ["versions", "occurrences", "licenses"] {
                kept.remove(key);
            }
            rows[at].push(Merged { found: kept, places: Vec::new(), licenses: Vec::new() });
            (at, rows[at].len() - 1)
        });
        let merged = &mut rows[row][blob];
        let (number, corpus) = part;
        for (position, place) in found["occurrences"].as_array().into_iter().flatten().enumerate() {
            let mut place = place.clone();
            place["corpora"] = json!([corpus]);
            merged.places.push((number, position, place));
        }
        let licenses = found["licenses"].as_array().into_iter().flatten();
        merged.licenses.extend(licenses.map(|license| (number, license.clone())));
        let higher = |key: &str| {
            let (old, new) = (merged.found.get(key).and_then(Value::as_f64), found[key].as_f64());
            new.filter(|new| old.is_none_or(|old| *new > old))
        };
        if let Some(score) = higher("score") {
            merged.found.insert("score".to_owned(), json!(score));
        }
    }
}

fn finish_row(blobs: Vec<Merged>) -> Value {
    let mut all: Vec<Value> = blobs.into_iter().map(finish).collect();
    let others = all.split_off(1);
    let mut row = all.pop().expect("a row has a blob");
    if !others.is_empty() {
        row["versions"] = Value::Array(others);
    }
    row
}

/// A blob with its places, each once, by project, path and time, and the licenses with their positions among these.
fn finish(Merged { mut found, places, licenses }: Merged) -> Value {
    let text = |place: &Value, key: &str| place[key].as_str().unwrap_or_default().to_owned();
    let key =
        |place: &Value| ["project", "path", "first_seen", "revision", "link"].map(|key| text(place, key));
    let mut sorted: Vec<&(usize, usize, Value)> = places.iter().collect();
    sorted.sort_by_key(|(number, position, place)| (key(place), *number, *position));
    let (mut occurrences, mut moved): (Vec<Value>, HashMap<(usize, usize), usize>) =
        (Vec::new(), HashMap::new());
    for (number, position, place) in sorted {
        match occurrences.last_mut().filter(|last| key(last) == key(place)) {
            Some(same) => {
                let corpus = &place["corpora"][0];
                if let Some(list) = same["corpora"].as_array_mut().filter(|list| !list.contains(corpus)) {
                    list.push(corpus.clone());
                }
            }
            None => occurrences.push(place.clone()),
        }
        moved.insert((*number, *position), occurrences.len() - 1);
    }
    let owner =
        |place: &Value| place["family"].as_str().or(place["project"].as_str()).unwrap_or_default().to_owned();
    let projects: BTreeSet<String> = occurrences.iter().map(owner).collect();
    found.insert("projects".to_owned(), json!(projects.len()));
    let mut by_license: BTreeMap<String, (Value, BTreeSet<usize>)> = BTreeMap::new();
    for (number, license) in licenses {
        let positions = license["occurrences"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        let positions = positions.filter_map(|at| moved.get(&(number, usize::try_from(at).ok()?)).copied());
        let positions: BTreeSet<usize> = positions.collect();
        let mut same = license;
        same["occurrences"] = Value::Null;
        by_license.entry(same.to_string()).or_insert((same, BTreeSet::new())).1.extend(positions);
    }
    if !by_license.is_empty() {
        let with = |(mut license, positions): (Value, BTreeSet<usize>)| {
            license["occurrences"] = json!(positions);
            license
        };
        let mut list: Vec<Value> = by_license.into_values().map(with).collect();
        list.sort_by_key(|license| license["occurrences"][0].as_u64());
        found.insert("licenses".to_owned(), Value::Array(list));
    }
    found.insert("occurrences".to_owned(), Value::Array(occurrences));
    Value::Object(found)
}

/// Who was first of those whom the corpora name, by the rule by which each of them names one (`docs/formats/find.md`): corpora that have
/// about as much of the code as any count, files' times prove nothing, and what was handed out is nobody's.
fn origin(parts: &[Part], blobs: &[Value]) -> Value {
    let best = parts.iter().map(Part::best).fold(0.0, f64::max);
    let counting: Vec<&Part> =
        parts.iter().filter(|part| !part.rows().is_empty() && part.best() * 5.0 >= best * 4.0).collect();
    let seen = |part: &Part| part.answer["origin"]["first_seen"].as_str().unwrap_or_default().to_owned();
    let earliest = |weak: bool| {
        let is_weak =
            |part: &Part| matches!(part.answer["origin"]["evidence"].as_str(), Some("file-time" | "none"));
        let timed = counting.iter().filter(|part| !seen(part).is_empty() && is_weak(part) == weak);
        timed.min_by_key(|part| seen(part))
    };
    let (strong, weak) = (earliest(false), earliest(true));
    let first: &Part = strong.or(weak).or(counting.first()).copied().unwrap_or(&parts[0]);
    let mut origin = first.answer["origin"].clone();
    if origin["blob"].is_string() {
        origin["corpus"] = json!(first.corpus);
    }
    let places = blobs.iter().flat_map(|row| std::iter::once(row).chain(versions(row)));
    let mut places = places.flat_map(|found| found["occurrences"].as_array().into_iter().flatten());
    if let Some(base) = places.find(|place| place["base"] == true) {
        let project = base["project"].as_str().unwrap_or_default();
        origin["known"] = json!(false);
        origin["reason"] =
            json!(format!("it was handed out with {project}, so it does not matter who had it first"));
    } else if let (Some(strong), Some(weak)) = (strong, weak)
        && seen(weak) < seen(strong)
    {
        origin["known"] = json!(false);
        origin["reason"] = json!(format!(
            "a file has an earlier date ({}) than the earliest date that can be compared ({}), but dates of files are not reliable",
            seen(weak),
            seen(strong)
        ));
    }
    origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(project: &str, seen: &str) -> Value {
        json!({"project": project, "path": "a.py", "first_line": 1, "first_seen": seen, "evidence": "commit-time"})
    }

    fn part(corpus: &str, blobs: &Value, origin: &Value) -> Part {
        let query = json!({"path": "-", "language": "python", "start_line": 1, "end_line": 9, "tokens": 50});
        let answer =
            json!({"schema": SCHEMA, "query": query, "blobs": blobs, "more_blobs": 1, "origin": origin});
        Part::checked(corpus.to_owned(), answer).expect("the form of an answer")
    }

    fn blob(name: &str, score: f64, places: &[Value], license: &str) -> Value {
        json!({"blob": name, "language": "python", "matched_lines": [[1, 9, 1, 9]], "coverage": score, "type": 1,
            "similarity": 1, "score": score, "projects": 1, "occurrences": places,
            "licenses": [{"expression": license, "layer": "file-tag", "layers": [], "occurrences": [0]}]})
    }

    fn origin_of(project: &str, seen: &str, evidence: &str) -> Value {
        json!({"known": evidence != "file-time", "reason": "the earliest", "blob": "b", "project": project,
            "path": "a.py", "first_line": 1, "first_seen": seen, "evidence": evidence})
    }

    #[test]
    fn a_blob_that_two_corpora_know_is_one() {
        let (here, there) = (place("mine", "2015"), place("theirs", "2011"));
        let parts = [
            part(
                "here",
                &json!([blob("x", 0.9, std::slice::from_ref(&here), "MIT"), blob("y", 0.2, &[here], "MIT")]),
                &origin_of("mine", "2015", "commit-time"),
            ),
            part(
                "lab/world",
                &json!([blob("x", 0.8, &[there.clone(), place("mine", "2015")], "ISC")]),
                &origin_of("theirs", "2011", "commit-time"),
            ),
        ];
        let merged = merge(&parts, 1);
        assert_eq!(merged["blobs"].as_array().map(Vec::len), Some(1));
        let one = &merged["blobs"][0];
        assert_eq!((&one["blob"], &one["score"], &one["projects"]), (&json!("x"), &json!(0.9), &json!(2)));
        let corpora = |at: usize| &one["occurrences"][at]["corpora"];
        assert_eq!((corpora(0), corpora(1)), (&json!(["here", "lab/world"]), &json!(["lab/world"])));
        let licenses = |at: usize| (&one["licenses"][at]["expression"], &one["licenses"][at]["occurrences"]);
        assert_eq!((licenses(0), licenses(1)), ((&json!("MIT"), &json!([0])), (&json!("ISC"), &json!([1]))));
        assert_eq!((&merged["more_blobs"], &merged["origin"]["project"]), (&json!(3), &json!("theirs")));
        assert_eq!(merged["origin"]["corpus"], "lab/world");
    }

    #[test]
    fn a_version_here_that_is_another_result_there_is_one_row() {
        let mut row = blob("x", 0.9, &[place("a", "2015")], "MIT");
        row["versions"] = json!([blob("y", 0.5, &[place("a", "2014")], "MIT")]);
        let origin = origin_of("a", "2014", "commit-time");
        let parts = [
            part("here", &json!([row]), &origin),
            part("there", &json!([blob("y", 0.5, &[place("b", "2013")], "MIT")]), &origin),
        ];
        let merged = merge(&parts, 20);
        assert_eq!(merged["blobs"].as_array().map(Vec::len), Some(1));
        assert_eq!(merged["blobs"][0]["versions"][0]["occurrences"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn times_that_prove_nothing_and_what_is_handed_out_are_not_first() {
        let of = |parts: &[Part]| {
            let merged = merge(parts, 20);
            (merged["origin"]["known"].clone(), merged["origin"]["project"].clone())
        };
        let strong = || {
            part(
                "a",
                &json!([blob("x", 0.9, &[place("a", "2015")], "MIT")]),
                &origin_of("a", "2015", "commit-time"),
            )
        };
        let weak = part(
            "b",
            &json!([blob("x", 0.9, &[place("b", "2010")], "MIT")]),
            &origin_of("b", "2010", "file-time"),
        );
        assert_eq!(of(&[strong(), weak]), (json!(false), json!("a")));
        let little = part(
            "c",
            &json!([blob("z", 0.1, &[place("c", "2001")], "MIT")]),
            &origin_of("c", "2001", "commit-time"),
        );
        assert_eq!(of(&[strong(), little]), (json!(true), json!("a")));
        let mut template = place("template", "2016");
        template["base"] = json!(true);
        let handed_out = part(
            "d",
            &json!([blob("x", 0.9, &[template], "MIT")]),
            &json!({"known": false, "reason": "none"}),
        );
        assert_eq!(of(&[strong(), handed_out]).0, json!(false));
        let nothing = part("e", &json!([]), &json!({"known": false, "reason": "nothing was found"}));
        assert_eq!(of(&[nothing]), (json!(false), Value::Null));
    }
}
