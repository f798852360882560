//! `familiar evaluate bags`, on small bags and, where they are at hand, on those of SourcererCC.

use std::path::{Path, PathBuf};

use familiar_evaluate::EvaluateError;
use familiar_evaluate::bags::{self, BagsOptions};

fn run(bags: PathBuf, similarity: f64, memory: usize) -> Result<String, EvaluateError> {
    let mut out = Vec::new();
    bags::run(&BagsOptions { bags, similarity, memory, threads: 0 }, &mut out)?;
    Ok(String::from_utf8(out).expect("CSV is text"))
}

#[test]
fn pairs_are_sorted_by_id_and_ids_quoted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bags.jsonl");
    let rows = r#"{"id": "b", "bag": {"x": 3, "y": 1}}
{"id": 10, "tokens": 5, "bag": {"x": 3, "y": 1, "z": 1}}
{"id": "a,c", "bag": {"x": 4}}
{"id": "none", "bag": {}}
"#;
    std::fs::write(&path, rows).expect("the folder can be written");
    let found = run(path.clone(), 0.75, 1 << 20).expect("the rows are good");
    assert_eq!(found, "left,right,overlap,larger\n10,b,4,5\n\"a,c\",b,3,4\n");
    std::fs::write(&path, format!("{rows}nonsense\n")).expect("the folder can be written");
    let bad = run(path, 0.75, 1 << 20).expect_err("the last row is none");
    assert!(bad.to_string().contains("bags.jsonl:5: "), "{bad}");
}

/// The bags that SourcererCC's tokenizer made, and the pairs that it reports and brute force confirms. They are not
/// part of the repository: `FAMILIAR_DATA` names the folder that holds `sourcerercc/`.
#[test]
fn the_pairs_of_sourcerercc_are_found_exactly() {
    let Some(data) = std::env::var_os("FAMILIAR_DATA") else { return };
    let folder = Path::new(&data).join("sourcerercc");
    let file = std::fs::File::open(folder.join("pairs_80.csv.zst")).expect("FAMILIAR_DATA holds the pairs");
    let expected = zstd::decode_all(file).expect("they are whole");
    let expected = String::from_utf8(expected).expect("CSV is text");
    for memory in [1 << 30, 16 << 20] {
        let found = run(folder.join("bags.jsonl.zst"), 0.8, memory).expect("the rows are good");
        assert_eq!(found.lines().count(), 8_845);
        assert!(found == expected);
    }
}
