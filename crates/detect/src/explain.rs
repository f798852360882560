//! What makes both sides of a Type-4 pair alike: their texts are read again, and the encoder says it.

use std::sync::Arc;

use familiar_files::input::Input;
use familiar_model::{Code, Encoder};
use familiar_report::Explanation;
use familiar_source::Language;
use familiar_syntax::decode;

use crate::reading::Reading;
use crate::resolve::{self, Text};

/// Reads fragments again, and has an encoder explain them.
pub(crate) struct Explainer {
    pub(crate) encoder: Arc<dyn Encoder>,
    pub(crate) input: Arc<Input>,
    pub(crate) reading: Reading,
}

/// One side of a pair.
pub(crate) struct Side<'t> {
    /// Number of the document that it stands in.
    pub(crate) document: u32,
    pub(crate) language: Language,
    pub(crate) text: &'t Text,
}

impl Explainer {
    /// What makes two fragments alike; `None` where a file is no longer what it was, and where the encoder cannot say.
    pub(crate) fn explanation(&self, sides: [Side<'_>; 2]) -> Option<Box<Explanation>> {
        let explainer = self.encoder.explainer()?;
        let [left, right] = [self.text(&sides[0])?, self.text(&sides[1])?];
        let codes = [(&sides[0], &left), (&sides[1], &right)];
        let codes = codes.map(|(side, text)| Code { language: side.language, text });
        let above = sides.map(|side| side.text.lines.start - 1);
        Some(Box::new(Explanation::of(explainer.explain(codes), above)))
    }

    /// The text of a fragment, if it is still the one that was found.
    fn text(&self, side: &Side<'_>) -> Option<Vec<u8>> {
        let bytes = self.reading.read(&self.input, side.document).ok()?;
        let decoded = decode::decode(&bytes).ok()?;
        let at = side.text.bytes;
        let start = at.start.checked_sub(decoded.shift)? as usize;
        let text = decoded.text.get(start..start + at.len() as usize)?;
        (resolve::content(text) == side.text.content).then(|| text.to_vec())
    }
}
