//! Code inside other files: notebooks' cells, scripts in HTML and Vue.

use familiar_source::Language;

/// A file with everything but its code blanked out, so that offsets and lines stay what they are.
#[derive(Debug)]
pub struct Masked {
    pub language: Language,
    pub code: Vec<u8>,
}

/// The code of a file that holds code among other things; `None` where the whole file is code.
pub fn code_only(_language: Language, _source: &[u8]) -> Option<Masked> {
    None
}
