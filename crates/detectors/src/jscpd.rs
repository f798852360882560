//! jscpd 4 and 5: `jscpd --reporters json --output DIR SYSTEM` writes `DIR/jscpd-report.json`.
//!
//! It has pairs and no classes. Of three copies, jscpd reports a chain.
//!
//! # How to get it
//!
//! From npm, with Node.js 20 or later: `npm install --global jscpd@4`, or `jscpd@5`, which is written anew in Rust. The sources are at
//! kucherenko/jscpd on GitHub (MIT).

use std::path::Path;

use serde::Deserialize;

use crate::error::DetectorError;
use crate::input;
use crate::pair::{Region, Reported};

#[derive(Deserialize)]
struct Report {
    duplicates: Vec<Duplicate>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Duplicate {
    first_file: Place,
    second_file: Place,
}

#[derive(Deserialize)]
struct Place {
    name: String,
    start: u32,
    end: u32,
}

pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let report: Report = serde_json::from_reader(input::open(path)?)
        .map_err(|error| DetectorError::format(path, error.to_string()))?;
    for Duplicate { first_file, second_file } in report.duplicates {
        each(Reported { left: first_file.into(), right: second_file.into() });
    }
    Ok(())
}

impl From<Place> for Region {
    fn from(place: Place) -> Self {
        Self { path: place.name, start: place.start, end: place.end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_pairs() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("jscpd-report.json");
        let text = r#"{"statistics":{},"duplicates":[{"format":"java","lines":9,"tokens":80,"fragment":"…","isNew":true,
            "firstFile":{"name":"a/A.java","start":3,"end":12,"startLoc":{"line":3,"column":1,"position":0}},
            "secondFile":{"name":"B.java","start":5,"end":14}}]}"#;
        std::fs::write(&file, text).expect("it is written");
        let mut pairs = Vec::new();
        read(&file, &mut |pair| pairs.push(pair)).expect("it is read");
        let region = |path: &str, start, end| Region { path: path.to_owned(), start, end };
        assert_eq!(pairs, [Reported { left: region("a/A.java", 3, 12), right: region("B.java", 5, 14) }]);
    }
}
