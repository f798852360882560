//! Near-duplicates of a table, in each form.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, DurationSecondArray, ListArray, RecordBatch, StringArray, Time64MicrosecondArray,
};
use familiar_codenet::duplicates::{
    self, ClusterRule, Duplicates, DuplicatesOptions, KeptTableError, Only, Thresholds,
};
use familiar_codenet::set::Set;
use familiar_codenet::stats;
use familiar_source::Silent;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::sets::{self, import};

pub(crate) fn options(data: Vec<PathBuf>) -> DuplicatesOptions {
    DuplicatesOptions {
        data,
        thresholds: Thresholds::default(),
        only: Only::default(),
        strings: true,
        memory: 256 << 20,
        threads: 2,
    }
}

fn found(
    rows: &[(&str, &str)],
    change: impl FnOnce(&mut DuplicatesOptions),
) -> (Duplicates, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rows.jsonl");
    let line = |(id, code): &(&str, &str)| {
        format!("{}\n", serde_json::json!({"id": id, "lang": "cpp", "code": code}))
    };
    fs::write(&file, rows.iter().map(line).collect::<String>() + "no row\n").expect("a file");
    let mut options = options(vec![file]);
    change(&mut options);
    (duplicates::run(&options, &Silent).unwrap_or_else(|error| panic!("{error}")), folder)
}

const ONE: &str = "#include <stdio.h>\nint main(){int a=0,b=1,c=2;for(int i=0;i<10;i++){a+=b*c;b-=c;}printf(\"%d\\n\",a);return 0;}";
/// Other layout, comments and directives.
const LAYOUT: &str = "#include <cstdio>\n#define X 1\nint main()\n{ // start\n int a=0,b=1,c=2;\n for(int i=0;i<10;i++){a+=b*c;b-=c;}\n printf(\"%d\\n\",a);\n return 0;\n}";
/// Another string.
const STRING: &str =
    "int main(){int a=0,b=1,c=2;for(int i=0;i<10;i++){a+=b*c;b-=c;}printf(\"sum %d\\n\",a);return 0;}";
const OTHER: &str = "int main(){double x;while(scanf(\"%lf\",&x)==1&&x>0)printf(\"%.2f\\n\",x/3);}";

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("text")
}

#[test]
fn layout_comments_and_directives_do_not_count() {
    let (found, _folder) = found(&[("b", ONE), ("c", OTHER), ("a", LAYOUT)], |_| {});
    let pairs = text(|out| found.write_pairs(out).expect("memory"));
    assert_eq!(pairs, "id1,id2,set_jaccard,multiset_jaccard\na,b,1,1\n");
    let clusters = text(|out| found.write_clusters(ClusterRule::Every, out).expect("memory"));
    assert_eq!(clusters, "b:\na:1.00,1.00\n");
    assert_eq!(found.skipped.len(), 1);
    assert_eq!(found.skipped[0].path, "rows.jsonl:4");
}

#[test]
fn strings_can_be_left_out() {
    let rows = [("a", ONE), ("b", STRING)];
    let (with, _one) = found(&rows, |_| {});
    let (without, _two) = found(&rows, |options| options.strings = false);
    let overlap = |found: &Duplicates| {
        let mut overlap = None;
        let _: Result<(), ()> = found.each_pair(&mut |pair| {
            overlap = Some((pair.overlap.set, pair.overlap.multiset));
            Ok(())
        });
        overlap
    };
    let (set, multiset) = overlap(&with).expect("one token of many is another");
    assert!(set < 1.0 && multiset < 1.0, "{set} {multiset}");
    assert_eq!(overlap(&without), Some((1.0, 1.0)));
}

#[test]
fn what_is_kept_has_no_near_duplicates() {
    let (found, folder) = found(&[("b", ONE), ("c", OTHER), ("a", LAYOUT), ("d", STRING)], |_| {});
    let kept = text(|out| assert_eq!(found.write_kept(out).ok(), Some(2)));
    let ids: Vec<String> = kept
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .map(|row| row["id"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(ids, ["b", "c"]);
    // What is kept is kept.
    let again = folder.path().join("again.jsonl");
    fs::write(&again, &kept).expect("a file");
    let again = duplicates::run(&options(vec![again]), &Silent).expect("rows");
    assert!(again.kept().iter().all(|kept| *kept));
}

/// A table with a list beside what a sample has.
fn table(path: &Path, rows: &[(&str, &str)]) -> RecordBatch {
    compressed_table(path, rows, Compression::UNCOMPRESSED)
}

fn compressed_table(path: &Path, rows: &[(&str, &str)], compression: Compression) -> RecordBatch {
    let ids = StringArray::from_iter_values(rows.iter().map(|(id, _)| id));
    let languages = StringArray::from_iter_values(rows.iter().map(|_| "cpp"));
    let codes = StringArray::from_iter_values(rows.iter().map(|(_, code)| code));
    let stars = (0..).take(rows.len()).map(|row| Some(vec![Some(row), None]));
    let stars = ListArray::from_iter_primitive::<Int32Type, _, _>(stars);
    let columns: [(&str, ArrayRef); 4] = [
        ("id", Arc::new(ids)),
        ("lang", Arc::new(languages)),
        ("code", Arc::new(codes)),
        ("stars", Arc::new(stars)),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, it)| (name, it, true)));
    let batch = batch.expect("columns of one length");
    let file = fs::File::create(path).expect("a file");
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("it fits");
    writer.close().expect("it is written");
    batch
}

