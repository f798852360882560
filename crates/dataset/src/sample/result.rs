//! What `clones`, `find` and `audit` write, as far as pairs are drawn from it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use super::place::{Claim, Place};
use crate::error::DatasetError;

/// The pairs of a result.
#[derive(Default)]
pub(super) struct Reported {
    pub(super) places: Vec<Spot>,
    pub(super) pairs: Vec<Pair>,
    /// Corpora that the result names.
    pub(super) corpora: Vec<String>,
    known: HashMap<Place, u32>,
}

/// A place with what leads to its code.
pub(super) struct Spot {
    pub(super) place: Place,
    /// The exact bytes of a path that is not UTF-8.
    pub(super) path_bytes: Option<Vec<u8>>,
    /// The name of the blob, where a corpus has the file.
    pub(super) blob: Option<String>,
    /// First and last byte of the code in the file, where the result says them.
    pub(super) bytes: Option<[u64; 2]>,
    /// The code, where the result has it.
    pub(super) code: Option<String>,
}

pub(super) struct Pair {
    pub(super) sides: [u32; 2],
    pub(super) claim: Claim,
}

/// A document of any form, or a line of one.
#[derive(Deserialize)]
struct Document {
    settings: Option<Settings>,
    #[serde(default)]
    against: Vec<String>,
    fragments: Option<Vec<Fragment>>,
    pairs: Option<Vec<Ray>>,
    // A line of pairs.
    left: Option<Fragment>,
    right: Option<Fragment>,
    #[serde(rename = "type")]
    clone_type: Option<u8>,
    similarity: Option<f64>,
    measure: Option<String>,
    verdict: Option<Licensed>,
    // What one query found, and what several did.
    query: Option<Query>,
    blobs: Option<Vec<Blob>>,
    queries: Option<Vec<Document>>,
}

#[derive(Deserialize)]
struct Settings {
    #[serde(default)]
    roots: Vec<String>,
}

#[derive(Clone, Deserialize)]
struct Fragment {
    project: Option<String>,
    path: String,
    path_bytes: Option<Vec<u8>>,
    blob: Option<String>,
    #[serde(default)]
    root: usize,
    #[serde(default)]
    language: String,
    #[serde(default)]
    name: String,
    start_line: u32,
    end_line: u32,
    start_byte: Option<u64>,
    end_byte: Option<u64>,
    code: Option<String>,
}

#[derive(Deserialize)]
struct Ray {
    left: usize,
    right: usize,
    #[serde(rename = "type")]
    clone_type: Option<u8>,
    similarity: Option<f64>,
    measure: Option<String>,
    verdict: Option<Licensed>,
}

#[derive(Deserialize)]
struct Licensed {
    status: String,
}

#[derive(Deserialize)]
struct Query {
    path: String,
    #[serde(default)]
    language: String,
}

#[derive(Deserialize)]
struct Blob {
    blob: String,
    #[serde(default)]
    language: String,
    matched_lines: Vec<[u32; 4]>,
    #[serde(rename = "type")]
    clone_type: Option<u8>,
    similarity: Option<f64>,
    #[serde(default)]
    occurrences: Vec<Occurrence>,
}

#[derive(Deserialize)]
struct Occurrence {
    project: String,
    path: String,
}

/// Reads a result: one JSON document, or one on each line.
pub(super) fn read(path: &Path) -> Result<Reported, DatasetError> {
    let file = File::open(path).map_err(|source| DatasetError::Read { path: path.to_owned(), source })?;
    let wrong = |reason: String| DatasetError::NoResult { path: path.to_owned(), reason };
    let mut reported = Reported::default();
    for document in serde_json::Deserializer::from_reader(BufReader::new(file)).into_iter::<Document>() {
        let document = document.map_err(|error| wrong(error.to_string()))?;
        reported.take(document).map_err(wrong)?;
    }
    reported.known = HashMap::new();
    Ok(reported)
}

impl Reported {
    fn take(&mut self, document: Document) -> Result<(), String> {
        match document {
            Document {
                left: Some(left),
                right: Some(right),
                clone_type,
                similarity,
                measure,
                verdict,
                ..
            } => {
                let sides = [left, right].map(|side| self.fragment(side, &[]));
                let verdict = verdict.map(|it| it.status);
                self.pairs.push(Pair { sides, claim: Claim { clone_type, similarity, measure, verdict } });
            }
            Document { fragments: Some(fragments), pairs: Some(pairs), settings, against, .. } => {
                let roots = settings.map(|it| it.roots).unwrap_or_default();
                for name in against {
                    if !self.corpora.contains(&name) {
                        self.corpora.push(name);
                    }
                }
                let numbers: Vec<u32> = fragments.into_iter().map(|it| self.fragment(it, &roots)).collect();
                for Ray { left, right, clone_type, similarity, measure, verdict } in pairs {
                    let side =
                        |at: usize| numbers.get(at).copied().ok_or(format!("there is no fragment {at}"));
                    let sides = [side(left)?, side(right)?];
                    let verdict = verdict.map(|it| it.status);
                    self.pairs
                        .push(Pair { sides, claim: Claim { clone_type, similarity, measure, verdict } });
                }
            }
            Document { query: Some(query), blobs: Some(blobs), .. } => self.found(&query, blobs),
            Document { queries: Some(queries), .. } => {
                for query in queries {
                    self.take(query)?;
                }
            }
            _ => return Err("it has neither pairs nor what a query found".to_owned()),
        }
        Ok(())
    }

