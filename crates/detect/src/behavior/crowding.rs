//! How near fragments have code that has nothing to do with them.

use std::borrow::Cow;

use familiar_model::{Code, Encoder};
use familiar_source::Language;
use rayon::prelude::*;

use crate::ingest::FileInfo;

/// How near each fragment has unrelated code, in each language that it may be compared with.
pub(super) struct Crowding {
    languages: Vec<Language>,
    cross_families: bool,
    /// For each fragment one number for each language; not a number for languages that it is not compared with.
    values: Vec<f32>,
    /// The least of all that were asked for.
    pub(super) least: f32,
}

impl Crowding {
    pub(super) fn new(encoder: &dyn Encoder, files: &[FileInfo], cross_families: bool) -> Self {
        let mut languages: Vec<Language> = files.iter().map(|file| file.language).collect();
        languages.sort_unstable();
        languages.dedup();
        if !encoder.calibration().asks_for_crowding() {
            languages.clear();
        }
        Self { languages, cross_families, values: Vec::new(), least: 1.0 }
    }

    pub(super) fn extend(&mut self, encoder: &dyn Encoder, vectors: &[Cow<'_, [f32]>], codes: &[Code<'_>]) {
        let of = |(vector, code): (&Cow<'_, [f32]>, &Code<'_>)| -> Vec<f32> {
            let is_zero = vector.iter().all(|&x| x == 0.0);
            let of = |&language: &Language| {
                let compared = self.cross_families || code.language.family() == language.family();
                if compared && !is_zero { encoder.crowding(vector, language) } else { f32::NAN }
            };
            self.languages.iter().map(of).collect()
        };
        let more: Vec<f32> = vectors.par_iter().zip(codes).flat_map_iter(of).collect();
        self.least = more.iter().fold(self.least, |least, &x| least.min(x));
        self.values.extend(more);
    }

    /// How near the fragment with this number has unrelated code of `language`.
    pub(super) fn of(&self, number: u32, language: Language) -> f32 {
        let at = self.languages.binary_search(&language);
        at.map_or(0.0, |at| self.values[number as usize * self.languages.len() + at])
    }
}
