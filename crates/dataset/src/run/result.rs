//! What a detector finds.

use std::collections::BTreeMap;

use serde::Serialize;

use super::options::On;
use super::precision::Precision;
use super::share::Share;
use super::transformed::Curve;
use super::used::Used;
use crate::inject::Kind;

/// What came of a detector; the schema `familiar.benchmark-run/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResult {
    pub schema: &'static str,
    pub benchmark: String,
    pub detector: String,
    /// The least similarity of a clone, where the detector gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Whether the pairs stand in a system.
    pub injected: bool,
    /// The version of the release whose sources were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    pub by_kind: BTreeMap<&'static str, Share>,
    /// By languages and kind, such as `java type4`.
    pub by_language: BTreeMap<String, Share>,
    /// By prompt and kind.
    pub by_prompt: BTreeMap<String, Share>,
    /// True pairs of one language under 75 % by lines.
    pub semantic: Share,
    /// Of a system or a release: pairs that were reported in all, and how many of them are of the benchmark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported: Option<[u64; 2]>,
    pub precision: Precision,
    /// Recall of pairs whose second side was rewritten, by set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transformed: Vec<Curve>,
    /// What it took, where it was run here.
    #[serde(flatten)]
    pub used: Option<Used>,
}

/// A pair, and whether it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'p> {
    pub(super) kind: Kind,
    pub(super) lang1: &'p str,
    pub(super) lang2: &'p str,
    pub(super) prompt: &'p str,
    pub(super) is_found: bool,
}

impl RunResult {
    pub(super) const SCHEMA: &'static str = "familiar.benchmark-run/1";

    pub(super) fn new(benchmark: &str, detector: &str, on: &On) -> Self {
        Self {
            schema: Self::SCHEMA,
            benchmark: benchmark.to_owned(),
            detector: detector.to_owned(),
            similarity: None,
            injected: matches!(on, On::System(_)),
            release: if let On::Release(version) = on { Some(version.clone()) } else { None },
            by_kind: BTreeMap::new(),
            by_language: BTreeMap::new(),
            by_prompt: BTreeMap::new(),
            semantic: Share::default(),
            reported: None,
            precision: Precision::default(),
            transformed: Vec::new(),
            used: None,
        }
    }

    pub(super) fn add(&mut self, pair: &Found<'_>) {
        let kind = pair.kind.name();
        self.by_kind.entry(kind).or_default().add(pair.is_found);
        if pair.kind == Kind::Control {
            return;
        }
        if pair.is_found {
            self.precision.add(pair.kind != Kind::False);
        }
        let languages = if pair.lang1 == pair.lang2 {
            pair.lang1.to_owned()
        } else {
            format!("{}-{}", pair.lang1, pair.lang2)
        };
        self.by_language.entry(format!("{languages} {kind}")).or_default().add(pair.is_found);
        self.by_prompt.entry(format!("{} {kind}", pair.prompt)).or_default().add(pair.is_found);
        if matches!(pair.kind, Kind::Type3 | Kind::Type4) {
            self.semantic.add(pair.is_found);
        }
    }

    /// All shares with the names of their groups; true pairs of one language come first.
    pub(super) fn rows(&self) -> Vec<(String, Share)> {
        let mut rows = vec![("semantic".to_owned(), self.semantic)];
        rows.extend(self.by_kind.iter().map(|(name, share)| ((*name).to_owned(), *share)));
        rows.push(("precision".to_owned(), self.precision.pairs));
        rows.extend(self.precision.judged.map(|share| ("precision judged".to_owned(), share)));
        let parts = self.by_language.iter().chain(&self.by_prompt);
        rows.extend(parts.map(|(name, share)| (name.clone(), *share)));
        for (curve, point) in
            self.transformed.iter().flat_map(|it| it.points.iter().map(move |point| (it, point)))
        {
            let name = |kind: &str| format!("{} {} steps {kind}", curve.set, point.steps);
            rows.push((name("semantic"), point.semantic));
            rows.extend(point.by_kind.iter().map(|(kind, share)| (name(kind), *share)));
        }
        rows
    }
}
