//! Attacks: each is a program in Python, and what must hold when it runs. All of them run in every combination of layers that
//! confines.

mod attacks;

use crate::{combinations, small};
use attacks::{ATTACKS, Holds, PRELUDE};
use familiar_sandbox::{End, Outcome, Policy, Program, Sandbox, SandboxError, Test};
use std::collections::BTreeSet;

#[test]
#[ignore = "long"]
fn no_attack_succeeds() {
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = combinations()
            .into_iter()
            .map(|(name, layers)| {
                scope.spawn(move || {
                    let sandbox = Sandbox::new(small(), Policy::Only(layers)).expect("enough layers");
                    assert_eq!(sandbox.layers(), layers, "{name}");
                    tried(&sandbox)
                        .into_iter()
                        .map(|failure| format!("{name}: {failure}"))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What went wrong: attacks that succeeded, and harm that they left behind.
fn tried(sandbox: &Sandbox) -> Vec<String> {
    let secrets = tempfile::tempdir().expect("a folder");
    let secret = secrets.path().join("secret");
    std::fs::write(&secret, "top secret").expect("a file");
    let own = std::process::id().to_string();
    // Runs at the same time do not see each other's processes.
    let number =
        format!("9{own}{}{}", u8::from(sandbox.layers().namespaces), u8::from(sandbox.layers().landlock));
    let mut failures = Vec::new();
    for attack in ATTACKS {
        let text = format!("{PRELUDE}\n{}", attack.program)
            .replace("SECRET", &secret.display().to_string())
            .replace("OUTSIDE", &secrets.path().display().to_string())
            .replace("NUMBER", &number)
            .replace("FAMILIAR", &own);
        let program = Program::python(text);
        let outcome = match on_a_busy_machine(&attack.holds, || run(sandbox, &program)) {
            Ok(outcome) => outcome,
            Err(error) => {
                failures.push(format!("{}: {error}", attack.name));
                continue;
            }
        };
        if !holds(&attack.holds, &outcome) {
            let [out, err] = [&outcome.stdout, &outcome.stderr]
                .map(|bytes| String::from_utf8_lossy(&bytes[..bytes.len().min(1500)]).into_owned());
            failures.push(format!("{}: {:?}\n{out}\n{err}", attack.name, outcome.end));
        }
        if left_over(&number) {
            failures.push(format!("{}: a process lives on", attack.name));
        }
        let listed: Vec<_> = std::fs::read_dir(secrets.path()).expect("a folder").collect();
        if listed.len() != 1 || std::fs::read_to_string(&secret).ok().as_deref() != Some("top secret") {
            failures.push(format!("{}: what lies outside has changed", attack.name));
        }
        let next = Program::python("print(sum(range(10)))");
        let runs = on_a_busy_machine(&Holds::Refused, || run(sandbox, &next));
        if !runs.is_ok_and(|outcome| outcome.end == End::Finished && outcome.stdout.trim_ascii() == b"45") {
            failures.push(format!("{}: the next program does not run as it should", attack.name));
        }
    }
    failures
}

fn run(sandbox: &Sandbox, program: &Program) -> Result<Outcome, SandboxError> {
    sandbox.run(program, &Test::Stdio { input: Vec::new() })
}

/// Runs a program that must come to its end until it does: other attacks run at the same time, and may take all of its two seconds.
fn on_a_busy_machine(
    holds: &Holds,
    run: impl Fn() -> Result<Outcome, SandboxError>,
) -> Result<Outcome, SandboxError> {
    let timed_out = |it: &Result<Outcome, SandboxError>| it.as_ref().is_ok_and(|it| it.end == End::TimedOut);
    let mut outcome = run();
    for _ in 0..9 {
        if !(matches!(holds, Holds::Refused) && timed_out(&outcome)) {
            break;
        }
        outcome = run();
    }
    outcome
}

fn holds(what: &Holds, outcome: &Outcome) -> bool {
    let out = String::from_utf8_lossy(&outcome.stdout);
    match what {
        Holds::Refused => {
            outcome.end == End::Finished && !out.is_empty() && out.lines().all(|line| line == "refused")
        }
        Holds::Ends(ends) => {
            ends.contains(&format!("{:?}", outcome.end).as_str()) && !out.contains("escaped")
        }
        Holds::Bounded => !out.contains("escaped"),
    }
}

/// Whether a process of an attack lives, told by its name.
fn left_over(number: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok()).any(|line| {
        let line = String::from_utf8_lossy(&line).into_owned();
        line.starts_with("sleep") && line.contains(number)
    })
}

#[test]
fn there_are_forty_attacks_and_each_has_a_name() {
    let names: BTreeSet<&str> = ATTACKS.iter().map(|attack| attack.name).collect();
    assert_eq!(names.len(), ATTACKS.len());
    assert!(names.len() >= 40, "{}", names.len());
}
