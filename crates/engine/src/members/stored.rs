//! A transformation in a folder: its program, and what is known of it (`familiar.transformation/1`).

use std::io;
use std::path::{Path, PathBuf};

use familiar_files::named;
use familiar_source::Language;
use serde::Deserialize;

/// The file that describes a transformation.
pub(super) const DESCRIPTION: &str = "transformation.json";
/// The file of its program, where the description names no other.
pub const PROGRAM: &str = "program.py";
/// A name has no more bytes.
const MOST_NAME: usize = 100;
/// A program has no more bytes: a model writes less, and each run sends all of it.
const MOST_PROGRAM: u64 = 4 << 20;

/// A transformation that is a program in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTransformation {
    /// Its name in recipes: lower-case letters, digits and dashes.
    pub name: String,
    /// Its name as whoever designed it wrote it.
    pub title: String,
    /// Whose programs it rewrites.
    pub language: Language,
    /// The text of its program.
    pub program: String,
}

/// Why a folder holds no transformation.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    #[error("{}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Wrong { path: PathBuf, reason: String },
}

#[derive(Deserialize)]
struct Description {
    schema: String,
    name: String,
    #[serde(default)]
    title: String,
    language: String,
    #[serde(default)]
    program: Option<String>,
}

impl StoredTransformation {
    pub const SCHEMA: &'static str = "familiar.transformation/1";

    /// All transformations in the folders in `folder`, by name. A folder without a description is not one of them.
    pub fn all_in(folder: &Path) -> Result<Vec<Self>, StoredError> {
        let failed = |source| StoredError::Read { path: folder.to_owned(), source };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            // What is being written has a name that begins with a dot.
            let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if !hidden && path.join(DESCRIPTION).is_file() {
                found.push(Self::open(&path)?);
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// The transformation in `folder`.
    pub fn open(folder: &Path) -> Result<Self, StoredError> {
        let path = folder.join(DESCRIPTION);
        let wrong = |reason: String| StoredError::Wrong { path: path.clone(), reason };
        let description: Description =
            serde_json::from_str(&text_of(&path)?).map_err(|error| wrong(error.to_string()))?;
        if description.schema != Self::SCHEMA {
            return Err(wrong(format!("its schema is {}, not {}", description.schema, Self::SCHEMA)));
        }
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if description.name.is_empty()
            || description.name.len() > MOST_NAME
            || !description.name.bytes().all(letter)
        {
            let rule = format!("use at most {MOST_NAME} lower-case letters, digits and dashes as a name");
            return Err(wrong(rule));
        }
        let language = Language::from_name(&description.language)
            .ok_or_else(|| wrong(format!("there is no language {}", description.language)))?;
        let file = description.program.unwrap_or_else(|| PROGRAM.to_owned());
        if file.is_empty() || file.contains(['/', '\\']) || file.starts_with('.') {
            return Err(wrong(format!("the program {file:?} has to be a file in the same folder")));
        }
        let title = if description.title.is_empty() { description.name.clone() } else { description.title };
        Ok(Self { name: description.name, title, language, program: text_of(&folder.join(file))? })
    }
}

fn text_of(path: &Path) -> Result<String, StoredError> {
    let failed = |source| StoredError::Read { path: path.to_owned(), source };
    named::read_text(path, MOST_PROGRAM).map_err(failed)
}
