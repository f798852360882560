//! Runs transformations that are programs: each reads a program from standard input, and prints one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use familiar_sandbox::{End, Job, Limits, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use familiar_source::Language;
use xxhash_rust::xxh3::xxh3_128;

use super::running::{RunOptions, Trouble};
use crate::verify::VerifyError;

/// How long a transformation may take for one program.
const SECONDS: u64 = 5;
/// Bytes of the known results that are kept; more than so many, and all are forgotten.
const MOST_KNOWN: usize = 64 << 20;
/// The tree of what a transformation prints takes no more memory.
const MEMORY: usize = 512 << 20;

type Rewritten = Result<String, Trouble>;

/// Runs transformations in the sandbox, each in a process and a scratch folder of its own.
///
/// The same transformation and the same program give the same result as long as the value lives: it is kept by hash.
#[derive(Debug)]
pub struct Rewriter {
    sandbox: Sandbox,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    results: HashMap<u128, Rewritten>,
    bytes: usize,
}

impl Rewriter {
    /// Fails where this system has no Python, or cannot confine programs and `options` do not accept that.
    pub fn new(options: RunOptions) -> Result<Self, VerifyError> {
        let policy = if options.unsandboxed { Policy::Unsandboxed } else { Policy::Confined };
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let limits = Limits::default().within(Duration::from_secs(SECONDS));
        let sandbox = Sandbox::new(limits, policy)?.at_a_time(threads);
        sandbox.toolchain(Language::Python)?;
        Ok(Self { sandbox, known: Mutex::default() })
    }

    /// What `transformation`, a program in Python, makes of `source`, a program in `language`.
    pub fn rewritten(&self, transformation: &str, language: Language, source: &[u8]) -> Rewritten {
        let key = key(transformation, source);
        if let Some(known) = self.known().results.get(&key) {
            return known.clone();
        }
        let outcome = self.sandbox.run(&Program::python(transformation), &given(source));
        self.keep(key, read(outcome, language, source))
    }

    /// What each of `transformations` makes of each of `sources`: first of all of them the first one's, and so on. Several run at
    /// a time.
    pub fn rewritten_by_all(
        &self,
        transformations: &[&str],
        language: Language,
        sources: &[&[u8]],
    ) -> Vec<Rewritten> {
        let pairs: Vec<(&str, &[u8])> =
            transformations.iter().flat_map(|it| sources.iter().map(move |source| (*it, *source))).collect();
        let keys: Vec<u128> = pairs.iter().map(|(it, source)| key(it, source)).collect();
        let mut results: Vec<Option<Rewritten>> = {
            let known = self.known();
            keys.iter().map(|key| known.results.get(key).cloned()).collect()
        };
        let left: Vec<usize> = (0..pairs.len()).filter(|&at| results[at].is_none()).collect();
        let job = |&at: &usize| Job { program: Program::python(pairs[at].0), test: given(pairs[at].1) };
        let outcomes = self.sandbox.run_all(&left.iter().map(job).collect::<Vec<_>>());
        for (at, outcome) in left.into_iter().zip(outcomes) {
            results[at] = Some(self.keep(keys[at], read(outcome, language, pairs[at].1)));
        }
        results.into_iter().flatten().collect()
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, key: u128, result: Rewritten) -> Rewritten {
        let bytes = 64 + result.as_ref().map_or(0, String::len);
        let mut known = self.known();
        if known.bytes + bytes > MOST_KNOWN {
            *known = Known::default();
        }
        known.bytes += bytes;
        known.results.insert(key, result.clone());
        result
    }
}

fn given(source: &[u8]) -> Test {
    Test::Stdio { input: source.to_vec() }
}

fn key(transformation: &str, source: &[u8]) -> u128 {
    let mut both = Vec::with_capacity(transformation.len() + source.len() + 8);
    both.extend((transformation.len() as u64).to_le_bytes());
    both.extend(transformation.as_bytes());
    both.extend(source);
    xxh3_128(&both)
}

fn read(outcome: Result<Outcome, SandboxError>, language: Language, source: &[u8]) -> Rewritten {
    let outcome = outcome.map_err(|_| Trouble::CannotRun)?;
    match outcome.end {
        End::Finished | End::Exited(0) => {}
        End::TimedOut => return Err(Trouble::TooSlow),
        End::Killed(_) => return Err(Trouble::Killed),
        End::TooMuchOutput | End::TooMuchOnDisk => return Err(Trouble::TooMuch),
        End::Raised(_) | End::Exited(_) | End::DoesNotCompile => return Err(Trouble::Fails),
    }
    let printed = outcome.stdout;
    if printed.trim_ascii().is_empty() {
        return Err(Trouble::PrintsNothing);
    }
    if lines(&printed).eq(lines(source)) {
        return Err(Trouble::PrintsTheSame);
    }
    let text = String::from_utf8(printed).map_err(|_| Trouble::PrintsNoProgram)?;
    familiar_transform::Program::parse(language, text.as_bytes(), MEMORY)
        .map_err(|_| Trouble::PrintsNoProgram)?;
    Ok(text)
}

/// The lines without blanks at their ends, up to the last one that is not blank.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.trim_ascii_end().split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end)
}
