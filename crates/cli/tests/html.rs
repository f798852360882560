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

#[test]
fn an_audit_is_written_as_pages_with_what_speaks_for_it() {
    let tree = Tree::new(&[
        (
            "app/</script><b>.py",
            &format!("# SPDX-License-Identifier: MIT\n\n{}", function("total", "items", 0)),
        ),
        ("library/LICENSE", "Copyright (c) 2020 Eve\nSPDX-License-Identifier: GPL-3.0-only\n"),
        ("library/<img>/orders.py", &function("total", "items", 0)),
    ]);
    tree.run("corpus add ./c dir:library --quiet").success();
    tree.run("audit app --against ./c --format html").fails_with(&["--output DIR", "--output FILE.html"]);
    for output in ["report", "again", "one.html"] {
        let run = tree.run(&format!("audit app --against ./c --format html --output {output} --quiet"));
        assert_eq!(run.code(), 1, "a conflict: {}", run.stderr());
    }
    let read = |path: &str| std::fs::read_to_string(tree.at(path)).expect("written");
    let names =
        ["audit", "evidence-0", "findings-0", "head", "files", "fragments", "classes", "pairs-0", "source-0"];
    for name in names {
        let chunk = read(&format!("report/data/{name}.js"));
        assert!(!chunk.contains('<'), "{name}: {chunk}");
        assert_eq!(chunk, read(&format!("again/data/{name}.js")), "{name}");
    }
    let value = |name: &str| -> serde_json::Value {
        let chunk = read(&format!("report/data/{name}.js"));
        let json =
            chunk.strip_prefix(&format!("familiar(\"{name}\",")).and_then(|rest| rest.strip_suffix(");\n"));
        serde_json::from_str(json.expect("a call")).expect("JSON")
    };
    assert_eq!(value("head")["audited"], 1);
    assert_eq!(
        value("files")["paths"],
        serde_json::json!(["app/</script><b>.py", "library/<img>/orders.py"])
    );
    assert_eq!(value("source-0").as_array().expect("a list").len(), 2, "the text of both sides");
    let evidence = value("evidence-0");
    assert_eq!(evidence["texts"][1][0], "Copyright (c) 2020 Eve", "{evidence}");
    assert_eq!(evidence["places"][1][0]["path"], "<img>/orders.py");
    assert_eq!(value("findings-0")["findings"][0]["pairs"][0]["right"], 1);
    let words = value("audit")["words"].to_string();
    assert!(
        ["conflict", "denied", "GPL-3.0-only", "file-tag"].iter().all(|word| words.contains(word)),
        "{words}"
    );
    let page = read("one.html");
    assert!(page.contains("id=\"data-audit\"") && !page.contains("</script><b>"));
}

#[test]
fn a_stored_audit_gives_the_same_pages_and_says_which_corpus_is_gone() {
    let tree = Tree::with_clones();
    tree.write("library/LICENSE", "SPDX-License-Identifier: GPL-3.0-only\n");
    tree.write("library/orders.py", function("total", "items", 0));
    tree.run("corpus add ./c dir:library --quiet").success();
    assert!(tree.run("audit b --against ./c --format html --output report --quiet").code() < 2);
    assert!(tree.run("audit b --against ./c --format json --output audit.json --quiet").code() < 2);
    tree.run("report audit.json --html again").success();
    let read = |path: &str| std::fs::read_to_string(tree.at(path)).expect("written");
    let names = [
        "audit",
        "evidence-0",
        "findings-0",
        "head",
        "files",
        "fragments",
        "classes",
        "pairs-0",
        "source-0",
        "skipped",
    ];
    for name in names {
        assert_eq!(read(&format!("report/data/{name}.js")), read(&format!("again/data/{name}.js")), "{name}");
    }
    std::fs::remove_dir_all(tree.at("c")).expect("there");
    tree.run("report audit.json --html again").success();
    assert!(read("again/data/files.js").contains("its corpus is not there"));
    tree.write("audit.json", read("audit.json").replace("\"pair\": 0", "\"pair\": 7"));
    tree.run("report audit.json --html other")
        .fails_with(&["audit.json", "finding 1 names what is not there"]);
}
