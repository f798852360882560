//! BigCloneEval's import: `FOLDER,FILE,START,END,FOLDER,FILE,START,END` on a line, without a heading. Oreo's evaluation writes the same.
//!
//! Some examples in BigCloneEval's documentation have a field too many or too few; such lines are errors here.
//!
//! # How to get them
//!
//! BigCloneEval: clone jeffsvajlenko/BigCloneEval from GitHub (GPL-2.0) and run `make` (Java). BigCloneBench and IJaDataset, on which it measures,
//! are downloads from its web page.
//!
//! Oreo: clone Mondego/oreo-artifact from GitHub (GPL-3.0), whose `INSTALL.md` says how to run it. It needs Java 8 and Python 3.6, and reads
//! Java. The trained model is `oreo/ml_model/oreo_model_fse.h5` there. Its own output names pairs by the methods of its input (`blocks.file`),
//! which have to be replaced by their places.

use std::path::Path;

use crate::error::DetectorError;
use crate::input;
use crate::pair::{Region, Reported};

pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(input::open(path)?);
    for row in rows.records() {
        let row = row.map_err(|error| DetectorError::format(path, error.to_string()))?;
        let line = row.position().map_or(0, csv::Position::line);
        if row.len() != 8 {
            return Err(DetectorError::line(path, line, format!("{} fields where 8 are needed", row.len())));
        }
        let side = |first: usize| {
            let number = |at: usize| {
                row[at]
                    .parse()
                    .map_err(|_| DetectorError::line(path, line, format!("{} is no line", &row[at])))
            };
            let path = if row[first].is_empty() {
                row[first + 1].to_owned()
            } else {
                format!("{}/{}", &row[first], &row[first + 1])
            };
            Ok(Region { path, start: number(first + 2)?, end: number(first + 3)? })
        };
        each(Reported { left: side(0)?, right: side(4)? });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_another_number_of_fields_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pairs.csv");
        std::fs::write(&file, "a,A.java,1,2,b,B.java,3,4\na,A.java,1,2,b,B.java,4\n").expect("it is written");
        let mut count = 0;
        let error = read(&file, &mut |_| count += 1).expect_err("a field is missing");
        assert_eq!(count, 1);
        assert!(error.to_string().ends_with("line 2: 7 fields where 8 are needed"), "{error}");
    }
}
