//! What the texts of license files were found to say when a corpus took them, kept in front of each text.
//!
//! To find it anew takes the rules of licenses, and reading those takes longer than all the rest of a question. It stands in a frame
//! that zstd skips, so that readers who know nothing of it read the text all the same. What other rules found does not count.

use std::cell::RefCell;
use std::sync::LazyLock;

use familiar_license::rules::Rules;
use familiar_license::{Declarations, Detected, Detector, Expression, LicenseMatch, MatchKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Opens a frame that zstd skips; its length follows, both in little endian.
const FRAME: [u8; 4] = 0x184d_2a5a_u32.to_le_bytes();

/// To be raised with every change of what is found by the same rules, or of what a file that it is found in is taken to say.
const DETECTION: u64 = 2;

/// What found it: the rules, and the way they are applied.
static FINDER: LazyLock<u64> = LazyLock::new(|| xxh3_64(Rules::artefact()) ^ DETECTION);

/// The name of what finds licenses now.
pub(crate) fn finder() -> String {
    format!("{:016x}", *FINDER)
}

/// What stands in the frame.
#[derive(Serialize, Deserialize)]
struct Frame {
    finder: u64,
    texts: Vec<Text>,
}

/// What one text says: the hash of the text, matches, mentions.
#[derive(Serialize, Deserialize)]
struct Text(String, Vec<Match>, Vec<Match>);

/// Kind, expression, rule, score, lines, bytes.
#[derive(Serialize, Deserialize)]
struct Match(String, String, String, f32, (u32, u32), (usize, usize));

/// The frame for the file at `path`; empty where nothing is looked for in it.
pub(crate) fn frame(path: &str, content: &[u8]) -> Vec<u8> {
    let detections = RefCell::new(Vec::new());
    let detect = |text: &str| {
        let detected = Detector::embedded().detect(text);
        detections.borrow_mut().push((xxh3_128(text.as_bytes()), detected.clone()));
        detected
    };
    drop(Declarations::read_with([(path.to_owned(), content.to_vec())], &detect));
    let texts: Vec<Text> =
        detections.into_inner().iter().filter_map(|(hash, all)| Text::of(*hash, all)).collect();
    if texts.is_empty() {
        return Vec::new();
    }
    let frame =
        serde_json::to_vec(&Frame { finder: *FINDER, texts }).expect("plain data is written to memory");
    [&FRAME[..], &(frame.len() as u32).to_le_bytes(), &frame].concat()
}

/// What was found in some texts.
#[derive(Debug, Default)]
pub(crate) struct Remembered(FxHashMap<u128, Detected>);

impl Remembered {
    /// Takes what stands in front of a packed text.
    pub(crate) fn add(&mut self, packed: &[u8]) {
        for Text(hash, matches, mentions) in texts(packed).unwrap_or_default() {
            let all = |found: Vec<Match>| found.into_iter().map(Match::read).collect::<Option<Vec<_>>>();
            if let (Ok(hash), Some(matches), Some(mentions)) =
                (u128::from_str_radix(&hash, 16), all(matches), all(mentions))
            {
                self.0.insert(hash, Detected { matches, mentions });
            }
        }
    }

    /// What a text says: as it was found, or else as it is found now.
    pub(crate) fn detect(&self, text: &str) -> Detected {
        let known = self.0.get(&xxh3_128(text.as_bytes()));
        known.cloned().unwrap_or_else(|| Detector::embedded().detect(text))
    }
}

/// What the frame in front of a packed text holds, where there is one of the same finder.
fn texts(packed: &[u8]) -> Option<Vec<Text>> {
    let rest = packed.strip_prefix(&FRAME)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let frame = rest.get(..u32::from_le_bytes(*length) as usize)?;
    let frame: Frame = serde_json::from_slice(frame).ok()?;
    (frame.finder == *FINDER).then_some(frame.texts)
}

impl Text {
    /// None where what was found would not come back the same.
    fn of(hash: u128, detected: &Detected) -> Option<Self> {
        let all = |found: &[LicenseMatch]| found.iter().map(Match::of).collect::<Option<Vec<_>>>();
        Some(Self(format!("{hash:032x}"), all(&detected.matches)?, all(&detected.mentions)?))
    }
}

impl Match {
    fn of(found: &LicenseMatch) -> Option<Self> {
        let LicenseMatch { kind, expression, rule, score, lines, bytes, .. } = found;
        let kept =
            || Self(kind.name().to_owned(), expression.to_string(), rule.clone(), *score, *lines, *bytes);
        (kept().read().as_ref() == Some(found)).then(kept)
    }

    fn read(self) -> Option<LicenseMatch> {
        let Self(kind, expression, rule, score, lines, bytes) = self;
        Some(LicenseMatch {
            kind: MatchKind::ALL.into_iter().find(|known| known.name() == kind)?,
            expression: Expression::parse(&expression).ok()?,
            rule,
            score,
            lines,
            bytes,
            // What has one is found anew.
            note: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::license_text::{pack, unpack};

    /// What opens the frame, and its length.
    const HEAD: usize = 8;

    const NOTICE: &str = "Copyright (c) 2020 Ada Example\n\nLicensed under the Apache License, Version 2.0\n";

    #[test]
    fn what_was_found_comes_back_and_the_text_with_it() {
        let packed = pack("LICENSE", NOTICE.as_bytes());
        assert_eq!(unpack(&packed).as_deref(), Some(NOTICE.as_bytes()));
        let mut remembered = Remembered::default();
        remembered.add(&packed);
        let known = remembered.0.get(&xxh3_128(NOTICE.as_bytes())).expect("it was asked for");
        assert_eq!(*known, Detector::embedded().detect(NOTICE));
        assert!(!known.matches.is_empty());
    }

    #[test]
    fn what_nobody_looks_into_and_what_others_found_is_found_anew() {
        let remembered = |packed: &[u8]| {
            let mut remembered = Remembered::default();
            remembered.add(packed);
            remembered.0.len()
        };
        let packed = pack("LICENSE", NOTICE.as_bytes());
        assert_eq!(remembered(&packed), 1);
        let plain = pack("setup.bin", NOTICE.as_bytes());
        assert_eq!((remembered(&plain), unpack(&plain).as_deref()), (0, Some(NOTICE.as_bytes())));
        for end in [0, 4, HEAD, HEAD + 10] {
            assert_eq!(remembered(&packed[..end]), 0, "{end}");
        }
        let finder = FINDER.to_string();
        let at = packed.windows(finder.len()).position(|at| at == finder.as_bytes()).expect("it is named");
        let mut others = packed.clone();
        others[at] = if others[at] == b'1' { b'2' } else { b'1' };
        assert_eq!(remembered(&others), 0);
        assert_eq!(Remembered::default().detect(NOTICE), Detector::embedded().detect(NOTICE));
    }
}
