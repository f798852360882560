//! C and C++, compiled by the system's compiler.

use super::plan::{Plan, Task, by_version};
use crate::program::{Call, Test};
use crate::setup::Needs;
use crate::toolchain::Found;
use crate::words::{find_head, has_word};
use std::ffi::OsString;
use std::fmt::Write;

const FRAME_OF_C: &str = include_str!("frame.c");
const FRAME_OF_CPP: &str = include_str!("frame.cpp");
const VALUES: &str = include_str!("values.h");
const SHOW_OF_C: &str = include_str!("show.h");
const SHOW_OF_CPP: &str = include_str!("show.hpp");

pub(super) fn candidates(name: &str) -> Vec<Found> {
    by_version(name, "--version", |_| Vec::new())
}

pub(super) fn plan(task: &Task<'_>, plus: bool) -> Plan {
    let text = &task.program.text;
    let (source, frame) = if plus { ("program.cpp", "frame.cpp") } else { ("program.c", "frame.c") };
    let mut whole = match task.test {
        Test::Stdio { .. } => text.clone(),
        Test::Asserts { code } if find_head(code, "main").is_some() => format!("{text}\n{code}\n"),
        Test::Asserts { code } => {
            format!("#undef NDEBUG\n#include <assert.h>\n{text}\nint main(void) {{\n{code}\nreturn 0;\n}}\n")
        }
        Test::Values { calls, patience, .. } => {
            let text = text.replace("int main(", "int familiar_main(");
            let show =
                if plus { SHOW_OF_CPP.replace("@VALUES@", VALUES) } else { format!("{SHOW_OF_C}\n{VALUES}") };
            format!("{show}\n{text}\n{}", values(&text, calls, *patience, plus))
        }
        Test::Calls { function, inputs } => {
            let show = if plus { &SHOW_OF_CPP.replace("@VALUES@", VALUES) } else { SHOW_OF_C };
            let text = text.replace("int main(", "int familiar_main(");
            format!("{show}\n{text}\n{}", calls(&text, function, inputs, plus))
        }
    };
    whole = whole.replace("@MARK@", task.mark);
    let around = if plus { FRAME_OF_CPP } else { FRAME_OF_C };
    let mut command: Vec<OsString> = vec![task.found.executable.clone().into()];
    let standard = if plus { "-std=gnu++17" } else { "-std=gnu17" };
    command.extend(["-O1", "-fwrapv", "-w", standard, "-Wl,--wrap=main", "-o"].map(OsString::from));
    command.extend(["program", source, frame].map(|name| task.file(name)));
    command.push("-lm".into());
    Plan {
        files: vec![(source, whole), (frame, around.replace("@MARK@", task.mark))],
        compile: vec![command],
        run: vec![task.file("program")],
        libraries: None,
        needs: Needs::default(),
    }
}

/// A main function that makes the calls.
fn calls(text: &str, function: &str, inputs: &[Vec<String>], plus: bool) -> String {
    let nothing = gives_nothing(text, function);
    let mut main = String::from("int main(void) {\n");
    for arguments in inputs {
        let (mut held, mut after, mut passed) = (String::new(), String::new(), Vec::new());
        for (place, argument) in arguments.iter().enumerate() {
            let name = format!("familiar_{place}");
            if let Some((kind, values)) = array(argument).filter(|_| !plus) {
                let _ = writeln!(held, "    {kind} {name}[] = {values};");
                let _ = writeln!(after, "    FAMILIAR_ARRAY({name});");
                passed.push(name);
            } else if plus && is_object(argument) {
                let _ = writeln!(held, "    auto {name} = {argument};");
                let _ = writeln!(after, "    familiar::next(familiar::shown({name}));");
                passed.push(name);
            } else {
                passed.push(argument.clone());
            }
        }
        let call = format!("{function}({})", passed.join(", "));
        let shown = match (plus, nothing) {
            (_, true) => format!("    {call};\n"),
            (true, false) => format!("    familiar::next(familiar::shown({call}));\n"),
            (false, false) => format!("    FAMILIAR_SHOW({call});\n"),
        };
        let (begin, end) = if plus {
            ("familiar::begin();", "familiar::end();")
        } else {
            ("familiar_begin();", "familiar_end();")
        };
        let body = format!("    {begin}\n{held}{shown}{after}    {end}\n");
        if plus {
            let _ = writeln!(main, "try {{\n{body}}} catch (...) {{ familiar::raised(); }}");
        } else {
            let _ = writeln!(main, "{{\n{body}}}");
        }
    }
    main + "return 0;\n}\n"
}

