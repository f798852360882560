//! A file of examples gives what the folders gave of which it was made.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use familiar_train::TrainError;
use familiar_train::data::Data;
use familiar_train::examples;
use familiar_train::gathering;
use familiar_train::recipe::{Recipe, Rewriting};
use familiar_train::run::{self, Folders};

const RECIPE: &str = r#"
name = "tiny"
seed = 7
network = { token = 16, token_inner = 32, token_blocks = 1, statement = 32, statement_inner = 32, statement_layers = 1, heads = 2, pooling_heads = 4, output = 16, context = 64, statements = 16, bag = 8 }
training = { steps = 0, warmup = 2, rate = 0.01, weight_decay = 0.01, temperature = 0.1, clip = 1.0 }
augmentation = { blind = 0.5, rename = 0.3, hide = 0.05, drop_statements = 0.05 }
rewriting = { with = ["orig-20"], share = 0.5, steps = 2, copies = 2 }

[words]
steps = 1
scale = 0.3
times = 1
rate = 0.1
temperature = 0.1
augmentation = { blind = 0.0, rename = 0.3, hide = 0.05, drop_statements = 0.05 }

[forms]
steps = 1
scale = 0.3
times = 1
rate = 0.1
temperature = 0.1
augmentation = { blind = 0.0, rename = 0.0, hide = 0.05, drop_statements = 0.05 }

[[source]]
name = "problems"
file = "rows.jsonl"
held_out_every = 3
groups_in_batch = 4
rows_of_group = 2
groups_of_author = 1

[[source]]
packages = ["package"]
functions_of_package = 100
groups_in_batch = 1
rows_of_group = 2

[[source]]
families = [["package", "other"]]
functions_of_package = 9
groups_in_batch = 1
rows_of_group = 2

[[apart]]
file = "apart.jsonl"
code = [["lang", "code"]]
"#;

const PYTHON: &str = "def one(a, b):\n    c = a + b\n    d = [c, a, b]\n    for x in d:\n        print(x, c)\n    if a > b:\n        return None\n    while c < 100:\n        c = c + a\n    return d[0] + d[1]\n\ndef two(s):\n    words = s.split(',')\n    out = {}\n    for i, w in enumerate(words):\n        out[w] = out.get(w, 0) + i\n    for k in sorted(out):\n        yield k, out[k]\n";
const JAVASCRIPT: &str = "function one(a, b) {\n  let c = a + b;\n  const d = [c, a, b];\n  for (const x of d) { console.log(x, c); }\n  if (a > b) { return null; }\n  while (c < 100) { c = c + a; }\n  return d[0] + d[1];\n}\n";

/// A solution of the problem of that number, longer than that of the one before; the last ones are cut.
fn solution(problem: usize, lang: &str, name: &str) -> String {
    let times = problem + 1;
    if lang == "python" {
        let body = format!("        {name} = {name} + x\n").repeat(times);
        format!("def f(items):\n    {name} = 1\n    for x in items:\n{body}    return {name}\n")
    } else {
        let body = format!("{name} = {name} + items[i]; ").repeat(times);
        format!(
            "int f(int* items, int n) {{ int {name} = 1; for (int i = 0; i < n; i++) {{ {body} }} return {name}; }}"
        )
    }
}

/// Problems of which two authors have solved all, in Python and in C, and one of which some solutions are those of others.
fn prepare(folder: &Path) {
    let mut rows = String::new();
    let mut row = |group: &str, lang: &str, code: &str, author: Option<&str>| {
        let row = serde_json::json!({ "problem_id": group, "lang": lang, "code": code, "author": author });
        writeln!(rows, "{row}").expect("a string takes all");
    };
    for problem in 0..18 {
        let group = format!("p{problem}");
        // Too short to be an example.
        row(&group, "python", "x", None);
        row(&group, "python", &solution(problem, "python", "total"), Some("ann"));
        row(&group, "c", &solution(problem, "c", "sum"), Some("bob \"é\"\n"));
        row(&group, "c", &solution(problem, "c", "kept"), None);
        row("others", "python", &solution(problem, "python", "out"), None);
    }
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .and_then(|()| std::fs::write(path, text))
            .expect("a temporary folder can be written");
    };
    write("rows.jsonl", &rows);
    write("package/a.py", PYTHON);
    write("other/a.js", JAVASCRIPT);
    let apart = serde_json::json!({ "lang": "python", "code": PYTHON.split("\n\n").nth(1) });
    write("apart.jsonl", &apart.to_string());
}

/// A folder of data, the recipe, and a file of its examples that is not there yet.
fn prepared() -> (tempfile::TempDir, Recipe, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(folder.path());
    let path = folder.path().join("recipe.toml");
    std::fs::write(&path, RECIPE).expect("a temporary folder can be written");
    let recipe = Recipe::read(&path).expect("the recipe is one");
    let file = folder.path().join("new/examples.jsonl.zst");
    (folder, recipe, file)
}

fn decompressed(file: &Path) -> String {
    let bytes = std::fs::read(file).expect("it can be read");
    String::from_utf8(zstd::decode_all(&bytes[..]).expect("it is whole")).expect("it is text")
}

