//! A pair as people judge it, whatever it comes from.

use familiar_judging::Judgement;
use familiar_source::words::hexadecimal;
use sha2::{Digest as _, Sha256};

use crate::file_names::{ending, file_name};
use crate::pair::Pair;
use crate::sample::{Place, SampledPair};

/// A pair of a benchmark, or one that was drawn from a result.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) id: String,
    /// The seed of the first side.
    pub(super) seed_id: Option<String>,
    pub(super) languages: [String; 2],
    pub(super) codes: [String; 2],
    /// Where both sides stand, of a pair that was drawn.
    pub(super) places: Option<[Place; 2]>,
    /// To which strata it belongs, with their places in the order of a report.
    pub(super) strata: Vec<(u8, String)>,
}

impl Item {
    pub(super) fn of_pair(pair: Pair) -> Self {
        let languages = [pair.lang1, pair.lang2];
        Self {
            id: pair.id,
            seed_id: Some(pair.seed_id),
            strata: vec![
                (1, language(&languages)),
                (4, format!("kind={}", pair.band.name())),
                (5, format!("prompt={}", pair.prompt)),
            ],
            languages,
            codes: [pair.code1, pair.code2],
            places: None,
        }
    }

    pub(super) fn of_sample(pair: SampledPair) -> Self {
        let SampledPair { id, stratum, claim, left, right } = pair;
        let languages = [&left, &right].map(|side| side.place.language.clone());
        let mut strata = vec![(1, language(&languages))];
        strata.extend(claim.clone_type.map(|it| (4, format!("type={it}"))));
        strata.extend(claim.measure.map(|it| (4, format!("measure={it}"))));
        if stratum != "all" && strata.iter().all(|(_, name)| *name != stratum) {
            strata.push((5, stratum));
        }
        let codes = [left.code, right.code];
        Self { id, seed_id: None, languages, codes, places: Some([left.place, right.place]), strata }
    }

    /// A digest of both codes, by which a judgement tells which ones it is of.
    pub(super) fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for code in &self.codes {
            hash.update(code);
            hash.update([0]);
        }
        hexadecimal(&hash.finalize()[..8])
    }

    /// Whether a judgement of this name is one of these codes. Older ones do not say it.
    pub(super) fn is_judged_by(&self, row: &Judgement) -> bool {
        row.codes.as_ref().is_none_or(|codes| *codes == self.digest())
    }

    /// Both sides as ValidateClones names them, `FILE START END`. They tell which pair it is.
    pub(super) fn fragments(&self) -> [String; 2] {
        if let Some(places) = &self.places {
            return places.each_ref().map(|it| format!("{} {} {}", it.file(), it.start_line, it.end_line));
        }
        [0, 1].map(|side| {
            let lines = self.codes[side].trim_end().lines().count().max(1);
            format!("{}_{}.{} 1 {lines}", file_name(&self.id), side + 1, ending(&self.languages[side]))
        })
    }
}

fn language([one, other]: &[String; 2]) -> String {
    if one == other { format!("language={one}") } else { format!("language={one}-{other}") }
}
