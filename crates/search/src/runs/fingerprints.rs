//! What a file's runs are found by: sampled k-grams, and stretches that repeat a piece.

use familiar_index::{Periodic, Sampler, Samples};

use super::settings::RunSettings;
use super::text::Form;

/// What [`super::find`] needs to know of one file, computed while its tokens are at hand.
#[derive(Clone, Debug, Default)]
pub struct FileFingerprints {
    pub(super) kgrams: Box<[(u32, u32)]>,
    pub(super) periodic: Box<[Periodic]>,
}

impl FileFingerprints {
    /// Memory that the fingerprints take.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.kgrams) + size_of_val(&*self.periodic)
    }

    /// Hash and position of each sampled k-gram.
    pub fn kgrams(&self) -> &[(u32, u32)] {
        &self.kgrams
    }

    /// The stretches that repeat a piece.
    pub fn periodic(&self) -> &[Periodic] {
        &self.periodic
    }

    pub(super) fn new(samples: &Samples) -> Self {
        Self { kgrams: samples.kgrams.as_slice().into(), periodic: samples.periodic.as_slice().into() }
    }
}

/// Computes the fingerprints of files; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Fingerprinter {
    form: Form,
    sampler: Sampler,
    normal: Vec<u32>,
    samples: Samples,
}

impl Fingerprinter {
    pub fn new(settings: &RunSettings) -> Self {
        Self {
            form: settings.form(),
            sampler: Sampler::new(settings.sampling()),
            normal: Vec::new(),
            samples: Samples::default(),
        }
    }

    /// The fingerprints of a file's symbols.
    pub fn file(&mut self, symbols: &[u32]) -> FileFingerprints {
        FileFingerprints::new(self.sample(symbols))
    }

    pub(super) fn sample(&mut self, symbols: &[u32]) -> &mut Samples {
        self.samples.kgrams.clear();
        self.samples.periodic.clear();
        let form = self.form;
        let normal = if form.blind {
            self.normal.clear();
            self.normal.extend(symbols.iter().map(|&symbol| form.value(symbol)));
            &self.normal
        } else {
            symbols
        };
        let mut start = 0;
        for segment in normal.split(|&symbol| form.is_barrier(symbol)) {
            self.sampler.sample(segment, start, &mut self.samples);
            start += segment.len() as u32 + 1;
        }
        &mut self.samples
    }
}
