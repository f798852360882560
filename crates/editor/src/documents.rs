//! The documents that an editor has open, as far as its messages say what they hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::TextDocumentContentChangeEvent;

use crate::elsewhere::Elsewhere;
use crate::findings::Finding;
use crate::text::{Encoding, Text};

/// One open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) version: i32,
    pub(crate) text: Text,
    /// Whether edits were lost, so that `text` is what it was before them.
    pub(crate) lost: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) elsewhere: Vec<Elsewhere>,
}

impl Document {
    /// The text as it is searched.
    pub(crate) fn bytes(&self) -> Arc<[u8]> {
        self.text.as_str().as_bytes().into()
    }
}

/// What came of an edit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    Changed,
    /// The edit does not follow what is known; why, in words.
    Lost(&'static str),
}

/// All open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    pub(crate) fn open(&mut self, file: PathBuf, uri: String, version: i32, text: String) {
        let (text, lost) = (Text::new(text), false);
        let (findings, elsewhere) = (Vec::new(), Vec::new());
        self.open.insert(file, Document { uri, version, text, lost, findings, elsewhere });
    }

    pub(crate) fn close(&mut self, file: &Path) -> Option<Document> {
        self.open.remove(file)
    }

    pub(crate) fn get(&self, file: &Path) -> Option<&Document> {
        self.open.get(file)
    }

    pub(crate) fn get_mut(&mut self, file: &Path) -> Option<&mut Document> {
        self.open.get_mut(file)
    }

    /// Applies the changes of an edit in their order. Where one fits nothing that is known, the text stays as it was, and edits are
    /// ignored until the whole text comes.
    pub(crate) fn edit(
        &mut self,
        file: &Path,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Edited {
        let Some(document) = self.open.get_mut(file) else { return Edited::Lost("the document is not open") };
        if version <= document.version {
            document.lost = true;
            return Edited::Lost("its version does not follow the last one");
        }
        document.version = version;
        let mut text = None;
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    text = Some(Text::new(whole.text));
                    document.lost = false;
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    if document.lost {
                        return Edited::Lost("an edit before it was lost");
                    }
                    let changed = text.get_or_insert_with(|| document.text.clone());
                    if changed.replace(part.range, &part.text, encoding).is_err() {
                        document.lost = true;
                        return Edited::Lost("its range lies outside of the text");
                    }
                }
            }
        }
        if let Some(text) = text {
            document.text = text;
        }
        Edited::Changed
    }

    /// A message was lost, which may have been an edit of any document.
    pub(crate) fn message_lost(&mut self) {
        self.open.values_mut().for_each(|document| document.lost = true);
    }

    /// Takes the whole text of a document as it was saved; false where it is known already.
    pub(crate) fn saved(&mut self, file: &Path, text: Option<String>) -> bool {
        let Some(document) = self.open.get_mut(file) else { return false };
        let Some(text) = text.or_else(|| std::fs::read_to_string(file).ok().filter(|_| document.lost)) else {
            return false;
        };
        let is_news = document.lost || document.text.as_str() != text;
        if is_news {
            document.text = Text::new(text);
            document.lost = false;
        }
        is_news
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{
        Position, Range, TextDocumentContentChangePartial, TextDocumentContentChangeWholeDocument,
    };

    use super::*;

    fn part(line: u32, text: &str) -> TextDocumentContentChangeEvent {
        let at = Position { line, character: 0 };
        let range = Range { start: at, end: at };
        #[expect(deprecated, reason = "the type has no other constructor that names the fields")]
        let part = TextDocumentContentChangePartial { range, range_length: None, text: text.to_owned() };
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part)
    }

    fn whole(text: &str) -> TextDocumentContentChangeEvent {
        let whole = TextDocumentContentChangeWholeDocument { text: text.to_owned() };
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole)
    }

    #[test]
    fn edits_follow_one_another_and_what_does_not_follow_is_ignored_until_the_whole_text_comes() {
        let file = Path::new("/a.py");
        let mut documents = Documents::default();
        documents.open(file.to_owned(), "file:///a.py".to_owned(), 1, "one\n".to_owned());
        let mut edit = |version, changes| {
            let edited = documents.edit(file, version, changes, Encoding::Utf16);
            (edited == Edited::Changed, documents.get(file).expect("open").text.as_str().to_owned())
        };
        assert_eq!(edit(2, vec![part(0, "a"), part(1, "b")]), (true, "aone\nb".to_owned()));
        // All of an edit or nothing.
        assert_eq!(edit(4, vec![part(0, "c"), part(9, "d")]), (false, "aone\nb".to_owned()));
        assert_eq!(edit(5, vec![part(0, "e")]), (false, "aone\nb".to_owned()));
        assert_eq!(edit(6, vec![whole("new\n"), part(1, "f")]), (true, "new\nf".to_owned()));
        assert_eq!(edit(6, vec![part(0, "g")]), (false, "new\nf".to_owned()));
        assert_eq!(edit(7, vec![part(0, "h")]), (false, "new\nf".to_owned()));
        assert!(documents.saved(file, Some("saved\n".to_owned())));
        assert!(!documents.saved(file, Some("saved\n".to_owned())));
        documents.message_lost();
        let edited = documents.edit(file, 8, vec![part(0, "i")], Encoding::Utf16);
        assert_eq!(edited, Edited::Lost("an edit before it was lost"));
        let other = documents.edit(Path::new("/b.py"), 1, Vec::new(), Encoding::Utf16);
        assert_eq!(other, Edited::Lost("the document is not open"));
    }
}
