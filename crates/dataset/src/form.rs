//! The form of code with names and literals made alike: copies (Type-1 and Type-2) have the same.

use familiar_source::Language;
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Parser, Want};

/// Makes forms of code, keeping its memory.
#[derive(Default)]
pub(crate) struct Forms {
    parser: Parser,
    renamer: Renamer,
    renamed: Vec<u32>,
}

impl Forms {
    /// A hash of the tokens with names and literals made alike, and of the language.
    pub(crate) fn of(&mut self, lang: &str, code: &str) -> u128 {
        let language = Language::from_name(lang).unwrap_or(Language::Other);
        let parsed = self.parser.parse(language, code.as_bytes(), Want::default());
        let symbols = normal::symbols(code.as_bytes(), parsed.tokens);
        self.renamer.rename(&symbols, Renaming::Blind, &mut self.renamed);
        let bytes: Vec<u8> = self.renamed.iter().flat_map(|symbol| symbol.to_le_bytes()).collect();
        xxhash_rust::xxh3::xxh3_128_with_seed(&bytes, language as u64)
    }
}
