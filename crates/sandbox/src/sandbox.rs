//! A sandbox: servers that wait, and what they are asked.

use crate::Limits;
use crate::cache::{Cache, Key};
use crate::confinement::Confinement;
use crate::error::SandboxError;
use crate::languages::{self, Ready};
use crate::layers::Layers;
use crate::program::{Outcome, Program, Test};
use crate::protocol::Seen;
use crate::python::Server;
use crate::setup::Setup;
use crate::toolchain::{Found, Toolchain};
use familiar_source::Language;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The languages that are run, each where its toolchain is there.
pub const LANGUAGES: [Language; 7] = [
    Language::Python,
    Language::JavaScript,
    Language::C,
    Language::Cpp,
    Language::Java,
    Language::Go,
    Language::CSharp,
];

/// Whether programs may run on a system that cannot confine them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Policy {
    /// They are refused.
    #[default]
    Confined,
    /// All layers that this system and the given ones have in common, of which there must be enough.
    Only(Layers),
    /// They run with the user's own rights. Limits on time and output hold, and those of the kernel as far as they bind the user.
    Unsandboxed,
}

/// One program and its test.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program.
    pub program: Program,
    /// What it is asked to do.
    pub test: Test,
}

/// Runs programs that nobody trusts.
#[derive(Debug)]
pub struct Sandbox {
    setup: Setup,
    /// How many programs run at a time.
    at_a_time: usize,
    /// What was found for each of [`LANGUAGES`].
    toolchains: [OnceLock<Result<Found, String>>; LANGUAGES.len()],
    servers: Mutex<Vec<Server>>,
    cache: Option<Cache>,
}

impl Sandbox {
    /// A sandbox with these limits, in which two programs run at a time.
    ///
    /// Refuses with [`SandboxError::Unconfined`] where the system cannot confine programs, unless the policy accepts that.
    pub fn new(limits: Limits, policy: Policy) -> Result<Self, SandboxError> {
        let system = Confinement::of_this_system();
        let layers = match policy {
            Policy::Confined => system.layers,
            Policy::Only(layers) => system.layers.and(layers),
            Policy::Unsandboxed => Layers::NONE,
        };
        if policy != Policy::Unsandboxed && !layers.suffice() {
            let reason = system.without_namespaces.clone().unwrap_or_default();
            return Err(SandboxError::Unconfined(reason));
        }
        Ok(Self {
            setup: Setup::new(layers, limits)?,
            at_a_time: 2,
            toolchains: Default::default(),
            servers: Mutex::default(),
            cache: None,
        })
    }

    /// Sets how many programs run at a time, at least one.
    pub fn at_a_time(mut self, programs: usize) -> Self {
        self.at_a_time = programs.max(1);
        self
    }

    /// Keeps outcomes in files of `folder`, and takes known ones from there. They hold for the same program, test, toolchain, limits
    /// and layers. A program whose behavior depends on time keeps its first outcome.
    pub fn remember_in(mut self, folder: &Path) -> Self {
        self.cache = Some(Cache::in_folder(folder.to_owned()));
        self
    }

    /// Keeps outcomes as long as the sandbox lives.
    pub fn remember(mut self) -> Self {
        self.cache = Some(Cache::default());
        self
    }

    /// The layers that confine what runs here.
    pub fn layers(&self) -> Layers {
        self.setup.layers
    }

    /// The toolchain of a language, which works inside this sandbox.
    pub fn toolchain(&self, language: Language) -> Result<Toolchain, SandboxError> {
        self.found(language).map(|found| found.toolchain(language))
    }

    /// Runs one program in a process and a scratch folder of its own.
    pub fn run(&self, program: &Program, test: &Test) -> Result<Outcome, SandboxError> {
        let key = self.key(program, test)?;
        if let Some(known) = self.known(key.as_ref()) {
            return Ok(known);
        }
        let outcome = match program.language {
            Language::Python => self.run_python(program, test),
            language => languages::run(&self.setup, self.found(language)?, program, test),
        }?;
        self.keep(key, &outcome);
        Ok(outcome)
    }

    /// Makes one program ready to run on many standard inputs: it is compiled once.
    pub(crate) fn on_inputs<'s>(&'s self, program: &'s Program) -> Result<OnInputs<'s>, SandboxError> {
        let compiled = match program.language {
            Language::Python => Compiled::ByServer,
            language => {
                let test = Test::Stdio { input: Vec::new() };
                match languages::ready(&self.setup, self.found(language)?, program, &test)? {
                    Ok(ready) => Compiled::Ready(ready),
                    Err(outcome) => Compiled::Not(outcome),
                }
            }
        };
        Ok(OnInputs { sandbox: self, program, compiled })
    }