#[test]
fn a_file_of_examples_gives_the_data_of_the_folders() {
    let (folder, recipe, file) = prepared();
    let data = gathering::data(&recipe, folder.path(), folder.path()).expect("the data can be read");
    assert!(data.overlaps > 3 && data.training[0].authors.len() == 2);
    assert!(data.validation[0].groups.len() > 2 && data.training.iter().all(|of| !of.groups.is_empty()));
    let longest = data.examples.iter().map(|example| example.sequence.len()).max();
    assert_eq!(longest, Some(128), "twice the context");
    let number_of_copies = |data: &Data| data.examples.iter().map(|it| it.copies.len()).sum::<usize>();
    assert!(number_of_copies(&data) > 30);

    let written = examples::write(&recipe, folder.path(), folder.path(), &file);
    assert!(written.expect("it can be written") == data);
    let beside = file.parent().expect("a folder").read_dir().expect("it is there").count();
    assert_eq!(beside, 1, "nothing unfinished is left");
    assert!(examples::read(&recipe, &file).expect("it can be read") == data);

    // Another way to rewrite, another seed and other draws: the file is the same.
    let rewriting = Some(Rewriting { with: vec!["for-while".to_owned()], share: 0.1, steps: 1, copies: 1 });
    let mut other = Recipe { seed: 8, name: "other".to_owned(), rewriting, ..recipe };
    other.source[0].rows_of_group = 3;
    let of_other = gathering::data(&other, folder.path(), folder.path()).expect("the data can be read");
    assert!(number_of_copies(&of_other) != number_of_copies(&data));
    assert!(examples::read(&other, &file).expect("it can be read") == of_other);
}

#[test]
fn a_file_for_another_recipe_is_refused() {
    let (folder, recipe, file) = prepared();
    examples::write(&recipe, folder.path(), folder.path(), &file).expect("it can be written");
    let refused = |change: &dyn Fn(&mut Recipe), told: &str| {
        let mut other = recipe.clone();
        change(&mut other);
        let error = examples::read(&other, &file).map(drop).expect_err("it was written for another recipe");
        assert!(matches!(&error, TrainError::OtherExamples { path, .. } if *path == file), "{error}");
        assert!(error.to_string().contains(told), "{error}");
    };
    refused(&|it| it.source.truncate(2), "3 sources in the place of 2");
    let renamed = |it: &mut Recipe| {
        it.source[0].name = "more".to_owned();
        it.source[0].file = "more.jsonl".into();
    };
    refused(&renamed, "\"problems\" in the place of \"more\"");
    refused(&|it| it.source[0].held_out_every = Some(4), "other settings");
    refused(&|it| it.source[0].groups_of_author = 0, "other settings");
    refused(&|it| it.apart.clear(), "other files apart");
    refused(&|it| it.network.extend([("context".to_owned(), 128)]), "another context");
}

#[test]
fn a_damaged_file_is_refused() {
    let (folder, recipe, file) = prepared();
    examples::write(&recipe, folder.path(), folder.path(), &file).expect("it can be written");
    let whole = std::fs::read(&file).expect("it can be read");
    let text = decompressed(&file);
    let refused = |bytes: &[u8], told: &str| {
        std::fs::write(&file, bytes).expect("a temporary folder can be written");
        let error = examples::read(&recipe, &file).map(drop).expect_err("it is damaged");
        assert!(matches!(&error, TrainError::Examples { path, .. } if *path == file), "{error}");
        let error = error.to_string();
        assert!(error.contains("remove it") && error.contains(told), "{error}");
    };
    for length in [0, 3, whole.len() / 2, whole.len() - 5, whole.len() - 1] {
        refused(&whole[..length], "");
    }
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 16;
    refused(&flipped, "");
    refused(text.as_bytes(), "");
    let with = |text: &str| zstd::encode_all(text.as_bytes(), 1).expect("memory takes it");
    let (without_last, _) = text.trim_end().rsplit_once('\n').expect("it has lines");
    refused(&with(without_last), "should have");
    refused(&with(&text.replacen("\"python\"", "\"latin\"", 1)), "line 2: latin is no language");
    refused(&with(&text.replacen("\"source\":0", "\"source\":9", 1)), "line 2: source 9");
    refused(&with(&text.replacen("\"group\":0", "\"group\":5", 1)), "its groups");
    refused(&with(&text.replacen("\"version\":1", "\"version\":2", 1)), "version 2");
}

#[test]
fn without_data_and_without_a_file_training_says_what_to_give() {
    let (folder, recipe, file) = prepared();
    let out = folder.path().join("out");
    let folders = Folders { data: None, packages: Some(folder.path().to_owned()), examples: Some(file), out };
    let error = run::run(&recipe, &folders, &mut |_| {}).expect_err("nothing is there");
    assert!(matches!(error, TrainError::NoExamplesYet { .. }), "{error}");
    let error = run::run(&recipe, &Folders { examples: None, ..folders.clone() }, &mut |_| {});
    assert!(matches!(error, Err(TrainError::NoData)), "{error:?}");
    // With the data the file is written, and then it is enough.
    run::run(&recipe, &Folders { data: folders.packages.clone(), ..folders.clone() }, &mut |_| {})
        .expect("training works");
    let weights = || std::fs::read(folders.out.join("weights.bin")).expect("they are written");
    let first = weights();
    std::fs::remove_dir_all(&folders.out).expect("it is there");
    run::run(&recipe, &Folders { packages: None, ..folders.clone() }, &mut |_| {}).expect("training works");
    assert!(first == weights());
}
