//! How programs of each language are put together with their tests, compiled and run.
//!
//! One file for each language. All of them make a [`Plan`]: files, commands that compile, and a command that runs. What stands
//! around a program (its *frame*) reports on standard error, in lines that begin with a mark. The mark differs from run to run.
//! `together` starts a compiler once for several programs.

mod c;
mod csharp;
mod go;
mod java;
mod java_pieces;
mod javascript;
mod plan;
mod together;

use crate::Limits;
use crate::error::SandboxError;
use crate::process::{self, Start};
use crate::program::{End, Outcome, Program, Test};
use crate::protocol::Seen;
use crate::setup::{Needs, Setup, Work};
use crate::toolchain::Found;
use familiar_source::Language;
use plan::{Plan, Task};
use std::fs::File;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
pub(crate) use together::{MOST, can_share, ready_together};

/// Toolchains of a language that may work, the first first.
pub(crate) fn candidates(language: Language, setup: &Setup) -> Vec<Found> {
    match language {
        Language::Python => crate::toolchain::pythons(),
        Language::JavaScript => javascript::candidates(),
        Language::C => c::candidates("cc"),
        Language::Cpp => c::candidates("c++"),
        Language::Java => java::candidates(),
        Language::CSharp => csharp::candidates(),
        Language::Go => go::candidates(setup),
        _ => Vec::new(),
    }
}

/// The name of the command that is looked for.
pub(crate) fn command_of(language: Language) -> Option<&'static str> {
    match language {
        Language::Python => Some("python3 of version 3.9 or later"),
        Language::JavaScript => Some("node"),
        Language::C => Some("cc"),
        Language::Cpp => Some("c++"),
        Language::Java => Some("javac with java"),
        Language::CSharp => Some("mono with mcs"),
        Language::Go => Some("go"),
        _ => None,
    }
}

/// A program that does nothing, to try a toolchain with.
pub(crate) fn empty(language: Language) -> Program {
    let text = match language {
        Language::C | Language::Cpp => "int main(void) { return 0; }",
        Language::Java => "class Main { public static void main(String[] args) { } }",
        Language::CSharp => "class Program { static void Main() { } }",
        Language::Go => "package main\nfunc main() { }",
        _ => "",
    };
    Program { language, text: text.to_owned() }
}

fn plan(task: &Task<'_>) -> Plan {
    match task.program.language {
        Language::C => c::plan(task, false),
        Language::Cpp => c::plan(task, true),
        Language::Java => java::plan(task),
        Language::CSharp => csharp::plan(task),
        Language::Go => go::plan(task),
        _ => javascript::plan(task),
    }
}

/// Compiling takes more than most programs.
fn for_compilers(limits: Limits) -> Limits {
    let wall = limits.wall.max(Duration::from_secs(60));
    let (memory, file) = (limits.memory.max(2 << 30), limits.file.max(256 << 20));
    Limits { memory, file, processes: 64, scratch: limits.scratch.max(512 << 20), ..limits.within(wall) }
}

/// A program that is ready to run. It stands in a folder of its own, which goes with it.
pub(crate) struct Ready<'s> {
    setup: &'s Setup,
    language: Language,
    mark: String,
    plan: Plan,
    /// What programs may read: the toolchain, and the folder.
    readable: Vec<PathBuf>,
    /// The folder, or one that holds it.
    _work: Arc<Work>,
}

/// Compiles and runs a program with its test.
pub(crate) fn run(
    setup: &Setup,
    found: &Found,
    program: &Program,
    test: &Test,
) -> Result<Outcome, SandboxError> {
    let input: &[u8] = if let Test::Stdio { input } = test { input } else { &[] };
    match ready(setup, found, program, test)? {
        Ok(ready) => ready.run(input),
        Err(outcome) => Ok(outcome),
    }
}

/// Compiles a program with its test; tells how that ended where it cannot be compiled.
pub(crate) fn ready<'s>(
    setup: &'s Setup,
    found: &Found,
    program: &Program,
    test: &Test,
) -> Result<Result<Ready<'s>, Outcome>, SandboxError> {
    let mark = mark();
    let cell = setup.cell()?;
    let work = setup.work(&cell)?;
    let task = Task { program, test, mark: &mark, folder: &work.path, found, limits: setup.limits };
    let plan = plan(&task);
    write(&work.path, &plan.files)?;
    let mut readable = found.folders.clone();
    readable.push(work.path.clone());
    for command in &plan.compile {
        let start = Start {
            command,
            input: &[],
            readable: &readable,
            written: Some(&work.path),
            libraries: plan.libraries.as_deref(),
            needs: Needs { threads: 64, memory: 0, addresses: 64 << 30, maps: plan.needs.maps },
            limits: for_compilers(setup.limits),
        };
        let seen = process::run(setup, &cell, &start)?;
        if seen.status != 0 || seen.over.is_some() {
            let end = End::DoesNotCompile;
            let stderr = [seen.stderr, seen.stdout].concat();
            return Ok(Err(Outcome { end, stdout: Vec::new(), stderr, calls: Vec::new(), covered: None }));
        }
    }
    make_executable(&work);
    Ok(Ok(Ready { setup, language: program.language, mark, plan, readable, _work: Arc::new(work) }))
}

/// Writes files that everybody may read.
fn write(folder: &Path, files: &[(&'static str, String)]) -> Result<(), SandboxError> {
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::write(&path, content).map_err(SandboxError::Folder)?;
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).map_err(SandboxError::Folder)?;
    }
    Ok(())
}

impl Ready<'_> {
    /// Runs it once, in a new process and a new scratch folder.
    pub(crate) fn run(&self, input: &[u8]) -> Result<Outcome, SandboxError> {
        let cell = self.setup.cell()?;
        let start = Start {
            command: &self.plan.run,
            input,
            readable: &self.readable,
            written: None,
            libraries: self.plan.libraries.as_deref(),
            needs: self.plan.needs,
            limits: self.setup.limits,
        };
        let seen = process::run(self.setup, &cell, &start)?;
        let mut outcome = split(seen, &self.mark).outcome();
        if let End::Exited(code) = outcome.end {
            outcome.end = class_by_words(self.language, code, &outcome.stderr).unwrap_or(outcome.end);
        }
        Ok(outcome)
    }
}

/// What a runtime says when it ends a program by itself.
fn class_by_words(language: Language, code: i32, stderr: &[u8]) -> Option<End> {
    let words = String::from_utf8_lossy(stderr);
    let class = match (language, code) {
        (Language::Go, 2) => go::class(&words)?,
        (Language::JavaScript, _) => javascript::class(&words)?,
        _ => return None,
    };
    Some(End::Raised(class))
}

/// Where modes cannot be changed inside, the linker could not do this.
fn make_executable(work: &Work) {
    let mut options = File::options();
    let opened =
        options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(work.path.join("program"));
    if let Ok(file) = opened {
        let _ = file.set_permissions(PermissionsExt::from_mode(0o755));
    }
}

/// Takes what the frame reported out of standard error.
fn split(mut seen: Seen, mark: &str) -> Seen {
    let mut rest = Vec::new();
    for line in seen.stderr.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(mark.as_bytes()) {
            Some(said) => seen.said.extend(said),
            None => rest.extend(line),
        }
    }
    seen.stderr = rest;
    seen
}

/// A word that a program does not write by chance.
fn mark() -> String {
    use sha2::{Digest, Sha256};
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seed = format!("{} {run} {}", std::process::id(), time.as_nanos());
    let hash = Sha256::digest(seed.as_bytes());
    let number = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("#{number:016x}#")
}
