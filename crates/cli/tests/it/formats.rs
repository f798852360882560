//! `familiar clones`: every format, and what holds across them.

use crate::common::{Tree, counts, function, places};
use serde_json::Value;

const FORMATS: [&str; 9] =
    ["text", "json", "ndjson", "csv", "markdown", "sarif", "gitlab", "bigcloneeval", "badge"];

#[test]
fn what_is_equal_as_written_is_found_inside_what_is_alike_only_once_renamed() {
    let same = "import_rates(url, 3)\nrate = rates['EUR'] * 2 + base\nif rate > limit and not closed:\n    \
                close(account, rate, reason='limit')\n    total -= rate / 100\nelse:\n    \
                total += fee(rate, account.id, day)\nstore(total, rate, [1, 2, 3])\n";
    let row = |name: &str, count: u32| {
        let values: Vec<String> = (0..count).map(|at| format!("{name}{count}x{at}")).collect();
        format!("{name}{count} = {name}f{count}({})\n", values.join(", "))
    };
    let file = |name: &str| same.to_owned() + &(1..12).map(|count| row(name, count)).collect::<String>();
    let tree = Tree::new(&[("a.py", &file("north")), ("b.py", &file("south"))]);
    let result = tree.json("--granularity run");
    let fragment = &result["fragments"][0];
    assert_eq!((&fragment["start_line"], &fragment["end_line"]), (&Value::from(1), &Value::from(8)));
    assert_eq!(result["pairs"][0]["type"], 1);
}

#[test]
fn an_edited_copy_tells_which_lines_correspond() {
    let original = function("total", "items", 0);
    let edited = original.replace("    for item", "    log.debug('adding up')\n    seen = 0\n    for item");
    let tree = Tree::new(&[("a.py", &original), ("b.py", &("import log\n\n".to_owned() + &edited))]);
    let pair = &tree.json("--granularity function --types 3")["pairs"][0];
    assert_eq!(pair["alignment"], serde_json::json!([[1, 3, 3, 5], [4, 9, 8, 13]]));
    let line = tree.clones("--granularity function --types 3 --format ndjson").success().json();
    assert_eq!(line["alignment"], pair["alignment"]);
}

#[test]
fn json_holds_together() {
    let result = Tree::with_clones().json("");
    assert_eq!(places(&result), ["a.py:1", "b/copy.py:1", "c.py:9"]);
    assert_eq!(counts(&result), (1, 2));
    let class = &result["classes"][0];
    assert_eq!(class["members"], serde_json::json!([0, 1, 2]));
    assert_eq!((&class["type"], &class["rank"]), (&Value::from(2), &Value::from(1)));
    let types: Vec<&Value> =
        result["pairs"].as_array().expect("a list").iter().map(|pair| &pair["type"]).collect();
    assert_eq!(types, [1, 2]);
    for (id, fragment) in result["fragments"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(fragment["id"], id);
        assert_eq!(fragment["kind"], "function");
    }
    let summary = &result["summary"];
    assert_eq!((&summary["pairs"], &summary["classes"]), (&Value::from(2), &Value::from(1)));
    assert_eq!(summary["duplicated_lines"], 27);
}

