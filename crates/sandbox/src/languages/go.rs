//! Go. The compiler and the linker are called directly, on packages of the standard library that were compiled before: `go build`
//! would need a cache that untrusted programs write to.

use super::plan::{Plan, Task};
use crate::program::{Call, Test};
use crate::setup::{Needs, Setup};
use crate::toolchain::{Found, in_path, said};
use crate::words::{find_head, has_word, quoted};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FRAME: &str = include_str!("frame.go");

/// Packages that a program may use, beside those that these use.
const PACKAGES: &[&str] = &[
    "bufio",
    "bytes",
    "container/heap",
    "container/list",
    "container/ring",
    "crypto/md5",
    "crypto/sha256",
    "encoding/hex",
    "encoding/json",
    "errors",
    "fmt",
    "io",
    "log",
    "math",
    "math/big",
    "math/bits",
    "math/rand",
    "os",
    "reflect",
    "regexp",
    "sort",
    "strconv",
    "strings",
    "sync",
    "sync/atomic",
    "testing",
    "time",
    "unicode",
    "unicode/utf8",
    "runtime",
];

pub(super) fn candidates(setup: &Setup) -> Vec<Found> {
    in_path("go").into_iter().filter_map(|path| found(&path, setup)).collect()
}

fn found(go: &Path, setup: &Setup) -> Option<Found> {
    let version = said(go, &["version"])?;
    let root = PathBuf::from(said(go, &["env", "GOROOT"])?);
    let compiled = setup.shared("go").ok()?;
    if !compiled.join("importcfg").is_file() {
        copy_packages(go, &compiled)?;
    }
    let tools = PathBuf::from(said(go, &["env", "GOTOOLDIR"])?);
    let folders = vec![root, compiled, tools.canonicalize().ok()?];
    Some(Found { executable: go.canonicalize().ok()?, folders, version })
}

