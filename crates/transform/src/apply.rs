//! From sites to a new program.

use familiar_source::Language;
use thiserror::Error;

use crate::choices::Choices;
use crate::program::{Program, ProgramError, bytes_of};
use crate::refusal::Refusal;
use crate::rewrite::Forest;
use crate::transformation::Transformation;

/// Sites that are rewritten together; in longer programs, later ones stay as they are.
const MOST_SITES: usize = 2_000;

/// At which of its sites a transformation is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// At the first one that can be rewritten.
    First,
    /// At all of them that do not disturb each other.
    All,
    /// At this one of those that can be rewritten; 0 is the first.
    Nth(usize),
}

/// A program that was made out of another one, with the recipe.
#[derive(Debug)]
pub struct Variant {
    pub program: Program,
    pub step: Step,
}

/// One transformation, with all that is needed to repeat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub name: &'static str,
    pub at: Where,
    /// First and last line of each site in the text before the step.
    pub sites: Vec<[usize; 2]>,
    pub seed: u64,
}

/// A text that a transformation made. It is not parsed yet: a search makes many, and goes on with few.
#[derive(Debug)]
pub struct Rewritten {
    language: Language,
    text: String,
    pub step: Step,
}

impl Rewritten {
    /// The bytes of the new program.
    pub fn bytes(&self) -> Vec<u8> {
        bytes_of(&self.text)
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The new program. Fails with [`ApplyError::Broken`] only.
    pub fn parsed(self) -> Result<Variant, ApplyError> {
        let program = Program::of_text(self.language, self.text, usize::MAX)
            .map_err(|error| ApplyError::Broken { name: self.step.name, error })?;
        Ok(Variant { program, step: self.step })
    }
}

/// Why there is no new program.
#[derive(Debug, Error)]
pub enum ApplyError {
    /// The program has no site, or each refused. The text is the first refusal's.
    #[error("{0}")]
    NotApplicable(Refusal),
    /// A fault of the transformation: its text is no program.
    #[error("{name} made a text that is no program: {error}")]
    Broken { name: &'static str, error: ProgramError },
}

/// Rewrites sites of `program`. The result is the same for the same seed.
pub fn apply(
    program: &Program,
    transformation: &dyn Transformation,
    at: Where,
    seed: u64,
) -> Result<Variant, ApplyError> {
    rewrite(program, transformation, at, seed)?.parsed()
}

/// As [`apply`], without the work of parsing what comes out. Fails with [`ApplyError::NotApplicable`] only.
pub fn rewrite(
    program: &Program,
    transformation: &dyn Transformation,
    at: Where,
    seed: u64,
) -> Result<Rewritten, ApplyError> {
    let mut choices = Choices::new(program, seed);
    let mut forest = Forest::default();
    let mut sites = Vec::new();
    let mut refusal = Refusal("the program has no such code");
    let mut applicable = 0;
    for site in transformation.candidates(program) {
        let edits = match transformation.rewrite(program, site, &mut choices) {
            Ok(edits) => edits,
            Err(reason) => {
                if applicable == 0 {
                    refusal = reason;
                }
                continue;
            }
        };
        applicable += 1;
        let wanted = !matches!(at, Where::Nth(wanted) if wanted + 1 != applicable);
        if wanted && forest.add(edits) {
            sites.push([program.line(site.start()), program.line(site.end())]);
        }
        if at != Where::All && !forest.is_empty() || sites.len() == MOST_SITES {
            break;
        }
    }
    let text = forest.render(program.text());
    if text == program.text() {
        return Err(ApplyError::NotApplicable(refusal));
    }
    let step = Step { name: transformation.name(), at, sites, seed };
    Ok(Rewritten { language: program.language(), text, step })
}
