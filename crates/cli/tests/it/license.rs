//! `familiar license`: every layer over a tree that has them all, its schema, its formats, and bad input.

use std::io::Write;

use crate::common::{Run, Tree};
use serde_json::Value;

const SCHEMA: &str = include_str!("../../../../docs/formats/license-1.schema.json");

const MIT: &str = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated \
documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, \
copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is \
furnished to do so, subject to the following conditions:\n\nThe above copyright notice and this permission notice shall be included in \
all copies or substantial portions of the Software.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR \
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT \
SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR \
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n";

/// A tag, spelled so that it is none of this file.
fn tag(expression: &str) -> String {
    format!("SPDX-License-{}: {expression}\n", "Identifier")
}

/// A tree in which every layer but the platform's speaks for some file.
fn tree() -> Tree {
    let tree = Tree::new(&[
        ("LICENSE", &format!("MIT License\n\nCopyright (c) 2020 Ada Example\n\n{MIT}")),
        ("Cargo.toml", "[package]\nname = \"all\"\nversion = \"1.0.0\"\nlicense = \"MIT\"\n"),
        ("src/plain.py", "x = 1\n"),
        ("src/tagged.py", &format!("# {}x = 1\n", tag("ISC"))),
        ("src/noticed.py", &format!("'''Copyright 2021 Bea Example\n\n{MIT}'''\nx = 2\n")),
        ("img/logo.png", ""),
        ("img/logo.png.license", &tag("CC0-1.0")),
        (
            "REUSE.toml",
            "version = 1\n[[annotations]]\npath = \"data/*.json\"\nSPDX-License-Identifier = \"CC-BY-4.0\"\n\
             [[annotations]]\npath = \"forced/**\"\nprecedence = \"override\"\nSPDX-License-Identifier = \"Zlib\"\n",
        ),
        ("data/a.json", "{}\n"),
        ("forced/b.py", &format!("# {}", tag("ISC"))),
        (
            ".reuse/dep5",
            "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: po/*\nLicense: GPL-2+\n",
        ),
        ("po/de.txt", "hallo\n"),
        (
            "familiar.toml",
            "[[license.concluded]]\npath = \"vendor/tiny/\"\nexpression = \"BSD-2-Clause\"\nreason = \"asked the author\"\n",
        ),
        ("vendor/tiny/t.c", "int x;\n"),
        ("vendor/none/n.c", "int y;\n"),
        (
            "node_modules/p/package.json",
            "{\"name\": \"p\", \"version\": \"2.0.0\", \"license\": \"Apache-2.0\"}\n",
        ),
        ("node_modules/p/index.js", "1;\n"),
        ("node_modules/odd/package.json", "{\"name\": "),
        ("poms/a/pom.xml", &pom("a", "b")),
        ("poms/b/pom.xml", &pom("b", "a")),
    ]);
    tree.write("img/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let snippet =
        format!("# {}# SPDX-SnippetBegin\n# {}y = 1\n# SPDX-SnippetEnd\n", tag("MIT"), tag("CC-BY-SA-4.0"));
    tree.write("src/snippet.py", snippet);
    tree
}

fn pom(artifact: &str, parent: &str) -> String {
    format!(
        "<project><parent><groupId>g</groupId><artifactId>{parent}</artifactId></parent><artifactId>{artifact}</artifactId></project>"
    )
}

#[track_caller]
fn valid(run: Run) -> Value {
    let result = run.success().json();
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator.iter_errors(&result).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    result
}

/// `expression by: layers` of a file; a layer is its name and expression.
fn said(result: &Value, path: &str) -> String {
    let files = result["files"].as_array().expect("a list");
    let file =
        files.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("{path} is not there"));
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let layers: Vec<String> = file["layers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|layer| format!("{} {}", text(&layer["layer"]), text(&layer["expression"])))
        .collect();
    format!("{} by {}: {}", text(&file["expression"]), text(&file["by"]), layers.join(", "))
}

#[test]
fn every_layer_is_shown_and_the_first_counts() {
    let result = valid(tree().run("license . --format json"));
    for (path, expected) in [
        ("src/plain.py", "MIT by license-file: license-file MIT, package-metadata MIT"),
        ("src/tagged.py", "ISC by file-tag: file-tag ISC, license-file MIT, package-metadata MIT"),
        ("src/noticed.py", "MIT by file-notice: file-notice MIT, license-file MIT, package-metadata MIT"),
        (
            "src/snippet.py",
            "MIT AND CC-BY-SA-4.0 by file-tag: snippet-tag CC-BY-SA-4.0, file-tag MIT, license-file MIT, package-metadata MIT",
        ),
        ("img/logo.png", "CC0-1.0 by sidecar: sidecar CC0-1.0, license-file MIT, package-metadata MIT"),
        ("data/a.json", "CC-BY-4.0 by reuse: reuse CC-BY-4.0, license-file MIT, package-metadata MIT"),
        (
            "forced/b.py",
            "Zlib by reuse-override: reuse-override Zlib, file-tag ISC, license-file MIT, package-metadata MIT",
        ),
        (
            "po/de.txt",
            "GPL-2.0-or-later by dep5: dep5 GPL-2.0-or-later, license-file MIT, package-metadata MIT",
        ),
        ("vendor/tiny/t.c", "BSD-2-Clause by concluded: concluded BSD-2-Clause"),
        ("vendor/none/n.c", "- by none: none -"),
        ("node_modules/p/index.js", "Apache-2.0 by package-metadata: package-metadata Apache-2.0"),
    ] {
        assert_eq!(said(&result, path), expected, "{path}");
    }
}

#[test]
fn packages_copyrights_and_what_is_not_read_are_told() {
    let result = valid(tree().run("license . --format json --license-text"));
    let purls: Vec<&str> = result["packages"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|package| package["purl"].as_str())
        .collect();
    assert_eq!(purls, ["pkg:cargo/all@1.0.0", "pkg:npm/p@2.0.0", "pkg:maven/g/a", "pkg:maven/g/b"]);
    let files = result["files"].as_array().expect("a list");
    let noticed = files.iter().find(|file| file["path"] == "src/noticed.py").expect("there");
    assert_eq!(noticed["ids"], serde_json::json!(["MIT"]));
    assert!(noticed["copyrights"][0]["holder"].as_str().is_some_and(|holder| holder.contains("Bea")));
    assert!(noticed["layers"][0]["text"].as_str().is_some_and(|text| text.contains("hereby granted")));
    let skipped = result["skipped"].as_array().expect("a list");
    let reason = |path: &str| {
        let skip = skipped.iter().find(|skip| skip["path"] == path);
        skip.and_then(|skip| skip["reason"].as_str()).unwrap_or_default().to_owned()
    };
    assert_eq!(reason("img/logo.png"), "binary");
    assert!(reason("node_modules/odd/package.json").starts_with("its metadata cannot be read"));
    assert!(reason("poms/a/pom.xml").contains("lead back"));
}

#[test]
fn a_folder_and_a_file_are_judged_with_what_stands_above_them_in_their_work_tree() {
    let tree = tree();
    tree.git("init -q .");
    let folder = valid(tree.run("license src --format json"));
    assert_eq!(said(&folder, "plain.py"), "MIT by license-file: license-file MIT, package-metadata MIT");
    assert_eq!(folder["files"][1]["layers"][0]["path"], "../LICENSE");
    assert_eq!(folder["packages"][0]["path"], "..");
    let file = valid(tree.run("license vendor/tiny/t.c --format json"));
    assert_eq!(said(&file, "t.c"), "BSD-2-Clause by concluded: concluded BSD-2-Clause");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let tree = tree();
    let one = tree.run("license . --format json --threads 1").success().stdout();
    assert_eq!(one, tree.run("license . --format json --threads 4").success().stdout());
}

#[test]
fn rows_are_streamed_in_every_format() {
    let tree = tree();
    let lines = tree.run("license src --format ndjson").success().stdout();
    let paths: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["path"].clone())
        .collect();
    assert_eq!(paths, ["noticed.py", "plain.py", "snippet.py", "tagged.py"]);
    let csv = tree.run("license vendor --format csv").success().stdout();
    assert!(csv.starts_with("path,expression,layer,") && csv.contains("\nnone/n.c,,none,"), "{csv}");
    let text = tree.run("license node_modules/p").success().stdout();
    assert!(text.contains("index.js: Apache-2.0\n    package-metadata Apache-2.0"), "{text}");
    assert!(text.contains("package pkg:npm/p@2.0.0 in .: Apache-2.0"), "{text}");
    tree.run("license . --output out.json --format json").success();
    assert!(std::fs::read_to_string(tree.at("out.json")).is_ok_and(|text| text.ends_with("}\n")));
}

