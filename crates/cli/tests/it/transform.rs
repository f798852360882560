//! `familiar transform`: rewritten programs, their recipes, and what is left as it is.

use serde_json::Value;

use crate::common::Tree;

const SUM: &str = "def total(items):
    result = 0
    for item in items:
        result += item
    return result
";

#[test]
fn a_file_is_rewritten_by_the_transformations_that_are_named() {
    let tree = Tree::new(&[("a.py", SUM)]);
    let text = tree.run("transform a.py --with for-while,variable-rename").success().stdout();
    assert!(text.contains("while (") && text.contains("def total(items):"), "{text}");
    assert!(!text.contains("result") && !text.contains("for item"), "{text}");
    assert_eq!(text, tree.run("transform a.py --with for-while,variable-rename").success().stdout());
    assert_ne!(text, tree.run("transform a.py --with for-while,variable-rename --seed 1").success().stdout());
}

#[test]
fn rows_say_how_each_program_was_made() {
    let tree = Tree::new(&[("a.py", SUM), ("notes.txt", "no code")]);
    let text = tree.run("transform . --set all --count 40 --format ndjson").success().stdout();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(rows.len() > 12, "{}", rows.len());
    assert!(
        rows.iter()
            .all(|row| row["source"] == "a.py" && row["lang"] == "python" && row["verified"] == "not-run")
    );
    let lengths: Vec<_> = rows.iter().map(|row| row["steps"].as_array().map_or(0, Vec::len)).collect();
    assert!(lengths.is_sorted() && lengths[0] == 1 && lengths[rows.len() - 1] > 1, "{lengths:?}");
    let while_loop = rows.iter().find(|row| row["steps"][0]["name"] == "for-while").expect("it applies");
    assert_eq!(while_loop["steps"][0]["sites"], serde_json::json!([[3, 4]]));
    let first = tree.run("transform . --set all --count 3 --format ndjson").success().stdout();
    assert_eq!(first.lines().collect::<Vec<_>>(), text.lines().take(3).collect::<Vec<_>>());
}

#[test]
fn what_stays_as_it_is_is_named_with_the_reason() {
    let tree =
        Tree::new(&[("a.py", "x = (\n"), ("b.py", "async def f(a):\n    async for x in a:\n        pass\n")]);
    let run = tree.run("transform . --with for-while");
    let errors = run.stderr();
    assert!(errors.contains("a.py: line 1: the grammar of python does not allow"), "{errors}");
    assert!(errors.contains("b.py: for-while: it is an `async for`"), "{errors}");
    assert!(errors.contains("no program was rewritten"), "{errors}");
    assert_eq!(run.success().stdout(), "");
}

#[test]
fn a_name_that_does_not_exist_is_an_error() {
    let tree = Tree::new(&[("a.py", SUM)]);
    tree.run("transform a.py --with for-whale")
        .fails_with(&["--with for-whale: there is no such transformation (did you mean for-while"]);
    tree.run("transform a.py --set new20").fails_with(&["there is no such set (did you mean new-20"]);
    tree.run("transform a.py --set orig-5")
        .fails_with(&["there are all, orig-4, orig-20, classics, new-20, minify"]);
    tree.run("transform a.py").fails_with(&["--with or --set"]);
}

/// Rows with a test, with samples, without either; the last one does not pass its own test.
const TESTED: &str = r#"{"id":"tested","lang":"python","code":"def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n","test":"assert total([1, 2, 3]) == 6"}
{"id":"called","lang":"python","code":"def grade(points: int):\n    for limit in [10, 20, 30]:\n        if points < limit:\n            return limit\n    return 0\n"}
{"id":"read","lang":"python","code":"for word in input().split():\n    print(word[::-1])\n","samples":[{"in":"ab cd ef\n"},{"in":"x yz\n"},{"in":"one\n"}]}
{"id":"wrong","lang":"python","code":"def f(items):\n    for item in items:\n        return item\n","test":"assert f([1]) == 2"}
{"id":"silent","lang":"python","code":"x = []\nfor item in [1, 2]:\n    x.append(item)\n"}
"#;

