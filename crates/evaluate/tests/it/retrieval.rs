//! `familiar evaluate retrieval` on small files.

use crate::common;
use familiar_engine::Measure;
use familiar_evaluate::retrieval::{self, RetrievalOptions, RetrievalResult};
use familiar_evaluate::{EvaluateError, Judge};

/// Two groups; by words the nearest of the first row is the third, which is of the other group.
const SOLUTIONS: &str = r#"{"problem_id": "a", "lang": "python", "code": "x = one + two", "split": "valid"}
{"problem_id": "a", "lang": "python", "code": "x = one", "split": "valid"}
{"problem_id": "b", "lang": "python", "code": "x = one + two + two", "split": "valid"}
{"problem_id": "b", "lang": "java", "code": "five = six;", "split": "train", "topic": 7}
{"problem_id": "c", "lang": "java", "code": "six();", "split": "train"}

{"problem_id": "c", "lang": "klingon", "code": "Qapla'"}
{"problem_id": "c", "lang": "java"}
{"lang": "java", "code": "f();"}
nonsense
"#;

fn run(rows: &str, change: impl FnOnce(&mut RetrievalOptions)) -> Result<RetrievalResult, EvaluateError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = RetrievalOptions::new(common::write(folder.path(), "solutions.jsonl.zst", rows));
    options.judge = common::encoder(61);
    change(&mut options);
    let result = retrieval::run(&options, &familiar_source::Silent)?;
    let mut json = Vec::new();
    result.write_json(&mut json).expect("memory suffices");
    common::assert_is_valid(&json);
    Ok(result)
}

#[test]
fn a_small_file_gives_what_a_hand_computes() {
    let result = run(SOLUTIONS, |_| ()).expect("there are queries");
    assert_eq!((result.rows, result.groups, result.figures.queries), (5, 3, 4));
    // The relevant row is second for rows 1 and 2 (after row 3 and row 1, in that order, then the other); for row 3 it
    // is behind rows 1 and 2, and for row 4 behind row 5, before rows 1 and 2, which it is as unlike as row 3.
    assert_eq!((result.figures.precision_at_1, result.figures.map_at_r), (0.25, 0.25));
    assert!((result.figures.mrr - (1.0 / 2.0 + 1.0 + 1.0 / 3.0 + 1.0 / 4.0) / 4.0).abs() < 1e-12);
    assert!((result.figures.precision_at_k["5"] - 0.2).abs() < 1e-12);
    assert_eq!(result.by_language["python"].queries, 3);
}

#[test]
fn rows_that_cannot_be_used_are_skipped_with_their_reason() {
    let skipped = run(SOLUTIONS, |_| ()).expect("there are queries").skipped;
    let rows: Vec<u64> = skipped.iter().map(|row| row.row).collect();
    assert_eq!(rows, [7, 8, 9, 10]);
    assert_eq!(skipped[0].reason, "there is no language klingon");
    assert_eq!(skipped[1].reason, "the field code has no text");
    assert_eq!(skipped[2].reason, "the field problem_id has no text");
}

#[test]
fn across_languages_only_rows_of_others_are_candidates_and_relevant() {
    let result = run(SOLUTIONS, |options| options.cross_language = true).expect("there are queries");
    // Rows 3 and 4 are left; row 4 meets three rows that it is as unlike, row 3 two, of which row 4 comes first.
    assert_eq!(result.figures.queries, 2);
    assert!((result.figures.mrr - f64::midpoint(1.0, 1.0 / 3.0)).abs() < 1e-12);
    assert_eq!(result.by_language_pair["python-java"].mrr, 1.0);
    assert_eq!(result.by_language_pair["python-java"], result.by_language["python"]);
    // Without it the pairs are the same.
    assert_eq!(run(SOLUTIONS, |_| ()).expect("there are queries").by_language_pair, result.by_language_pair);
}

#[test]
fn conditions_choose_rows_and_groups() {
    let rows = |field: &str, value: &str| {
        let filter = (field.to_owned(), value.to_owned());
        run(SOLUTIONS, |options| options.selection.filters.push(filter)).map(|result| result.rows)
    };
    assert_eq!(rows("split", "valid").expect("there are queries"), 3);
    assert!(matches!(rows("topic", "7"), Err(EvaluateError::NoQueries { .. })));
    let limited = run(&SOLUTIONS.repeat(3), |options| {
        options.selection.max_per_group = std::num::NonZeroUsize::new(2);
    });
    // Two rows of each group in each language.
    assert_eq!(limited.expect("there are queries").rows, 2 * 4);
    let one_of = |parts| {
        let result = run(SOLUTIONS, |o| o.selection.one_of = std::num::NonZeroU64::new(parts));
        result.map_or(0, |result| result.rows)
    };
    assert_eq!(one_of(1), 5);
    assert!(one_of(2) < 5);
}

/// Rows of three languages and many groups, with equal texts among them.
fn many() -> Vec<(usize, &'static str, String)> {
    let mut state = 1_usize;
    let mut next = |below: usize| {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        (state >> 8) % below
    };
    (0..150)
        .map(|_| {
            let words: Vec<String> = (0..=next(4)).map(|_| format!("w{}", next(9))).collect();
            (next(12), ["c", "java", "python"][next(3)], words.join(" + "))
        })
        .collect()
}

