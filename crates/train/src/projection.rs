//! What puts the parts of a vector together: the directions in which functions differ most, so that a few numbers say nearly as much as
//! all (principal components, of vectors whose mean is not taken out). They can be whitened in part: what all code shares says little, and
//! counts less (Su et al. 2021, section 3, where all directions are made equal).

use std::collections::BTreeMap;

use familiar_model::bag::Features;
use familiar_model::network::{VECTOR, layout};
use familiar_model::{Builtin, Stage, spelling};
use nalgebra::{DMatrix, SymmetricEigen};
use rayon::prelude::*;

use crate::data::Data;

/// Most examples that the directions are found from.
const EXAMPLES: usize = 8192;

/// How rare runs of letters are among the examples (Spärck Jones 1972).
pub(crate) fn rarities(data: &Data) -> Vec<f32> {
    let mut having = vec![0u32; spelling::RARITIES];
    let places: Vec<Vec<usize>> = data
        .examples
        .par_iter()
        .map_init(Features::default, |features, example| {
            features.read(&example.sequence);
            let mut places: Vec<usize> =
                features.spelling.iter().map(|&(run, _)| spelling::place(run)).collect();
            places.sort_unstable();
            places.dedup();
            places
        })
        .collect();
    for place in places.into_iter().flatten() {
        having[place] += 1;
    }
    let all = data.examples.len() as f32;
    having.into_iter().map(|having| (1.0 + all / (1.0 + having as f32)).ln()).collect()
}

/// Projections that take the first parts as they are, by their names.
pub(crate) fn first(sizes: &familiar_model::network::Sizes) -> BTreeMap<String, Vec<f32>> {
    let matrix = |parts: usize| DMatrix::<f32>::identity(parts, parts.min(VECTOR)).as_slice().to_vec();
    named([sizes.of_bags(), sizes.unblended()].map(matrix))
}

/// The projections of both stages of `encoder`, found from examples, by their names. A direction is made as many times longer as its
/// share of the squares to the power of -`whitening`: 0 leaves all as they are, 0.5 makes all equal.
pub(crate) fn found(data: &Data, encoder: &Builtin, whitening: f64) -> BTreeMap<String, Vec<f32>> {
    let every = data.examples.len().div_ceil(EXAMPLES).max(1);
    named([Stage::Static, Stage::Whole].map(|stage| {
        let encoder = encoder.at_stage(stage);
        let examples: Vec<_> = data.examples.iter().step_by(every).collect();
        let parts = |example: &&crate::data::Example| encoder.blended(encoder.unblended(&example.sequence));
        principal(&examples.par_iter().map(parts).collect::<Vec<_>>(), whitening)
    }))
}

fn named(matrices: [Vec<f32>; 2]) -> BTreeMap<String, Vec<f32>> {
    layout::PROJECTIONS.map(str::to_owned).into_iter().zip(matrices).collect()
}

/// Least share of a direction, so that one in which nothing lies is not made long.
const LEAST_SHARE: f64 = 1e-6;

/// The principal components of `vectors`, whitened in part, row after row, the greatest first.
fn principal(vectors: &[Vec<f32>], whitening: f64) -> Vec<f32> {
    let columns = vectors.first().map_or(0, Vec::len);
    let values = vectors.iter().flatten().map(|&x| f64::from(x));
    let all = DMatrix::from_iterator(columns, vectors.len(), values);
    let found = SymmetricEigen::new(&all * all.transpose());
    let mut order: Vec<usize> = (0..columns).collect();
    order.sort_by(|&a, &b| found.eigenvalues[b].total_cmp(&found.eigenvalues[a]));
    let all: f64 = found.eigenvalues.iter().sum();
    let component = |at: usize| {
        let column = found.eigenvectors.column(at);
        // Which of its two directions is taken does not matter, but that it is always the same.
        let sign = column
            .iter()
            .copied()
            .reduce(|a, b| if b.abs() > a.abs() { b } else { a })
            .map_or(1.0, f64::signum);
        let share = (found.eigenvalues[at] / all.max(f64::MIN_POSITIVE)).max(LEAST_SHARE);
        let length = sign * share.powf(-whitening);
        column.iter().map(|x| (x * length) as f32).collect::<Vec<_>>()
    };
    order.into_iter().take(VECTOR).flat_map(component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_of_most_comes_first() {
        let vectors = [[3.0, 4.0, 0.0], [6.0, 8.0, 0.1], [-3.0, -4.0, 0.2]].map(Vec::from);
        let found = principal(&vectors, 0.0);
        assert_eq!(found.len(), 9);
        assert!((found[0] - 0.6).abs() < 1e-3 && (found[1] - 0.8).abs() < 1e-3, "{found:?}");
        assert!((found[5] - 1.0).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn whitening_makes_directions_equal_as_far_as_it_goes() {
        let vectors = [[4.0, 0.0], [0.0, 1.0], [4.0, 0.0], [0.0, 1.0]].map(Vec::from);
        let squares = |whitening: f64| {
            let found = principal(&vectors, whitening);
            let along = |row: &[f32]| -> f32 {
                vectors.iter().map(|v| (v[0] * row[0] + v[1] * row[1]).powi(2)).sum()
            };
            along(&found[..2]) / along(&found[2..])
        };
        assert!((squares(0.0) - 16.0).abs() < 1e-3);
        assert!((squares(0.25) - 4.0).abs() < 1e-3);
        assert!((squares(0.5) - 1.0).abs() < 1e-3);
    }
}
