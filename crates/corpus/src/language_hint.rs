//! What a source says about the language of a piece of content.

use familiar_source::{Language, language_called};

/// What a source says about the language of a piece of content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LanguageHint {
    /// Nothing: the path and the content show the language, as for every file.
    #[default]
    Unspecified,
    Language(Language),
    /// It is a block of a text that names no language. Only the content can show it. `likely` is what the rest of the text
    /// suggests.
    Block {
        likely: Option<Language>,
    },
    /// A kind of text that is no code, or a language that is not known.
    Other,
    /// It is a file that was taken only because it declares licenses.
    Declaration,
}

impl LanguageHint {
    /// A block without any hint.
    pub(crate) const BLOCK: Self = Self::Block { likely: None };

    /// The hint that a name in markup gives for a block.
    pub(crate) fn of_name(name: &str) -> Self {
        language_called(name).map_or(Self::Other, Self::Language)
    }
}

impl From<Option<Language>> for LanguageHint {
    fn from(language: Option<Language>) -> Self {
        language.map_or(Self::Unspecified, Self::Language)
    }
}
