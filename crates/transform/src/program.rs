//! One program: its text, its tree, and what is known of its names.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use familiar_source::Language;
use familiar_syntax::languages;
use familiar_syntax::tree::{Node, Nodes};
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::braces;
use crate::braces::names::Names;
use crate::lenient;
use crate::python::scopes::Scopes;
use crate::python::types;
use crate::refusal::Refusal;
use crate::strict;
use crate::text::{Text, line};

/// Most levels of a tree. What walks over deeper ones calls itself for each level.
const LEVELS: u32 = 1_000;

/// Bytes that are not UTF-8 stand in the text as the characters from here on, one for each byte.
const FOREIGN: u32 = 0xF_FF00;

/// A text of one language that its grammar reads without an error.
#[derive(Debug)]
pub struct Program {
    language: Language,
    text: Text,
    words: OnceLock<FxHashSet<String>>,
    scopes: OnceLock<Scopes>,
    /// What `python::code` has found out about indentation.
    unit: OnceLock<Result<&'static str, Refusal>>,
    /// What `python::types` has found out.
    types: Mutex<types::Known>,
    names: OnceLock<Names>,
    has_spelled_names: OnceLock<bool>,
}

/// Why a text cannot be transformed at all.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProgramError {
    #[error("no transformation knows {}", .0.name())]
    Language(Language),
    #[error("line {line}: the grammar of {} does not allow what stands here", .language.name())]
    Broken { language: Language, line: usize },
    #[error("it is too long or too deeply nested to be parsed")]
    TooCostly,
    #[error("byte {0} is NUL or a character that stands for no text")]
    Unusable(usize),
}

/// Whether a tree has more levels than those who walk over it can take.
fn is_too_deep(nodes: &Nodes) -> bool {
    let mut levels = vec![0u32; nodes.len()];
    (0..nodes.len() as u32).any(|number| {
        let above = nodes.node(number).parent().map_or(0, |parent| levels[parent.number() as usize]);
        levels[number as usize] = above + 1;
        above >= LEVELS
    })
}

impl Program {
    /// Reads a program. `memory` bounds the bytes that its tree may take. Bytes that are not UTF-8 are kept as they are.
    pub fn parse(language: Language, bytes: &[u8], memory: usize) -> Result<Self, ProgramError> {
        Self::of_text(language, text_of(bytes)?, memory)
    }

    pub(crate) fn of_text(language: Language, text: String, memory: usize) -> Result<Self, ProgramError> {
        let known = language == Language::Python || braces::LANGUAGES.contains(&language);
        let grammar =
            languages::definition(language).tree.filter(|_| known).ok_or(ProgramError::Language(language))?;
        let nodes = lenient::parse(language, &text, |text| Nodes::parse(grammar, text, memory))
            .ok_or(ProgramError::TooCostly)?;
        if is_too_deep(&nodes) {
            return Err(ProgramError::TooCostly);
        }
        if let Some(at) = nodes.first_error().or_else(|| strict::first_error(language, &nodes, &text)) {
            return Err(ProgramError::Broken { language, line: line(&text, at) });
        }
        Ok(Self {
            language,
            text: Text::new(text, nodes),
            words: OnceLock::new(),
            scopes: OnceLock::new(),
            names: OnceLock::new(),
            has_spelled_names: OnceLock::new(),
            unit: OnceLock::new(),
            types: Mutex::default(),
        })
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The program as it was read, byte for byte where nothing changed.
    pub fn bytes(&self) -> Vec<u8> {
        bytes_of(self.text())
    }

    /// All words of the text, wherever they stand: names, keywords, words in strings and in comments.
    pub(crate) fn words(&self) -> &FxHashSet<String> {
        self.words.get_or_init(|| {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            self.text().split(|c| !word(c)).filter(|it| !it.is_empty()).map(str::to_owned).collect()
        })
    }

    /// Whether a name of it stands in the text as the number of a letter, or such a number may be code: `\u0061` is `a` for
    /// JavaScript, and for Java even in a comment.
    pub(crate) fn has_spelled_names(&self) -> bool {
        *self.has_spelled_names.get_or_init(|| {
            let is_there = |it: Node<'_>| {
                let is_leaf = it.children().next().is_none();
                let is_code = self.language == Language::Java || it.kind().ends_with("identifier");
                let is_text = it.kind().contains("string")
                    || it.kind() == "escape_sequence"
                    || it.kind() == "character_literal";
                is_leaf && is_code && !is_text && self.of(it).contains("\\u")
            };
            matches!(self.language, Language::Java | Language::JavaScript | Language::TypeScript)
                && self.text().contains("\\u")
                && self.root().subtree().any(is_there)
        })
    }

    /// What one level of blocks adds to the indentation of a Python program, as `find` says when it is asked first.
    pub(crate) fn unit(
        &self,
        find: impl FnOnce(&Self) -> Result<&'static str, Refusal>,
    ) -> Result<&'static str, Refusal> {
        *self.unit.get_or_init(|| find(self))
    }

    /// What is known so far of the types of variables of a Python program.
    pub(crate) fn types(&self) -> MutexGuard<'_, types::Known> {
        self.types.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the names of a Python program.
    pub(crate) fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::of(&self.text))
    }

    /// What is known of the names of a program in Java, C, C++, JavaScript, TypeScript or Go.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(&self.text, self.language))
    }
}

impl Deref for Program {
    type Target = Text;

    fn deref(&self) -> &Text {
        &self.text
    }
}

/// The bytes for which a text stands.
pub(crate) fn bytes_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match u32::from(character).checked_sub(FOREIGN) {
            Some(byte) if byte < 256 => bytes.push(byte as u8),
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn text_of(bytes: &[u8]) -> Result<String, ProgramError> {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let unusable = |c: char| c == '\0' || (FOREIGN..FOREIGN + 256).contains(&u32::from(c));
        if let Some((at, _)) = chunk.valid().char_indices().find(|&(_, c)| unusable(c)) {
            return Err(ProgramError::Unusable(text.len() + at));
        }
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|&byte| char::from_u32(FOREIGN + u32::from(byte))));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_kept() {
        let bytes = b"# caf\xe9 \xff\nx = 1\r\n\ty = 2 if x else 3\n".as_slice();
        let text = text_of(bytes).expect("a test's own code");
        assert!(text.starts_with("# caf"));
        let program = Program::parse(Language::Python, b"# caf\xe9 \xff\nx = 1\r\n", usize::MAX)
            .expect("a test's own code");
        assert_eq!(program.bytes(), b"# caf\xe9 \xff\nx = 1\r\n");
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let parse = |code: &[u8]| Program::parse(Language::Python, code, usize::MAX).map(|_| ());
        assert_eq!(
            parse(b"x = 1\ny = ((\n"),
            Err(ProgramError::Broken { language: Language::Python, line: 2 })
        );
        assert_eq!(parse(b"x = '\0'\n"), Err(ProgramError::Unusable(5)));
        let deep = |operands: usize| format!("x = {}1\n", "1+".repeat(operands));
        assert_eq!(parse(deep(5_000).as_bytes()), Err(ProgramError::TooCostly));
        assert_eq!(parse(deep(900).as_bytes()), Ok(()));
        assert_eq!(
            Program::parse(Language::Css, b"a {}", usize::MAX).map(|_| ()),
            Err(ProgramError::Language(Language::Css))
        );
    }
}
