//! `familiar evaluate pairs` on small files.

use std::io::Write;
use std::path::Path;

use familiar_engine::Measure;
use familiar_evaluate::EvaluateError;
use familiar_evaluate::pairs::{self, By, Negatives, PairsOptions, PairsResult};

const FRAGMENTS: &str = r#"{"id": "sum", "lang": "python", "code": "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"}
{"id": "renamed", "lang": "python", "code": "def add(xs):\n    acc = 0\n    for x in xs:\n        acc += x\n    return acc  # a comment\n"}
{"id": "edited", "lang": "python", "code": "def total(items):\n    result = 0\n    for item in items:\n        result += item\n        print(item)\n    return result\n"}
{"id": 7, "lang": "python", "code": "class A:\n    pass\n"}
{"id": "strange", "lang": "klingon", "code": "Qapla'"}
"#;

const PAIRS: &str = r#"{"id1": "sum", "id2": "sum", "label": 1, "type": 1}
{"id1": "sum", "id2": "renamed", "label": 1, "type": 2}
{"id1": "sum", "id2": "edited", "label": 1, "type": 3}

{"id1": "sum", "id2": 7, "label": 0}
{"id1": "sum", "id2": "strange", "label": 1}
{"id1": "sum", "id2": "absent", "label": 1}
{"id1": "sum", "id2": "edited", "label": 1, "conflict": true}
{"id1": "sum"
{"code1": "f(x)", "code2": "f(y)", "lang": "java", "label": 1, "type": 2}
"#;

fn write(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    let mut file = std::fs::File::create(&path).expect("the folder is new");
    if path.extension().is_some_and(|extension| extension == "zst") {
        let text = zstd::encode_all(text.as_bytes(), 0).expect("memory suffices");
        file.write_all(&text).expect("the folder can be written");
    } else {
        file.write_all(text.as_bytes()).expect("the folder can be written");
    }
    path
}

fn run(pairs: &str, change: impl FnOnce(&mut PairsOptions)) -> Result<PairsResult, EvaluateError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = PairsOptions::new(write(folder.path(), "pairs.jsonl", pairs));
    options.fragments = Some(write(folder.path(), "fragments.jsonl.zst", FRAGMENTS));
    options.measure = Measure::TokenOverlap;
    change(&mut options);
    let result = pairs::run(&options);
    if let Ok(result) = &result {
        assert_is_valid(result);
    }
    result
}

fn assert_is_valid(result: &PairsResult) {
    let schema = include_str!("../../../docs/formats/evaluate-1.schema.json");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let mut json = Vec::new();
    result.write_json(&mut json).expect("memory suffices");
    let json = serde_json::from_slice(&json).expect("the result is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn equal_and_renamed_pairs_score_one_and_every_other_row_says_why_it_is_left_out() {
    let result = run(PAIRS, |options| options.by = Some(By::Lang)).expect("there are pairs");
    assert_eq!((result.figures.positives, result.figures.negatives, result.conflicts), (4, 1, 1));
    let recall: Vec<(&str, f64)> = result.recall_by_type.iter().map(|(t, &r)| (t.as_str(), r)).collect();
    // Of the edited function's 15 tokens that are no operators 13 are the other's: 0.867.
    assert_eq!(recall, [("1", 1.0), ("2", 1.0), ("3", 1.0)]);
    assert_eq!(result.figures.auc, Some(1.0));
    assert_eq!(result.recall_by_type_at_fpr["0.01"].get("3"), Some(&1.0));
    let parts: Vec<_> =
        result.parts.iter().flatten().map(|(name, part)| (name.as_str(), part.pairs)).collect();
    assert_eq!(parts, [("java", 1), ("python", 4)]);
    let skipped: Vec<(u64, &str)> = result.skipped.iter().map(|row| (row.row, row.reason.as_str())).collect();
    assert_eq!(
        skipped[..3],
        [
            (6, "fragment strange: unknown language klingon"),
            (7, "fragment absent is not among the fragments"),
            (8, "conflict: the sources disagree about this pair"),
        ]
    );
    assert_eq!((skipped.len(), skipped[3].0), (4, 9));
}

#[test]
fn a_threshold_above_the_similarity_of_the_edited_pair_loses_it() {
    let result = run(PAIRS, |options| options.similarity = Some(0.87)).expect("there are pairs");
    assert_eq!(result.recall_by_type.get("3"), Some(&0.0));
    // The curve crosses at the same place.
    assert_eq!((result.curve[86].recall, result.curve[87].recall), (Some(1.0), Some(0.75)));
}

#[test]
fn blind_measuring_forgets_names() {
    let pair = r#"{"code1": "a = f(b, c)", "code2": "x = g(y)", "lang": "python", "label": 1}"#;
    let recall = |blind| {
        let result = run(pair, |o| (o.blind, o.similarity) = (blind, Some(0.7)));
        result.expect("there is a pair").figures.recall
    };
    // With names nothing is common; without, three of the larger side's four tokens.
    assert_eq!((recall(false), recall(true)), (Some(0.0), Some(1.0)));
}

#[test]
fn negatives_are_drawn_from_other_groups_and_depend_on_the_seed_only() {
    let rows: Vec<String> = (0..20)
        .map(|n| {
            let body = format!("    a = {n} if b{n} else c{n}\\n    return d{}(a)\\n", n % 3);
            let code = |name: &str| format!("def {name}(b{n}, c{n}):\\n{}{body}", "    pass\\n".repeat(n));
            format!(
                "{{\"code1\": \"{}\", \"code2\": \"{}\", \"lang\": \"python\", \"label\": 1, \"group\": {}}}\n",
                code("f"),
                code("g"),
                n / 2
            )
        })
        .collect();
    let drawn = |how, threads| {
        run(&rows.concat(), |options| (options.negatives, options.threads) = (Some(how), threads))
            .expect("there are pairs")
    };
    let random = drawn(Negatives::Random, 1);
    assert_eq!((random.figures.negatives, random.negatives_from), (20, "random"));
    assert_eq!(random, drawn(Negatives::Random, 3));
    // Hard negatives are no easier than random ones.
    assert!(drawn(Negatives::Hard, 0).figures.auc <= random.figures.auc);
    assert_eq!(run(&rows.concat(), |_| ()).expect("there are pairs").negatives_from, "none");
}

#[test]
fn what_cannot_be_used_at_all_is_an_error() {
    let none = run("{\"id1\": 1, \"id2\": 2}\n", |_| ()).expect_err("it has no label");
    assert!(none.to_string().ends_with("holds no pair that can be used: no label"), "{none}");
    assert!(matches!(run(PAIRS, |o| o.similarity = Some(1.5)), Err(EvaluateError::Similarity(_))));
    assert!(matches!(run(PAIRS, |o| o.pairs = "/absent".into()), Err(EvaluateError::Read { .. })));
}

#[test]
fn the_text_names_types_and_skipped_rows() {
    let mut text = Vec::new();
    run(PAIRS, |_| ()).expect("there are pairs").write_text(&mut text).expect("memory suffices");
    let text = String::from_utf8(text).expect("it is text");
    assert!(
        text.starts_with("measure token-overlap, threshold 0.8\n5 pairs: 4 positives, 1 negatives (given)\n")
    );
    assert!(text.contains("recall by type") && text.contains("4 rows skipped:"), "{text}");
}
