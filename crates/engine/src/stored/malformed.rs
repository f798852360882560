//! What of a stored result is not as Familiar writes it.

/// Why a document is no result.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("its schema is {0:?}")]
    Schema(String),
    #[error("{0:?} is not known")]
    Word(String),
    #[error("the {what} {word:?} is not known")]
    Unknown { what: &'static str, word: String },
    #[error("fragment {0} ends before it starts")]
    Fragment(u32),
    #[error("a pair names the fragments {0} and {1}")]
    Pair(u32, u32),
    #[error("its pairs are not in order")]
    Order,
    #[error("a class has no members")]
    EmptyClass,
    #[error("a class names the fragment {0}")]
    Class(u32),
    #[error("{audited} of its trees are audited, and it names {named}")]
    Trees { audited: u32, named: usize },
    #[error("it has {findings} findings and {classes} classes")]
    Findings { findings: usize, classes: usize },
    #[error("finding {0} names something that does not exist")]
    Finding(u32),
}

impl Malformed {
    /// Of a word that stands for no such thing.
    pub(super) fn unknown(what: &'static str, word: &str) -> Self {
        Self::Unknown { what, word: word.to_owned() }
    }
}

/// One of some words.
pub(super) fn one_of(words: &[&'static str], text: &str) -> Result<&'static str, Malformed> {
    words.iter().copied().find(|&word| word == text).ok_or_else(|| Malformed::Word(text.to_owned()))
}
