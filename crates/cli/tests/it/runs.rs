//! Runs of statements that `familiar clones` finds outside of functions.

use serde_json::{Value, json};

use crate::common::Tree;

/// Seven statements, of which the first three lie in a block of what stands around them.
const SHARED: &str = "  alpha(one, two, 1);
  beta(three, four, 2);
  gamma(five, six, 3);
}
delta(seven, eight, 4);
epsilon(nine, ten, 5);
zeta(eleven, twelve, 6);
";

/// Lines of CSV, without the column of numbers.
fn rows(tree: &Tree, flags: &str) -> Vec<String> {
    let text = tree.clones(&format!("{flags} --format csv")).success().stdout();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_further_file_takes_nothing_away_that_others_share() {
    let condition = format!("function r(k) {{\n  let t = 5;\n  if (k > t) {{\n{SHARED}return t;\n}}\n");
    let class = format!("class C {{\n  m(w, v) {{\n  while (w.next()) {{\n{SHARED}w.close(v);\n  }}\n}}\n");
    let function = format!("function q(n) {{\n{SHARED}last(n);\n");
    for third in ["a.js", "z.js"] {
        let tree = Tree::new(&[("b.js", &condition), ("c.js", &class), (third, &function)]);
        let found = rows(&tree, "");
        let both = found.iter().filter(|row| row.contains("b.js") && row.contains("c.js"));
        assert_eq!(both.count(), 1, "{third}: {found:#?}");
    }
}

#[test]
fn what_repeats_up_to_names_alone_is_not_equal_as_written() {
    let piece = "connect(server, port, user, 10)\nwith_options(timeout, retries, backoff)\n\
                 total = price * rate - discount\nsend(message, channel, topic, 3)\n";
    let renamed = piece.replace("price", "cost").replace('3', "77");
    let tree = Tree::new(&[("b.py", &piece.repeat(20)), ("c.py", &(piece.to_owned() + &renamed.repeat(19)))]);
    let result = tree.json("");
    let lines = |side: &Value| {
        let fragment = &result["fragments"][side.as_u64().expect("a number") as usize];
        fragment["end_line"].as_u64().expect("a line") - fragment["start_line"].as_u64().expect("a line") + 1
    };
    let pairs = result["pairs"].as_array().expect("pairs");
    let long: Vec<&Value> = pairs.iter().filter(|pair| lines(&pair["left"]) > 76).collect();
    assert!(!long.is_empty() && long.iter().all(|pair| pair["type"] == 2), "{long:#?}");
}

#[test]
fn statements_that_begin_like_attributes_are_part_of_a_run() {
    let lists = |number: u32| format!("@list{number} = collect($first{number}, $second{number}, 1);\n");
    let lists: String = (0..7).map(lists).collect();
    let tree = Tree::new(&[
        ("a.pl", &format!("my $x = 1;\n{lists}print 1;\n")),
        ("b.pl", &format!("use q;\nfoo(1);\n{lists}exit;\n")),
    ]);
    let found = rows(&tree, "");
    assert!(found.iter().any(|row| row.contains("a.pl,2,8") && row.contains("b.pl,3,9")), "{found:#?}");
}

#[test]
fn code_of_a_notebook_is_that_of_a_file_whatever_it_quotes() {
    let code = r#"def describe(frame, target):
    print("shape", frame.shape, "columns", list(frame.columns))
    missing = {"name": "missing", "values": frame["values"].isna().sum()}
    grouped = frame.groupby(["year", "month"])["values"].agg(["mean", "std", "count"])
    grouped.to_csv("out\\" + target + ".csv", sep="\t", index=True, float_format="%.3f")
    plot = grouped.plot(kind="bar", title="Values of " + target, color="red")
    plot.set_xlabel("month"); plot.set_ylabel("é"); plot.figure.savefig("out/" + target)
    return missing, grouped, plot
"#;
    let cell = json!({
        "cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [],
        "source": code.split_inclusive('\n').collect::<Vec<_>>(),
    });
    let notebook = json!({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4});
    let notebook = serde_json::to_string_pretty(&notebook).expect("it is JSON");
    let escaped = notebook.replace('é', "\\u00e9");
    let tree = Tree::new(&[("a.py", code), ("b.ipynb", &notebook), ("c.ipynb", &escaped)]);
    let result = tree.json("--granularity function");
    let pairs = result["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 2, "one of each notebook with the file: {pairs:#?}");
    assert!(pairs.iter().all(|pair| pair["type"] == 1), "{pairs:#?}");
    // A corpus knows it, too.
    tree.write("notes/b.ipynb", &notebook);
    tree.run("corpus add ./corpus dir:notes --quiet").success();
    let text = tree.run("find a.py --in ./corpus").success().stdout();
    assert!(text.contains("100% of a.py, Type-1"), "{text}");
}
