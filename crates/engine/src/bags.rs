//! The Type-3 engine on token bags that were made elsewhere.

use std::io;

use familiar_index::Fraction;
use familiar_index::bag_join::{self, Bags};

pub use familiar_index::bag_join::{JoinError, Overlap};

/// Every pair of `bags` whose multiset intersection is at least `similarity` of the larger bag, in the order of the
/// bags' numbers. The search takes up to `memory` bytes besides the bags.
pub fn overlaps(bags: &[Vec<u32>], similarity: f64, memory: usize) -> Result<Vec<Overlap>, JoinError> {
    bag_join::join(&Given(bags), Fraction::new(similarity), memory)
}

struct Given<'b>(&'b [Vec<u32>]);

impl Bags for Given<'_> {
    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    fn read(&self, bag: u32, out: &mut Vec<u32>) -> io::Result<()> {
        out.clone_from(&self.0[bag as usize]);
        Ok(())
    }
}
