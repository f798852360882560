//! Java, compiled by `javac` and run by `java`.

use super::java_pieces::{Piece, pieces};
use super::plan::{Plan, Task, by_version};
use crate::program::{Call, Test};
use crate::setup::Needs;
use crate::toolchain::Found;
use crate::words::find_head;
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
        needs: Needs { threads: 48, memory: 512 << 20, addresses: 8 << 30, maps: false },
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
    for part in [text, test] {
        take_apart(part, &mut imports, &mut rest);
    }
    imports.sort_unstable();
    imports.dedup();
    format!("{}\n{rest}", imports.join("\n"))
}

/// Adds the imports of a text to `imports`, and to `rest` the text without them, its package, and what makes its types public.
fn take_apart<'t>(text: &'t str, imports: &mut Vec<&'t str>, rest: &mut String) {
    let (mut depth, mut copied) = (0_usize, 0);
    let mut pieces = pieces(text);
    while let Some(Piece { at, text: piece }) = pieces.next() {
        match piece {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "import" | "package" if depth == 0 => {
                let Some(end) = pieces.find(|piece| piece.text == ";").map(|piece| piece.at + 1) else {
                    break;
                };
                if piece == "import" {
                    imports.push(&text[at..end]);
                }
                rest.push_str(&text[copied..at]);
                copied = end;
            }
            "public" if depth == 0 => {
                rest.push_str(&text[copied..at]);
                copied = at + piece.len();
            }
            _ => {}
        }
    }
    rest.push_str(&text[copied..]);
    rest.push('\n');
}

/// The class around `void main(`.
fn main_class(text: &str) -> Option<&str> {
    let mut last = ["", ""];
    let main = pieces(text).find_map(|Piece { at, text }| {
        let before = last;
        last = [before[1], text];
        (before == ["void", "main"] && text == "(").then_some(at)
    })?;
    class_around(&text[..main])
}

/// The last class that begins in `before` and is in no other.
fn class_around(before: &str) -> Option<&str> {
    let (mut depth, mut is_head, mut class) = (0_usize, false, None);
    for Piece { text, .. } in pieces(before) {
        match text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            name if is_head && name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_') => {
                class = Some(name);
            }
            _ => {}
        }
        is_head = depth == 0 && matches!(text, "class" | "enum" | "record" | "interface");
    }
    class
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_stand_where_the_language_allows_them() {
        let one_line = "import java.util.*;public class Main{static void f(){}}";
        assert_eq!(joined(one_line, ""), "import java.util.*;\n class Main{static void f(){}}\n\n");
        // What stands in a literal or a comment is none.
        let block = "package a.b;\n// import c;\nclass A { String s = \"\"\"\nimport x;\n\"\"\"; }";
        assert_eq!(joined(block, ""), format!("\n{}\n\n", block.trim_start_matches("package a.b;")));
        let both = joined("import b.B;\nclass A {}", "import a.A;\nimport b.B;\npublic class T {}");
        assert!(
            both.starts_with("import a.A;\nimport b.B;\n") && both.ends_with("\n class T {}\n"),
            "{both}"
        );
    }

    #[test]
    fn main_is_in_the_outermost_class() {
        let flat = "public class Main {\nstatic class Pair {}\npublic static void main(String[] a) {}\n}";
        assert_eq!(main_class(flat), Some("Main"));
        assert_eq!(main_class("class A{} class B{static void main(String[] a){}}"), Some("B"));
        assert_eq!(main_class("/* class C */ enum D { X; static void main(String[] a) {} }"), Some("D"));
        let told = "// main() comes last\nclass E { String s = \"void main(\"; }\nclass F { static void main(String[] a) {} }";
        assert_eq!(main_class(told), Some("F"));
    }
}
