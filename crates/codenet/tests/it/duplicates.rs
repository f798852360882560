//! Near-duplicates of a table, in each form.

use std::fs;
use std::path::PathBuf;

use familiar_codenet::duplicates::{self, ClusterRule, Duplicates, DuplicatesOptions, Only, Thresholds};
use familiar_source::Silent;

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

#[test]
fn codenets_clusters_leave_out_what_is_short() {
    let short = "int main(){return 0;}";
    let rows = [("a", short), ("b", short), ("c", ONE), ("d", ONE)];
    let (found, _folder) = found(&rows, |_| {});
    assert_eq!(found.clusters(ClusterRule::Every).len(), 2);
    assert_eq!(found.clusters(ClusterRule::CodeNet).len(), 1);
}