#[test]
fn json_is_valid_for_its_schema() {
    let schema = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/formats/clones-1.schema.json"
    ));
    let schema = serde_json::from_str(&schema.expect("part of the repository")).expect("a schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let tree = Tree::with_clones();
    tree.write("data.bin", b"\0\0\0");
    tree.write("empty.py", "");
    for flags in ["", "--granularity file,class,function,block,run", "--measure lines --types 3", "empty.py"]
    {
        let result = tree.json(flags);
        let errors: Vec<String> = validator.iter_errors(&result).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{flags}: {errors:#?}");
    }
}

#[test]
#[ignore = "long"]
fn the_number_of_threads_changes_no_byte() {
    let tree = Tree::with_clones();
    for number in 0..40 {
        tree.write(&format!("many/{number}.py"), function("f", &format!("i{}", number % 4), number));
    }
    for format in FORMATS {
        let run =
            |threads: u32| tree.clones(&format!("--format {format} --threads {threads}")).success().0.stdout;
        assert_eq!(run(1), run(2), "{format}");
        assert!(!run(2).is_empty(), "{format}");
    }
}

#[test]
fn streams_enumerate_every_pair() {
    let tree = Tree::with_clones();
    let lines = |flags: &str| -> Vec<String> {
        tree.clones(flags).success().stdout().lines().map(str::to_owned).collect()
    };
    let ndjson: Vec<Value> = lines("--format ndjson")
        .iter()
        .map(|line| serde_json::from_str(line).expect("one object a line"))
        .collect();
    let sides: Vec<(&Value, &Value)> =
        ndjson.iter().map(|pair| (&pair["left"]["path"], &pair["right"]["path"])).collect();
    let sides: Vec<(&str, &str)> = sides
        .iter()
        .map(|(left, right)| (left.as_str().unwrap_or(""), right.as_str().unwrap_or("")))
        .collect();
    assert_eq!(sides, [("a.py", "b/copy.py"), ("a.py", "c.py"), ("b/copy.py", "c.py")]);
    let csv = lines("--format csv");
    assert_eq!(
        csv[0],
        "type,similarity,left_path,left_start,left_end,left_name,right_path,right_start,right_end,right_name,language,fingerprint,left_project,right_project"
    );
    assert!(csv[1].starts_with("1,1.0000,a.py,1,9,total,b/copy.py,1,9,total,python,"), "{}", csv[1]);
    assert_eq!(csv.len(), 4);
    let folder =
        tree.path().file_name().expect("a temporary folder has a name").to_string_lossy().into_owned();
    assert_eq!(lines("--format bigcloneeval")[0], format!("{folder},a.py,1,9,b,copy.py,1,9"));
    assert_eq!(lines("--format csv --max-pairs-per-class 1").len(), 2);
}

#[test]
fn reports_for_code_hosts_name_files_from_the_current_folder() {
    let tree = Tree::new(&[("src/a.py", &function("f", "x", 0)), ("src/b.py", &function("f", "x", 0))]);
    let gitlab = tree.clones("src --format gitlab").success().json();
    let paths: Vec<&Value> =
        gitlab.as_array().expect("a list").iter().map(|entry| &entry["location"]["path"]).collect();
    assert_eq!(paths, ["src/a.py", "src/b.py"]);
    assert_eq!(gitlab[0]["location"]["lines"]["begin"], 1);
    let sarif = tree.clones("src --format sarif").success().json();
    let place = |location: &Value| location["physicalLocation"]["artifactLocation"]["uri"].clone();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (place(&result["locations"][0]), place(&result["relatedLocations"][0])),
        ("src/a.py".into(), "src/b.py".into())
    );
    // JSON names them below the PATH, whatever the current folder.
    assert_eq!(places(&tree.json("src")), ["a.py:1", "b.py:1"]);
}

#[test]
fn text_says_what_was_found_and_left_out() {
    let tree = Tree::with_clones();
    tree.write("gen.py", format!("# @generated\n{}", function("total", "items", 0)));
    tree.write("notes.md", "text");
    let text = tree.clones("--show 1").success().stdout();
    for part in [
        "#1 3 functions of 9 lines, equal except for names and values (Type-2)",
        "- a.py:1-9  total",
        "+ c.py:9-17  sum_all",
        "def sum_all(values):",
        "1 clone class with 2 pairs: 27 of ",
        "left out: 1 file (generated), 1 file (not code)",
        "--include-generated",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "no colour where no terminal is");
    let none = tree.clones("notes.md").success().stdout();
    assert!(none.starts_with("no clones: "), "{none}");
}

#[test]
fn a_badge_tells_the_share_to_everybody() {
    let svg = Tree::with_clones().clones("--format badge").success().stdout();
    for part in ["role=\"img\"", "<title>duplication: 65.9%</title>", "aria-label=\"duplication: 65.9%\""] {
        assert!(svg.contains(part), "{part} is missing in {svg}");
    }
    assert!(svg.len() < 1500 && !svg.contains("href"), "{svg}");
    let none = Tree::new(&[("a.py", "x = 1\n")]).clones("--format badge").success().stdout();
    assert!(none.contains("<title>duplication: 0.0%</title>"), "{none}");
}

#[test]
fn a_stored_result_says_how_similar_edited_code_is() {
    let one = function("total", "items", 0);
    let edited = one.replacen("        elif", "            notify(item)\n        elif", 1);
    let tree = Tree::new(&[("a.py", one.as_str()), ("b.py", edited.as_str())]);
    let title = |text: &str| text.lines().find(|line| line.starts_with("#1 ")).map(str::to_owned);
    let run = title(&tree.clones(". --format text --types 3").success().stdout());
    assert!(run.as_ref().is_some_and(|title| title.contains("% similar (Type-3)")), "{run:?}");
    tree.clones(". --format json --types 3 --output clones.json").success();
    assert_eq!(title(&tree.run("report clones.json --format text").success().stdout()), run);
}

#[test]
fn a_stored_result_gives_what_the_run_itself_would() {
    let tree = Tree::with_clones();
    tree.write("data.bin", b"\0\0\0");
    tree.clones(". --format json --output clones.json --exclude clones.json").success();
    for format in ["markdown", "sarif", "gitlab", "badge"] {
        let run = tree.clones(&format!(". --exclude clones.json --format {format}")).success().stdout();
        let stored = tree.run(&format!("report clones.json --format {format}")).success().stdout();
        assert_eq!(stored, run, "{format}");
    }
    tree.run("report clones.json --format badge --output b.svg").success();
    assert!(tree.at("b.svg").is_file());
    tree.run("report clones.json --format csv").fails_with(&["for results of familiar audit"]);
    tree.run("report clones.json --format html").fails_with(&["--output DIR"]);
    tree.run("report clones.json --html out --format badge").fails_with(&["--format"]);
}