#[test]
#[ignore = "long"]
fn rewritten_programs_run_beside_their_sources() {
    let tree = Tree::new(&[("rows.jsonl", TESTED)]);
    let run = tree.run("transform rows.jsonl --with for-while --verify --format ndjson");
    let errors = run.stderr();
    let text = run.success().stdout();
    if errors.contains("no toolchain") || errors.contains("cannot confine") {
        assert!(std::env::var_os("FAMILIAR_ALL_TOOLCHAINS").is_none(), "{errors}");
        return;
    }
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |source: &str| rows.iter().find(|row| row["source"] == source).expect("it is rewritten");
    assert_eq!(of("tested")["verified"], "passed");
    assert_eq!(of("called")["verified"], "agreed", "{errors}");
    assert!(of("called")["evidence"]["detected"].as_u64() > Some(0), "{text}");
    assert_eq!(of("read")["verified"], "agreed", "{errors}");
    assert_eq!(of("wrong")["verified"], "not-run");
    assert_eq!(of("silent")["verified"], "no-tests");
    assert!(errors.contains("not run: wrong: the source does not pass its own test: Raised"), "{errors}");
    assert!(errors.contains("5 programs: 1 passed, 2 agreed, 1 no tests, 1 not run"), "{errors}");
    tree.run("transform rows.jsonl --with for-while --unsandboxed").fails_with(&["--verify"]);
}

#[test]
fn a_folder_gets_each_program_as_a_file() {
    let tree = Tree::new(&[("src/a.py", SUM), ("src/tested.py", SUM), ("rows.jsonl", TESTED)]);
    tree.run("transform src rows.jsonl --set orig-4 --count 2 --output out/").success();
    let file = |name: &str| std::fs::read_to_string(tree.path().join("out").join(name)).expect(name);
    assert!(file("a.1.py").contains("def total("));
    assert_ne!(file("a.1.py"), file("a.2.py"));
    let recipes: Vec<Value> =
        file("recipes.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(recipes[0]["file"], "a.1.py");
    assert_eq!(recipes[0].get("code"), None);
    for recipe in &recipes {
        assert!(!file(recipe["file"].as_str().expect("a name")).is_empty());
    }
    let names: std::collections::BTreeSet<_> = recipes.iter().map(|it| it["file"].as_str()).collect();
    assert_eq!(names.len(), recipes.len(), "{names:?}");
    assert!(names.contains(&Some("tested.1.py")) && names.contains(&Some("tested.3.py")), "{names:?}");
}

#[test]
fn the_sites_of_a_file_are_listed_with_the_reasons_of_those_that_stay() {
    let code = "def f(a):\n    for x in a:\n        print(x)\n    for y in a:\n        pass\n    else:\n        print(a)\n";
    let tree = Tree::new(&[("src/a.py", code), ("src/b.css", "a { color: red }\n")]);
    let text = tree.run("transform --list src --with for-while,if-else-flip").success().stdout();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "a.py:2:5: for-while");
    assert!(lines.len() == 2 && lines[1].starts_with("a.py:4:5: for-while"), "{text}");
    let rows = tree.run("transform --list src/a.py --format ndjson").success().stdout();
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    let refused: Vec<_> = rows.iter().filter(|row| row["applies"] == false).collect();
    assert!(refused.iter().all(|row| row["reason"].is_string()) && !refused.is_empty(), "{rows:?}");
    let first = rows.iter().find(|row| row["transformation"] == "for-while").expect("it has a site");
    assert_eq!(
        (&first["start_line"], &first["end_line"], &first["end_column"]),
        (&2.into(), &3.into(), &17.into())
    );
    tree.run("transform --list src --with nothing").fails_with(&["there is no such transformation"]);
    tree.run("transform --list none.py").fails_with(&["none.py"]);
}
