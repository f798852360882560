//! Runs in the sandbox.

use std::time::Duration;

use familiar_corpus::RowTests;
use familiar_sandbox::{
    Agreement, Inputs, Job, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test, calls,
    standard_inputs,
};

use super::inputs::{Way, way};
use super::verdict::{Subject, Verdict, Verified, VerifyError, VerifyOptions};

/// Seconds that a program may run. It has twice the time of its source.
const SOURCE_SECONDS: u64 = 5;
const VARIANT_SECONDS: u64 = 10;
/// Programs that share a process at most.
const GROUP: usize = 16;
/// Inputs that are made up for one function or program.
const MOST_INPUTS: usize = 24;
/// Mutants of a source that show how much the inputs see.
const MOST_MUTANTS: usize = 8;

/// Runs rewritten programs beside their sources.
#[derive(Debug)]
pub struct Verifier {
    sources: Sandbox,
    variants: Sandbox,
    apart: bool,
    seed: u64,
    threads: usize,
}

impl Verifier {
    /// A verifier. Fails where this system cannot confine programs and `options` do not accept that.
    pub fn new(options: &VerifyOptions) -> Result<Self, VerifyError> {
        let policy = if options.unsandboxed { Policy::Unsandboxed } else { Policy::Confined };
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let sandbox = |seconds| {
            let limits = Limits::default().within(Duration::from_secs(seconds));
            Sandbox::new(limits, policy).map(|it| it.at_a_time(threads))
        };
        let (sources, variants) =
            (sandbox(SOURCE_SECONDS)?, sandbox(options.seconds.unwrap_or(VARIANT_SECONDS))?);
        Ok(Self { sources, variants, apart: options.apart, seed: options.seed, threads })
    }

    /// What is known of each of `variants` of `source`, in their order.
    pub fn verify(&self, source: &Subject<'_>, variants: &[&[u8]]) -> Vec<Verdict> {
        let all = |verdict: Verdict| vec![verdict; variants.len()];
        let Ok(original) = program(source, source.code) else { return all(not_text()) };
        let verdicts = match source.tests.and_then(|tests| tests.asserts.clone()) {
            Some(code) => self.by_test(source, &original, &Test::Asserts { code }, variants),
            None => self.by_inputs(source, &original, variants),
        };
        verdicts.unwrap_or_else(|error| all(Verdict::not_run(error.to_string())))
    }

    fn by_test(
        &self,
        source: &Subject<'_>,
        original: &Program,
        test: &Test,
        variants: &[&[u8]],
    ) -> Result<Vec<Verdict>, SandboxError> {
        let outcome = self.sources.run(original, test)?;
        if !outcome.passed() {
            let reason = format!("the source does not pass its own test: {}", ended(&outcome));
            return Ok(vec![Verdict::not_run(reason); variants.len()]);
        }
        let candidates: Result<Vec<Program>, _> = variants.iter().map(|code| program(source, code)).collect();
        let Ok(candidates) = candidates else { return Ok(vec![not_text(); variants.len()]) };
        let jobs: Vec<Job> =
            candidates.into_iter().map(|program| Job { program, test: test.clone() }).collect();
        let outcomes = if self.apart {
            self.variants.run_all(&jobs)
        } else {
            // They come from one source and from our own transformations, so they may share a process.
            let size = jobs.len().div_ceil(self.threads).clamp(1, GROUP);
            self.variants.run_groups(&jobs, size)
        };
        Ok(outcomes.into_iter().map(|outcome| tested(test, outcome)).collect())
    }

    fn by_inputs(
        &self,
        source: &Subject<'_>,
        original: &Program,
        variants: &[&[u8]],
    ) -> Result<Vec<Verdict>, SandboxError> {
        let candidates: Result<Vec<Program>, _> = variants.iter().map(|code| program(source, code)).collect();
        let Ok(candidates) = candidates else { return Ok(vec![not_text(); variants.len()]) };
        let inputs = self.inputs(source, original);
        let mut verdicts = vec![Verdict::of(Verified::NoTests); variants.len()];
        for inputs in &inputs {
            let agreements = self.variants.compare_all(original, &candidates, inputs, MOST_MUTANTS)?;
            let failed = |it: &Agreement| it.verdict == familiar_sandbox::Verdict::Failed;
            if agreements.iter().any(failed) && failed(&self.variants.compare(original, original, inputs, 0)?)
            {
                let reason = "the source does not behave alike when it runs twice";
                return Ok(vec![Verdict::not_run(reason); variants.len()]);
            }
            for (verdict, agreement) in verdicts.iter_mut().zip(agreements) {
                add(verdict, &agreement);
            }
        }
        Ok(verdicts)
    }

