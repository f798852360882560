//! The HTML report, from a search and from a stored result.

use crate::common::{Tree, function, other_function};

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
    assert!(
        files.contains("there is no such file") && files.contains("changed since it was searched"),
        "{files}"
    );
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
    tree.clones("--format html --output b").fails_with(&["cannot write b", "not part of a report"]);
    tree.clones("--format html --output a.py").fails_with(&["a.py", "it is a file"]);
    tree.write("result.json", "{\"schema\": \"familiar.find/1\"}");
    tree.run("report result.json --html other").fails_with(&[
        "result.json",
        "neither a result of familiar clones nor one of familiar audit",
        "familiar.find/1",
    ]);
    assert!(!tree.at("other").exists());
}

#[test]
#[ignore = "long"]
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
#[ignore = "long"]
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
    assert!(read("again/data/files.js").contains("its corpus is missing"));
    tree.write("audit.json", read("audit.json").replace("\"pair\": 0", "\"pair\": 7"));
    tree.run("report audit.json --html other")
        .fails_with(&["audit.json", "finding 1 names something that does not exist"]);
}

/// A chunk of a report's folder.
fn chunk(tree: &Tree, path: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(tree.at(&format!("{path}.js"))).expect("written");
    assert!(!text.contains('<'), "{path}: {text}");
    let json = text.split_once(',').and_then(|(_, rest)| rest.strip_suffix(");\n"));
    serde_json::from_str(json.expect("a call")).expect("JSON")
}

#[test]
fn what_is_found_is_written_as_pages_with_where_it_stands() {
    let both = function("total", "items", 0) + &other_function("read");
    let tree = Tree::new(&[
        ("library/LICENSE", "SPDX-License-Identifier: GPL-3.0-only\n"),
        ("library/<img>/both.py", &both),
        ("asked/</script><b>.py", &both),
        (
            "asked/half.py",
            &(other_function("read") + "def own(a, b):\n    return [a.c(b) for b in a if b.is_c(a)]\n"),
        ),
        ("asked/own.py", "def mine(a):\n    return a\n"),
        ("asked/words.txt", "no code"),
    ]);
    tree.run("corpus add ./c dir:library --quiet").success();
    tree.run("find asked --in ./c --format html").fails_with(&["--output DIR", "--output FILE.html"]);
    for output in ["report", "again", "one.html"] {
        tree.run(&format!("find asked --in ./c --min-lines 1 --format html --output {output} --quiet"))
            .success();
    }
    let names = [
        "head",
        "files",
        "fragments",
        "classes",
        "pairs-0",
        "find",
        "blobs-0",
        "origins-0",
        "unknown",
        "skipped",
        "source-0",
    ];
    for name in names {
        let value = chunk(&tree, &format!("report/data/{name}"));
        assert_eq!(value, chunk(&tree, &format!("again/data/{name}")), "{name}");
    }
    let value = |name: &str| chunk(&tree, &format!("report/data/{name}"));
    let head = value("head");
    assert_eq!(
        (&head["asked"], &head["counts"]["classes"], &head["counts"]["pairs"]),
        (&1.into(), &2.into(), &2.into())
    );
    assert_eq!(head["settings"]["roots"], serde_json::json!(["asked", "library"]));
    assert_eq!(head["summary"]["not_code"], 1);
    let summary = &value("find")["summary"];
    let counts = ["files", "known", "whole", "blobs"].map(|key| summary[key].as_u64().expect("a number"));
    assert_eq!(counts, [3, 2, 1, 1], "{summary}");
    assert_eq!(value("unknown"), serde_json::json!([["asked/own.py", 2, 8]]));
    let paths = ["asked/</script><b>.py", "asked/half.py", "library/<img>/both.py"];
    assert_eq!(value("files")["paths"], serde_json::json!(paths));
    assert_eq!(value("source-0").as_array().expect("a list").len(), 3, "both sides, each once");
    let blob = &value("blobs-0")[0];
    assert_eq!(blob["places"][0]["path"], "<img>/both.py");
    assert_eq!(blob["licenses"][0]["expression"], "GPL-3.0-only");
    assert_eq!(value("origins-0")[0]["known"], false, "a file's time proves nothing");
    let page = std::fs::read_to_string(tree.at("one.html")).expect("written");
    assert!(page.contains("id=\"data-find\"") && !page.contains("</script><b>"));
}

#[test]
fn code_that_is_nowhere_is_said_to_be_missing_in_pages_of_what_is_found() {
    let tree = Tree::new(&[("library/orders.py", &function("total", "items", 0))]);
    tree.run("corpus add ./c dir:library --no-text --quiet").success();
    tree.run("fingerprint library --output library.fp --quiet").success();
    tree.run("find --fingerprints library.fp --in ./c --min-lines 1 --format html --output report").success();
    let missing = &chunk(&tree, "report/data/files")["missing"];
    assert!(
        missing["0"].as_str().expect("a reason").contains("fingerprints, which do not contain the text"),
        "{missing}"
    );
    assert_eq!(missing["1"], "the corpus does not keep source text");
    tree.run("find library/orders.py:1-9 --in ./c --format html --output lines").success();
    let found = chunk(&tree, "lines/data/head");
    assert_eq!(
        (&found["summary"]["lines"], &found["settings"]["roots"][0]),
        (&9.into(), &"library/orders.py:1-9".into())
    );
    assert_eq!(chunk(&tree, "lines/data/files")["missing"].as_object().map(serde_json::Map::len), Some(1));
    tree.write("words", "no code at all");
    tree.run("find words --in ./c --format html --output nothing").fails_with(&["its language is not known"]);
    assert!(!tree.at("nothing").exists());
}