#[test]
#[ignore = "long"]
fn pages_say_what_json_says_however_many_threads_read() {
    let tree = tree();
    tree.run("license . --format html").fails_with(&["--output DIR", "--output FILE.html"]);
    tree.run("license . --format html --output src")
        .fails_with(&["cannot write src", "not part of a report"]);
    let result = tree.run("license . --format json").success().json();
    let out = tempfile::tempdir().expect("the temporary folder can be written");
    let write = |name: &str, threads: &str| {
        let into = out.path().join(name);
        tree.run(&format!("license . --format html --threads {threads} --output {}", into.display()))
            .success();
        into
    };
    let (one, four) = (write("one", "1"), write("four", "4"));
    let chunk = |report: &std::path::Path, name: &str| {
        let script =
            std::fs::read_to_string(report.join("data").join(format!("{name}.js"))).expect("written");
        let json =
            script.strip_prefix(&format!("familiar(\"{name}\",")).and_then(|rest| rest.strip_suffix(");\n"));
        serde_json::from_str::<Value>(json.unwrap_or_else(|| panic!("{script}"))).expect("JSON")
    };
    for name in ["head", "files-0", "details-0", "text-0", "packages", "skipped"] {
        assert_eq!(chunk(&one, name), chunk(&four, name), "{name}");
    }
    let paths = result["files"].as_array().expect("a list").iter().map(|file| file["path"].clone());
    assert_eq!(chunk(&one, "files-0")["paths"], Value::from(paths.collect::<Vec<_>>()));
    assert_eq!(
        chunk(&one, "packages")["rows"].as_array().map(Vec::len),
        result["packages"].as_array().map(Vec::len)
    );
    assert_eq!(chunk(&one, "details-0").to_string().matches("\"missing\":\"binary\"").count(), 1);
    assert!(chunk(&one, "text-0").to_string().contains("Bea Example"));
    let page = write("one.html", "2");
    assert!(std::fs::read_to_string(page).is_ok_and(|page| page.contains("id=\"data-details-0\"")));
}

