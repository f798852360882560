//! Problems that are one.

use std::fs;
use std::path::PathBuf;

use familiar_codenet::import::ImportOptions;
use familiar_codenet::problems::{self, ProblemDecisions, ProblemsOptions};
use familiar_source::Silent;

use crate::duplicates::options;
use crate::sets::{self, decisions, import, write};

fn of(data: Vec<PathBuf>, pairs: u64) -> ProblemsOptions {
    let decisions = ProblemDecisions::default();
    ProblemsOptions { duplicates: options(data), pairs, decisions, evidence: false }
}

#[test]
fn the_same_statement_or_many_near_duplicates_make_problems_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [table, statements, set] =
        ["rows.jsonl", "problems.jsonl", "set"].map(|name| folder.path().join(name));
    let mut rows = String::new();
    // `a` and `b` share two programs, `c` and `d` their statement, and `e` has nothing in common with any.
    for (problem, programs) in
        [("a", [1, 2, 3]), ("b", [1, 2, 4]), ("c", [5, 6, 7]), ("d", [8, 9, 10]), ("e", [11, 12, 13])]
    {
        for program in programs {
            let code: String = (0..30).map(|at| format!("x{program}y{at} = {at}\n")).collect();
            let row = serde_json::json!({"id": format!("{problem}{program}"), "problem_id": problem, "lang": "python", "code": code});
            rows += &format!("{row}\n");
        }
    }
    fs::write(&table, rows).expect("a file");
    let statement =
        |id: &str, text: &str| format!("{}\n", serde_json::json!({"problem_id": id, "text": text}));
    let texts = [
        ("a", "Add."),
        ("b", "Sum up."),
        ("c", "<p>Sort the <b>list</b>.</p>"),
        ("d", "Sort\n the list."),
        ("e", ""),
        // Nobody has solved these two.
        ("f", "Find <i>n</i>."),
        ("g", "Find n."),
    ];
    fs::write(&statements, texts.map(|(id, text)| statement(id, text)).concat()).expect("a file");
    let options_of_set = ImportOptions {
        source: table,
        output: set.clone(),
        columns: Vec::new(),
        statuses: Vec::new(),
        paths: None,
        problems: Some(statements),
        memory: 256 << 20,
        threads: 2,
    };
    import(&options_of_set);
    let found = |pairs| {
        problems::run(&ProblemsOptions { evidence: true, ..of(vec![set.clone()], pairs) }, &Silent)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let (two, three) = (found(2), found(3));
    assert_eq!(two.clusters, [["p00001", "p00002"], ["p00003", "p00004"], ["p00006", "p00007"]]);
    assert_eq!(three.clusters, [["p00003", "p00004"], ["p00006", "p00007"]]);
    assert_eq!(two.pairs[0].near_duplicates, 2);
    let mut page = Vec::new();
    two.write_html(&mut page).expect("memory");
    let page = String::from_utf8_lossy(&page);
    for expected in [
        "<title>p00001 and p00002: 2 near-duplicates</title>",
        // Both statements, and a program of each beside the other.
        "<pre>Add.</pre>",
        "<pre>Sum up.</pre>",
        "<pre>Find n.</pre>",
        "<b>s000000001</b><pre>x1y0 = 0\n",
        "<b>s000000004</b><pre>x1y0 = 0\n",
        "{&quot;problems&quot;:[&quot;p00001&quot;,&quot;p00002&quot;],&quot;decision&quot;:&quot;one&quot;",
    ] {
        assert!(page.contains(expected), "{expected}");
    }

    let decided = |lines: &[(&str, &str, &str)]| {
        let decisions = decisions(folder.path(), lines);
        problems::run(&ProblemsOptions { decisions, ..of(vec![set.clone()], 2) }, &Silent)
    };
    let found = decided(&[
        ("p00004", "p00003", "different"),
        ("p00002", "p00005", "one"),
        ("p00001", "p00009", "one"),
    ])
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.clusters, [vec!["p00001", "p00002", "p00005"], vec!["p00006", "p00007"]]);
    assert_eq!(found.skipped.last().map(|it| it.reason.as_str()), Some("the data have no problem p00009"));
    // Two problems may be one by way of a third, which need not be there.
    let found = decided(&[("p00003", "p00009", "one"), ("p00005", "p00009", "one")]);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.clusters[1], ["p00003", "p00004", "p00005"]);
    // What makes two problems one does not join those that are different from each other.
    let found = decided(&[("p00001", "p00005", "different"), ("p00002", "p00005", "one")]);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.clusters[0], ["p00002", "p00005"]);
    let both = [("p00001", "p00003", "one"), ("p00003", "p00005", "one"), ("p00005", "p00001", "different")];
    let error = decided(&both).map(|_| ()).expect_err("they contradict each other").to_string();
    assert!(error.contains("p00001 and p00005 are different"), "{error}");
}

