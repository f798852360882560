//! `familiar clones --types 4`: functions that do the same, written otherwise or in another language.

use crate::common::{Tree, counts, other_function, places};

pub(crate) const SEARCH_JAVA: &str = "class Lists {
    static int search(int[] sorted, int wanted) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) / 2;
            if (sorted[middle] == wanted) {
                return middle;
            }
            if (sorted[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
";

pub(crate) const SEARCH_PYTHON: &str = "def search(numbers, wanted):
    low, high = 0, len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == wanted:
            return middle
        elif numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
";

/// A binary search in two languages, and a function that does something else.
fn tree() -> Tree {
    Tree::new(&[
        ("Lists.java", SEARCH_JAVA),
        ("find.py", SEARCH_PYTHON),
        ("read.py", &other_function("read")),
    ])
}

#[test]
fn a_translation_is_a_type_4_clone_where_languages_are_crossed() {
    let tree = tree();
    let result =
        tree.json("--types 4 --cross-language --granularity function --confidence 0.05 --min-tokens 30");
    assert_eq!(places(&result), ["Lists.java:2", "find.py:1"]);
    let pair = &result["pairs"][0];
    assert_eq!((&pair["type"], &pair["measure"]), (&4.into(), &"learned".into()));
    assert!(
        pair["similarity"].as_f64().is_some_and(|probability| (0.05..1.0).contains(&probability)),
        "{pair}"
    );
    assert!(pair["vector_similarity"].as_f64().is_some_and(|cosine| (0.3..1.0).contains(&cosine)), "{pair}");
    assert_eq!(result["settings"]["encoder"], "familiar-5");
    assert_eq!(result["settings"]["confidence"], 0.05);
    assert_eq!(
        counts(&tree.json("--types 4 --granularity function --confidence 0.05 --min-tokens 30")),
        (0, 0)
    );
    assert_eq!(counts(&tree.json("--cross-language --granularity function --min-tokens 30")), (0, 0));
}

const EXPLAINED: &str =
    "--types 4 --cross-language --granularity function --confidence 0.05 --min-tokens 30 --explain";

/// The lines of matched statements: the first on either side.
fn matched(explanation: &serde_json::Value) -> Vec<(u64, u64)> {
    let statements = explanation["statements"].as_array().expect("a list");
    let first = |lines: &serde_json::Value| lines[0].as_u64().expect("a line");
    statements.iter().map(|it| (first(&it["left"]), first(&it["right"]))).collect()
}

#[test]
#[ignore = "long"]
fn what_makes_a_translation_alike_is_said_where_it_is_asked_for() {
    let tree = tree();
    let result = tree.json(EXPLAINED);
    let explanation = &result["pairs"][0]["explanation"];
    let found = matched(explanation);
    // The lines are those of the files: `while`, the middle, both comparisons, both steps and the end.
    for expected in [(5, 3), (6, 4), (7, 5), (10, 7), (11, 8), (13, 10), (16, 11)] {
        assert!(found.contains(&expected), "{expected:?} is not in {found:?}");
    }
    let words: Vec<&str> = explanation["words"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["left"] == it["right"])
        .filter_map(|it| it["left"].as_str())
        .collect();
    for word in ["search", "wanted", "low", "high", "middle"] {
        assert!(words.contains(&word), "{word} is not in {words:?}");
    }
    let only = |side: &str| explanation[side]["words"].to_string();
    assert!(only("only_left").contains("sorted") && only("only_right").contains("numbers"), "{explanation}");
    let adds = ["flow", "words", "spelling", "forms"]
        .map(|part| explanation["parts"][part]["adds"].as_f64().expect("a number"));
    let similarity = explanation["similarity"].as_f64().expect("a number");
    assert!((adds.iter().sum::<f64>() - similarity).abs() < 0.001, "{explanation}");
    let text = tree.clones(EXPLAINED).success().stdout();
    for part in [&format!("  similarity {similarity:.2} = "), "  words: ", " statements match: lines "] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    let unexplained = tree.json(&EXPLAINED.replace(" --explain", ""));
    assert!(unexplained["pairs"][0]["explanation"].is_null());
}

#[test]
#[ignore = "long"]
fn an_explanation_is_the_same_on_any_number_of_threads_and_on_the_stored_pages() {
    let tree = tree();
    assert_eq!(
        tree.json(&format!("{EXPLAINED} --threads 1")),
        tree.json(&format!("{EXPLAINED} --threads 4"))
    );
    tree.clones(&format!("{EXPLAINED} --format json --output result.json")).success();
    tree.clones(&format!("{EXPLAINED} --format html --output report")).success();
    tree.run("report result.json --html again").success();
    let read = |path: &str| std::fs::read_to_string(tree.at(path)).expect("written");
    for name in ["explanations", "explanations-0"] {
        let chunk = read(&format!("report/data/{name}.js"));
        assert_eq!(chunk, read(&format!("again/data/{name}.js")), "{name}");
    }
    assert!(read("report/data/head.js").contains("\"explanations\":1"));
}

#[test]
fn what_cannot_be_explained_is_an_error_that_says_what_to_do() {
    let tree = tree();
    tree.clones("--explain").fails_with(&["--explain says what makes Type-4 pairs alike", "--types 4"]);
    tree.clones("--types 4 --explain --encoder static").fails_with(&["builtin or weights:FILE", "static"]);
    tree.clones("--types 4 --explain --format csv").fails_with(&["text, json, ndjson or html"]);
}

#[test]
fn the_static_stage_alone_finds_it_too() {
    let tree = tree();
    let result =
        tree.json("--types 4 --cross-language --granularity function --encoder static --min-tokens 30");
    assert_eq!(places(&result), ["Lists.java:2", "find.py:1"]);
    assert_eq!(result["settings"]["encoder"], "familiar-5 static");
}

#[test]
fn the_same_code_gives_the_same_bytes_on_any_number_of_threads() {
    let tree = tree();
    let flags = "--types 1,2,3,4 --cross-language --confidence 0.01 --min-tokens 20";
    let one = tree.json(&format!("{flags} --threads 1"));
    assert_eq!(one, tree.json(&format!("{flags} --threads 4")));
}

#[test]
fn what_cannot_be_used_is_named() {
    let tree = tree();
    tree.clones("--types 4 --encoder mine").fails_with(&["there is no encoder mine", "builtin"]);
    tree.clones("--types 4 --confidence 1").fails_with(&["--confidence 1 is out of range"]);
    tree.write("weights.bin", "no weights");
    tree.clones("--types 4 --encoder weights:weights.bin")
        .fails_with(&["weights.bin", "not a file of weights"]);
    tree.clones("--types 4 --encoder weights:none.bin").fails_with(&["none.bin"]);
    tree.clones("--types 5").fails_with(&["give one or more of 1, 2, 3, 4"]);
}

/// Two edits of a function that the measure takes for Type-3 clones.
#[test]
fn edited_functions_count_only_where_the_encoder_is_sure_of_them_too() {
    let edited = SEARCH_PYTHON.replace("    return -1\n", "    print(low, high)\n    return None\n");
    let tree = Tree::new(&[("a.py", SEARCH_PYTHON), ("b.py", &edited)]);
    let flags = "--types 3 --granularity function --min-tokens 30 --similarity 0.5";
    let unasked = tree.json(flags);
    assert_eq!(
        (counts(&unasked), &unasked["pairs"][0]["vector_similarity"]),
        ((1, 1), &serde_json::Value::Null)
    );
    let sure = tree.json(&format!("{flags} --validate"));
    assert_eq!((counts(&sure), &sure["settings"]["validate"]), ((1, 1), &0.3.into()));
    let cosine = sure["pairs"][0]["vector_similarity"].as_f64();
    assert!(cosine.is_some_and(|cosine| cosine > 0.7), "{sure}");
    assert_eq!(counts(&tree.json(&format!("{flags} --validate=0.9999999"))), (0, 0));
    tree.clones(&format!("{flags} --validate=2")).fails_with(&["--validate=2 is out of range"]);
}

#[test]
#[ignore = "long"]
fn a_corpus_with_vectors_has_what_does_the_same() {
    let tree = tree();
    tree.write("more/other.py", other_function("more"));
    tree.write("query.py", SEARCH_PYTHON);
    let ask = "find query.py --in ./corpus --types 1,4 --cross-language --confidence 0.05 --format json";
    tree.run("corpus add --quiet ./corpus Lists.java").success();
    tree.run(ask).fails_with(&["has no vectors", "--vectors"]);
    tree.run("corpus add --quiet ./corpus --vectors=static").success();
    // The static stage alone knows no order of statements, so it cannot say why.
    tree.run(&format!("{ask} --explain")).fails_with(&["--explain needs", "familiar-5 static"]);
    // What is added later has vectors too.
    tree.run("corpus add --quiet ./corpus find.py more").success();
    let info = tree.run("corpus info ./corpus --format json").success().json();
    assert_eq!(info["vectors"], "familiar-5 static");
    let found = tree.run(ask).success().json();
    let blobs = found["blobs"].as_array().expect("a list");
    let told: Vec<_> = blobs
        .iter()
        .map(|blob| (&blob["occurrences"][0]["path"], &blob["type"], &blob["matched_lines"]))
        .collect();
    let (python, java) = ("find.py".into(), "Lists.java".into());
    assert_eq!(told.len(), 2, "{found}");
    assert_eq!((told[0].0, told[0].1), (&python, &1.into()));
    assert_eq!(told[1], (&java, &4.into(), &serde_json::json!([[1, 11, 2, 17]])));
    tree.run("corpus verify ./corpus").success();
    tree.run("corpus merge --quiet ./corpus").success();
    assert_eq!(tree.run(ask).success().json()["blobs"].as_array().map(Vec::len), Some(2));
    tree.run(&format!("{ask} --encoder builtin")).fails_with(&["familiar-5 static", "make the file again"]);
    // Of other code nothing is found, and of one language only that.
    tree.run("corpus add --quiet ./corpus --vectors").success();
    assert_eq!(tree.run("corpus info ./corpus --format json").success().json()["vectors"], "familiar-5");
    let of_one = tree.run(&ask.replace("--cross-language ", "")).success().json();
    assert_eq!(of_one["blobs"].as_array().map(Vec::len), Some(1));
}

#[test]
#[ignore = "long"]
fn what_makes_found_code_alike_is_said_where_it_is_asked_for() {
    let tree = tree();
    // The lines are those of the files, not of the functions.
    tree.write("query.py", format!("import os\n\n\n{SEARCH_PYTHON}"));
    let flags = "query.py --types 4 --cross-language --confidence 0.05";
    let ask = format!("find {flags} --in ./corpus");
    tree.run("corpus add --quiet ./corpus Lists.java read.py --vectors").success();
    let found = crate::find::find(&tree, &format!("{flags} --explain"));
    let blob = &found["blobs"][0];
    assert_eq!(blob["occurrences"][0]["path"], "Lists.java", "{found}");
    let explanation = &blob["explanations"][0];
    assert_eq!(explanation["matched_lines"], serde_json::json!([4, 14, 2, 17]));
    let found = matched(explanation);
    for expected in [(6, 5), (7, 6), (8, 7), (10, 10), (11, 11), (13, 13), (14, 16)] {
        assert!(found.contains(&expected), "{expected:?} is not in {found:?}");
    }
    // It is what a search of both files says, seen from the other side.
    let other = &tree.json(EXPLAINED)["pairs"][0]["explanation"];
    assert_eq!(explanation["similarity"], other["similarity"]);
    let text = tree.run(&format!("{ask} --explain")).success().stdout();
    for part in ["        similarity ", "        words: ", " statements match: lines 4"] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    tree.run(&format!("{ask} --explain --format html --output pages")).success();
    let head = std::fs::read_to_string(tree.at("pages/data/head.js")).expect("written");
    assert!(head.contains("\"explanations\":1"), "{head}");
    let plain = tree.run(&format!("{ask} --format json")).success().json();
    assert!(plain["blobs"][0]["explanations"].is_null());
    tree.run(&format!("{ask} --explain").replace("--types 4", "")).fails_with(&["--types 4"]);
}
