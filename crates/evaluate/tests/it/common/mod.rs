//! What the tests of encoders share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_evaluate::Judge;
use familiar_model::{Code, EncodeError, Encoder, Vectors};

/// Counts words, by a hash of each: code that uses the same words lies close together.
#[derive(Debug)]
struct Words {
    dimensions: usize,
}

impl Encoder for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        let mut values = vec![0.0; codes.len() * self.dimensions];
        for (code, row) in codes.iter().zip(values.chunks_exact_mut(self.dimensions)) {
            for word in code.text.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
            {
                let hash = word.iter().fold(7_usize, |hash, &byte| hash * 31 % 65_521 + usize::from(byte));
                row[hash % self.dimensions] += 1.0;
            }
        }
        Ok(Vectors::normalized(self.dimensions, values))
    }
}

pub(crate) fn encoder(dimensions: usize) -> Judge {
    Judge::Encoder(Arc::new(Words { dimensions }))
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    let compressed = path.extension().is_some_and(|extension| extension == "zst");
    let bytes = if compressed {
        zstd::encode_all(text.as_bytes(), 0).expect("memory suffices")
    } else {
        text.as_bytes().to_vec()
    };
    std::fs::write(&path, bytes).expect("the folder can be written");
    path
}

/// Whether what a result writes is what the schema promises.
pub(crate) fn assert_is_valid(json: &[u8]) {
    let schema = include_str!("../../../../../docs/formats/evaluate-1.schema.json");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let json = serde_json::from_slice(json).expect("the result is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}
