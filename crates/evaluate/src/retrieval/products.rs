//! Products of a few vectors with all: the work that retrieval by an encoder is made of.

use std::ops::Range;

use familiar_model::Vectors;

/// Candidates that stay in the processor's nearest memory while all queries meet them.
const BLOCK: usize = 32;

/// Queries that meet a candidate at the same time.
const TOGETHER: usize = 4;

/// Sums that run side by side, so that the compiler may use the processor's vectors.
const LANES: usize = 8;

/// The products of the rows `queries` with all rows: first those of the first query. Two rows give the same product
/// whatever else is asked.
pub(super) fn products(vectors: &Vectors, queries: Range<usize>, out: &mut Vec<f32>) {
    let rows = vectors.len();
    out.clear();
    out.resize(queries.len() * rows, 0.0);
    for block in (0..rows).step_by(BLOCK) {
        let candidates = block..(block + BLOCK).min(rows);
        for first in queries.clone().step_by(TOGETHER) {
            // At the end the last query stands in for those that are none.
            let query = |at: usize| vectors.row((first + at).min(queries.end - 1));
            let together: [&[f32]; TOGETHER] = std::array::from_fn(query);
            for candidate in candidates.clone() {
                let found = dot(together, vectors.row(candidate));
                for (query, product) in (first..queries.end).zip(found) {
                    out[(query - queries.start) * rows + candidate] = product;
                }
            }
        }
    }
}

fn dot(queries: [&[f32]; TOGETHER], candidate: &[f32]) -> [f32; TOGETHER] {
    let mut sums = [[0.0_f32; LANES]; TOGETHER];
    let mut parts = queries.map(|query| query.chunks_exact(LANES));
    for of_candidate in candidate.chunks_exact(LANES) {
        for (sums, parts) in sums.iter_mut().zip(&mut parts) {
            let Some(of_query) = parts.next() else { break };
            for ((sum, a), b) in sums.iter_mut().zip(of_query).zip(of_candidate) {
                *sum += a * b;
            }
        }
    }
    let rest = candidate.chunks_exact(LANES).remainder();
    for (sums, parts) in sums.iter_mut().zip(&parts) {
        for ((sum, a), b) in sums.iter_mut().zip(parts.remainder()).zip(rest) {
            *sum += a * b;
        }
    }
    sums.map(|sums| sums.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_cosines_for_any_number_of_rows_and_dimensions() {
        for (rows, dimensions) in [(1, 1), (5, 8), (70, 19)] {
            let values = (0..rows * dimensions).map(|n| ((n * 37 + 11) % 101) as f32 - 50.0).collect();
            let vectors = Vectors::normalized(dimensions, values);
            let mut found = Vec::new();
            products(&vectors, 0..rows, &mut found);
            for (at, product) in found.iter().enumerate() {
                let cosine = vectors.cosine(at / rows, at % rows);
                assert!((f64::from(*product) - cosine).abs() < 1e-5, "{product} is not {cosine}");
            }
            let mut one = Vec::new();
            products(&vectors, rows - 1..rows, &mut one);
            assert_eq!(one, found[(rows - 1) * rows..]);
        }
    }
}