#[test]
fn tables_keep_all_columns_of_the_rows_that_stay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let first = table(&at("first.parquet"), &[("a", ONE), ("b", LAYOUT), ("c", OTHER), ("d", ONE)]);
    let second = table(&at("second.parquet"), &[("e", ""), ("f", STRING), ("g", OTHER), ("h", "int x;")]);
    let found = duplicates::run(&options(vec![at("first.parquet"), at("second.parquet")]), &Silent);
    let found = found.expect("rows");
    let out = fs::File::create(at("kept.parquet")).expect("a file");
    let kept = text(|out| assert!(found.write_kept(out).is_ok()));
    assert_eq!(found.write_kept_table(out).expect("they have the same columns"), kept.lines().count() as u64);

    let file = fs::File::open(at("kept.parquet")).expect("it was written");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a table").build().expect("a reader");
    let rows: Vec<RecordBatch> = reader
        .flat_map(|batch| {
            let batch = batch.expect("rows");
            (0..batch.num_rows()).map(move |row| batch.slice(row, 1)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(rows, [first.slice(0, 1), first.slice(2, 1), second.slice(0, 1), second.slice(3, 1)]);
}

/// What JSON has no form for is written as text, and no byte is lost.
#[test]
fn rows_that_stay_keep_times_and_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rows.parquet");
    let code = [ONE.as_bytes(), b" // gr\xf6\xdfe"].concat();
    let batch = RecordBatch::try_from_iter([
        ("lang", Arc::new(StringArray::from(vec!["cpp"])) as ArrayRef),
        ("code", Arc::new(BinaryArray::from(vec![code.as_slice()]))),
        ("digest", Arc::new(BinaryArray::from(vec![&b"\xff\x00\xfe"[..]]))),
        ("at", Arc::new(Time64MicrosecondArray::from(vec![1_500_000]))),
        ("took", Arc::new(DurationSecondArray::from(vec![90]))),
    ]);
    let batch = batch.expect("columns of one length");
    let file = fs::File::create(&path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).and_then(|()| writer.close()).expect("it is written");
    let found = duplicates::run(&options(vec![path]), &Silent).expect("rows");
    let kept = text(|out| assert!(found.write_kept(out).is_ok()));
    let expected = serde_json::json!({"lang": "cpp", "code": format!("{ONE} // größe"), "digest": "/wD+", "at": "00:00:01.5", "took": "PT90S"});
    assert_eq!(serde_json::from_str::<serde_json::Value>(&kept).ok(), Some(expected));
}

#[test]
fn tables_are_read_however_they_are_compressed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        let path = folder.path().join(format!("{compression}.parquet"));
        compressed_table(&path, &[("a", ONE), ("b", LAYOUT), ("c", OTHER)], compression);
        let found = duplicates::run(&options(vec![path]), &Silent).expect("rows");
        assert_eq!(found.kept(), [true, false, true], "{compression}");
    }
}

#[test]
fn tables_are_made_of_tables_with_the_same_columns() {
    let (found, folder) = found(&[("a", ONE), ("b", ONE)], |_| {});
    let at = |name: &str| folder.path().join(name);
    let out = || fs::File::create(at("kept.parquet")).expect("a file");
    let error = found.write_kept_table(out()).expect_err("JSON lines have no columns");
    assert!(matches!(error, KeptTableError::NotParquet(_)), "{error}");

    let batch = table(&at("one.parquet"), &[("a", ONE)]).project(&[0, 1, 2]).expect("three columns");
    let file = fs::File::create(at("other.parquet")).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("it fits");
    writer.close().expect("it is written");
    let both =
        duplicates::run(&options(vec![at("one.parquet"), at("other.parquet")]), &Silent).expect("rows");
    let error = both.write_kept_table(out()).expect_err("one has a column more");
    assert!(matches!(error, KeptTableError::Columns(_, _)), "{error}");
}

