//! License texts that scripts print or keep are no code: they come after all that is.

use familiar_engine::{CloneOptions, clones};
use familiar_source::Silent;

use super::short::ORIGINAL as CODE;

const MIT: &str = include_str!("../../../../LICENSE-MIT");

#[test]
fn license_texts_do_not_lead_the_list() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: String| {
        std::fs::write(folder.path().join(name), text).expect("the folder can be written");
    };
    let line_by_line = |before: &str, after: &str| {
        MIT.lines().map(|line| format!("{before}{line}{after}\n")).collect::<Vec<_>>().concat()
    };
    for number in ["one", "two"] {
        write(&format!("{number}.py"), format!("{CODE}\nprint(\"{number}\")\n"));
        write(
            &format!("remarks-{number}.bat"),
            format!("@echo off\n{}call {number}.bat\n", line_by_line("REM ", "")),
        );
        write(
            &format!("colons-{number}.bat"),
            format!("@echo off\n{}call {number}.bat\n", line_by_line(":: ", "")),
        );
        write(
            &format!("printed-{number}.bat"),
            format!("@echo off\n{}call {number}.bat\n", line_by_line("echo ", "")),
        );
        write(&format!("here-{number}.sh"), format!("#!/bin/sh\ncat <<EOF\n{MIT}\nEOF\nmake {number}\n"));
        write(
            &format!("printed-{number}.sh"),
            format!("#!/bin/sh\n{}make {number}\n", line_by_line("echo \"", "\"")),
        );
        write(&format!("string-{number}.py"), format!("TEXT = \"\"\"\n{MIT}\"\"\"\n\n{number}(TEXT)\n"));
    }
    let options =
        CloneOptions { paths: vec![folder.path().to_owned()], threads: 1, ..CloneOptions::default() };
    let report = clones::run(&options, None, &Silent).expect("the search works");
    let first = report.classes.first().expect("the function is found");
    let others = report.classes.iter().skip(1).all(|class| class.score * 3.0 < first.score);
    assert!(others && first.lines == 7, "{:?}", report.classes);
}
