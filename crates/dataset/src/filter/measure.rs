//! How alike a seed and an implementation are.

use familiar_engine::Measure;
use familiar_engine::snippet::{self, Snippet, SnippetReader};
use familiar_model::{Builtin, Code, Encoder as _};
use familiar_source::Language;
use familiar_syntax::{Parser, Want};

use crate::candidate::Candidate;
use crate::error::DatasetError;
use crate::pair::{Band, BigCloneBand, Pair};
use crate::seed::Seed;
use crate::settings::Filter;

/// Measures one pair after another, keeping its memory. One for each thread.
pub(crate) struct Measurer {
    snippets: SnippetReader,
    parser: Parser,
    encoder: Option<&'static Builtin>,
}

/// How alike two sides are, in [0, 1].
struct Similar {
    lines: f64,
    tokens: f64,
    blind_lines: f64,
    blind_tokens: f64,
    is_renamed: bool,
}

impl Similar {
    fn of(left: &Snippet, right: &Snippet) -> Self {
        let [lines, tokens] =
            [Measure::Lines, Measure::TokenOverlap].map(|it| snippet::similarity(it, left, right));
        let (mut left, mut right) = (left.clone(), right.clone());
        left.blind();
        right.blind();
        let [blind_lines, blind_tokens] =
            [Measure::Lines, Measure::TokenOverlap].map(|it| snippet::similarity(it, &left, &right));
        Self { lines, tokens, blind_lines, blind_tokens, is_renamed: left.is_renamed(&right) }
    }
}

impl Measurer {
    pub(crate) fn new(semantic: bool) -> Self {
        let encoder = semantic.then(Builtin::shipped);
        Self { snippets: SnippetReader::default(), parser: Parser::default(), encoder }
    }

    pub(crate) fn pair(
        &mut self,
        seed: &Seed,
        candidate: Candidate,
        settings: &Filter,
    ) -> Result<Pair, DatasetError> {
        let languages =
            [&seed.lang, &candidate.lang].map(|name| Language::from_name(name).unwrap_or(Language::Other));
        let mut pair = Pair {
            id: candidate.id,
            seed_id: candidate.seed_id,
            prompt: candidate.prompt,
            lang1: seed.lang.clone(),
            lang2: candidate.lang,
            code1: seed.code.clone(),
            code2: candidate.code,
            band: Band::CrossLanguage,
            lines: None,
            tokens: None,
            bigclone: None,
            short: false,
            syntactic: None,
            semantic: None,
            contamination: None,
        };
        if let Some(encoder) = self.encoder {
            pair.semantic = Some(rounded(probability(encoder, &pair, languages)?));
        }
        let read =
            |reader: &mut SnippetReader, at: usize, code: &str| reader.read(languages[at], code.as_bytes());
        let sides = (read(&mut self.snippets, 0, &pair.code1), read(&mut self.snippets, 1, &pair.code2));
        let (Ok(left), Ok(right)) = sides else { return Ok(pair) };
        pair.short = left.lines().min(right.lines()) < settings.min_lines;
        if languages[0] != languages[1] {
            return Ok(pair);
        }
        let similar = Similar::of(&left, &right);
        pair.band = match similar.lines {
            it if it > settings.false_above => Band::False,
            it if it >= settings.type3_from => Band::Type3,
            _ => Band::Type4,
        };
        pair.lines = Some(rounded(similar.lines));
        pair.tokens = Some(rounded(similar.tokens));
        pair.bigclone = Some(if similar.is_renamed {
            let is_copy = self.tokens(languages[0], &pair.code1) == self.tokens(languages[1], &pair.code2);
            if is_copy { BigCloneBand::T1 } else { BigCloneBand::T2 }
        } else {
            BigCloneBand::of(similar.lines.min(similar.tokens))
        });
        let features = [similar.lines, similar.tokens, similar.blind_lines, similar.blind_tokens];
        pair.syntactic = Some(rounded(features.iter().sum::<f64>() / features.len() as f64));
        Ok(pair)
    }

    fn tokens(&mut self, language: Language, code: &str) -> Vec<Vec<u8>> {
        let parsed = self.parser.parse(language, code.as_bytes(), Want::default());
        parsed.tokens.iter().map(|token| token.text(code.as_bytes()).to_vec()).collect()
    }
}

/// How probable it is that both sides do the same.
fn probability(encoder: &Builtin, pair: &Pair, languages: [Language; 2]) -> Result<f64, DatasetError> {
    let [first, second] = languages;
    let codes = [
        Code { language: first, text: pair.code1.as_bytes() },
        Code { language: second, text: pair.code2.as_bytes() },
    ];
    let vectors = encoder.encode(&codes)?;
    let crowdings = [encoder.crowding(vectors.row(0), second), encoder.crowding(vectors.row(1), first)];
    let curve = encoder.calibration().of(first.family() != second.family());
    Ok(curve.probability(vectors.cosine(0, 1), crowdings))
}

/// Four digits are enough, and the same on every machine.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
