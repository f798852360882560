//! Draws functions that do different things.
//!
//! Functions come in an order by chance, and one is taken if its vector is not near that of one that was taken. What near means is loosened
//! until there are enough.

use familiar_model::{Builtin, Code, Encoder as _, Stage, Vectors};
use rayon::prelude::*;

use super::functions::Function;
use crate::error::DatasetError;

/// Cosines from which on two functions are near each other, the strictest first.
const NEAR: [f64; 6] = [0.5, 0.65, 0.8, 0.9, 0.97, 2.0];
/// For each function that is wanted, so many are looked at: the time grows with the product.
const LOOKED_AT: usize = 40;
const CHUNK: usize = 256;

/// At most `count` functions, in the order in which they came; all where `count` is 0.
pub(super) fn draw(functions: Vec<Function>, count: usize, seed: u64) -> Result<Vec<Function>, DatasetError> {
    if count == 0 || functions.len() <= count {
        return Ok(functions);
    }
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_key(|&at| (mixed(functions[at].form, seed), at));
    order.truncate(count.saturating_mul(LOOKED_AT));
    let vectors = vectors(&functions, &order)?;
    let mut taken: Vec<usize> = Vec::new();
    for near in NEAR {
        for at in 0..order.len() {
            if taken.len() == count {
                break;
            }
            let is_near = |&other: &usize| other == at || vectors.cosine(at, other) >= near;
            if !taken.par_iter().with_min_len(64).any(is_near) {
                taken.push(at);
            }
        }
    }
    let mut chosen: Vec<usize> = taken.into_iter().map(|at| order[at]).collect();
    chosen.sort_unstable();
    let mut functions: Vec<Option<Function>> = functions.into_iter().map(Some).collect();
    Ok(chosen.into_iter().filter_map(|at| functions[at].take()).collect())
}

fn vectors(functions: &[Function], order: &[usize]) -> Result<Vectors, DatasetError> {
    let encoder = Builtin::shipped().at_stage(Stage::Static);
    let parts: Vec<Vectors> = order
        .par_chunks(CHUNK)
        .map(|chunk| {
            let codes: Vec<Code<'_>> = chunk
                .iter()
                .map(|&at| Code { language: functions[at].language, text: functions[at].code.as_bytes() })
                .collect();
            encoder.encode(&codes)
        })
        .collect::<Result<_, _>>()?;
    let mut all = Vectors::default();
    for part in parts {
        all.append(part);
    }
    Ok(all)
}

/// A number by chance for each function (the finalizer of SplitMix64, Steele et al. 2014).
fn mixed(form: u64, seed: u64) -> u64 {
    let mut mixed = form.wrapping_add(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use familiar_source::{BlobId, Language};

    #[test]
    fn of_many_getters_few_are_drawn() {
        let function = |name: String, code: String, form: u64| Function {
            language: Language::Python,
            blob: BlobId([0; 20]),
            name,
            code,
            first_line: 1,
            lines: 3,
            form,
            is_contained: true,
            has_body: true,
        };
        let mut all: Vec<Function> = (0..40u64)
            .map(|at| {
                function(
                    format!("get_{at}"),
                    format!("def get_{at}(self):\n    return self.value_{at}\n"),
                    at,
                )
            })
            .collect();
        all.push(function("sort".into(), "def sort(xs):\n    for i in range(len(xs)):\n        for j in range(i):\n            if xs[i] < xs[j]:\n                xs[i], xs[j] = xs[j], xs[i]\n    return xs\n".into(), 100));
        all.push(function(
            "words".into(),
            "def words(path):\n    with open(path) as file:\n        return file.read().lower().split()\n"
                .into(),
            101,
        ));
        let drawn = draw(all, 4, 0).expect("the encoder encodes");
        let names: Vec<&str> = drawn.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(drawn.len(), 4);
        assert!(names.contains(&"sort") && names.contains(&"words"), "{names:?}");
    }
}
