//! What a report on found code needs beside the results: the text of blobs.

use familiar_report::NoText;
use familiar_source::SourceText;
use familiar_source::{BlobId, Language};
use familiar_syntax::decode::{self, NotText};
use familiar_syntax::{Limits, lexed};

use crate::{CorpusError, Library};

impl Library {
    /// The text of a blob, by its SWHID, where the corpus keeps it.
    pub fn text(&self, swhid: &str) -> Result<Option<String>, CorpusError> {
        let Some(blob) = blob_of(swhid) else { return Ok(None) };
        let text = self.licenses().text_of(&blob)?;
        let decoded = text.and_then(|bytes| Some(decode::decode(&bytes).ok()?.text.into_owned()));
        Ok(decoded.map(|text| String::from_utf8_lossy(&text).into_owned()))
    }

    /// The text of a blob, by its SWHID, with its tokens in a language; or why it cannot be shown.
    pub fn source(
        &self,
        swhid: &str,
        language: &str,
        memory: usize,
    ) -> Result<Result<SourceText, NoText>, CorpusError> {
        let Some(blob) = blob_of(swhid) else {
            return Ok(Err(NoText::NoBlob));
        };
        Ok(match self.licenses().text_of(&blob)? {
            Some(text) => {
                let language = Language::from_name(language).unwrap_or(Language::Other);
                lexed(&text, language, Limits::of_memory(memory)).map_err(|NotText| NoText::Binary)
            }
            None => Err(NoText::CorpusWithoutText),
        })
    }
}

fn blob_of(swhid: &str) -> Option<BlobId> {
    swhid.strip_prefix("swh:1:cnt:")?.parse().ok()
}
