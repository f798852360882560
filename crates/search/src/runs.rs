//! Maximal repeated runs of tokens that respect no fragment boundary, as jscpd, PMD CPD and arid report them.

use std::io;

use familiar_index::Collection;
use familiar_syntax::normal::Renaming;

use crate::Place;

pub struct RunSettings {
    pub min_tokens: u32,
    pub type_2: bool,
    pub renaming: Renaming,
    pub max_gap_tokens: u32,
    pub cross_families: bool,
    pub memory: usize,
}
pub struct RunGroup {
    pub places: Vec<Place>,
}
pub struct RunPair {
    pub left: Place,
    pub right: Place,
    pub similarity: f64,
    pub pieces: Vec<(u32, u32, u32)>,
}
#[derive(Default)]
pub struct Runs {
    pub groups: Vec<RunGroup>,
    pub pairs: Vec<RunPair>,
}
pub fn find(_collection: &Collection, _settings: &RunSettings) -> io::Result<Runs> {
    Ok(Runs::default())
}
