//! The files that a result's fragments stand in, read once more for reports that show code.

use std::sync::Arc;

use familiar_files::input::Input;
use familiar_report::{FragmentRow, NoText, SourceText, Sources};
use familiar_source::Language;
use familiar_syntax::Limits;
use familiar_syntax::decode::NotText;

/// The documents of a search.
pub struct Documents {
    pub input: Arc<Input>,
    pub limits: Limits,
}

impl Sources for Documents {
    fn source(&self, fragment: &FragmentRow) -> Result<SourceText, NoText> {
        let bytes = self.input.read(fragment.document)?;
        source_text(&bytes, fragment.language, self.limits)
    }
}

/// Text with its tokens in a language, as a report shows it.
pub fn source_text(bytes: &[u8], language: &str, limits: Limits) -> Result<SourceText, NoText> {
    let language = Language::from_name(language).unwrap_or(Language::Other);
    familiar_syntax::lexed(bytes, language, limits).map_err(|NotText| NoText::Binary)
}
