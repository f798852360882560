//! The language of a piece of code that nothing names: a guess by what stands in it.
//!
//! Lines are cut into words and signs. What follows what in them has weights for each language, and for all that is no code;
//! they were learnt from labelled code and text ([`docs/quality.md`] has the figures and the commands). Where the sum for one
//! language is clearly above that for every other, that is the guess; otherwise there is none. Patterns that are written by hand
//! speak for what there was nothing to learn from: libraries, kinds of text, and languages that are never guessed.
//!
//! [`docs/quality.md`]: ../../../../docs/quality.md

pub mod features;
pub mod lines;
mod pattern;
mod patterns;

pub mod weights;

use familiar_source::Language;

use lines::Lines;
use patterns::PATTERNS;
use weights::{CLASSES, WEIGHTS};

/// How much of a piece of code decides.
const PROBE: usize = 8 * 1024;
/// How far ahead, in hundredths of the logarithm of the odds, a language must be to be believed.
const CLEAR: i32 = 250;
/// How far where there are but one or two lines, which a formula may be.
const CLEAR_OF_FEW: i32 = 450;
/// How far ahead one is that is likely anyway.
const LIKELY: i32 = 250;

/// The language that `source` is in, as its first 8 KiB tell, or none where they do not. `likely` is the language that the
/// place lets expect, such as that of the documentation it stands in: it needs less to be believed, and more must speak for
/// another one.
pub fn language(source: &[u8], likely: Option<Language>) -> Option<Language> {
    let head = &source[..source.len().min(PROBE)];
    let mut scores = scores(head);
    if let Some(likely) = likely {
        scores[likely as usize] += LIKELY;
    }
    let best = Language::all().max_by_key(|&language| scores[language as usize])?;
    let rivals = Language::all().filter(|rival| rival.family() != best.family());
    let next = rivals.map(|rival| scores[rival as usize]).max()?;
    let lines = head.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    let clear = if lines > 2 || likely == Some(best) { CLEAR } else { CLEAR_OF_FEW };
    (best != Language::Other && scores[best as usize] - next >= clear).then_some(best)
}

/// A number for each language; what no weight was learnt for is far below. That of [`Language::Other`] is for no code.
fn scores(source: &[u8]) -> [i32; LANGUAGES] {
    let text = String::from_utf8_lossy(source);
    let (mut lines, mut tokens, mut feature) = (Lines::default(), Vec::new(), String::new());
    let mut seen = vec![false; WEIGHTS.len()];
    let mut named = [false; LANGUAGES];
    let mut scores = [i32::MIN / 2; LANGUAGES];
    for (class, bias) in CLASSES.iter().zip(&WEIGHTS.bias) {
        scores[*class as usize] = *bias;
    }
    for line in text.lines() {
        lines.read(line, &mut tokens);
        if tokens.is_empty() {
            continue;
        }
        if let Some((language, weight)) = PATTERNS.heaviest(&tokens)
            && (language == Language::Other || !std::mem::replace(&mut named[language as usize], true))
        {
            scores[language as usize] += weight;
        }
        features::of_line(&tokens, &mut feature, |feature| {
            let Some((number, weights)) = WEIGHTS.get(feature) else { return };
            if !std::mem::replace(&mut seen[number], true) {
                for &(class, weight) in weights {
                    scores[class as usize] += weight;
                }
            }
        });
    }
    scores
}

const LANGUAGES: usize = Language::Other as usize + 1;

#[cfg(test)]
mod tests;
