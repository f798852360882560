//! Java programs that are compiled by one start of the compiler.
//!
//! Starting `javac` takes several times longer than compiling a short program. A compiler does not run what it compiles, so programs
//! that do not trust each other can share it. Each of them is compiled by itself in a folder of its own, which alone it sees when it
//! runs, in a process of its own. What does not compile here is compiled alone, so that its end is told as it always is.

use super::plan::Task;
use super::{Ready, for_compilers, java, mark, write};
use crate::error::SandboxError;
use crate::process::{self, Start};
use crate::program::{Program, Test};
use crate::setup::{Needs, Setup};
use crate::toolchain::Found;
use familiar_source::Language;
use std::sync::Arc;

/// Most programs of one start.
pub(crate) const MOST: usize = 16;

/// Whether programs of a language can be compiled together.
pub(crate) fn can_share(language: Language) -> bool {
    language == Language::Java
}

/// Each program ready to run, or `None` for those that were not compiled.
pub(crate) fn ready_together<'s>(
    setup: &'s Setup,
    found: &Found,
    programs: &[(&Program, &Test)],
) -> Result<Vec<Option<Ready<'s>>>, SandboxError> {
    let cell = setup.cell()?;
    let work = Arc::new(setup.work(&cell)?);
    let mut all = Vec::with_capacity(programs.len());
    for (number, (program, test)) in programs.iter().enumerate() {
        let mark = mark();
        let folder = work.inside(&format!("{number}"), &cell).map_err(SandboxError::Folder)?;
        let task = Task { program, test, mark: &mark, folder: &folder, found, limits: setup.limits };
        let plan = super::plan(&task);
        write(&folder, &plan.files)?;
        let mut readable = found.folders.clone();
        readable.push(folder);
        all.push(Ready { setup, language: program.language, mark, plan, readable, _work: Arc::clone(&work) });
    }
    let folders = all.iter().filter_map(|ready| ready.readable.last().cloned()).collect::<Vec<_>>();
    let compiler = java::compiler(found, &work.path, &folders);
    write(&work.path, &compiler.files)?;
    let mut readable = found.folders.clone();
    readable.push(work.path.clone());
    let start = Start {
        command: &compiler.run,
        input: &[],
        readable: &readable,
        written: Some(&work.path),
        libraries: compiler.libraries.as_deref(),
        needs: Needs { threads: 64, memory: 0, addresses: 64 << 30, maps: false },
        limits: for_compilers(setup.limits),
    };
    let seen = process::run(setup, &cell, &start)?;
    // Where the compiler was ended, what it had said by then is right.
    let said = String::from_utf8_lossy(&seen.stdout).into_owned();
    let compiled = |folder: &std::path::Path| said.lines().any(|line| folder.to_str() == Some(line));
    Ok(all.into_iter().zip(&folders).map(|(ready, folder)| compiled(folder).then_some(ready)).collect())
}