fn lines(rows: &[(usize, &'static str, String)]) -> String {
    let line = |(group, lang, code): &(usize, &str, String)| {
        format!("{}\n", serde_json::json!({"task": group, "lang": lang, "code": code}))
    };
    rows.iter().map(line).collect()
}

/// MAP@R and MRR by sorting all candidates of each query.
fn oracle(rows: &[(usize, &'static str, String)], cross_language: bool) -> (u64, f64, f64) {
    let Judge::Encoder(encoder) = common::encoder(8) else { return (0, 0.0, 0.0) };
    let code = |row: &(usize, &'static str, String)| {
        let language = familiar_source::Language::from_name(row.1).expect("it is one");
        (language, row.2.clone().into_bytes())
    };
    let texts: Vec<_> = rows.iter().map(code).collect();
    let codes: Vec<_> =
        texts.iter().map(|(language, text)| familiar_model::Code { language: *language, text }).collect();
    let vectors = encoder.encode(&codes).expect("it cannot fail");
    let (mut queries, mut map_at_r, mut mrr) = (0, 0.0, 0.0);
    for (query, row) in rows.iter().enumerate() {
        let looked_at = |&at: &usize| at != query && !(cross_language && rows[at].1 == row.1);
        let mut ranked: Vec<usize> = (0..rows.len()).filter(looked_at).collect();
        let score =
            |at: usize| vectors.row(query).iter().zip(vectors.row(at)).map(|(a, b)| a * b).sum::<f32>();
        ranked.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        let hits: Vec<bool> = ranked.iter().map(|&at| rows[at].0 == row.0).collect();
        let relevant = hits.iter().filter(|&&hit| hit).count();
        if relevant > 0 {
            let precision =
                |at: usize| hits[..=at].iter().filter(|&&hit| hit).count() as f64 / (at + 1) as f64;
            queries += 1;
            map_at_r += (0..relevant).filter(|&at| hits[at]).map(precision).sum::<f64>() / relevant as f64;
            mrr += 1.0 / (hits.iter().position(|&hit| hit).expect("one is") + 1) as f64;
        }
    }
    (queries, map_at_r / queries as f64, mrr / queries as f64)
}

#[test]
fn figures_are_those_of_brute_force_for_any_number_of_threads() {
    let rows = many();
    for cross_language in [false, true] {
        let run = |threads| {
            run(&lines(&rows), |options| {
                "task".clone_into(&mut options.selection.group);
                options.judge = common::encoder(8);
                (options.cross_language, options.threads) = (cross_language, threads);
            })
            .expect("there are queries")
        };
        let (result, (queries, map_at_r, mrr)) = (run(1), oracle(&rows, cross_language));
        assert_eq!((result.figures.queries, result.rows), (queries, 150));
        assert!((result.figures.map_at_r - map_at_r).abs() < 1e-9, "{} {map_at_r}", result.figures.map_at_r);
        assert!((result.figures.mrr - mrr).abs() < 1e-9, "{} {mrr}", result.figures.mrr);
        assert_eq!(result.by_language_pair.len(), 6);
        assert_eq!(result, run(3));
    }
}

#[test]
fn of_blind_code_an_encoder_sees_no_names() {
    let rows = r#"{"problem_id": 1, "lang": "python", "code": "def total(items):\n    return len(items)\n"}
{"problem_id": 2, "lang": "python", "code": "def total(items):\n    assert len(items) + 1 and not items\n"}
{"problem_id": 1, "lang": "python", "code": "def f(x):  # anything else\n    return g(x)\n"}
"#;
    let precision = |blind| {
        let result = run(rows, |options| options.blind = blind).expect("there are queries");
        result.by_language["python"].precision_at_1
    };
    assert!(precision(false) < 1.0);
    assert_eq!(precision(true), 1.0);
}

#[test]
fn a_measure_ranks_few_rows_and_refuses_many() {
    let measured = |rows: &str| run(rows, |o| o.judge = Judge::Measure(Measure::TokenOverlap));
    let result = measured(SOLUTIONS).expect("there are queries");
    assert_eq!((result.measure.as_str(), result.figures.queries), ("token-overlap", 4));
    let row = SOLUTIONS.lines().next().expect("there are rows").to_owned() + "\n";
    let refused = measured(&row.repeat(5_001)).expect_err("too many");
    assert!(refused.to_string().contains("more than 5000 rows") && refused.to_string().contains("--encoder"));
}

#[test]
fn nothing_to_ask_is_an_error() {
    let alone = run(SOLUTIONS, |options| {
        options.selection.filters.push(("split".to_owned(), "train".to_owned()));
    });
    let alone = alone.expect_err("its rows are of different groups");
    assert!(alone.to_string().ends_with("no row has another of its group"), "{alone}");
    let bad = run("nonsense", |_| ()).expect_err("no row");
    assert!(bad.to_string().contains("expected"), "{bad}");
}
