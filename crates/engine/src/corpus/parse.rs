//! One blob: its name, its language, its fragments.

use familiar_corpus::Item;
use familiar_source::{BlobId, FragmentKind, Language};
use familiar_store::tables::{BlobRow, FragmentRow};
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Limits, Parser, Want, decode, detect as tell, generated, languages};
use sha1::{Digest, Sha1};

/// What becomes of an item's content.
pub(super) enum Content {
    /// Code, for a corpus that does not hold it yet.
    Code(Box<Code>),
    /// Data and prose.
    NotCode,
    Unreadable(&'static str),
}

pub(super) struct Code {
    pub(super) row: BlobRow,
    pub(super) fragments: Vec<FragmentRow>,
    /// Whether parsing gave up on the functions.
    pub(super) gave_up: bool,
}

/// The git object id of a blob.
pub(super) fn id(bytes: &[u8]) -> BlobId {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()));
    hash.update(bytes);
    BlobId(hash.finalize().into())
}

/// Reads one blob after another, keeping its memory.
pub(super) struct Worker {
    parser: Parser,
    renamer: Renamer,
    renamed: Vec<u32>,
}

impl Worker {
    pub(super) fn new(limits: Limits) -> Self {
        Self { parser: Parser::within(limits), renamer: Renamer::default(), renamed: Vec::new() }
    }

    pub(super) fn read(&mut self, blob: BlobId, item: &Item) -> Content {
        let path = item.occurrence.path.as_str();
        let is_data = |language: Language| item.language.is_none() && languages::others::is_data(language);
        if tell::by_name(path).is_some_and(is_data) {
            return Content::NotCode;
        }
        let Ok(decoded) = decode::decode(&item.bytes) else { return Content::Unreadable("binary") };
        let text = decoded.text;
        let Some(language) = item.language.or_else(|| tell::language(path, &text)).filter(|&l| !is_data(l))
        else {
            return Content::NotCode;
        };
        let parsed = self.parser.parse(language, &text, Want { fragments: true, line_starts: false });
        if parsed.overflowed {
            return Content::Unreadable("more tokens than this --memory allows");
        }
        let symbols = normal::symbols(&text, parsed.tokens);
        let mut fragments = Vec::with_capacity(parsed.fragments.len());
        for fragment in parsed.fragments {
            let form = &symbols[fragment.tokens.range()];
            self.renamer.rename(form, Renaming::Blind, &mut self.renamed);
            fragments.push(FragmentRow {
                blob,
                kind: fragment.kind,
                name: String::from_utf8_lossy(&text[fragment.name.range()]).into_owned(),
                lines: fragment.lines,
                bytes: (fragment.bytes.start, fragment.bytes.end),
                tokens: fragment.tokens.len(),
                exact_hash: normal::hash(form),
                renamed_hash: normal::hash(&self.renamed),
            });
        }
        let whole = fragments.iter().find(|fragment| fragment.kind == FragmentKind::File);
        let row = BlobRow {
            blob,
            size: item.bytes.len() as u64,
            language: language.name(),
            lines: whole.map_or(0, |file| file.lines.end),
            tokens: symbols.len() as u32,
            artifact: generated::artifact(language, &text).map(generated::Artifact::reason),
        };
        Content::Code(Box::new(Code { row, fragments, gave_up: parsed.gave_up }))
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
