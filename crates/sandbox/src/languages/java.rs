//! Java, compiled by `javac` and run by `java`.

use super::plan::{Plan, Task, by_version};
use crate::program::{Call, Test};
use crate::setup::Needs;
use crate::toolchain::Found;
use crate::words::{find_head, find_word, has_word};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// So many calls stand in one method.
const LINES_OF_A_METHOD: usize = 200;
const FRAME: &str = include_str!("Frame.java");
const COMPILE: &str = include_str!("Compile.java");
/// Flags of a machine that lives shortly.
const QUICK: [&str; 4] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"];

pub(super) fn candidates() -> Vec<Found> {
    let folders = |path: &std::path::Path| {
        let home = path.parent().and_then(std::path::Path::parent);
        let mut folders: Vec<_> = home.map(std::path::Path::to_owned).into_iter().collect();
        // Debian keeps settings of each version here.
        let etc = std::fs::read_dir("/etc").into_iter().flatten().flatten();
        let settings = etc.filter(|entry| entry.file_name().to_string_lossy().starts_with("java-"));
        folders.extend(settings.map(|entry| entry.path()));
        folders.sort();
        folders
    };
    let compilers = by_version("javac", "-version", folders);
    compilers.into_iter().filter(|found| found.executable.with_file_name("java").is_file()).collect()
}

pub(super) fn plan(task: &Task<'_>) -> Plan {
    let text = &task.program.text;
    let (test, inputs) = match task.test {
        Test::Asserts { code } => (code.as_str(), String::new()),
        Test::Calls { function, inputs } => ("", calls(text, function, inputs)),
        Test::Values { calls, patience, .. } => ("", values(calls, *patience)),
        Test::Stdio { .. } => ("", String::new()),
    };
    let start = if inputs.is_empty() { main_class(test).or_else(|| main_class(text)) } else { None };
    let whole = joined(text, test);
    let has_calls = if inputs.is_empty() { "false" } else { "true" };
    let frame = FRAME.replace("@MARK@", task.mark).replace("@MAIN@", start.unwrap_or("Main"));
    let (inputs, parts) = parted(&inputs);
    let frame = frame.replace("@HAS@", has_calls).replace("@CALLS@", &inputs).replace("@PARTS@", &parts);
    let java = task.found.executable.with_file_name("java");
    let memory = (task.limits.memory >> 20).max(32);
    let mut compile: Vec<OsString> = vec![task.found.executable.clone().into()];
    compile.extend(QUICK.map(|flag| OsString::from(format!("-J{flag}"))));
    compile.extend(["-J-Xmx512m", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"].map(OsString::from));
    compile.extend([task.folder.into(), task.file("Program.java"), task.file("FamiliarFrame.java")]);
    let mut run: Vec<OsString> = vec![java.into()];
    run.extend(QUICK.map(OsString::from));
    run.extend([format!("-Xmx{memory}m").into(), "-XX:CompressedClassSpaceSize=64m".into(), "-ea".into()]);
    run.extend(["-cp".into(), task.folder.into(), "FamiliarFrame".into()]);
    Plan {
        files: vec![("Program.java", whole), ("FamiliarFrame.java", frame)],
        compile: vec![compile],
        libraries: libraries_of(task.found),
        run,
        needs: Needs { threads: 48, memory: 512 << 20, addresses: 8 << 30 },
    }
}

/// What compiles the programs in `folders`, each by itself, and says which ones compiled. It stands in `folder`.
pub(super) fn compiler(found: &Found, folder: &Path, folders: &[PathBuf]) -> Plan {
    let mut run: Vec<OsString> = vec![found.executable.with_file_name("java").into()];
    run.extend(QUICK.map(OsString::from));
    run.extend(["-Xmx512m".into(), folder.join("FamiliarCompile.java").into()]);
    run.extend(folders.iter().map(OsString::from));
    let files = vec![("FamiliarCompile.java", COMPILE.to_owned())];
    Plan { files, libraries: libraries_of(found), run, ..Plan::default() }
}

/// The folder `lib` beside the folder `bin`.
fn libraries_of(found: &Found) -> Option<std::path::PathBuf> {
    Some(found.executable.parent()?.parent()?.join("lib"))
}

/// Program and test in one file: imports first, and no class that needs a file of its own.
fn joined(text: &str, test: &str) -> String {
    let (mut imports, mut rest) = (Vec::new(), String::new());
    for line in text.lines().chain(test.lines()) {
        let bare = line.trim_start();
        if bare.starts_with("import ") && bare.trim_end().ends_with(';') {
            imports.push(bare.trim_end());
        } else if !bare.starts_with("package ") {
            let kept = line.strip_prefix("public ").filter(|rest| declares_type(rest)).unwrap_or(line);
            let _ = writeln!(rest, "{kept}");
        }
    }
    imports.sort_unstable();
    imports.dedup();
    format!("{}\n{rest}", imports.join("\n"))
}

fn declares_type(line: &str) -> bool {
    let head = line.split(['{', '(']).next().unwrap_or_default();
    ["class", "interface", "enum", "record"].iter().any(|word| has_word(head, word))
}

/// The class around `static void main`.
fn main_class(text: &str) -> Option<&str> {
    let main = find_head(text, "main")?;
    class_around(&text[..main])
}

/// The last class that begins in `before` at the margin.
fn class_around(before: &str) -> Option<&str> {
    let mut heads =
        before.lines().filter(|line| !line.starts_with([' ', '\t', '*', '/']) && declares_type(line));
    let head = heads.next_back()?;
    let word = ["class", "enum", "record", "interface"]
        .iter()
        .find_map(|word| find_word(head, word).map(|place| &head[place + word.len()..]))?;
    word.trim_start().split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// Statements that make the calls.
fn calls(text: &str, function: &str, inputs: &[Vec<String>]) -> String {
    let (class, method) = function.rsplit_once('.').unwrap_or_else(|| {
        let class = find_head(text, function).and_then(|place| class_around(&text[..place]));
        (class.unwrap_or("Main"), function)
    });
    let mut all = String::new();
    for arguments in inputs {
        let arguments = arguments.join(", ");
        let _ = writeln!(all, "call(\"{class}\", \"{method}\", () -> new Object[] {{ {arguments} }});");
    }
    all
}

/// Statements that make calls whose results are values.
fn values(calls: &[Call], patience: u32) -> String {
    let mut all = String::new();
    for Call { function, arguments } in calls {
        let (class, method) = function.rsplit_once('.').unwrap_or(("Main", function));
        let arguments = arguments.join(", ");
        let _ = writeln!(
            all,
            "value(\"{class}\", \"{method}\", {patience}, () -> new Object[] {{ {arguments} }});"
        );
    }
    all + "covered();\n"
}

/// Statements, and methods that hold them: the body of a method has a limit.
fn parted(statements: &str) -> (String, String) {
    let (mut starts, mut parts) = (String::new(), String::new());
    let lines: Vec<&str> = statements.lines().collect();
    for (place, part) in lines.chunks(LINES_OF_A_METHOD).enumerate() {
        let _ = writeln!(starts, "calls{place}();");
        let _ = writeln!(parts, "static void calls{place}() {{\n{}\n}}", part.join("\n"));
    }
    (starts, parts)
}
