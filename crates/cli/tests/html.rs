//! The HTML report, from a search and from a stored result.

mod common;

use common::{Tree, function};

#[test]
fn a_report_is_written_from_a_search_and_from_a_stored_result() {
    let tree = Tree::with_clones();
    tree.clones("--format html").fails_with(&["--output DIR", "--output FILE.html"]);
    tree.clones("--format html --output report").success();
    tree.clones("--format json --output result.json --exclude report").success();
    tree.run("report result.json --html again").success();
    for name in ["index.html", "assets/report.js", "data/head.js", "data/pairs-0.js", "data/source-0.js"] {
        assert!(tree.at("report").join(name).is_file(), "{name}");
    }
    let read = |path: &str| std::fs::read(tree.at(path)).expect("written");
    for name in ["files", "fragments", "classes", "pairs-0", "fingerprints-0", "source-0", "head"] {
        assert_eq!(read(&format!("report/data/{name}.js")), read(&format!("again/data/{name}.js")), "{name}");
    }
    tree.run("report result.json --html one.html").success();
    assert!(String::from_utf8_lossy(&read("one.html")).contains("id=\"data-source-0\""));
}

#[test]
fn a_report_says_which_code_is_gone_or_changed() {
    let tree = Tree::with_clones();
    tree.clones("--format json --output result.json").success();
    std::fs::remove_file(tree.at("a.py")).expect("there");
    tree.write("c.py", format!("# moved\n{}", function("sum_all", "values", 5)));
    tree.run("report result.json --html report").success();
    let files = std::fs::read_to_string(tree.at("report/data/files.js")).expect("written");
    assert!(files.contains("No such file") && files.contains("changed since it was searched"), "{files}");
}

#[test]
fn a_stored_result_reads_nothing_outside_its_trees() {
    let tree = Tree::with_clones();
    tree.clones("b c.py --format json --output result.json").success();
    let text = std::fs::read_to_string(tree.at("result.json")).expect("written");
    tree.write("result.json", text.replace("\"copy.py\"", "\"../a.py\""));
    tree.run("report result.json --html report").success();
    let files = std::fs::read_to_string(tree.at("report/data/files.js")).expect("written");
    assert!(files.contains("its path leads out of the tree"), "{files}");
}

#[test]
fn only_an_earlier_report_is_replaced() {
    let tree = Tree::with_clones();
    tree.clones("--format html --output report").success();
    tree.clones("--format html --output report").success();
    tree.clones("--format html --output b").fails_with(&["cannot write b", "no report"]);
    tree.clones("--format html --output a.py").fails_with(&["a.py", "it is a file"]);
    tree.write("result.json", "{\"schema\": \"familiar.find/1\"}");
    tree.run("report result.json --html other").fails_with(&[
        "result.json",
        "familiar.clones/1",
        "familiar.find/1",
    ]);
    assert!(!tree.at("other").exists());
}
