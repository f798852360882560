//! The files of a model, as they are published: `model.onnx`, `tokenizer.json` and, where there is one, `config.json`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use xxhash_rust::xxh3::Xxh3;

use super::error::OnnxError;

/// Where the files of a model are.
pub(super) struct Files {
    dir: PathBuf,
    pub(super) model: PathBuf,
    pub(super) tokenizer: PathBuf,
}

/// What `config.json` says that matters here.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Config {
    model_type: Option<String>,
    pub(super) max_position_embeddings: Option<usize>,
    pub(super) pad_token_id: Option<i64>,
}

impl Config {
    /// Whether positions are counted from after the number of the padding token; so it is taken to be where nothing is said.
    pub(super) fn counts_after_padding(&self) -> bool {
        let counts =
            |kind: &str| kind.contains("roberta") || ["camembert", "longformer", "mpnet"].contains(&kind);
        self.model_type.as_deref().is_none_or(counts)
    }
}

impl Files {
    pub(super) fn find(dir: &Path) -> Result<Self, OnnxError> {
        let missing = |path: PathBuf, advice| Err(OnnxError::Missing { path, advice });
        if !dir.is_dir() {
            return missing(dir.to_owned(), "name a folder with model.onnx and tokenizer.json");
        }
        let models = [dir.join("model.onnx"), dir.join("onnx/model.onnx")];
        let Some(model) = models.into_iter().find(|model| model.is_file()) else {
            let advice = "export the model, such as with `optimum-cli export onnx --task feature-extraction`";
            return missing(dir.join("model.onnx"), advice);
        };
        let tokenizer = dir.join("tokenizer.json");
        if !tokenizer.is_file() {
            return missing(
                tokenizer,
                "save the model's fast tokenizer there (transformers: `save_pretrained`)",
            );
        }
        Ok(Self { dir: dir.to_owned(), model, tokenizer })
    }

    /// What `config.json` says; nothing where there is none.
    pub(super) fn config(&self) -> Result<Config, OnnxError> {
        let path = self.dir.join("config.json");
        match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| OnnxError::unusable(&path, error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => Err(OnnxError::unusable(&path, error)),
        }
    }

    /// `onnx:`, the folder's name and a hash of the model, its weights beside it and its tokenizer.
    pub(super) fn name(&self) -> Result<String, OnnxError> {
        let mut hash = Xxh3::new();
        let weights = ["onnx_data", "onnx.data"].map(|end| self.model.with_extension(end));
        let weights = weights.into_iter().filter(|path| path.is_file());
        for path in [self.model.clone()].into_iter().chain(weights).chain([self.tokenizer.clone()]) {
            add(&mut hash, &path).map_err(|error| OnnxError::unusable(&path, error))?;
        }
        let dir = self.dir.canonicalize().unwrap_or_else(|_| self.dir.clone());
        let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(format!("onnx:{name} {:08x}", hash.digest() >> 32))
    }
}

fn add(hash: &mut Xxh3, path: &Path) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            read => hash.update(&buffer[..read]),
        }
    }
}