/// Lets the user's own `go` compile the packages, and copies them to where programs can read them.
fn copy_packages(go: &Path, to: &Path) -> Option<()> {
    let mut command = Command::new(go);
    command.args(["list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}"]);
    command
        .args(PACKAGES)
        .current_dir("/")
        .env("CGO_ENABLED", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let listed = command.output().ok().filter(|output| output.status.success())?;
    let mut configuration = String::new();
    for (number, line) in String::from_utf8_lossy(&listed.stdout).lines().enumerate() {
        let (package, archive) = line.split_once('=')?;
        let copy = to.join(format!("{number}.a"));
        std::fs::copy(archive, &copy).ok()?;
        std::fs::set_permissions(&copy, std::os::unix::fs::PermissionsExt::from_mode(0o644)).ok()?;
        let _ = writeln!(configuration, "packagefile {package}={}", copy.display());
    }
    std::fs::write(to.join("importcfg"), configuration).ok()
}

pub(super) fn plan(task: &Task<'_>) -> Plan {
    let text = &task.program.text;
    let has_main = |text: &str| find_head(text, "main").is_some();
    let renamed = |text: &str| text.replace("func main(", "func familiarOldMain(");
    let (program, test, start) = match task.test {
        Test::Stdio { .. } => (renamed(text), String::new(), "familiarOldMain()".to_owned()),
        Test::Asserts { code } if has_main(code) => (
            renamed(text),
            code.replace("func main(", "func familiarTestMain("),
            "familiarTestMain()".to_owned(),
        ),
        Test::Asserts { code } => (renamed(text), code.clone(), tests(code)),
        Test::Values { calls, patience, .. } => {
            (renamed(text), String::new(), values(text, calls, *patience))
        }
        Test::Calls { function, inputs } => (renamed(text), String::new(), calls(text, function, inputs)),
    };
    let frame = FRAME.replace("@MARK@", task.mark).replace("@START@", &start);
    let mut files = vec![("program.go", whole(&program)), ("frame.go", frame)];
    if !test.is_empty() {
        files.push(("test.go", whole(&test)));
    }
    let [root, compiled, tools, ..] = task.found.folders.as_slice() else { return Plan::default() };
    let _ = root;
    let configuration: OsString = compiled.join("importcfg").into();
    let mut compile: Vec<OsString> = vec![tools.join("compile").into()];
    compile.extend(["-p", "main", "-complete", "-importcfg"].map(OsString::from));
    compile.extend([configuration.clone(), "-o".into(), task.file("program.o")]);
    compile.extend(files.iter().map(|(name, _)| task.file(name)));
    let mut link: Vec<OsString> = vec![tools.join("link").into(), "-importcfg".into(), configuration];
    link.extend(["-s".into(), "-w".into(), "-o".into(), task.file("program"), task.file("program.o")]);
    Plan {
        files,
        compile: vec![compile, link],
        run: vec![task.file("program")],
        libraries: None,
        needs: Needs { threads: 16, memory: 64 << 20, addresses: 4 << 30, maps: false },
    }
}

/// A file of package main: what has no package gets one, with the imports that its words ask for.
fn whole(text: &str) -> String {
    if text.lines().any(|line| line.starts_with("package ")) {
        return text
            .lines()
            .map(|line| if line.starts_with("package ") { "package main" } else { line })
            .fold(String::new(), |all, line| all + line + "\n");
    }
    let mut head = String::from("package main\n");
    for package in PACKAGES {
        let name = package.rsplit('/').next().unwrap_or(package);
        let used = text
            .match_indices(&format!("{name}."))
            .any(|(place, found)| has_word(&text[place.saturating_sub(1)..place + found.len() - 1], name));
        if used && !text.contains(&format!("\"{package}\"")) {
            let _ = writeln!(head, "import {}", quoted(package));
        }
    }
    head + text
}

/// Calls of all functions whose names begin with `Test`, or the code itself where there are none.
fn tests(code: &str) -> String {
    let names = code.lines().filter_map(|line| line.strip_prefix("func Test")?.split('(').next());
    let all: Vec<String> = names.map(|name| format!("Test{name}(&testing.T{{}})")).collect();
    all.join("\n\t")
}

/// Statements that make the calls.
fn calls(text: &str, function: &str, inputs: &[Vec<String>]) -> String {
    let nothing = gives_nothing(text, function);
    let mut all = String::new();
    for arguments in inputs {
        let (mut held, mut passed, mut names) = (String::new(), Vec::new(), Vec::new());
        for (place, argument) in arguments.iter().enumerate() {
            if ["[", "map[", "&"].iter().any(|head| argument.starts_with(head)) {
                let name = format!("familiar{place}");
                let _ = write!(held, "{name} := {argument}; ");
                names.push(name.clone());
                passed.push(name);
            } else {
                passed.push(argument.clone());
            }
        }
        let call = format!("{function}({})", passed.join(", "));
        let result = if nothing {
            format!("{call}; r := familiarPack()")
        } else {
            format!("r := familiarPack({call})")
        };
        let names = names.join(", ");
        let _ = writeln!(
            all,
            "familiarCall(func() string {{ {held}{result}; return familiarShown(r...) + \"after \" + familiarShown({names}) }})"
        );
    }
    all
}

/// Statements that make calls whose results are values.
fn values(text: &str, calls: &[Call], patience: u32) -> String {
    let mut all = String::new();
    for Call { function, arguments } in calls {
        let mut held = String::new();
        for (place, argument) in arguments.iter().enumerate() {
            let _ = write!(held, "familiar{place} := {argument}; ");
        }
        let names =
            (0..arguments.len()).map(|place| format!("familiar{place}")).collect::<Vec<_>>().join(", ");
        let call = format!("{function}({names})");
        let result = if gives_nothing(text, function) {
            format!("{call}; r := familiarPack()")
        } else {
            format!("r := familiarPack({call})")
        };
        let _ = writeln!(
            all,
            "familiarValue({patience}, func() ([]interface{{}}, []interface{{}}) {{ {held}{result}; return r, familiarPack({names}) }})"
        );
    }
    all + "familiarSay(map[string]interface{}{\"covered\": map[string]int{\"ran\": len(familiarHits), \"all\": 0}})\n"
}

/// Whether nothing stands between the parameters of the function and its body.
fn gives_nothing(text: &str, function: &str) -> bool {
    let Some(head) = text.find(&format!("func {function}(")) else { return false };
    let mut depth = 0;
    for (place, letter) in text[head..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return text[head + place + 1..].trim_start().starts_with('{'),
            ')' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The class of a panic that nobody caught, without the numbers in it.
pub(super) fn class(words: &str) -> Option<String> {
    let line = words.lines().find(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let class = line.split(" [").next().unwrap_or(line);
    Some(class.chars().filter(|letter| !letter.is_ascii_digit()).collect())
}