/// A main function that makes calls whose results are values.
fn values(text: &str, calls: &[Call], patience: u32, plus: bool) -> String {
    let mut main = String::from("int main(void) {\n");
    let each = if plus { "familiar::common" } else { "FAMILIAR_VALUE" };
    for Call { function, arguments } in calls {
        let (mut held, mut after, mut passed) = (String::new(), Vec::new(), Vec::new());
        for (place, argument) in arguments.iter().enumerate() {
            let name = format!("familiar_{place}");
            if let Some((kind, values)) = array(argument) {
                let _ = writeln!(held, "    {kind} {name}[] = {values};");
                let shown = if kind == "char" { "familiar_string" } else { "FAMILIAR_ITEMS" };
                after.push(if plus && kind != "char" {
                    "familiar_put(\"null\");".to_owned()
                } else {
                    format!("{shown}({name});")
                });
            } else if plus {
                let _ = writeln!(held, "    auto {name} = {argument};");
                after.push(format!("familiar::common({name});"));
            } else {
                let _ = writeln!(held, "    __auto_type {name} = {argument};");
                after.push(format!("FAMILIAR_VALUE({name});"));
            }
            passed.push(name);
        }
        let call = format!("{function}({})", passed.join(", "));
        let shown = if gives_nothing(text, function.rsplit(['.', ':']).next().unwrap_or(function)) {
            format!("{call}; familiar_put(\"{{\\\"value\\\":null\");")
        } else {
            format!("auto_result = {call}; familiar_put(\"{{\\\"value\\\":\"); {each}(familiar_result);")
                .replace(
                    "auto_result",
                    if plus { "auto familiar_result" } else { "__auto_type familiar_result" },
                )
        };
        let after = after.join(" familiar_put(\",\"); ");
        let after = format!("familiar_put(\",\\\"after\\\":[\"); {after} familiar_put(\"]\");");
        if plus {
            let _ = writeln!(
                main,
                "try {{\n    familiar::value_begin({patience});\n{held}    {shown}\n    {after}\n    familiar::value_end();\n}} catch (...) {{ familiar::value_raised(); }}"
            );
        } else {
            let _ = writeln!(
                main,
                "{{\n    familiar_begin(); familiar_catch(); familiar_patience({patience});\n{held}    {shown}\n    {after}\n    alarm(0); familiar_printed(); familiar_end();\n}}"
            );
        }
    }
    main + "familiar_covered();\nreturn 0;\n}\n"
}

/// Whether the function gives nothing back: `void` stands before its name.
fn gives_nothing(text: &str, function: &str) -> bool {
    find_head(text, function).is_some_and(|place| {
        let before = &text[..place];
        let begin = before.rfind([';', '}', '\n']).map_or(0, |end| end + 1);
        has_word(&before[begin..], "void") && !before[begin..].contains('*')
    })
}

/// The type and the values of an array such as `(int[]){1, 2}`.
fn array(argument: &str) -> Option<(&str, &str)> {
    let (kind, values) = argument.strip_prefix('(')?.split_once("[])")?;
    let plain = kind.chars().all(|letter| letter.is_alphanumeric() || " _*".contains(letter));
    (plain && values.starts_with('{')).then_some((kind, values))
}

/// Whether an expression of C++ names a class of the standard library, so that it can be held in a variable.
fn is_object(argument: &str) -> bool {
    ["std::", "vector<", "string(", "map<", "set<", "pair<"].iter().any(|head| argument.starts_with(head))
}
