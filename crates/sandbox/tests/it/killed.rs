//! What is left when the process that asks is killed.

use crate::{sandbox, small};
use familiar_sandbox::{Language, Limits, Program, Test};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names the program that the killed process runs.
const PROGRAM: &str = "FAMILIAR_SANDBOX_KILLED";

/// Not a test by itself: the test below starts it in a process of its own, says the language, and kills that process.
#[test]
fn runs_without_end() {
    let Ok(language) = std::env::var(PROGRAM) else { return };
    let language = Language::from_name(&language).expect("a language");
    let number = std::process::id();
    let text = match language {
        Language::Python => format!("import os, time\nos.system('sleep 7{number} & sleep 7{number}')"),
        _ => format!("require('child_process').execSync('sleep 7{number} & sleep 7{number}')"),
    };
    let limits = Limits { processes: 32, ..small().within(Duration::from_secs(600)) };
    let program = Program { language, text };
    let outcome = sandbox(limits).run(&program, &Test::Stdio { input: Vec::new() });
    panic!("it ended: {outcome:?}");
}

#[test]
fn nothing_lives_on_when_the_one_that_asks_is_killed() {
    for language in [Language::Python, Language::JavaScript] {
        if sandbox(small()).toolchain(language).is_err() {
            continue;
        }
        let own = std::env::current_exe().expect("this test");
        let mut command = Command::new(own);
        command.args(["--exact", "killed::runs_without_end"]).env(PROGRAM, language.name());
        let mut asking = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let name = format!("sleep\u{0}7{}", asking.id());
        assert!(within_a_minute(|| alive(&name) == 2), "{language:?}: the program starts two processes");
        asking.kill().expect("it is killed");
        asking.wait().expect("it ends");
        assert!(within_a_minute(|| alive(&name) == 0), "{language:?}: something lives on");
    }
}

/// How many processes have a command that begins so.
fn alive(name: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.starts_with(name.as_bytes())).count()
}

fn within_a_minute(holds: impl Fn() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}
