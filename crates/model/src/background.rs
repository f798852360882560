//! Code that has nothing to do with what is compared, and how near it lies.
//!
//! Where much unrelated code lies near, a high cosine says little, and where there is none a lower one says much. So the cosine of
//! two vectors is taken relative to how near each of them has unrelated code (cross-domain similarity local scaling, Conneau et al.
//! 2018, section 2.3), and the unrelated code is a sample of functions that comes with the weights.

use std::ops::Range;

use familiar_source::Language;

use crate::network::dot;

/// Which of the nearest counts. A few nearer ones may be copies of the very code that is asked about.
const NEIGHBOR: usize = 5;

/// Parts of vectors before they are put together, language after language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unblended {
    /// The languages, each once, with how many rows it has.
    pub languages: Vec<(Language, usize)>,
    /// Rows of the network's, the words' and the forms' numbers, each part of length 1 but for words that say little.
    pub values: Vec<f32>,
}

/// Vectors of unrelated functions in many languages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Background {
    dimensions: usize,
    languages: Vec<(Language, Range<usize>)>,
    values: Vec<f32>,
}

impl Background {
    /// Of vectors of so many `dimensions`, as many of each language as `languages` say.
    pub(crate) fn new(dimensions: usize, languages: &[(Language, usize)], values: Vec<f32>) -> Self {
        let mut start = 0;
        let range = |&(language, rows): &(Language, usize)| {
            start += rows;
            (language, start - rows..start)
        };
        Self { dimensions, languages: languages.iter().map(range).collect(), values }
    }

    /// How near `vector` has unrelated code of `language`: the cosine of the fifth nearest function. In a language of which there is
    /// none, that of all; 0 where there is not enough.
    pub(crate) fn crowding(&self, vector: &[f32], language: Language) -> f32 {
        let of = self.languages.iter().find(|(of, _)| *of == language);
        let rows = of.map_or(0..self.values.len() / self.dimensions.max(1), |(_, rows)| rows.clone());
        let mut nearest = [f32::NEG_INFINITY; NEIGHBOR];
        for row in rows {
            let cosine = dot(vector, &self.values[row * self.dimensions..(row + 1) * self.dimensions]);
            if cosine > nearest[NEIGHBOR - 1] {
                let at = nearest.partition_point(|&other| other >= cosine);
                nearest.copy_within(at..NEIGHBOR - 1, at + 1);
                nearest[at] = cosine;
            }
        }
        if nearest[NEIGHBOR - 1].is_finite() { nearest[NEIGHBOR - 1] } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_nearest_of_the_language_counts() {
        let rows = [0.9, 0.1, 0.5, 0.7, 0.3, 0.8, -0.2].map(|x: f32| [x, (1.0 - x * x).sqrt()]);
        let languages = [(Language::C, 6), (Language::Java, 1)];
        let background = Background::new(2, &languages, rows.as_flattened().to_vec());
        let crowding = |language| background.crowding(&[1.0, 0.0], language);
        assert_eq!(crowding(Language::C), 0.3);
        assert_eq!(crowding(Language::Java), 0.0);
        // Of a language that is not there, all are asked.
        assert_eq!(crowding(Language::Go), 0.3);
        assert_eq!(Background::default().crowding(&[1.0, 0.0], Language::C), 0.0);
    }
}
