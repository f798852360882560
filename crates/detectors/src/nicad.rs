//! NiCad 6 and 7: `nicad functions java SYSTEM` writes `SYSTEM_functions-blind-clones-0.30.xml`, and the same with `-classes` and `-withsource`.
//!
//! It looks like XML, but code in `-withsource` is not escaped, so tags are found by their lines.
//!
//! # How to get it
//!
//! Install OpenTxl 11 or later from the releases of CordyJ/OpenTxl on GitHub, and a C compiler. Clone CordyJ/Open-NiCad, run `make` in it, and
//! call `bin/nicad` in a folder that can be written. `docs/benchmarks.md` says how it was built here, with an older TXL.

use std::path::Path;

use crate::error::DetectorError;
use crate::input;
use crate::pair::{Region, Reported, all_pairs};

pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let (mut members, mut is_nicad) = (Vec::new(), false);
    input::lines(path, &mut |number, line| {
        let line = line.trim_start();
        is_nicad |= line.starts_with("<clones>");
        if line.starts_with("<source ") {
            let field = |name: &str| {
                attribute(line, name).ok_or_else(|| DetectorError::line(path, number, format!("no {name}")))
            };
            let lines = |name: &str| {
                field(name)?
                    .parse()
                    .map_err(|_| DetectorError::line(path, number, format!("{name} is no number")))
            };
            members.push(Region {
                path: field("file")?.to_owned(),
                start: lines("startline")?,
                end: lines("endline")?,
            });
        } else if line.starts_with("</clone>") || line.starts_with("</class>") {
            all_pairs(&members, each);
            members.clear();
        }
        Ok(())
    })?;
    if is_nicad {
        Ok(())
    } else {
        Err(DetectorError::format(path, "it has no <clones>, as outputs of NiCad have"))
    }
}

fn attribute<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
    line[start..].split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_between_the_tags_does_not_matter() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x_functions-blind-clones-0.30-withsource.xml");
        let text = "<clones>\n<systeminfo processor=\"nicad6\" system=\"x\"/>\n<clone nlines=\"12\" similarity=\"75\">\n\
                    <source file=\"x/A.java\" startline=\"1\" endline=\"14\" pcid=\"1\">\nif (a < b && c) {\n</source>\n\
                    <source file=\"x/B.java\" startline=\"5\" endline=\"18\" pcid=\"2\"></source>\n</clone>\n</clones>\n";
        std::fs::write(&file, text).expect("it is written");
        let mut pairs = Vec::new();
        read(&file, &mut |pair| pairs.push(pair)).expect("it is read");
        assert_eq!(pairs.len(), 1);
        assert_eq!((pairs[0].left.path.as_str(), pairs[0].right.start), ("x/A.java", 5));
    }
}
