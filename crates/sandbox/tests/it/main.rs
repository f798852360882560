//! The sandbox from outside: what programs can do in it, and what they cannot.
#![cfg(target_os = "linux")]

mod agreement;
mod escapes;
mod killed;
mod languages;
mod python;
mod together;
mod values;

use familiar_sandbox::{End, Layers, Limits, Outcome, Policy, Program, Sandbox, Test};
use std::time::Duration;

/// Small limits, so that attacks end soon.
fn small() -> Limits {
    Limits { memory: 256 << 20, ..Limits::default().within(Duration::from_secs(2)) }
}

/// A sandbox with these limits and what this system has; none where the system has too little.
fn sandbox(limits: Limits) -> Sandbox {
    Sandbox::new(limits, Policy::Confined).expect("this system confines programs")
}

/// The combinations of layers that confine, as far as this system has them.
fn combinations() -> Vec<(&'static str, Layers)> {
    let has = familiar_sandbox::Confinement::of_this_system().layers;
    [
        ("all layers", Layers::ALL),
        ("without namespaces", Layers { namespaces: false, ..Layers::ALL }),
        ("without Landlock", Layers { landlock: false, ..Layers::ALL }),
    ]
    .into_iter()
    .filter(|(_, layers)| layers.and(has).suffice())
    .collect()
}

/// Runs a program in Python with nothing on its standard input.
fn run(sandbox: &Sandbox, text: &str) -> Outcome {
    sandbox.run(&Program::python(text), &Test::Stdio { input: Vec::new() }).expect("the program runs")
}

/// What a program in Python wrote to standard output. It must come to its end.
fn printed(sandbox: &Sandbox, text: &str) -> String {
    let outcome = run(sandbox, text);
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert_eq!(outcome.end, End::Finished, "{text}\n{said}");
    String::from_utf8_lossy(&outcome.stdout).trim().to_owned()
}
