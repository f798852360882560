//! `familiar evaluate pairs` on small files.

use crate::common;
use familiar_engine::Measure;
use familiar_evaluate::pairs::{self, By, Draw, Negatives, PairsOptions, PairsResult};
use familiar_evaluate::{EvaluateError, Judge};

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

fn run(pairs: &str, change: impl FnOnce(&mut PairsOptions)) -> Result<PairsResult, EvaluateError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = PairsOptions::new(common::write(folder.path(), "pairs.jsonl", pairs));
    options.fragments = Some(common::write(folder.path(), "fragments.jsonl.zst", FRAGMENTS));
    options.judge = Judge::Measure(Measure::TokenOverlap);
    change(&mut options);
    let result = pairs::run(&options, &familiar_source::Silent);
    if let Ok(result) = &result {
        let mut json = Vec::new();
        result.write_json(&mut json).expect("memory suffices");
        common::assert_is_valid(&json);
    }
    result
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
            (6, "fragment strange: there is no language klingon"),
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
    let by_words = drawn(Negatives::TfIdf, 1);
    assert_eq!((by_words.figures.negatives, by_words.negatives_from), (20, "tfidf"));
    assert_eq!(by_words, drawn(Negatives::TfIdf, 3));
}

/// One problem under two names: the second's solution in Python is the first's with a line more.
#[test]
fn no_negative_is_a_copy_of_what_is_in_the_others_group() {
    let row = |python: &str, java: &str, group: usize| {
        let row = serde_json::json!({
            "code1": python, "lang1": "python", "code2": java, "lang2": "java", "label": 1, "group": group
        });
        format!("{row}\n")
    };
    let sum = "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n";
    let other = "def words(text):\n    return [word.strip() for word in text.split()]\n";
    let first = row(sum, "int total(int[] xs) { int r = 0; for (int x : xs) r += x; return r; }", 0);
    let again = row(
        &format!("{sum}    # that is all\n    pass\n"),
        "static long sum(List<Long> of) { return of.stream().mapToLong(x -> x).sum(); }",
        1,
    );
    let unlike = row(other, "String[] words(String text) { return text.split(separator); }", 2);
    let negatives = |rows: &[&str]| {
        run(&rows.concat(), |options| options.negatives = Some(Negatives::Hard))
            .expect("there are pairs")
            .figures
            .negatives
    };
    assert_eq!(negatives(&[&first, &again]), 0);
    assert_eq!(negatives(&[&first, &unlike]), 2);
}

#[test]
fn negatives_by_words_have_the_left_sides_words() {
    let row = |group: usize| {
        let name = ["item", "error", "byte"][group % 3];
        // No two are renamed copies.
        let code = |depth| format!("{name}Count = {}{group}{}", "[".repeat(depth), "]".repeat(depth));
        let (left, right) = (code(2 * group), code(2 * group + 1));
        format!(
            "{{\"code1\": \"{left}\", \"code2\": \"{right}\", \"lang\": \"python\", \"label\": 1, \"group\": {group}}}\n"
        )
    };
    let rows: String = (0..12).map(row).collect();
    let result = run(&rows, |options| {
        (options.judge, options.similarity) = (common::encoder(1009), Some(0.4));
        options.negatives = Some(Negatives::TfIdf);
    });
    // Every negative shares the name, and only the value is another.
    assert_eq!(result.expect("there are pairs").figures.false_positive_rate, Some(1.0));
}

#[test]
fn an_encoder_scores_by_how_sure_it_is_and_sees_no_names_of_blind_code() {
    let rows = r#"{"code1": "one = two(three)", "code2": "four = five(six)", "lang": "python", "label": 1}
{"code1": "one = two(three)", "code2": "one = two(three); pass", "lang": "python", "label": 1}
{"code1": "one = two(three)", "code2": "four = 'five'", "lang": "python", "label": 0}
"#;
    let judged = |blind| {
        let result = run(rows, |options| (options.judge, options.blind) = (common::encoder(61), blind));
        result.expect("there are pairs")
    };
    let result = judged(false);
    assert_eq!((result.measure.as_str(), result.threshold), ("words", 0.75));
    // The renamed pair is no clone without its names.
    assert_eq!((result.figures.recall, result.figures.accuracy), (Some(0.5), Some(0.75)));
    assert_eq!(judged(true).figures.recall, Some(1.0));
    assert!(judged(true).figures.best_accuracy >= judged(true).figures.accuracy);
}

