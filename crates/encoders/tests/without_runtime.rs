//! What is said where a model, a part of it or the run time is missing. A process loads the run time once, so these tests are a
//! program of their own: beside the tests that load one, it would not be missing.
#![cfg(feature = "onnx")]

#[expect(dead_code, reason = "the models that need a run time are for the other tests")]
#[path = "it/model/mod.rs"]
mod model;

use std::path::Path;

use crate::model::{Kind, TOKENIZER, folder, write};
use familiar_encoders::Onnx;

#[track_caller]
fn assert_refused(dir: &Path, parts: &[&str]) {
    let error = Onnx::open(dir, Some(Path::new("/nowhere/libonnxruntime.so")), 1);
    let error = error.expect_err("it cannot be opened").to_string();
    for part in parts {
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
}

#[test]
fn files_that_are_missing_are_named() {
    assert_refused(Path::new("/nowhere/codebert"), &["/nowhere/codebert does not exist", "name a folder"]);
    let dir = folder(Kind::Tokens);
    std::fs::remove_file(dir.path().join("tokenizer.json")).expect("it is there");
    assert_refused(dir.path(), &["tokenizer.json does not exist", "save_pretrained"]);
    std::fs::remove_file(dir.path().join("model.onnx")).expect("it is there");
    assert_refused(dir.path(), &["model.onnx does not exist", "optimum-cli export onnx"]);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let dir = folder(Kind::Tokens);
    write(&dir, "config.json", br#"{"max_position_embeddings": 3}"#);
    assert_refused(dir.path(), &["tokenizer.json: it has no room for text", "1 tokens, of which 2"]);
    write(&dir, "config.json", b"{");
    assert_refused(dir.path(), &["config.json: EOF"]);
    std::fs::remove_file(dir.path().join("config.json")).expect("it is there");
    write(&dir, "tokenizer.json", TOKENIZER.replace("WordLevel", "Mystery").as_bytes());
    assert_refused(dir.path(), &["tokenizer.json: the tokenizer cannot be read"]);
}

#[test]
fn a_run_time_that_is_missing_is_named() {
    let dir = folder(Kind::Tokens);
    assert_refused(
        dir.path(),
        &["cannot load /nowhere/libonnxruntime.so", "install onnxruntime", "ORT_DYLIB_PATH"],
    );
}
