//! From the similarity of two vectors to the probability that their codes are clones.

/// A logistic function (Platt 1999): the probability is 1 / (1 + e^-(`slope` · similarity + `offset`)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logistic {
    pub slope: f64,
    pub offset: f64,
}

impl Logistic {
    pub fn probability(self, similarity: f64) -> f64 {
        1.0 / (1.0 + (-(self.slope * similarity + self.offset)).exp())
    }

    /// The similarity at which the probability is `probability`; beyond 1 where none reaches it.
    pub fn similarity(self, probability: f64) -> f64 {
        ((probability / (1.0 - probability)).ln() - self.offset) / self.slope
    }
}

/// How sure two vectors make: within a language and across languages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// How much of the crowding at either vector is taken from their cosine.
    pub crowding: f64,
    pub within: Logistic,
    pub across: Logistic,
}

impl Calibration {
    /// Of an encoder of which nothing is known: a cosine of one half is as good as chance.
    pub const UNKNOWN: Self = Self {
        crowding: 0.0,
        within: Logistic { slope: 12.0, offset: -6.0 },
        across: Logistic { slope: 12.0, offset: -6.0 },
    };

    /// The cosine of two vectors relative to how crowded their places are, each with code of the other's language.
    pub fn similarity(&self, cosine: f64, crowdings: [f32; 2]) -> f64 {
        cosine - self.crowding * crowdings.into_iter().map(f64::from).sum::<f64>()
    }

    /// The cosine at which [`Calibration::similarity`] is `similarity`.
    pub fn cosine(&self, similarity: f64, crowdings: [f32; 2]) -> f64 {
        similarity + self.crowding * crowdings.into_iter().map(f64::from).sum::<f64>()
    }

    pub fn of(&self, across_languages: bool) -> Logistic {
        if across_languages { self.across } else { self.within }
    }
}

/// How much each part of a vector counts, and how sure the cosine of two such vectors makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Length of the part of the network, of the words and of the forms; 0 for a part that is left out.
    pub network: f32,
    pub words: f32,
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

impl Blends {
    /// Of weights of which nothing is known.
    pub const UNKNOWN: Self = Self {
        whole: Blend { network: 1.0, words: 0.5, forms: 0.5, calibration: Calibration::UNKNOWN },
        bags: Blend { network: 0.0, words: 0.5, forms: 0.5, calibration: Calibration::UNKNOWN },
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_and_its_similarity_belong_together() {
        let logistic = Logistic { slope: 20.0, offset: -14.0 };
        for probability in [0.05, 0.5, 0.9, 0.99] {
            assert!((logistic.probability(logistic.similarity(probability)) - probability).abs() < 1e-9);
        }
        assert!(Calibration::UNKNOWN.of(true).probability(0.5) == 0.5);
    }
}
