//! What a source says about the language of a piece of content.

use familiar_source::Language;

/// What the place of a piece of content tells of its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Told {
    /// Nothing: path and content tell, as of every file.
    #[default]
    Nothing,
    Language(Language),
    /// It is a block of a text that says no language: the content tells, or nothing does. `likely` is what the text lets
    /// expect.
    Block {
        likely: Option<Language>,
    },
    /// A kind of text that is no code, or a language that is not known.
    Other,
    /// It is a file that is there for what it says of licenses alone.
    Declaration,
}

impl Told {
    /// A block of which nothing is said.
    pub(crate) const BLOCK: Self = Self::Block { likely: None };

    /// What a name in markup tells of a block: a language, or something else.
    pub(crate) fn called(name: &str) -> Self {
        crate::content::language_called(name).map_or(Self::Other, Self::Language)
    }
}

impl From<Option<Language>> for Told {
    fn from(language: Option<Language>) -> Self {
        language.map_or(Self::Nothing, Self::Language)
    }
}
