//! Functions that come with the weights as vectors, to tell how crowded a place is.

use std::collections::BTreeMap;

use familiar_model::{Builtin, Unblended};
use familiar_source::Language;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::data::Data;
use crate::recipe::Recipe;

/// Least statements in the body of a function: shorter ones are not looked for either.
const BODY: usize = 4;

/// Functions of packages, as many of each language as `recipe` says; languages that have fewer are left out.
pub(crate) fn draw(recipe: &Recipe, data: &Data) -> BTreeMap<Language, Vec<u32>> {
    let mut of: BTreeMap<Language, Vec<u32>> = BTreeMap::new();
    let packages = recipe.source.iter().zip(&data.training).filter(|(source, _)| !source.packages.is_empty());
    for &member in packages.flat_map(|(_, source)| source.groups.iter().flatten()) {
        let example = &data.examples[member as usize];
        if example.sequence.body_statements() >= BODY {
            of.entry(example.language).or_default().push(member);
        }
    }
    of.retain(|_, members| recipe.background > 0 && members.len() >= recipe.background);
    for members in of.values_mut() {
        members.shuffle(&mut ChaCha8Rng::seed_from_u64(recipe.seed));
        members.truncate(recipe.background);
    }
    of
}

/// The parts of the vectors of what was drawn.
pub(crate) fn encode(drawn: &BTreeMap<Language, Vec<u32>>, data: &Data, encoder: &Builtin) -> Unblended {
    let members: Vec<u32> = drawn.values().flatten().copied().collect();
    let parts = |&member: &u32| encoder.unblended(&data.examples[member as usize].sequence);
    let values: Vec<Vec<f32>> = members.par_iter().map(parts).collect();
    let languages = drawn.iter().map(|(&language, members)| (language, members.len())).collect();
    Unblended { languages, values: values.concat() }
}