    fn fragment(&mut self, it: Fragment, roots: &[String]) -> u32 {
        let project = it.project.or_else(|| roots.get(it.root).cloned()).unwrap_or_default();
        let place = Place {
            project,
            path: it.path,
            language: it.language,
            name: it.name,
            start_line: it.start_line,
            end_line: it.end_line,
        };
        self.spot(Spot {
            place,
            path_bytes: it.path_bytes,
            blob: it.blob,
            bytes: it.start_byte.zip(it.end_byte).map(|(start, end)| [start, end]),
            code: it.code,
        })
    }

    /// Each stretch that corresponds is a pair: lines of the query, and lines of the blob where it stands first.
    fn found(&mut self, query: &Query, blobs: Vec<Blob>) {
        for blob in blobs {
            let first = blob.occurrences.into_iter().next();
            let (project, path) =
                first.map_or_else(|| (String::new(), blob.blob.clone()), |it| (it.project, it.path));
            for [from, to, there_from, there_to] in blob.matched_lines {
                let place = |project: &str, path: &str, language: &str, lines: [u32; 2]| Place {
                    project: project.to_owned(),
                    path: path.to_owned(),
                    language: language.to_owned(),
                    name: String::new(),
                    start_line: lines[0],
                    end_line: lines[1],
                };
                let here = place("", &query.path, &query.language, [from, to]);
                let there = place(&project, &path, &blob.language, [there_from, there_to]);
                let spot = |place, blob| Spot { place, path_bytes: None, blob, bytes: None, code: None };
                let sides = [self.spot(spot(here, None)), self.spot(spot(there, Some(blob.blob.clone())))];
                let (clone_type, similarity) = (blob.clone_type, blob.similarity);
                self.pairs.push(Pair { sides, claim: Claim { clone_type, similarity, ..Claim::default() } });
            }
        }
    }

    /// The number of a place; the same one stands in many pairs.
    fn spot(&mut self, spot: Spot) -> u32 {
        let next = self.places.len() as u32;
        let number = *self.known.entry(spot.place.clone()).or_insert(next);
        if number == next {
            self.places.push(spot);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of a text as `FILE START END FILE START END`, with the type and the verdict.
    fn of(text: &str) -> Result<Vec<String>, String> {
        let mut reported = Reported::default();
        for document in serde_json::Deserializer::from_str(text).into_iter::<Document>() {
            reported.take(document.map_err(|error| error.to_string())?)?;
        }
        let place = |at: u32| {
            let Place { start_line, end_line, .. } = &reported.places[at as usize].place;
            format!("{} {start_line} {end_line}", reported.places[at as usize].place.file())
        };
        let pair = |Pair { sides: [left, right], claim }: &Pair| {
            let (left, right) = (place(*left), place(*right));
            format!("{left} {right} {:?} {:?}", claim.clone_type, claim.verdict.as_deref())
        };
        Ok(reported.pairs.iter().map(pair).collect())
    }

    #[test]
    fn results_of_find_and_audit_are_pairs() {
        let found = r#"{"query": {"path": "q.c"}, "blobs": [{"blob": "swh:1:cnt:0", "type": 2,
            "matched_lines": [[1, 5, 11, 15], [7, 9, 1, 3]], "occurrences": [{"project": "p", "path": "b.c"}]}]}"#;
        let pairs = ["q.c 1 5 p/b.c 11 15 Some(2) None", "q.c 7 9 p/b.c 1 3 Some(2) None"];
        assert_eq!(of(found), Ok(pairs.map(str::to_owned).to_vec()));
        assert_eq!(of(&format!("{{\"queries\": [{found}]}}")), of(found));
        assert_eq!(of(&format!("{found}\n{found}")).map(|it| it.len()), Ok(4));
        let audit = r#"{"settings": {"roots": ["src", "p"]}, "against": ["world"], "fragments": [
            {"path": "a.c", "root": 0, "start_line": 1, "end_line": 5},
            {"path": "b.c", "root": 1, "start_line": 2, "end_line": 6, "blob": "swh:1:cnt:0"}],
            "pairs": [{"left": 0, "right": 1, "type": 1, "verdict": {"status": "conflict"}}]}"#;
        assert_eq!(of(audit), Ok(vec!["src/a.c 1 5 p/b.c 2 6 Some(1) Some(\"conflict\")".to_owned()]));
        assert!(
            of(&audit.replace("\"right\": 1", "\"right\": 9")).is_err_and(|it| it.contains("no fragment 9"))
        );
        assert!(of("{}").is_err());
    }
}