#[test]
fn samples_without_a_problem_join_no_problems() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = folder.path().join("rows.jsonl");
    let mut rows = String::new();
    for (problem, programs) in [("a", [1, 2]), ("", [1, 2]), ("", [3, 4]), ("b", [3, 4])] {
        for program in programs {
            let code: String = (0..30).map(|at| format!("x{program}y{at} = {at}\n")).collect();
            let row =
                serde_json::json!({"id": rows.len(), "problem_id": problem, "lang": "python", "code": code});
            rows += &format!("{row}\n");
        }
    }
    fs::write(&table, rows).expect("a file");
    let found = problems::run(&of(vec![table], 2), &Silent);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((found.problems, found.clusters.len(), found.pairs.len()), (2, 0, 0));
}

#[test]
fn sets_that_call_other_problems_alike_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = |name: &str, problem: &str| {
        let (table, set) = (folder.path().join(format!("{name}.jsonl")), folder.path().join(name));
        let row = serde_json::json!({"id": name, "problem_id": problem, "lang": "c", "code": format!("int {name};")});
        write(&table, format!("{row}\n"));
        import(&sets::options(table, set.clone()));
        set
    };
    let (one, two, three) = (set("one", "two-sum"), set("two", "two-sum"), set("three", "sort"));
    let found = |data| problems::run(&of(data, 2), &Silent);
    assert!(found(vec![one.clone(), two]).is_ok());
    let error = found(vec![one, three]).map(|_| ()).expect_err("p00001 is another problem").to_string();
    assert!(error.contains("p00001 is two-sum in") && error.contains("and sort in"), "{error}");
}

#[test]
fn of_three_problems_with_one_statement_all_pairs_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    sets::codenet(folder.path());
    for problem in ["p00001", "p00002", "p00003"] {
        write(&folder.path().join(format!("metadata/{problem}.csv")), sets::ROW);
        write(&folder.path().join(format!("problem_descriptions/{problem}.html")), "<p>Add.</p>");
    }
    let found = |decided: &[(&str, &str, &str)]| {
        let decisions = decisions(folder.path(), decided);
        let options = ProblemsOptions { decisions, ..of(vec![folder.path().to_owned()], 20) };
        problems::run(&options, &Silent).unwrap_or_else(|error| panic!("{error}"))
    };
    let all = found(&[]);
    assert_eq!(all.pairs.iter().filter(|pair| pair.same_statement && pair.identical).count(), 3);
    assert_eq!(all.clusters, [["p00001", "p00002", "p00003"]]);
    // Who keeps one of them apart says nothing of the others.
    let apart = found(&[("p00001", "p00002", "different"), ("p00001", "p00003", "different")]);
    assert_eq!(apart.clusters, [["p00002", "p00003"]]);
    // A problem that joins two others makes these one.
    let by_third = found(&[("p00001", "p00002", "one"), ("p00002", "p00003", "one")]);
    assert!(by_third.pairs.iter().all(|pair| pair.identical));
}
