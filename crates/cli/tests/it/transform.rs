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
        .fails_with(&["--with for-whale: there is no such transformation"]);
    tree.run("transform a.py --set orig-5").fails_with(&["there are all, orig-4, classics, new-20"]);
    tree.run("transform a.py").fails_with(&["--with or --set"]);
}