    /// The key of an outcome, where outcomes are kept.
    fn key(&self, program: &Program, test: &Test) -> Result<Option<Key>, SandboxError> {
        if self.cache.is_none() {
            return Ok(None);
        }
        let found = self.found(program.language)?;
        Ok(Some(Cache::key(program, test, found, &self.setup.limits, self.setup.layers)))
    }

    fn known(&self, key: Option<&Key>) -> Option<Outcome> {
        self.cache.as_ref()?.get(key?)
    }

    fn keep(&self, key: Option<Key>, outcome: &Outcome) {
        if let (Some(cache), Some(key)) = (&self.cache, key) {
            cache.put(key, outcome);
        }
    }

    /// Runs each program in a process and a scratch folder of its own. The outcomes are in the order of the jobs. Programs in Java are
    /// compiled several at a time, which saves most of the time that they take.
    pub fn run_all(&self, jobs: &[Job]) -> Vec<Result<Outcome, SandboxError>> {
        let mut units: Vec<Vec<&Job>> = Vec::new();
        let shared = jobs.iter().filter(|job| languages::can_share(job.program.language)).count();
        // As many as there are for each of those that run at a time.
        let size = shared.div_ceil(self.at_a_time).clamp(1, languages::MOST);
        for job in jobs {
            let language = job.program.language;
            let last = units.last_mut().filter(|unit| {
                unit.len() < size && languages::can_share(language) && unit[0].program.language == language
            });
            match last {
                Some(unit) => unit.push(job),
                None => units.push(vec![job]),
            }
        }
        self.each(&units, |unit| self.run_unit(unit)).into_iter().flatten().collect()
    }

    /// Runs programs that are compiled together where there are several, one after the other.
    fn run_unit(&self, unit: &[&Job]) -> Vec<Result<Outcome, SandboxError>> {
        let known = |job: &Job| {
            let key = self.key(&job.program, &job.test).ok()?;
            self.known(key.as_ref())
        };
        let mut outcomes: Vec<_> = unit.iter().map(|job| known(job).map(Ok)).collect();
        let left: Vec<usize> = (0..unit.len()).filter(|place| outcomes[*place].is_none()).collect();
        let programs: Vec<_> = left.iter().map(|place| (&unit[*place].program, &unit[*place].test)).collect();
        let ready = match programs.first() {
            Some((program, _)) if programs.len() > 1 => self
                .found(program.language)
                .and_then(|found| languages::ready_together(&self.setup, found, &programs))
                .unwrap_or_default(),
            _ => Vec::new(),
        };
        let mut ready = ready.into_iter();
        for place in left {
            let Job { program, test } = unit[place];
            outcomes[place] = Some(match ready.next().flatten() {
                Some(ready) => self.run_ready(&ready, program, test),
                None => self.run(program, test),
            });
        }
        outcomes.into_iter().flatten().collect()
    }

    fn run_ready(&self, ready: &Ready<'_>, program: &Program, test: &Test) -> Result<Outcome, SandboxError> {
        let input: &[u8] = if let Test::Stdio { input } = test { input } else { &[] };
        let outcome = ready.run(input)?;
        self.keep(self.key(program, test)?, &outcome);
        Ok(outcome)
    }

    /// Runs programs that trust one another, such as those that our own transformations made: up to `size` in Python share a
    /// process. If one of them does not come to its end, all of its group run again, each by itself.
    pub fn run_groups(&self, jobs: &[Job], size: usize) -> Vec<Result<Outcome, SandboxError>> {
        let groups: Vec<&[Job]> = jobs.chunks(size.max(1)).collect();
        self.each(&groups, |group| match self.run_group(group) {
            Some(outcomes) => outcomes.into_iter().map(Ok).collect(),
            None => group.iter().map(|job| self.run(&job.program, &job.test)).collect::<Vec<_>>(),
        })
        .into_iter()
        .flatten()
        .collect()
    }

    fn run_group(&self, group: &[Job]) -> Option<Vec<Outcome>> {
        let shareable =
            |job: &Job| job.program.language == Language::Python && !matches!(job.test, Test::Stdio { .. });
        if group.len() < 2 || !group.iter().all(shareable) {
            return None;
        }
        let keys: Result<Vec<_>, _> = group.iter().map(|job| self.key(&job.program, &job.test)).collect();
        let keys = keys.ok()?;
        let known: Vec<_> = keys.iter().map(|key| self.known(key.as_ref())).collect();
        let left: Vec<usize> = (0..group.len()).filter(|place| known[*place].is_none()).collect();
        let mut outcomes = known;
        if !left.is_empty() {
            let jobs: Vec<_> =
                left.iter().map(|place| (&group[*place].program, &group[*place].test)).collect();
            let mut server = self.server().ok()?;
            let seen = server.ask(&jobs).ok()?;
            self.give_back(server);
            // A single one that had the process for itself says how it ended in another way.
            let new = if jobs.len() == 1 { vec![seen.outcome()] } else { seen.outcomes(jobs.len())? };
            for (place, outcome) in left.into_iter().zip(new) {
                self.keep(keys[place], &outcome);
                outcomes[place] = Some(outcome);
            }
        }
        outcomes.into_iter().collect()
    }

