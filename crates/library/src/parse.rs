//! One blob: its name, its language, its fragments.

use familiar_corpus::{Item, LanguageHint};
use familiar_index::segment::{BlobParts, Details, SegmentFragment};
use familiar_license::Layer;
use familiar_search::find::BlobFingerprinter;
use familiar_source::{BlobId, Fragment, FragmentKind, Language, LineIndex, Token, line_starts};
use familiar_store::tables::{BlobRow, FragmentRow};
use familiar_syntax::decode::{self, Decoded};
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Limits, Parser, Want, detect as tell, generated, guess, languages, regions};
use sha1::{Digest, Sha1};

use crate::blob_licenses;

/// What an item is, for its content and its own name or what its source says of it: whatever it is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Code,
    NotCode,
    Unreadable(&'static str),
}

/// What becomes of an item's content.
pub(crate) enum Content {
    /// Code, for a corpus that does not hold it yet.
    Code(Box<Code>),
    /// Data and prose.
    NotCode,
    Unreadable(&'static str),
}

pub(crate) struct Code {
    pub(crate) row: BlobRow,
    pub(crate) fragments: Vec<FragmentRow>,
    /// What a segment keeps of it.
    pub(crate) parts: BlobParts,
    /// What it says of its own license.
    pub(crate) layers: Vec<Layer>,
}

/// Why a blob is not read that may be read with more memory.
pub(crate) const TOO_MANY_TOKENS: &str = "more tokens than this --memory allows";

/// The git object id of a blob.
pub fn id(bytes: &[u8]) -> BlobId {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()));
    hash.update(bytes);
    BlobId(hash.finalize().into())
}

/// What an item is, as far as that can be told without parsing it.
pub(crate) fn kind(item: &Item) -> Kind {
    match language(item) {
        Ok(_) => Kind::Code,
        Err(kind) => kind,
    }
}

/// The text of an item that is code, and its language; otherwise what it is.
fn language(item: &Item) -> Result<(Decoded<'_>, Language), Kind> {
    let path = item.occurrence.path.as_str();
    let is_data = languages::others::is_data;
    if item.language == LanguageHint::Unspecified && tell::by_name(path).is_some_and(is_data) {
        return Err(Kind::NotCode);
    }
    let decoded = decode::decode(&item.bytes).map_err(|_| Kind::Unreadable("binary"))?;
    let language = match item.language {
        LanguageHint::Language(language) => Some(language),
        LanguageHint::Unspecified => tell::language(path, &decoded.text).filter(|&l| !is_data(l)),
        LanguageHint::Block { likely } => of_block(&decoded.text, likely),
        LanguageHint::Other | LanguageHint::Declaration => None,
    };
    Ok((decoded, language.ok_or(Kind::NotCode)?))
}

/// Whether a file of this name is code, as far as the name alone tells.
pub(crate) fn is_code_by_name(path: &str) -> Option<bool> {
    tell::by_name(path).map(|language| !languages::others::is_data(language))
}

/// A number for what the name of a file says of its language.
pub(crate) fn name_number(path: &str) -> u64 {
    tell::by_name(path).map_or(0, |language| language as u64 + 1)
}

/// Reads one blob after another, keeping its memory.
pub(crate) struct Worker {
    memory: usize,
    parser: Parser,
    renamer: Renamer,
    blind: Vec<u32>,
    lines: LineIndex,
    fingerprinter: BlobFingerprinter,
}

impl Worker {
    /// A worker within a memory setting, in bytes.
    pub(crate) fn new(memory: usize) -> Self {
        Self {
            memory,
            parser: Parser::within(Limits::of_memory(memory)),
            renamer: Renamer::default(),
            blind: Vec::new(),
            lines: LineIndex::default(),
            fingerprinter: BlobFingerprinter::default(),
        }
    }

    pub(crate) fn read(&mut self, blob: BlobId, item: &Item) -> Content {
        let (text, language) = match language(item) {
            Ok((decoded, language)) => (decoded.text, language),
            Err(Kind::Unreadable(reason)) => return Content::Unreadable(reason),
            Err(_) => return Content::NotCode,
        };
        let parsed = self.parser.parse(language, &text, Want { fragments: true, line_starts: true });
        if parsed.overflowed {
            return Content::Unreadable(TOO_MANY_TOKENS);
        }
        let code = regions::code(language, &text);
        let symbols = normal::symbols(&code, parsed.tokens);
        self.renamer.rename(&symbols, Renaming::Blind, &mut self.blind);
        let forms = parsed.fragments.iter().map(|fragment| {
            let tokens = fragment.tokens.range();
            (normal::hash(&self.blind[tokens.clone()]), normal::hash(&symbols[tokens]))
        });
        let forms: Vec<(u64, u64)> = forms.collect();
        let row = |(fragment, &(renamed_hash, exact_hash)): (&Fragment, &(u64, u64))| FragmentRow {
            blob,
            kind: fragment.kind,
            name: String::from_utf8_lossy(&code[fragment.name.range()]).into_owned(),
            lines: fragment.lines,
            bytes: (fragment.bytes.start, fragment.bytes.end),
            tokens: fragment.tokens.len(),
            exact_hash,
            renamed_hash,
        };
        let fragments: Vec<FragmentRow> = parsed.fragments.iter().zip(&forms).map(row).collect();
        self.lines.rebuild(&text);
        let details = details(parsed.tokens, parsed.fragments, &self.lines);
        let fingerprints = self.fingerprinter.of(&self.blind, &details, &forms);
        let whole = fragments.iter().find(|fragment| fragment.kind == FragmentKind::File);
        let row = BlobRow {
            blob,
            size: item.bytes.len() as u64,
            language: language.name(),
            lines: whole.map_or(0, |file| file.lines.end),
            tokens: symbols.len() as u32,
            artifact: generated::artifact(language, &text).map(generated::Artifact::reason),
            ignored_lines: parsed.ignored_lines,
            gave_up: parsed.gave_up.then_some(self.memory as u64),
        };
        let mut parts = fingerprints.into_parts(blob.0, language.name(), symbols, details);
        let layers = blob_licenses::of_text(&text);
        parts.licenses = blob_licenses::encode(&layers);
        Content::Code(Box::new(Code { row, fragments, parts, layers }))
    }
}

/// The language of code that has no name, as its content tells; `likely` is the one that its place lets expect.
pub fn of_block(text: &[u8], likely: Option<Language>) -> Option<Language> {
    let detected = tell::language("", text).or_else(|| guess::language(text, likely));
    detected.filter(|&language| !languages::others::is_data(language))
}

/// What a segment keeps beside the tokens.
pub(crate) fn details(tokens: &[Token], fragments: &[Fragment], lines: &LineIndex) -> Details {
    let fragment = |f: &Fragment| SegmentFragment {
        kind: f.kind as u8,
        first: f.tokens.start,
        tokens: f.tokens.len(),
        lines: (f.lines.start, f.lines.end),
    };
    Details {
        lines: lines.lines_of_tokens(tokens),
        statements: line_starts(tokens),
        fragments: fragments.iter().map(fragment).collect(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_blob_has_the_name_that_git_gives_it() {
        assert_eq!(super::id(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(super::id(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }
}
