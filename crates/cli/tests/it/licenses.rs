//! What a corpus keeps of licenses, and what `familiar find` says of them.

use crate::common::{Tree, function, other_function};
use serde_json::{Value, json};

/// The result of `find`, checked against its schema.
fn find(tree: &Tree, query: &str) -> Value {
    let found = tree.run(&format!("find {query} --in ./corpus --format json")).success().json();
    let schema = include_str!("../../../../docs/formats/find-1.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(&found).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    found
}

/// What is concluded of the best blob, and which layer says so.
fn concluded(tree: &Tree, query: &str) -> Vec<(Value, Value)> {
    let found = find(tree, query);
    let licenses = found["blobs"][0]["licenses"].as_array().expect("a list").iter();
    licenses.map(|license| (license["expression"].clone(), license["layer"].clone())).collect()
}

fn metadata(license: &str) -> String {
    json!({"name": "parser", "license": license}).to_string()
}

#[test]
#[ignore = "long"]
fn code_has_the_license_of_its_package_and_who_says_so_is_told() {
    for text in ["", "--no-text"] {
        let tree = Tree::new(&[
            ("parser/package.json", &metadata("MIT")),
            ("parser/src/sum.py", &function("total", "items", 0)),
            ("other/sum.py", &function("total", "items", 0)),
            ("query.py", &function("total", "items", 0)),
        ]);
        let added = tree.run(&format!("corpus add ./corpus parser other {text}")).success().stdout();
        assert!(added.contains("1 file about licenses"), "{added}");
        let found = find(&tree, "query.py");
        let licenses = &found["blobs"][0]["licenses"];
        let none = json!({"layer": "none", "expression": null, "evidence": "nothing speaks for its license"});
        assert_eq!(licenses[0]["layers"], json!([none]));
        assert_eq!((&licenses[0]["occurrences"], &licenses[1]["occurrences"]), (&json!([0]), &json!([1])));
        let layer = &licenses[1]["layers"][0];
        assert_eq!((&layer["layer"], &layer["expression"]), (&json!("package-metadata"), &json!("MIT")));
        assert_eq!(layer["path"], "package.json");
        let said = tree.run("find query.py --in ./corpus").success().stdout();
        assert!(said.contains("      license: unknown, MIT (metadata of the package)\n"), "{said}");
        let said = tree.run("find query.py --in ./corpus --no-licenses").success().stdout();
        assert!(said.contains("other: sum.py") && !said.contains("license:"), "{said}");
        let info = tree.run("corpus info ./corpus --format json").success().json();
        assert_eq!(info["license_files"], 1);
        tree.run("corpus verify ./corpus").success();
    }
}

#[test]
fn in_a_history_the_time_of_an_occurrence_decides() {
    let third = "def third(left, right):\n    while left and right:\n        first, second = left.pop(), right.pop()\n        \
                 yield (first << 1) ^ second, [first, second, first - second]\n    left.extend(right)\n    \
                 assert not right or left[0] is right[-1], (left, right)\n    del left[:], right[:]\n";
    let codes = [function("total", "items", 0), other_function("read"), third.to_owned()];
    let tree = Tree::new(&[]);
    std::fs::create_dir(tree.at("repo")).expect("a new folder");
    tree.git("-C repo init -q -b main");
    let commit = |number: usize, license: &str| {
        tree.write(&format!("repo/code{number}.py"), &codes[number]);
        tree.write("repo/package.json", metadata(license));
        tree.git("-C repo add .");
        tree.git("-C repo commit -q -m x");
        tree.write("query.py", &codes[number]);
    };
    let packages = |license: &str| [(json!(license), json!("package-metadata"))];
    commit(0, "MIT");
    commit(1, "GPL-3.0-only");
    tree.run("corpus add --quiet ./corpus git:repo").success();
    assert_eq!(concluded(&tree, "query.py"), packages("GPL-3.0-only"));
    commit(2, "Apache-2.0");
    tree.run("corpus update --quiet ./corpus").success();
    for (number, license) in ["MIT", "GPL-3.0-only", "Apache-2.0"].into_iter().enumerate() {
        tree.write("query.py", &codes[number]);
        assert_eq!(concluded(&tree, "query.py"), packages(license), "{number}");
    }
}

#[test]
fn a_folder_that_is_read_again_keeps_what_speaks_for_its_license() {
    let code = function("total", "items", 0);
    let tree = Tree::new(&[
        ("parser/package.json", &metadata("MIT")),
        ("parser/sum.py", &code),
        ("query.py", &code),
    ]);
    tree.run("corpus add --quiet ./corpus parser").success();
    for license in ["MIT", "ISC"] {
        tree.write("parser/package.json", metadata(license));
        tree.run("corpus update --quiet ./corpus").success();
        assert_eq!(concluded(&tree, "query.py"), [(json!(license), json!("package-metadata"))]);
    }
}

#[test]
fn what_is_kept_of_licenses_is_written_for_others() {
    let tagged = format!("# SPDX-License-Identifier: ISC\n{}", function("total", "items", 0));
    let tree = Tree::new(&[
        ("parser/package.json", &metadata("MIT")),
        ("parser/sum.py", &tagged),
        ("copy/package.json", &metadata("MIT")),
    ]);
    tree.run("corpus add --quiet --no-text ./corpus parser copy").success();
    tree.run("corpus export ./corpus --output tables --format ndjson").success();
    let rows = |table: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(tree.at(&format!("tables/{table}.ndjson"))).expect("it is there");
        text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
    };
    let files = rows("license_files");
    let of = |key: &str| files.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("project"), ["parser", "copy"]);
    assert_eq!(of("path"), ["package.json", "package.json"]);
    let texts = rows("license_texts");
    assert_eq!((texts.len(), &texts[0]["text"]), (1, &json!(metadata("MIT"))));
    let licenses = rows("licenses");
    assert_eq!((&licenses[0]["layer"], &licenses[0]["expression"]), (&json!("file-tag"), &json!("ISC")));
    assert_eq!(licenses[0]["start_line"], 1);
}