    /// What `run` gives for each of `things`, in their order, several at a time.
    pub(crate) fn each<T: Sync, R: Send>(&self, things: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some((place, thing)) = {
                let place = next.fetch_add(1, Ordering::Relaxed);
                things.get(place).map(|thing| (place, thing))
            } {
                done.push((place, run(thing)));
            }
            done
        };
        let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.at_a_time.min(things.len())).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, result)| result).collect()
    }

    fn run_python(&self, program: &Program, test: &Test) -> Result<Outcome, SandboxError> {
        let mut again = true;
        loop {
            let mut server = self.server()?;
            match server.ask(&[(program, test)]) {
                Ok(seen) => {
                    self.give_back(server);
                    return Ok(seen.outcome());
                }
                // A program may have cost the server its life, by memory for instance. If it does so twice, it is told.
                Err(_) if again => again = false,
                Err(error) => return Err(error),
            }
        }
    }

    /// The first toolchain of the language that runs an empty program in here.
    fn found(&self, language: Language) -> Result<&Found, SandboxError> {
        let Some(place) = LANGUAGES.iter().position(|known| *known == language) else {
            return Err(no_toolchain(language, "this language is not run"));
        };
        let find = || {
            let mut reason =
                format!("{} is not in PATH", languages::command_of(language).unwrap_or_default());
            for candidate in languages::candidates(language, &self.setup) {
                match self.works(language, &candidate) {
                    Ok(()) => return Ok(candidate),
                    Err(why) => {
                        reason = format!(
                            "{} does not run inside the sandbox: {why}",
                            candidate.executable.display()
                        );
                    }
                }
            }
            Err(reason)
        };
        let found = self.toolchains[place].get_or_init(find);
        found.as_ref().map_err(|reason| no_toolchain(language, reason))
    }

    /// Runs an empty program. If that does not work, gives what was said.
    fn works(&self, language: Language, found: &Found) -> Result<(), String> {
        let program = languages::empty(language);
        let test = Test::Stdio { input: Vec::new() };
        let outcome = match language {
            Language::Python => Server::start(&self.setup, found)
                .and_then(|mut server| server.ask(&[(&program, &test)]).map(Seen::outcome)),
            _ => languages::run(&self.setup, found, &program, &test),
        };
        match outcome {
            Ok(outcome) if outcome.passed() => Ok(()),
            Ok(outcome) => {
                let said =
                    String::from_utf8_lossy(&outcome.stderr[..outcome.stderr.len().min(500)]).into_owned();
                Err(format!("{:?} {}", outcome.end, said.trim()))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// A server that is free, or a new one.
    fn server(&self) -> Result<Server, SandboxError> {
        let free = self.free().pop();
        match free {
            Some(server) => Ok(server),
            None => Server::start(&self.setup, self.found(Language::Python)?),
        }
    }

    fn give_back(&self, server: Server) {
        let mut free = self.free();
        if free.len() < self.at_a_time {
            free.push(server);
        }
    }

    fn free(&self) -> MutexGuard<'_, Vec<Server>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One program that runs on many standard inputs.
pub(crate) struct OnInputs<'s> {
    sandbox: &'s Sandbox,
    program: &'s Program,
    compiled: Compiled<'s>,
}

enum Compiled<'s> {
    /// A server runs it.
    ByServer,
    Ready(Ready<'s>),
    /// It cannot be compiled.
    Not(Outcome),
}

impl OnInputs<'_> {
    /// Runs it once, in a process and a scratch folder of its own.
    pub(crate) fn run(&self, input: &[u8]) -> Result<Outcome, SandboxError> {
        let test = Test::Stdio { input: input.to_vec() };
        let key = self.sandbox.key(self.program, &test)?;
        if let Some(known) = self.sandbox.known(key.as_ref()) {
            return Ok(known);
        }
        let outcome = match &self.compiled {
            Compiled::ByServer => self.sandbox.run_python(self.program, &test)?,
            Compiled::Ready(ready) => ready.run(input)?,
            Compiled::Not(outcome) => outcome.clone(),
        };
        self.sandbox.keep(key, &outcome);
        Ok(outcome)
    }
}

fn no_toolchain(language: Language, reason: &str) -> SandboxError {
    SandboxError::NoToolchain { language: language.name(), reason: reason.to_owned() }
}
