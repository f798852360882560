//! `familiar transform`: programs that look different and behave the same.
//!
//! `options` are the settings, `sources` reads programs, and `maker` makes the variants of one. `sites` says where transformations apply.

mod error;
mod maker;
mod options;
pub mod sites;
mod sources;

use std::io;

use familiar_corpus::{Found, Item};
use familiar_source::Language;
use familiar_transform::Program;
use serde::Serialize;

use crate::verify::{Evidence, Subject, Verdict, Verified, Verifier};
use maker::{Made, Maker};

pub use error::TransformError;
pub use options::{At, Recipe, TransformOptions};

/// A new program, with the recipe that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TransformedRow {
    /// Path of the file, or id of the row.
    pub source: String,
    pub lang: &'static str,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub code: String,
    /// Its text as it is.
    #[serde(skip)]
    pub bytes: Vec<u8>,
    pub steps: Vec<StepRow>,
    /// What a run beside the source says of it.
    pub verified: Verified,
    /// How much the inputs say, where inputs were made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// What it does differently, or why it was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One transformation of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepRow {
    pub name: &'static str,
    /// First and last line of each site, in the text before the step.
    pub sites: Vec<[usize; 2]>,
    pub seed: u64,
}

/// Gives the variants of all sources to `out`, and tells how many there are. `skipped` is told of sources without variants, and why.
pub fn run(
    options: &TransformOptions,
    out: &mut dyn FnMut(&TransformedRow) -> io::Result<()>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<u64, TransformError> {
    let verifier = options.verify.as_ref().map(Verifier::new).transpose()?;
    let mut run = Run { options, verifier, out, skipped };
    sources::read(&options.sources, &options.walk(), &mut |found| match found {
        Found::Item(item) => run.write_variants(&item),
        Found::Skip { path, reason } => {
            (run.skipped)(&path, &reason);
            Ok(0)
        }
        _ => Ok(0),
    })
}

/// What goes through all sources.
struct Run<'r> {
    options: &'r TransformOptions,
    verifier: Option<Verifier>,
    out: &'r mut dyn FnMut(&TransformedRow) -> io::Result<()>,
    skipped: &'r mut dyn FnMut(&str, &str),
}

impl Run<'_> {
    fn write_variants(&mut self, item: &Item) -> Result<u64, TransformError> {
        let path = item.occurrence.path.as_str();
        let Some(language) = sources::language_of(item, self.skipped) else { return Ok(0) };
        let program = match Program::parse(language, &item.bytes, self.options.memory) {
            Ok(program) => program,
            Err(error) => {
                (self.skipped)(path, &error.to_string());
                return Ok(0);
            }
        };
        let mut maker = Maker::new(self.options, &program);
        let variants = maker.variants();
        for fault in &maker.faults {
            (self.skipped)(path, &format!("{fault}; please report this"));
        }
        if variants.is_empty() {
            if maker.faults.is_empty() {
                let refusal = maker.refusal.unwrap_or_else(|| "no transformation applies".to_owned());
                (self.skipped)(path, &refusal);
            }
            return Ok(0);
        }
        let verdicts = self.verdicts(item, language, &variants);
        let written = variants.len() as u64;
        for (variant, verdict) in variants.into_iter().zip(verdicts) {
            (self.out)(&row(path, language, variant, verdict))?;
        }
        Ok(written)
    }

    fn verdicts(&self, item: &Item, language: Language, variants: &[Made]) -> Vec<Verdict> {
        let Some(verifier) = &self.verifier else { return vec![Verdict::default(); variants.len()] };
        let subject = Subject { language, code: &item.bytes, tests: item.tests.as_deref() };
        verifier.verify(&subject, &variants.iter().map(|it| it.code.as_slice()).collect::<Vec<_>>())
    }
}

fn row(source: &str, language: Language, variant: Made, verdict: Verdict) -> TransformedRow {
    let Made { code, steps } = variant;
    let step = |it: familiar_transform::Step| StepRow { name: it.name, sites: it.sites, seed: it.seed };
    TransformedRow {
        source: source.to_owned(),
        lang: language.name(),
        code: String::from_utf8_lossy(&code).into_owned(),
        bytes: code,
        steps: steps.into_iter().map(step).collect(),
        verified: verdict.verified,
        evidence: verdict.evidence,
        reason: verdict.reason,
    }
}
