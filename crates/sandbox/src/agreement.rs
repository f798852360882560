//! Whether two programs behave alike, and how much that says.

use crate::error::SandboxError;
use crate::mutants::mutants;
use crate::program::{Called, End, Outcome, Program, Test};
use crate::sandbox::Sandbox;
use serde::Serialize;
use std::collections::BTreeSet;

/// With fewer inputs that end normally, alike behavior says little.
pub const LEAST_INPUTS: usize = 5;
/// With fewer different results, alike behavior says little.
pub const LEAST_RESULTS: usize = 2;
/// How often a program that ends in the middle of its calls is started again.
const RESTARTS: usize = 5;

/// What both programs are given.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Inputs {
    /// Calls of one function: its name, and the arguments of each call.
    Calls(String, Vec<Vec<String>>),
    /// Standard inputs, each for a run of its own.
    Stdio(Vec<Vec<u8>>),
}

/// The answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Both behaved alike on enough inputs.
    Agreed,
    /// Both behaved alike, on too few inputs that ended normally or with too few different results.
    WeaklyAgreed,
    /// They behaved differently.
    Failed,
}

/// How two programs compare on the same inputs.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Agreement {
    /// The answer.
    pub verdict: Verdict,
    /// How many inputs there were.
    pub inputs: usize,
    /// On how many of them the original ended normally.
    pub normal: usize,
    /// How many different results the original gave among those.
    pub results: usize,
    /// How many mutants of the original compile, of those that were tried.
    pub mutants: usize,
    /// How many of these the inputs detect.
    pub detected: usize,
    /// The first input on which the programs differ, with what both did.
    pub difference: Option<Difference>,
}

/// Where two programs differ.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Difference {
    /// The input.
    pub input: String,
    /// What the original did.
    pub original: String,
    /// What the other did.
    pub candidate: String,
}

/// What a program did on one input.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Behavior {
    Called(Called),
    /// It ended, and this is how and what it had written.
    Ended(End, Vec<u8>),
}

impl Behavior {
    fn of_run(outcome: Outcome) -> Self {
        Self::Ended(outcome.end, outcome.stdout)
    }

    fn normal(&self) -> bool {
        matches!(self, Self::Called(Called::Returned(_)) | Self::Ended(End::Finished, _))
    }

    /// Whether a limit ended it: one program may reach the limit of time where another one reaches that of memory.
    fn is_over_a_limit(&self) -> bool {
        match self {
            Self::Called(called) => called.is_over_a_limit(),
            Self::Ended(end, _) => end.is_over_a_limit(),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Called(called) => format!("{called:?}"),
            Self::Ended(end, output) => format!("{end:?} {}", String::from_utf8_lossy(output)),
        }
    }
}

/// What a program did on all inputs, and what it wrote while it was called.
#[derive(Debug, Eq, PartialEq)]
struct Behaviors {
    each: Vec<Behavior>,
    output: Vec<u8>,
}

impl Sandbox {
    /// Compares what two programs do on `inputs`, in output, results, exit code and class of exception. At most `most_mutants` mutants
    /// of the original show how much these inputs see.
    pub fn compare(
        &self,
        original: &Program,
        candidate: &Program,
        inputs: &Inputs,
        most_mutants: usize,
    ) -> Result<Agreement, SandboxError> {
        let first = self.behaviors(original, inputs)?;
        let mutants = self.mutants(original, &first, inputs, most_mutants)?;
        self.agreement(&first, candidate, inputs, mutants)
    }

    /// As [`Sandbox::compare`], for many candidates of one original. The agreements are in the order of the candidates.
    pub fn compare_all(
        &self,
        original: &Program,
        candidates: &[Program],
        inputs: &Inputs,
        most_mutants: usize,
    ) -> Result<Vec<Agreement>, SandboxError> {
        let first = self.behaviors(original, inputs)?;
        let mutants = self.mutants(original, &first, inputs, most_mutants)?;
        self.each(candidates, |candidate| self.agreement(&first, candidate, inputs, mutants))
            .into_iter()
            .collect()
    }

    fn agreement(
        &self,
        first: &Behaviors,
        candidate: &Program,
        inputs: &Inputs,
        (mutants, detected): (usize, usize),
    ) -> Result<Agreement, SandboxError> {
        let second = self.behaviors(candidate, inputs)?;
        let normal = first.each.iter().filter(|behavior| behavior.normal());
        let results: BTreeSet<String> = normal.clone().map(Behavior::text).collect();
        let (normal, results) = (normal.count(), results.len());
        let difference = difference(first, &second, inputs);
        let verdict = match &difference {
            Some(_) => Verdict::Failed,
            None if normal >= LEAST_INPUTS && results >= LEAST_RESULTS => Verdict::Agreed,
            None => Verdict::WeaklyAgreed,
        };
        Ok(Agreement { verdict, inputs: first.each.len(), normal, results, mutants, detected, difference })
    }

