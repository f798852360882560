//! Tiny models in the run time, whose library `ORT_DYLIB_PATH` has to name:
//! `cargo test -p familiar-encoders --features onnx onnx:: -- --ignored`.

use std::path::Path;

use crate::model::{Kind, TOKENIZER, folder, write};
use familiar_encoders::{ONNX_LIBRARY, Onnx, OnnxError};
use familiar_model::{Code, Encoder, Vectors};
use familiar_source::Language;

fn open(dir: &Path) -> Result<Onnx, OnnxError> {
    let library = std::env::var_os(ONNX_LIBRARY).expect("ORT_DYLIB_PATH names the run time");
    Onnx::open(dir, Some(Path::new(&library)), 1)
}

fn encode(onnx: &Onnx, texts: &[&str]) -> Vectors {
    let code = |text| Code { language: Language::Python, text };
    let codes: Vec<Code<'_>> = texts.iter().map(|text| code(text.as_bytes())).collect();
    onnx.encode(&codes).expect("it runs")
}

/// Checks the directions of vectors.
#[track_caller]
fn assert_near(vectors: &Vectors, expected: &[[f32; 2]]) {
    assert_eq!(vectors.len(), expected.len());
    for (row, expected) in vectors.rows().zip(expected) {
        let length = expected.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        assert!(
            row.iter().zip(expected).all(|(x, y)| (x - y / length).abs() < 1e-6),
            "{row:?} for {expected:?}"
        );
    }
}

#[track_caller]
fn assert_refused(dir: &Path, parts: &[&str]) {
    let error = open(dir).expect_err("it is of no use").to_string();
    for part in parts {
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
}

#[test]
#[ignore = "needs the ONNX run time: ORT_DYLIB_PATH"]
fn a_vector_is_the_mean_over_the_tokens_of_its_text_alone() {
    for kind in [Kind::Tokens, Kind::ShortNumbers] {
        let dir = folder(kind);
        let onnx = open(dir.path()).expect("a model");
        assert_eq!(onnx.dimensions(), 2);
        let vectors = encode(&onnx, &["a", "a b b", " \n", "", "b", "what a"]);
        assert_near(&vectors, &[[1.0, 0.0], [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]);
        assert!(encode(&onnx, &[]).is_empty());
    }
}

#[test]
#[ignore = "needs the ONNX run time: ORT_DYLIB_PATH"]
fn a_long_text_is_read_in_windows_that_count_by_their_tokens() {
    let by_positions = folder(Kind::Tokens);
    write(&by_positions, "config.json", br#"{"model_type": "roberta", "max_position_embeddings": 8}"#);
    let by_tokenizer = folder(Kind::Tokens);
    let truncation =
        r#""truncation": {"direction": "Right", "max_length": 6, "strategy": "LongestFirst", "stride": 2}"#;
    let tokenizer = TOKENIZER.replace(r#""truncation": null"#, truncation);
    write(&by_tokenizer, "tokenizer.json", tokenizer.as_bytes());
    for dir in [folder(Kind::Tokens), by_positions, by_tokenizer] {
        let onnx = open(dir.path()).expect("a model");
        let long = "a ".repeat(4000) + &"b ".repeat(1000);
        assert_near(&encode(&onnx, &["a a a a b", &long]), &[[4.0, 1.0], [4.0, 1.0]]);
    }
}

#[test]
#[ignore = "needs the ONNX run time: ORT_DYLIB_PATH"]
fn positions_are_counted_as_the_kind_of_model_does() {
    let dir = folder(Kind::Positions);
    // Of five tokens, RoBERTa's have the positions 2 to 6 of a table that ends with 5, BERT's 0 to 4.
    write(&dir, "config.json", br#"{"model_type": "bert"}"#);
    let bert = open(dir.path()).expect("a model");
    assert_near(&encode(&bert, &["a", "a b"]), &[[100.0, 50.0], [99.0, 50.0]]);
    write(&dir, "config.json", br#"{"model_type": "roberta"}"#);
    let roberta = open(dir.path()).expect("a model");
    assert_near(&encode(&roberta, &["a", "a b"]), &[[0.0, 0.0], [0.0, 1.0]]);
}

#[test]
#[ignore = "needs the ONNX run time: ORT_DYLIB_PATH"]
fn a_models_own_vectors_of_texts_are_taken() {
    let dir = folder(Kind::Texts);
    let onnx = open(dir.path()).expect("a model");
    assert_near(&encode(&onnx, &["a a b", "a b b"]), &[[2.0, 1.0], [1.0, 2.0]]);
}

#[test]
#[ignore = "needs the ONNX run time: ORT_DYLIB_PATH"]
fn models_are_told_apart_by_what_they_hold() {
    let (one, other) = (folder(Kind::Tokens), folder(Kind::Texts));
    let name = |dir: &Path| open(dir).expect("a model").name().to_owned();
    let hash = |name: &str| name.rsplit_once(' ').expect("a hash").1.to_owned();
    let named = name(one.path());
    let folder_name = one.path().file_name().and_then(|name| name.to_str()).expect("a name");
    assert!(named.starts_with(&format!("onnx:{folder_name} ")), "{named}");
    assert_eq!(named, name(one.path()));
    assert_ne!(hash(&named), hash(&name(other.path())));
    std::fs::create_dir(one.path().join("onnx")).expect("can be written");
    std::fs::rename(one.path().join("model.onnx"), one.path().join("onnx/model.onnx")).expect("can be moved");
    assert_eq!(named, name(one.path()));
}

#[test]
#[ignore = "needs the ONNX run time: ORT_DYLIB_PATH"]
fn what_is_no_model_for_text_is_refused() {
    let dir = folder(Kind::Tokens);
    write(&dir, "model.onnx", b"version https://git-lfs.github.com/spec/v1");
    assert_refused(
        dir.path(),
        &["model.onnx: the run time does not accept this model", "feature extraction"],
    );
    assert_refused(
        folder(Kind::Image).path(),
        &["model.onnx: it needs the input pixel_values", "feature extraction"],
    );
    assert_refused(folder(Kind::Flat).path(), &["model.onnx: it gives no vectors", "feature extraction"]);
}
