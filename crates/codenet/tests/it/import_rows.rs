//! Rows of tables that are hard to read right.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch, StringArray};
use familiar_codenet::import::{self, ImportOptions};
use familiar_codenet::set::Set;
use familiar_codenet::submission::Submission;
use familiar_codenet::table::{RawRow, Table};
use familiar_source::Silent;
use parquet::arrow::ArrowWriter;
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
    let of = |problem: &String| set.submissions(problem).expect("it was just made").submissions;
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

#[test]
fn columns_that_no_row_has_are_an_error_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = json!({"id": "a", "problem_id": "q", "lang": "c", "source": "int a;"});
    write(&folder.path().join("rows.jsonl"), lines(std::slice::from_ref(&row)));
    write(&folder.path().join("rows.csv"), "id,problem_id,lang,source\na,q,c,int a;\n");
    for table in ["rows.jsonl", "rows.csv"] {
        let mut options = options(folder.path().join(table), folder.path().join("set"));
        options.columns = vec![("code".to_owned(), "srcc".to_owned())];
        let error = import::run(&options, &Silent).expect_err("there is no such column").to_string();
        assert!(
            error.contains(&format!("{table} has no column srcc, which --column code=srcc names")),
            "{error}"
        );
        assert!(!options.output.exists());
        options.columns[0].1 = "source".to_owned();
        import(&options);
        fs::remove_dir_all(&options.output).expect("it was made");
    }
}

#[test]
fn a_source_that_gives_no_submission_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (noise, empty) = (folder.path().join("noise.jsonl"), folder.path().join("empty.csv"));
    write(&noise, b"\x8f\x02\xff\n\xfe{\x00\n");
    write(&empty, "id,problem_id,lang,code\n");
    for (source, expected) in [
        (noise, "noise.jsonl holds no submission that can be taken: noise.jsonl:1: "),
        (empty, "empty.csv holds no submission that can be taken: it is empty"),
        (folder.path().join("nothing"), "nothing: there is no such file or folder; check the path"),
    ] {
        let options = options(source, folder.path().join("set"));
        let error = import::run(&options, &Silent).expect_err("there is nothing").to_string();
        assert!(error.contains(expected) && error.matches("nothing").count() < 2, "{error}");
        assert!(!options.output.exists());
        // A folder that was there stays, and all that an import left in it before its first checkpoint goes.
        write(&options.output.join(".import/rows-0000000"), "{}");
        write(&options.output.join("data/p00001/C/s000000001.c"), "int a;");
        import::run(&options, &Silent).expect_err("there is nothing");
        let left = fs::read_dir(&options.output).expect("it stays").count();
        assert_eq!(left, if expected.contains("no such file") { 2 } else { 0 });
        fs::remove_dir_all(&options.output).expect("it was made");
    }
}

#[test]
fn the_first_row_of_the_source_says_why_there_is_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, problems) = (folder.path().join("rows.jsonl"), folder.path().join("problems.jsonl"));
    write(&table, lines(&[json!({"id": "a", "problem_id": "q", "code": "+"})]));
    write(&problems, lines(&[json!({"text": "Add."}), json!({"problem_id": "q"})]));
    let options =
        import::ImportOptions { problems: Some(problems), ..options(table, folder.path().join("set")) };
    let error = import::run(&options, &Silent).expect_err("it says no language").to_string();
    assert!(error.ends_with("rows.jsonl:1: it says no language"), "{error}");
}

#[test]
fn the_ending_of_a_file_says_the_language_where_a_row_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = [
        json!({"id": "a", "problem_id": "q", "filename_ext": "py", "code": "a = 1"}),
        json!({"id": "b", "problem_id": "q", "path": "x/B.java", "code": "class B {}"}),
        json!({"id": "c", "problem_id": "q", "path": "x/c.json", "code": "{}"}),
    ];
    let (submissions, skips) = imported(folder.path(), &lines(&rows));
    let languages: Vec<&str> = submissions.iter().map(|it| it.language.as_str()).collect();
    assert_eq!(languages, ["Python", "Java"]);
    assert!(skips.len() == 1 && skips[0].contains("it says no language"), "{skips:?}");
}

#[test]
fn sizes_are_those_of_the_texts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = |id: &str, size: u32| json!({"id": id, "problem_id": "q", "lang": "c", "code": format!("int {id};\n"), "code_size": size});
    // The second one may have had another line end before.
    let (submissions, _) = imported(folder.path(), &lines(&[row("a", 999), row("b", 8)]));
    assert_eq!(submissions.iter().map(|it| it.code_size).collect::<Vec<_>>(), [Some(7), Some(8)]);
}

#[test]
fn texts_that_are_too_large_for_the_memory_are_left_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, output) = (folder.path().join("rows.jsonl"), folder.path().join("set"));
    let row = |id: &str, bytes| json!({"id": id, "problem_id": "q", "lang": "c", "code": "x".repeat(bytes)});
    write(&table, lines(&[row("a", 5 << 20), row("b", 1 << 20)]));
    let summary = import(&import::ImportOptions { memory: 64 << 20, ..options(table, output.clone()) });
    assert_eq!((summary.submissions, summary.skipped), (1, 1));
    assert!(skips(&output)[0].contains("larger than 4 MiB"), "{:?}", skips(&output));
}

