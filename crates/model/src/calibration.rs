//! From the cosine of two vectors to the probability that their codes are clones.

/// The probability from which on a Type-4 pair is reported, unless another is asked for.
pub const CONFIDENCE: f64 = 0.75;

/// A logistic function (Platt 1999) of the cosine of two vectors, relative to how crowded their places are: the probability is
/// 1 / (1 + e^-(`slope` · (cosine - `crowding` · sum of both crowdings) + `offset`)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// How much of the crowding at each vector, with code of the other's language, is taken from the cosine.
    pub crowding: f64,
    pub slope: f64,
    pub offset: f64,
}

impl Curve {
    pub fn probability(self, cosine: f64, crowdings: [f32; 2]) -> f64 {
        let similarity = cosine - self.crowding * sum(crowdings);
        1.0 / (1.0 + (-(self.slope * similarity + self.offset)).exp())
    }

    /// The cosine at which the probability is `probability`; beyond 1 where no cosine reaches it.
    pub fn cosine(self, probability: f64, crowdings: [f32; 2]) -> f64 {
        let similarity = ((probability / (1.0 - probability)).ln() - self.offset) / self.slope;
        similarity + self.crowding * sum(crowdings)
    }
}

fn sum(crowdings: [f32; 2]) -> f64 {
    crowdings.into_iter().map(f64::from).sum()
}

/// How sure two vectors make: within a language and across languages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    pub within: Curve,
    pub across: Curve,
}

impl Calibration {
    /// Of an encoder of which nothing is known: a cosine of one half is as good as chance.
    pub const UNKNOWN: Self = Self { within: Curve::UNKNOWN, across: Curve::UNKNOWN };

    pub fn of(&self, across_languages: bool) -> Curve {
        if across_languages { self.across } else { self.within }
    }

    /// Whether it matters how crowded a place is.
    pub fn asks_for_crowding(&self) -> bool {
        self.within.crowding != 0.0 || self.across.crowding != 0.0
    }
}

impl Curve {
    const UNKNOWN: Self = Self { crowding: 0.0, slope: 12.0, offset: -6.0 };
}

/// How much each part of a vector counts, and how sure two such vectors make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Length of the part of the network, of the words, of the spelling and of the forms; 0 for a part that is left out.
    pub network: f32,
    pub words: f32,
    pub spelling: f32,
    pub forms: f32,
    pub calibration: Calibration,
}

/// The blends of the two stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blends {
    /// Network and bags.
    pub whole: Blend,
    /// The bags alone.
    pub bags: Blend,
}

impl Blend {
    /// The lengths of the network, the words, the spelling and the forms.
    pub fn lengths(&self) -> [f32; 4] {
        [self.network, self.words, self.spelling, self.forms]
    }
}

impl Blends {
    /// Of weights of which nothing is known.
    pub const UNKNOWN: Self = Self {
        whole: Blend {
            network: 1.0,
            words: 0.5,
            spelling: 0.5,
            forms: 0.5,
            calibration: Calibration::UNKNOWN,
        },
        bags: Blend {
            network: 0.0,
            words: 0.5,
            spelling: 0.5,
            forms: 0.5,
            calibration: Calibration::UNKNOWN,
        },
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_and_its_cosine_belong_together() {
        let curve = Curve { crowding: 0.7, slope: 20.0, offset: -14.0 };
        for probability in [0.05, 0.5, 0.9, 0.99] {
            let crowdings = [0.1, 0.25];
            assert!(
                (curve.probability(curve.cosine(probability, crowdings), crowdings) - probability).abs()
                    < 1e-9
            );
        }
        assert!(curve.probability(0.9, [0.1, 0.2]) > curve.probability(0.9, [0.3, 0.2]));
        assert!(Calibration::UNKNOWN.of(true).probability(0.5, [0.3, 0.3]) == 0.5);
    }
}
