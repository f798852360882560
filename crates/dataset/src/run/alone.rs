//! Each pair by itself.

use familiar_evaluate::attack::Detector;
use familiar_model::Code;
use familiar_source::Language;

use super::options::On;
use super::result::{Found, RunResult};
use crate::error::DatasetError;
use crate::judge::released::Judged;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};

/// Pairs that are scored together.
const BATCH: usize = 4096;

/// Asks a detector about each pair.
pub(super) fn run(
    project: &Project,
    detector: &Detector,
    similarity: Option<f64>,
) -> Result<RunResult, DatasetError> {
    let least = similarity.unwrap_or(detector.default_similarity());
    let mut result = RunResult::new(&project.settings.name, detector.name(), &On::Pairs);
    result.similarity = Some(least);
    let judged = Judged::of(project)?;
    let mut batch = Vec::new();
    lines::read(&project.path(file::PAIRS), "filter", &mut |pair: Pair| {
        batch.push(pair);
        if batch.len() == BATCH {
            score(&std::mem::take(&mut batch), &judged, detector, least, &mut result)?;
        }
        Ok(())
    })?;
    score(&batch, &judged, detector, least, &mut result)?;
    if result.by_kind.is_empty() {
        return Err(DatasetError::Missing { what: "pairs", step: "filter" });
    }
    Ok(result)
}

fn score(
    pairs: &[Pair],
    judged: &Judged,
    detector: &Detector,
    least: f64,
    result: &mut RunResult,
) -> Result<(), DatasetError> {
    let language = |name: &str| Language::from_name(name).unwrap_or(Language::Other);
    let codes: Vec<[Code<'_>; 2]> = pairs
        .iter()
        .map(|pair| {
            [(&pair.lang1, &pair.code1), (&pair.lang2, &pair.code2)]
                .map(|(lang, code)| Code { language: language(lang), text: code.as_bytes() })
        })
        .collect();
    for (pair, score) in pairs.iter().zip(detector.scores(&codes)?) {
        let Some(kind) = judged.kind(pair) else { continue };
        result.add(&Found {
            kind,
            lang1: &pair.lang1,
            lang2: &pair.lang2,
            prompt: &pair.prompt,
            is_found: score >= least,
        });
    }
    Ok(())
}