#[test]
fn an_archive_is_read_as_its_content() {
    let tree = Tree::new(&[]);
    let file = std::fs::File::create(tree.at("p-1.0-py3-none-any.tar")).expect("can be written");
    let mut tar = tar_of(file);
    for (path, text) in [
        ("p/a.py", "x = 1\n"),
        (
            "p-1.0.dist-info/METADATA",
            "Metadata-Version: 2.4\nName: p\nVersion: 1.0\nLicense-Expression: MIT\n",
        ),
        ("p-1.0.dist-info/RECORD", "p/a.py,,\n"),
    ] {
        tar(path, text);
    }
    drop(tar);
    let result = valid(tree.run("license p-1.0-py3-none-any.tar --format json"));
    assert_eq!(said(&result, "p/a.py"), "MIT by package-metadata: package-metadata MIT");
    assert_eq!(result["packages"][0]["purl"], "pkg:pypi/p@1.0");
}

/// Adds plain files to a tar archive.
fn tar_of(mut file: std::fs::File) -> impl FnMut(&str, &str) {
    move |path, text| {
        let mut header = [0_u8; 512];
        header[..path.len()].copy_from_slice(path.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
        header[136..147].copy_from_slice(b"00000000000");
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        file.write_all(&header).expect("can be written");
        let mut content = text.as_bytes().to_vec();
        content.resize(content.len().next_multiple_of(512), 0);
        file.write_all(&content).expect("can be written");
    }
}

#[test]
fn posts_stand_under_the_terms_of_their_day() {
    let tree = Tree::new(&[]);
    let row = |id: u32, day: &str, license: &str| {
        format!(
            "<row Id=\"{id}\" PostTypeId=\"1\" CreationDate=\"{day}T00:00:00.000\" Body=\"&lt;pre&gt;&lt;code&gt;x = {id}&lt;/code&gt;&lt;/pre&gt;\" {license}/>"
        )
    };
    let rows = [
        row(1, "2010-01-01", ""),
        row(2, "2015-01-01", ""),
        row(3, "2020-01-01", ""),
        row(4, "2010-01-01", "ContentLicense=\"CC BY-SA 4.0\""),
    ];
    tree.write("tea.Posts.xml", format!("<?xml version=\"1.0\"?>\n<posts>\n{}\n</posts>\n", rows.join("\n")));
    let result = valid(tree.run("license tea.Posts.xml --format json"));
    let expressions: Vec<&str> = result["files"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|file| file["expression"].as_str())
        .collect();
    assert_eq!(expressions, ["CC-BY-SA-2.5", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC-BY-SA-4.0"]);
}

#[test]
fn a_repository_is_read_as_its_head_has_it() {
    let tree = Tree::new(&[("repo/LICENSE", MIT), ("repo/a.py", "x = 1\n"), ("repo/old.py", "x = 2\n")]);
    tree.git("-C repo init -q -b main");
    tree.git("-C repo add .");
    tree.git("-C repo commit -q -m x");
    tree.git("-C repo rm -q old.py");
    tree.git("-C repo commit -q -m y");
    tree.write("repo/a.py", format!("# {}", tag("ISC")));
    let result = valid(tree.run("license git:repo --format json"));
    assert_eq!(said(&result, "a.py"), "MIT by license-file: license-file MIT");
    assert_eq!(result["summary"]["files"], 2);
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    let tree = tree();
    tree.run("license no/such").fails_with(&["no/such", "check the path"]);
    tree.git("init -q .");
    tree.run("license git:.").fails_with(&["HEAD does not lead to a commit"]);
    tree.run("license . --format sarif").fails_with(&["text, json, ndjson, csv"]);
    tree.run("license . --output no/such/file").fails_with(&["no folder no/such"]);
}

#[test]
fn conclusions_in_the_settings_file_do_not_disturb_other_verbs() {
    let tree = tree();
    tree.clones("src").success();
}

#[test]
fn help_gives_examples() {
    let help = tree().run("license --help").success().stdout();
    for part in ["Examples:", "--license-text", "--format", "license.concluded", "not legal advice"] {
        assert!(help.contains(part), "{part} is missing");
    }
}
