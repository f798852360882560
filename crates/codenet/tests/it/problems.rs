//! Problems that are one.

use std::fs;

use familiar_codenet::import::ImportOptions;
use familiar_codenet::problems::{self, ProblemsOptions};
use familiar_source::Silent;

use crate::duplicates::options;
use crate::sets::{self, import, write};

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
        let options = ProblemsOptions { duplicates: options(vec![set.clone()]), pairs };
        problems::run(&options, &Silent).unwrap_or_else(|error| panic!("{error}"))
    };
    let (two, three) = (found(2), found(3));
    assert_eq!(two.clusters, [["p00001", "p00002"], ["p00003", "p00004"], ["p00006", "p00007"]]);
    assert_eq!(three.clusters, [["p00003", "p00004"], ["p00006", "p00007"]]);
    assert_eq!(two.pairs[0].near_duplicates, 2);
    let mut page = Vec::new();
    two.write_html(&mut page).expect("memory");
    assert!(String::from_utf8_lossy(&page).contains("<title>p00001 and p00002: 2 near-duplicates</title>"));
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
    let found = problems::run(&ProblemsOptions { duplicates: options(vec![table]), pairs: 2 }, &Silent);
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
    let found = |data| problems::run(&ProblemsOptions { duplicates: options(data), pairs: 2 }, &Silent);
    assert!(found(vec![one.clone(), two]).is_ok());
    let error = found(vec![one, three]).map(|_| ()).expect_err("p00001 is another problem").to_string();
    assert!(error.contains("p00001 is two-sum in") && error.contains("and sort in"), "{error}");
}