    /// Nothing where no input can be made up.
    fn inputs(&self, source: &Subject<'_>, original: &Program) -> Vec<Inputs> {
        let none = RowTests::default();
        let tests = source.tests.unwrap_or(&none);
        let way = match &tests.function {
            Some(function) => Some(Way::Calls(vec![function.clone()])),
            None if !tests.inputs.is_empty() => Some(Way::Stdio),
            None => way(source.language, &original.text),
        };
        match way {
            None => Vec::new(),
            Some(Way::Stdio) => {
                let samples: Vec<Vec<u8>> = tests.inputs.iter().map(|it| it.clone().into_bytes()).collect();
                vec![Inputs::Stdio(standard_inputs(original, &samples, self.seed, MOST_INPUTS))]
            }
            Some(Way::Calls(functions)) => {
                let inputs = functions.into_iter().map(|function| {
                    let calls = calls(original, &function, &original.text, self.seed, MOST_INPUTS);
                    Inputs::Calls(function, calls)
                });
                inputs.filter(|it| !matches!(it, Inputs::Calls(_, calls) if calls.is_empty())).collect()
            }
        }
    }
}

fn program(source: &Subject<'_>, code: &[u8]) -> Result<Program, std::str::Utf8Error> {
    let text = std::str::from_utf8(code)?.to_owned();
    Ok(Program { language: source.language, text })
}

fn not_text() -> Verdict {
    Verdict::not_run("it is not UTF-8")
}

fn tested(test: &Test, outcome: Result<Outcome, SandboxError>) -> Verdict {
    match outcome {
        Ok(outcome) if outcome.passed() => Verdict::of(Verified::Passed),
        Ok(outcome) => {
            let kind = if matches!(test, Test::Asserts { .. }) { "the test" } else { "it" };
            let reason = Some(format!("{kind} ended otherwise: {}", ended(&outcome)));
            Verdict { verified: Verified::Failed, reason, ..Verdict::default() }
        }
        Err(error) => Verdict::not_run(error.to_string()),
    }
}

/// How a run ended, with the last line that it wrote to standard error.
fn ended(outcome: &Outcome) -> String {
    let said = String::from_utf8_lossy(&outcome.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    format!("{:?} {last}", outcome.end).trim_end().to_owned()
}

/// Adds what one function says: the worst answer counts.
fn add(verdict: &mut Verdict, agreement: &Agreement) {
    let verified = match agreement.verdict {
        familiar_sandbox::Verdict::Agreed => Verified::Agreed,
        familiar_sandbox::Verdict::WeaklyAgreed => Verified::WeaklyAgreed,
        familiar_sandbox::Verdict::Failed => Verified::Failed,
    };
    let before = if verdict.verified == Verified::NoTests { Verified::Agreed } else { verdict.verified };
    verdict.verified = before.max(verified);
    let evidence = verdict.evidence.get_or_insert_default();
    evidence.inputs += agreement.inputs;
    evidence.normal += agreement.normal;
    evidence.results += agreement.results;
    evidence.mutants += agreement.mutants;
    evidence.detected += agreement.detected;
    if let Some(difference) = &agreement.difference {
        verdict.reason.get_or_insert_with(|| {
            format!(
                "on {} the source gives {} and this {}",
                difference.input, difference.original, difference.candidate
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use familiar_sandbox::Verdict as Compared;

    use super::*;
    use crate::verify::Evidence;

    #[test]
    fn the_functions_of_a_program_are_counted_together_and_the_worst_answer_counts() {
        let of = |verdict| Agreement {
            verdict,
            inputs: 7,
            normal: 5,
            results: 4,
            mutants: 3,
            detected: 2,
            difference: None,
        };
        let mut verdict = Verdict::of(Verified::NoTests);
        for (compared, expected) in [
            (Compared::Agreed, Verified::Agreed),
            (Compared::WeaklyAgreed, Verified::WeaklyAgreed),
            (Compared::Agreed, Verified::WeaklyAgreed),
        ] {
            add(&mut verdict, &of(compared));
            assert_eq!(verdict.verified, expected);
        }
        let evidence = Evidence { inputs: 21, normal: 15, results: 12, mutants: 9, detected: 6 };
        assert_eq!(verdict.evidence, Some(evidence));
    }
}