    /// How many mutants of the original compile, and how many of these behave differently.
    fn mutants(
        &self,
        original: &Program,
        first: &Behaviors,
        inputs: &Inputs,
        most: usize,
    ) -> Result<(usize, usize), SandboxError> {
        let differs =
            self.each(&mutants(original, most), |mutant| self.mutant_differs(mutant, first, inputs));
        let compile: Vec<bool> =
            differs.into_iter().filter_map(Result::transpose).collect::<Result<_, SandboxError>>()?;
        Ok((compile.len(), compile.iter().filter(|differs| **differs).count()))
    }

    /// Whether a mutant behaves differently; `None` where it does not compile. Of standard inputs, those behind the first difference
    /// are not tried.
    fn mutant_differs(
        &self,
        mutant: &Program,
        first: &Behaviors,
        inputs: &Inputs,
    ) -> Result<Option<bool>, SandboxError> {
        let Inputs::Stdio(inputs) = inputs else {
            let behaviors = self.behaviors(mutant, inputs)?;
            return Ok((!behaviors.each.iter().any(is_broken)).then(|| behaviors != *first));
        };
        let on_inputs = self.on_inputs(mutant)?;
        for (input, original) in inputs.iter().zip(&first.each) {
            let behavior = Behavior::of_run(on_inputs.run(input)?);
            if is_broken(&behavior) {
                return Ok(None);
            }
            if behavior != *original {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    fn behaviors(&self, program: &Program, inputs: &Inputs) -> Result<Behaviors, SandboxError> {
        match inputs {
            Inputs::Calls(function, calls) => self.behaviors_of_calls(program, function, calls),
            Inputs::Stdio(inputs) => {
                let on_inputs = self.on_inputs(program)?;
                let each = self.each(inputs, |input| on_inputs.run(input).map(Behavior::of_run));
                let each = each.into_iter().collect::<Result<_, SandboxError>>()?;
                Ok(Behaviors { each, output: Vec::new() })
            }
        }
    }

    /// Calls that end the process cost a new one for those behind them.
    fn behaviors_of_calls(
        &self,
        program: &Program,
        function: &str,
        calls: &[Vec<String>],
    ) -> Result<Behaviors, SandboxError> {
        let (mut each, mut output) = (Vec::new(), Vec::new());
        for _ in 0..=RESTARTS {
            let left = &calls[each.len()..];
            let test = Test::Calls { function: function.to_owned(), inputs: left.to_vec() };
            let outcome = self.run(program, &test)?;
            output.extend(outcome.stdout);
            let all = outcome.calls.len() >= left.len();
            each.extend(outcome.calls.into_iter().take(left.len()).map(Behavior::Called));
            if all && outcome.end == End::Finished {
                break;
            }
            let before_the_calls = outcome.end == End::DoesNotCompile || each.is_empty();
            if !all {
                each.push(Behavior::Ended(outcome.end, Vec::new()));
            }
            if all || before_the_calls || each.len() == calls.len() {
                break;
            }
        }
        Ok(Behaviors { each, output })
    }
}

/// Whether the program could not run at all.
fn is_broken(behavior: &Behavior) -> bool {
    match behavior {
        Behavior::Ended(End::DoesNotCompile, _) => true,
        Behavior::Ended(End::Raised(class), _) => class.ends_with("SyntaxError"),
        _ => false,
    }
}

fn difference(first: &Behaviors, second: &Behaviors, inputs: &Inputs) -> Option<Difference> {
    let places = 0..first.each.len().max(second.each.len());
    let text = |behaviors: &Behaviors, place: usize| {
        behaviors.each.get(place).map_or("nothing".to_owned(), Behavior::text)
    };
    let is_other = |place: &usize| match (first.each.get(*place), second.each.get(*place)) {
        (Some(one), Some(other)) => one != other && !(one.is_over_a_limit() && other.is_over_a_limit()),
        (one, other) => one.is_some() || other.is_some(),
    };
    if let Some(place) = places.into_iter().find(is_other) {
        let input = match inputs {
            Inputs::Calls(function, calls) => format!("{function}({})", calls[place].join(", ")),
            Inputs::Stdio(inputs) => String::from_utf8_lossy(&inputs[place]).into_owned(),
        };
        return Some(Difference { input, original: text(first, place), candidate: text(second, place) });
    }
    let is_cut = first.each.iter().any(Behavior::is_over_a_limit);
    (first.output != second.output && !is_cut).then(|| Difference {
        input: "standard output of all calls".to_owned(),
        original: String::from_utf8_lossy(&first.output).into_owned(),
        candidate: String::from_utf8_lossy(&second.output).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_programs_that_end_by_a_limit_do_not_differ_by_which() {
        let ended = |end| Behaviors { each: vec![Behavior::Ended(end, b"1\n".to_vec())], output: Vec::new() };
        let inputs = Inputs::Stdio(vec![b"3\n".to_vec()]);
        let differ = |one: End, other: End| difference(&ended(one), &ended(other), &inputs).is_some();
        assert!(!differ(End::Raised("MemoryError".into()), End::TimedOut));
        assert!(!differ(End::TimedOut, End::Killed(SIGKILL)));
        assert!(differ(End::Finished, End::TimedOut));
        assert!(differ(End::Raised("ValueError".into()), End::TimedOut));
    }

    const SIGKILL: i32 = 9;
}
