//! What files say themselves of licenses and copyright, read once for each content.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use familiar_license::{Copyright, Detector, Layer, LicenseMatch, MatchKind, copyrights, infer};
use familiar_source::words::hexadecimal;
use familiar_syntax::decode;
use sha1::{Digest, Sha1};

/// What a file says itself.
pub(crate) struct Content {
    pub(crate) layers: Vec<Layer>,
    pub(crate) copyrights: Vec<Copyright>,
    /// First and last lines of texts of licenses.
    pub(crate) license_texts: Vec<(u32, u32)>,
    /// SHA-1, in hex digits.
    pub(crate) sha1: String,
}

impl Content {
    fn read(bytes: &[u8], sha1: &[u8]) -> Self {
        let text = text(bytes);
        let detected = Detector::embedded().detect(&text);
        let is_text = |found: &&LicenseMatch| found.kind == MatchKind::Text;
        Self {
            layers: infer::file_layers(&text, &detected),
            copyrights: copyrights(&text),
            license_texts: detected.matches.iter().filter(is_text).map(|found| found.lines).collect(),
            sha1: hexadecimal(sha1),
        }
    }

    /// Whether it names a license.
    pub(crate) fn has_license(&self) -> bool {
        infer::conclude(&self.layers).expression.is_some()
    }
}

/// The text of a file; none where it is no text.
pub(crate) fn text(bytes: &[u8]) -> String {
    decode::decode(bytes)
        .map_or_else(|_| String::new(), |decoded| String::from_utf8_lossy(&decoded.text).into_owned())
}

/// The contents that were read, by their SHA-1. Any number of threads may ask.
#[derive(Default)]
pub(crate) struct Contents(Mutex<HashMap<Vec<u8>, Once>>);

/// A content that is read by who asks first.
type Once = Arc<OnceLock<Arc<Content>>>;

impl Contents {
    /// What `bytes` say; equal ones are read once.
    pub(crate) fn of(&self, bytes: &[u8]) -> Arc<Content> {
        let sha1 = Sha1::digest(bytes).to_vec();
        let known =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(sha1.clone()).or_default().clone();
        known.get_or_init(|| Arc::new(Content::read(bytes, &sha1))).clone()
    }
}
