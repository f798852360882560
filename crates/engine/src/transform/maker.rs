//! Makes the variants of one program.

use familiar_transform::{ApplyError, Program, Step, Transformation, Where, apply};
use rustc_hash::FxHashSet;

use super::options::{At, Recipe, TransformOptions};

/// Compositions of more steps are not made.
const MOST_STEPS: usize = 4;
/// How often another composition is tried where the last one gave nothing new.
const TRIES: u64 = 4;

/// A new text, with the steps that made it.
pub(super) struct Made {
    pub(super) code: Vec<u8>,
    pub(super) steps: Vec<Step>,
}

/// Makes the variants of one program.
pub(super) struct Maker<'o> {
    options: &'o TransformOptions,
    program: &'o Program,
    /// The texts that were made.
    seen: FxHashSet<Vec<u8>>,
    /// Why the first transformation that did not apply did not.
    pub(super) refusal: Option<String>,
    /// Texts of transformations that are no programs.
    pub(super) faults: Vec<String>,
}

impl<'o> Maker<'o> {
    pub(super) fn new(options: &'o TransformOptions, program: &'o Program) -> Self {
        Self { options, program, seen: FxHashSet::default(), refusal: None, faults: Vec::new() }
    }

    pub(super) fn variants(&mut self) -> Vec<Made> {
        let mut made = Vec::new();
        match &self.options.recipe {
            Recipe::Steps(steps) => made.extend(self.composed(&steps.all(), self.options.seed)),
            Recipe::Set(members) => {
                let members = members.of(self.program.language());
                self.alone(&members, &mut made);
                self.compositions(&members, &mut made);
            }
        }
        made
    }

    fn is_full(&self, made: &[Made]) -> bool {
        self.options.count > 0 && made.len() >= self.options.count
    }

    /// Each transformation alone: the first variant of each, then the second of each, and so on.
    fn alone(&mut self, members: &[&dyn Transformation], made: &mut Vec<Made>) {
        let mut left = members.to_vec();
        for round in 0.. {
            let at = match self.options.at {
                At::First => Where::First,
                At::All => Where::All,
                At::Each => Where::Nth(round),
            };
            let mut next = Vec::new();
            for member in left {
                if self.is_full(made) {
                    return;
                }
                if let Some(variant) = self.applied(self.program, member, at, self.options.seed) {
                    made.extend(self.new_text(&variant.program, vec![variant.step]));
                    next.push(member);
                }
            }
            left = next;
            if left.is_empty() || self.options.at != At::Each {
                return;
            }
        }
    }

    /// Compositions of two and more members, until there are enough.
    fn compositions(&mut self, members: &[&dyn Transformation], made: &mut Vec<Made>) {
        let mut choices = familiar_transform::Choices::new(self.program, self.options.seed);
        for length in 2..=MOST_STEPS {
            let mut failures = 0;
            while self.options.count > 0 && !self.is_full(made) && failures < TRIES * members.len() as u64 {
                let steps: Vec<_> =
                    (0..length).filter_map(|_| members.get(choices.below(members.len()))).copied().collect();
                let seed = choices.below(usize::MAX) as u64;
                match self.composed(&steps, seed).filter(|it| it.steps.len() == length) {
                    Some(variant) => made.push(variant),
                    None => failures += 1,
                }
            }
        }
    }

    /// All of `steps`, one after the other; those that do not apply are left out. `None` where the text is not new.
    fn composed(&mut self, steps: &[&dyn Transformation], seed: u64) -> Option<Made> {
        let at = if self.options.at == At::First { Where::First } else { Where::All };
        let mut program: Option<Program> = None;
        let mut taken = Vec::new();
        for step in steps {
            let before = program.as_ref().unwrap_or(self.program);
            if let Some(variant) = self.applied(before, *step, at, seed) {
                program = Some(variant.program);
                taken.push(variant.step);
            }
        }
        program.and_then(|program| self.new_text(&program, taken))
    }

    fn applied(
        &mut self,
        program: &Program,
        transformation: &dyn Transformation,
        at: Where,
        seed: u64,
    ) -> Option<familiar_transform::Variant> {
        match apply(program, transformation, at, seed) {
            Ok(variant) => Some(variant),
            Err(ApplyError::NotApplicable(refusal)) => {
                self.refusal.get_or_insert_with(|| format!("{}: {refusal}", transformation.name()));
                None
            }
            Err(fault @ ApplyError::Broken { .. }) => {
                self.faults.push(fault.to_string());
                None
            }
        }
    }

    fn new_text(&mut self, program: &Program, steps: Vec<Step>) -> Option<Made> {
        let code = program.bytes();
        self.seen.insert(code.clone()).then_some(Made { code, steps })
    }
}
