//! Why metadata cannot be read.

use super::xml::XmlError;

/// Why a file with metadata cannot be read. The message begins with what is wrong; whoever shows it names the file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MetadataError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("{}", .0.message())]
    Toml(#[from] toml::de::Error),
    #[error(transparent)]
    Xml(#[from] XmlError),
    #[error("it is not a JSON object")]
    NotAnObject,
    #[error("its outermost element is `{0}`, not `project`")]
    NotAProject(String),
    #[error("it has no `metadata`")]
    NoMetadata,
}
