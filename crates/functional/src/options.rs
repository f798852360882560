//! How a test is made.

use familiar_sandbox::Policy;

/// How a test is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The same seed gives the same inputs.
    pub seed: u64,
    /// How many inputs there are at most.
    pub inputs: usize,
    /// How many mutants are tried at most.
    pub mutants: usize,
    /// How many thousandths of a second a call may take.
    pub patience: u32,
    /// Whether programs may run where the system cannot confine them.
    pub policy: Policy,
    /// How many pairs are tested at a time.
    pub at_a_time: usize,
}

impl Default for Options {
    fn default() -> Self {
        let at_a_time = std::thread::available_parallelism().map_or(1, usize::from);
        Self { seed: 1, inputs: 48, mutants: 12, patience: 500, policy: Policy::Confined, at_a_time }
    }
}
