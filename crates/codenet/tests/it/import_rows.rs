//! Rows of tables that are hard to read right.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use familiar_codenet::import;
use familiar_codenet::set::Set;
use familiar_codenet::submission::Submission;
use familiar_source::Silent;
use serde_json::{Value, json};

use crate::sets::{ROW, import, options, skips, write};

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// The submissions that rows become, and what is left out.
fn imported(folder: &Path, rows: &str) -> (Vec<Submission>, Vec<String>) {
    let (table, output) = (folder.join("rows.jsonl"), folder.join("set"));
    write(&table, rows);
    import(&options(table, output.clone()));
    let set = Set::open(&output).expect("it was just made");
    let of = |problem: &String| set.submissions(problem).expect("it was just made");
    (set.problems.iter().flat_map(of).collect(), skips(&output))
}

#[test]
fn ids_that_would_become_one_stay_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = |id: &str, problem: &str, user: &str| json!({"id": id, "problem_id": problem, "user": user, "lang": "c", "code": format!("int {user};")});
    let rows = [
        row("a_s000000001", "one-p00001", "x-u000000001"),
        row("b_s000000001", "one-p00001", "x-u000000001"),
        row("b_s000000002", "two-p00001", "x-u000000001"),
        row("b_s000000003", "one-p00001", "y-u000000001"),
        row("b_s000000004", "one-p00001", "x-u000000001"),
    ];
    let (submissions, skips) = imported(folder.path(), &lines(&rows));
    let ids: Vec<&str> = submissions.iter().map(|it| it.submission_id.as_str()).collect();
    assert_eq!(ids, ["s000000001", "s000000004"]);
    for (skip, id) in skips.iter().zip(["b_s000000001", "two-p00001", "y-u000000001"]) {
        assert!(skip.contains(id), "{skip}");
    }
}

#[test]
fn a_row_that_was_refused_takes_no_id() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row =
        |id: &str, problem: &str| json!({"id": id, "problem_id": problem, "lang": "c", "code": "int a;"});
    let rows = [row("r1", "p00001"), row("r2", "two-sum"), row("r2", "p00002")];
    let (submissions, skips) = imported(folder.path(), &lines(&rows));
    assert_eq!((submissions.len(), skips.len()), (2, 1), "{skips:?}");
}

#[test]
fn columns_with_common_names_may_mean_something_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = [
        json!({"id": "a", "problem_id": "q", "lang": "c", "code": "int a;", "passed": true, "time": 31}),
        json!({"id": "b", "problem_id": "q", "lang": "c", "code": "int b;", "passed": "3/4", "time": "2020-01-01"}),
    ];
    let (submissions, skips) = imported(folder.path(), &lines(&rows));
    assert!(skips.is_empty(), "{skips:?}");
    let said: Vec<_> = submissions.iter().map(|it| (it.accuracy.as_str(), it.date)).collect();
    assert_eq!(said, [("", None), ("3/4", Some(1_577_836_800))]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_row() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = json!({"id": "a", "problem_id": "q", "lang": "c", "code": "int a;"});
    let (submissions, skips) = imported(folder.path(), &format!("\u{feff}{row}\n"));
    assert_eq!((submissions.len(), skips.len()), (1, 0), "{skips:?}");
}

#[test]
fn a_table_that_is_cut_off_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("rows.jsonl.gz");
    let row = |at: u32| json!({"id": at, "problem_id": "q", "lang": "c", "code": format!("int x{at};")});
    let rows: Vec<Value> = (0..1000).map(row).collect();
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(lines(&rows).as_bytes()).expect("memory");
    let whole = writer.finish().expect("memory");
    fs::write(&table, &whole[..whole.len() / 2]).expect("a file");
    let error = import::run(&options(table, folder.path().join("set")), &Silent);
    let error = error.expect_err("it is cut off").to_string();
    assert!(error.contains("rows.jsonl.gz:") && error.contains("nothing behind it can be read"), "{error}");
}

#[test]
fn no_path_of_a_row_leads_out_through_a_link() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("table");
    write(&folder.path().join("outside/secret.c"), "int secret;");
    write(&table.join("inside/a.c"), "int a;");
    symlink(folder.path().join("outside"), table.join("link")).expect("a link");
    let row = |file: &str| json!({"id": file, "problem_id": "q", "lang": "c", "file": file});
    let (submissions, skips) = imported(&table, &lines(&[row("inside/a.c"), row("link/secret.c")]));
    assert_eq!(submissions.len(), 1);
    assert!(skips[0].contains("link/secret.c does not lie below the table's folder"), "{skips:?}");
}

#[test]
fn a_row_gets_the_text_in_the_folder_of_its_language() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, output) = (folder.path().join("codenet"), folder.path().join("set"));
    write(
        &source.join("metadata/p00001.csv"),
        format!("{ROW}\ns000000001,p00001,u000000001,1500000000,C,C,c,Accepted,10,3000,13,\n"),
    );
    write(&source.join("data/p00001/C/s000000001.c"), "int a;\n");
    write(&source.join("data/p00001/Python/s000000001.py"), "a = 1\n");
    import(&options(source, output.clone()));
    let text = fs::read_to_string(output.join("data/p00001/C/s000000001.c"));
    assert_eq!(text.ok().as_deref(), Some("int a;\n"));
    let skips = skips(&output);
    assert!(skips[0].contains("data/p00001/Python/s000000001.py"), "{skips:?}");
}