#[test]
fn pairs_drawn_from_solutions_are_balanced_and_of_the_selected_rows() {
    let row = |number: usize| {
        let (group, lang) = (number % 5, ["c", "java"][number / 5 % 2]);
        // The numbers, of which there are one to three, are nobody else's.
        let numbers: Vec<String> = (0..=number % 3).map(|n| format!("{number}{n}")).collect();
        let words = format!("int word{group}a = word{group}b + word{group}c + {};", numbers.join(" + "));
        format!("{{\"problem_id\": {group}, \"lang\": \"{lang}\", \"code\": \"{words}\"}}\n")
    };
    let rows: String = (0..60).map(row).chain(["bad\n".to_owned()]).collect();
    let drawn = |draw: Draw, seed| {
        let result = run(&rows, |options| {
            (options.draw, options.seed) = (Some(draw), seed);
            (options.by, options.judge) = (Some(By::Lang), common::encoder(1009));
            options.similarity = Some(0.5);
        });
        result.expect("there are pairs")
    };
    let across = Draw { pairs: 40, cross_language: true, ..Draw::default() };
    let result = drawn(across.clone(), 1);
    assert_eq!(
        (result.figures.positives, result.figures.negatives, result.negatives_from),
        (20, 20, "random")
    );
    assert_eq!((result.figures.recall, result.figures.false_positive_rate), (Some(1.0), Some(0.0)));
    assert_eq!(result.parts.iter().flatten().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["c-java"]);
    assert_eq!((result.skipped.len(), result.skipped[0].file), (1, "solutions"));
    assert_eq!(result, drawn(across.clone(), 1));
    assert_ne!(result.curve, drawn(across, 2).curve);
    // Of ten groups and languages with six rows each there are no more than 15 pairs.
    let mut of_c = Draw { pairs: 1_000, ..Draw::default() };
    of_c.selection.languages = vec![familiar_source::Language::C];
    let few = drawn(of_c, 1);
    assert!(few.figures.positives <= 75 && few.figures.positives == few.figures.negatives);
    assert_eq!(few.parts.iter().flatten().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["c"]);
}

#[test]
fn all_pairs_are_drawn_where_more_are_asked_for() {
    // Three problems with eight rows each: 28 pairs of each.
    let row = |at: usize| {
        let code = format!("int {};", "ab".repeat(at + 1));
        format!("{}\n", serde_json::json!({"problem_id": at % 3, "lang": "c", "code": code}))
    };
    let rows: String = (0..24).map(row).collect();
    let drawn = |pairs, seed| {
        let result = run(&rows, |options| {
            (options.draw, options.seed) = (Some(Draw { pairs, ..Draw::default() }), seed);
        });
        result.expect("there are pairs")
    };
    for seed in 0..20 {
        let all = drawn(10_000, seed);
        assert_eq!((all.figures.positives, all.figures.negatives), (84, 84), "seed {seed}");
    }
    let (all, some) = (drawn(10_000, 1), drawn(20, 1));
    assert_eq!(all.drawn.map(|drawn| (drawn.asked, drawn.pairs)), Some((10_000, 168)));
    let text = |result: &PairsResult| {
        let mut text = Vec::new();
        result.write_text(&mut text).expect("memory suffices");
        String::from_utf8(text).expect("it is text")
    };
    assert!(text(&all).contains("168 of 10000 pairs were drawn: the rows that are selected hold no more"));
    assert!(!text(&some).contains("were drawn"));
}

#[test]
fn what_cannot_be_used_at_all_is_an_error() {
    let none = run("{\"id1\": 1, \"id2\": 2}\n", |_| ()).expect_err("it has no label");
    assert!(none.to_string().ends_with("contains no usable pair: there is no label"), "{none}");
    assert!(matches!(run(PAIRS, |o| o.similarity = Some(1.5)), Err(EvaluateError::Similarity(_))));
    assert!(matches!(run(PAIRS, |o| o.pairs = "/absent".into()), Err(EvaluateError::Read { .. })));
}

#[test]
fn the_text_names_types_and_skipped_rows() {
    let mut text = Vec::new();
    run(PAIRS, |_| ()).expect("there are pairs").write_text(&mut text).expect("memory suffices");
    let text = String::from_utf8(text).expect("it is text");
    assert!(
        text.starts_with("measure token-overlap, threshold 0.8\n5 pairs: 4 positives, 1 negative (given)\n")
    );
    assert!(text.contains("recall by type") && text.contains("4 rows left out:"), "{text}");
}
