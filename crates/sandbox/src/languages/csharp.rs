//! C#, compiled by `mcs` and run by `mono`.

use super::plan::{Plan, Task};
use crate::program::{Call, Test};
use crate::setup::Needs;
use crate::toolchain::{Found, in_path, said};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const FRAME: &str = include_str!("Frame.cs");
/// The compiler, below the folder beside the one of `mono`.
const COMPILER: &str = "lib/mono/4.5/mcs.exe";

pub(super) fn candidates() -> Vec<Found> {
    let found = |path: PathBuf| {
        let executable = path.canonicalize().ok()?;
        let compiler = compiler_of(&executable)?;
        let version = said(&executable, &[compiler.to_str()?, "--version"])?;
        let home = executable.parent()?.parent()?;
        let folders = vec![home.join("lib"), PathBuf::from("/etc/mono"), executable.clone()];
        Some(Found { executable, folders, version })
    };
    in_path("mono").into_iter().filter_map(found).collect()
}

fn compiler_of(executable: &Path) -> Option<PathBuf> {
    // The command may be a script beside the program that it starts.
    let home = executable.parent()?.parent()?;
    Some(home.join(COMPILER)).filter(|path| path.is_file())
}

pub(super) fn plan(task: &Task<'_>) -> Plan {
    let (test, calls) = match task.test {
        Test::Asserts { code } => (code.as_str(), String::new()),
        Test::Calls { function, inputs } => ("", calls(function, inputs)),
        Test::Values { calls, patience, .. } => ("", values(calls, *patience)),
        Test::Stdio { .. } => ("", String::new()),
    };
    let has_calls = if calls.is_empty() { "false" } else { "true" };
    let frame = FRAME.replace("@MARK@", task.mark).replace("@MAIN@", main_class(test).unwrap_or(""));
    let frame = frame.replace("@HAS@", has_calls).replace("@CALLS@", &calls);
    let mono = || -> Vec<OsString> { vec![task.found.executable.clone().into()] };
    let mut compile = mono();
    compile.extend(compiler_of(&task.found.executable).map(OsString::from));
    let flags =
        ["-nologo", "-warn:0", "-codepage:utf8", "-unsafe", "-main:FamiliarFrame", "-r:System.Numerics"];
    compile.extend(flags.map(OsString::from));
    let mut output = OsString::from("-out:");
    output.push(task.file("program.exe"));
    compile.push(output);
    compile.extend(["Program.cs", "Test.cs", "FamiliarFrame.cs"].map(|name| task.file(name)));
    let mut run = mono();
    run.push(task.file("program.exe"));
    Plan {
        files: vec![
            ("Program.cs", task.program.text.clone()),
            ("Test.cs", test.to_owned()),
            ("FamiliarFrame.cs", frame),
        ],
        compile: vec![compile],
        libraries: None,
        run,
        needs: Needs { threads: 32, memory: 256 << 20, addresses: 8 << 30, maps: true },
    }
}

/// The last class that begins before `Main(` in a test.
fn main_class(test: &str) -> Option<&str> {
    let before = &test[..test.find(" Main(")?];
    let class = before.rsplit_once("class ")?.1;
    class.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()
}

fn parts(function: &str) -> (&str, &str) {
    function.rsplit_once('.').unwrap_or(("", function))
}

/// Statements that make the calls.
fn calls(function: &str, inputs: &[Vec<String>]) -> String {
    let (class, method) = parts(function);
    let mut all = String::new();
    for arguments in inputs {
        let arguments = arguments.join(", ");
        let _ = writeln!(all, "Call(\"{class}\", \"{method}\", () => new object[] {{ {arguments} }});");
    }
    all
}

/// Statements that make calls whose results are values.
fn values(calls: &[Call], patience: u32) -> String {
    let mut all = String::new();
    for Call { function, arguments } in calls {
        let (class, method) = parts(function);
        let arguments = arguments.join(", ");
        let _ = writeln!(
            all,
            "Value(\"{class}\", \"{method}\", {patience}, () => new object[] {{ {arguments} }});"
        );
    }
    all + "Covered();\n"
}