#[test]
fn data_that_are_not_there_are_not_told_to_be_no_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error = |path: PathBuf| {
        let found = duplicates::run(&options(vec![path]), &Silent);
        found.map(|_| ()).expect_err("there is no table").to_string()
    };
    assert!(error(folder.path().join("nothing")).contains("there is no such file or folder"));
    let prose = folder.path().join("prose.txt");
    fs::write(&prose, "no table").expect("a file");
    assert!(error(prose).contains("is no table"));
}

#[test]
fn codenets_clusters_leave_out_what_is_short() {
    let short = "int main(){return 0;}";
    let rows = [("a", short), ("b", short), ("c", ONE), ("d", ONE)];
    let (found, _folder) = found(&rows, |_| {});
    assert_eq!(found.clusters(ClusterRule::Every).len(), 2);
    assert_eq!(found.clusters(ClusterRule::CodeNet).len(), 1);
}

#[test]
fn submissions_keep_what_is_known_of_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, set) = (folder.path().join("rows.jsonl"), folder.path().join("set"));
    let row = serde_json::json!({"id": "a", "problem_id": "q", "user": "ann", "date": 1_600_000_000, "status": "WA", "cpu_time": 20, "lang": "cpp", "code": ONE});
    fs::write(&table, format!("{row}\n")).expect("a file");
    import(&sets::options(table, set.clone()));
    let found = duplicates::run(&options(vec![set]), &Silent).expect("a set");
    let kept = text(|out| assert!(found.write_kept(out).is_ok()));
    for expected in [
        "\"status\":\"Wrong Answer\"",
        "\"user_id\":\"u000000001\"",
        "\"date\":1600000000",
        "\"cpu_time\":20",
    ] {
        assert!(kept.contains(expected), "{kept}");
    }
}

#[test]
fn samples_without_tokens_are_like_no_other() {
    let rows = [("a", "#define A 1\n"), ("b", "#define B(x) x + 2\n"), ("c", "// a comment\n"), ("d", ONE)];
    let (found, _folder) = found(&rows, |_| {});
    assert_eq!(found.kept(), [true; 4]);
    assert_eq!(found.clusters(ClusterRule::Every), []);
    let kept = text(|out| assert_eq!(found.write_kept(out).ok(), Some(4)));
    assert_eq!(kept.lines().count(), 4);
}

#[test]
fn of_rows_with_one_id_the_first_one_counts() {
    let rows = [("a", ONE), ("a", ONE), ("b", OTHER)];
    let (once, _one) = found(&rows, |_| {});
    assert_eq!((once.ids.len(), once.skipped.len()), (2, 2));
    assert_eq!(once.skipped[0].path, "rows.jsonl:2");
    assert_eq!(once.skipped[0].reason, "there was a submission with the id a before");
    let (all, _two) = found(&rows, |options| options.only.repeated = true);
    assert_eq!(all.kept(), [true, false, true]);
}

#[test]
fn of_rows_of_a_folder_with_one_id_the_first_one_counts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    sets::codenet(folder.path());
    let found = duplicates::run(&options(vec![folder.path().to_owned()]), &Silent).expect("a set");
    assert_eq!(found.clusters(ClusterRule::Every), []);
    let set = Set::open(folder.path()).expect("a set").submissions("p00001").expect("its table");
    let skipped: Vec<&str> = set.skipped.iter().map(|it| it.path.as_str()).collect();
    assert_eq!((set.submissions.len(), skipped), (6, vec!["metadata/p00001.csv:6"]));
    let stats = stats::run(folder.path(), None, &Silent).expect("a set");
    assert_eq!((stats.submissions, stats.skipped.len()), (6, 1));
}

#[test]
fn rows_of_a_folder_without_an_id_or_sense_are_told_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    sets::codenet(folder.path());
    let rows = [",p00001,,,C,C,c,,,,,", "x,x,x,x,x,x,x,x,x,x,x,x,x", ",p00001,,,C,C,c,,,,,"];
    sets::write(&folder.path().join("metadata/p00001.csv"), format!("{}\n{}\n", sets::ROW, rows.join("\n")));
    let set = Set::open(folder.path()).expect("a set").submissions("p00001").expect("its table");
    let skipped: Vec<String> = set.skipped.iter().map(|it| format!("{}: {}", it.path, it.reason)).collect();
    assert_eq!(set.submissions.len(), 2);
    assert_eq!(skipped, ["metadata/p00001.csv:2: 13 fields, but the header names 12 columns"]);
}