#[test]
fn a_sample_may_be_an_empty_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, problems, output) =
        (folder.path().join("rows.jsonl"), folder.path().join("problems.jsonl"), folder.path().join("set"));
    write(&table, lines(&[json!({"id": "a", "problem_id": "q", "lang": "c", "code": "int a;"})]));
    write(&problems, lines(&[json!({"problem_id": "q", "samples": [{"in": "", "out": "1\n"}]})]));
    import(&import::ImportOptions { problems: Some(problems), ..options(table, output.clone()) });
    let samples = output.join("derived/input_output/data/p00001");
    assert_eq!(fs::read(samples.join("input.txt")).ok(), Some(Vec::new()));
}

#[test]
fn a_quote_that_nothing_closes_does_not_fill_the_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, output) = (folder.path().join("rows.csv"), folder.path().join("set"));
    let rows = "b,q,c,int b;\n".repeat(1 << 19);
    write(&table, format!("id,problem_id,lang,code\na,q,c,int a;\nb,q,c,\"{rows}"));
    let summary = import(&import::ImportOptions { memory: 64 << 20, ..options(table, output.clone()) });
    assert_eq!((summary.submissions, summary.skipped), (1, 1));
    let skips = skips(&output);
    assert!(
        skips[0].contains("rows.csv:2") && skips[0].contains("a row that is larger than 4 MiB"),
        "{skips:?}"
    );
}

/// A text of a table is what a file with the same bytes is.
#[test]
fn texts_of_tables_have_their_encoding() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (csv, parquet) = (folder.path().join("rows.csv"), folder.path().join("rows.parquet"));
    let code = b"// gr\xf6\xdfe\nint main(){return 1;}";
    write(&csv, [b"id,problem_id,user,lang,source\na,q,M\xfcller,c,\"", &code[..], b"\"\n"].concat());
    let text = |text: &str| Arc::new(StringArray::from(vec![text])) as ArrayRef;
    let columns = [
        ("id", text("a")),
        ("problem_id", text("q")),
        ("user", Arc::new(BinaryArray::from(vec![&b"M\xfcller"[..]])) as ArrayRef),
        ("lang", text("c")),
        ("source", Arc::new(BinaryArray::from(vec![&code[..]])) as ArrayRef),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("columns");
    let file = fs::File::create(&parquet).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).and_then(|()| writer.close()).expect("a file");
    write(&folder.path().join("files/q/Müller/a.c"), code);
    let blobs = [csv, parquet, folder.path().join("files")].map(|source| {
        let output = folder.path().join("set");
        import(&ImportOptions {
            columns: if source.is_dir() { Vec::new() } else { vec![("code".into(), "source".into())] },
            ..options(source, output.clone())
        });
        let text = fs::read_to_string(output.join("data/p00001/C/s000000001.c"));
        assert_eq!(text.ok().as_deref(), Some("// größe\nint main(){return 1;}"));
        let users = fs::read_to_string(output.join("metadata/users.csv")).expect("a table");
        let mut table = Table::open(&output.join("metadata/submissions.parquet"), &[]).expect("a table");
        let rows = table.batch(1 << 20).expect("a row");
        let fields = rows.into_iter().next().map(RawRow::fields).expect("a row").expect("fields");
        fs::remove_dir_all(output).expect("it was made");
        (fields["original_blob"].clone(), users)
    });
    assert!(blobs.iter().all(|(blob, _)| *blob == blobs[0].0), "{blobs:?}");
    assert!(blobs[0].1.contains("Müller") && blobs[2].1.contains("Müller"), "{blobs:?}");
}

#[test]
fn a_row_of_very_many_fields_is_left_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, output) = (folder.path().join("rows.csv"), folder.path().join("set"));
    let commas = ",".repeat(1 << 17);
    write(&table, format!("id,problem_id,lang,code\n{commas}\na,q,c,\"int a; // \"\"\nint b;\"\n"));
    let summary = import(&options(table, output.clone()));
    assert_eq!((summary.submissions, summary.skipped), (1, 1));
    let text = fs::read_to_string(output.join("data/p00001/C/s000000001.c")).expect("a text");
    assert_eq!(text, "int a; // \"\nint b;");
}

#[test]
fn a_row_of_a_folder_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, output) = (folder.path().join("codenet"), folder.path().join("set"));
    let row = "s000000001,p00001,u000000001,1500000000,C,C,c,Accepted,10,3000,13,";
    write(&source.join("metadata/p00001.csv"), format!("{ROW}\n{row}\n{row},,\n"));
    write(&source.join("data/p00001/C/s000000001.c"), "int a;\n");
    import(&options(source, output.clone()));
    let skips = skips(&output);
    assert!(skips[0].contains("p00001.csv:2") && skips[0].contains("14 fields, but the header"), "{skips:?}");
}
