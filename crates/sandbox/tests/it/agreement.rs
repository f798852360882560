//! Comparing two programs, inputs for them, and what is remembered.

use crate::{sandbox, small};
use familiar_sandbox::{End, Inputs, Job, Language, Program, Sandbox, Test, Verdict, calls, standard_inputs};

const ORIGINAL: &str = "def grade(points: int, names: list) -> str:
    total = 0
    for name in names:
        total += len(str(name))
    if points > 10 and total < 7:
        return 'good'
    return 'bad' * total if points % 2 == 0 else str(points - total)
";

fn compared(candidate: &str) -> familiar_sandbox::Agreement {
    let sandbox = sandbox(small());
    let (original, candidate) = (Program::python(ORIGINAL), Program::python(candidate));
    let inputs = Inputs::Calls("grade".into(), calls(&original, "grade", "", 1, 40));
    sandbox.compare(&original, &candidate, &inputs, 12).expect("they run")
}

#[test]
fn programs_that_behave_alike_agree() {
    let candidate = "def grade(p, n):
    t = sum(len(str(x)) for x in n)
    if not (p <= 10 or t >= 7): return 'good'
    if p % 2: return str(p - t)
    return t * 'bad'
";
    let agreement = compared(candidate);
    assert_eq!(agreement.verdict, Verdict::Agreed, "{agreement:?}");
    assert!(agreement.normal >= 20 && agreement.results >= 5, "{agreement:?}");
    assert!(agreement.mutants >= 8 && agreement.detected * 10 >= agreement.mutants * 7, "{agreement:?}");
}

#[test]
fn a_difference_is_found_and_shown() {
    for (old, new) in
        [("points > 10", "points >= 10"), ("points - total", "total - points"), ("'good'", "'fine'")]
    {
        let agreement = compared(&ORIGINAL.replace(old, new));
        assert_eq!(agreement.verdict, Verdict::Failed, "{new}: {agreement:?}");
        let difference = agreement.difference.expect("it is shown");
        assert!(difference.input.starts_with("grade("), "{difference:?}");
    }
    let printing = compared(&ORIGINAL.replace("    total = 0\n", "    total = 0\n    print('x')\n"));
    assert_eq!(printing.verdict, Verdict::Failed, "{printing:?}");
}

#[test]
fn too_few_inputs_or_results_are_weak() {
    let sandbox = sandbox(small());
    let program = Program::python("def f(x):\n    return 1 // x");
    let calls = |inputs: &[&str]| {
        Inputs::Calls("f".into(), inputs.iter().map(|input| vec![(*input).to_owned()]).collect())
    };
    let few =
        sandbox.compare(&program, &program, &calls(&["1", "2", "3", "0", "0.0", "''"]), 0).expect("it runs");
    assert_eq!((few.verdict, few.normal), (Verdict::WeaklyAgreed, 3));
    let same =
        sandbox.compare(&program, &program, &calls(&["2", "3", "4", "5", "6", "7"]), 0).expect("it runs");
    assert_eq!((same.verdict, same.normal, same.results), (Verdict::Agreed, 6, 6), "arguments count");
}

#[test]
fn a_call_that_ends_the_process_does_not_hide_the_others() {
    let sandbox = sandbox(small());
    let original = Program::python("import os\ndef f(x):\n    if x == 2: os._exit(3)\n    return x");
    let other =
        Program::python("import os\ndef f(x):\n    if x == 2: os._exit(3)\n    return x if x < 4 else 0");
    let inputs = Inputs::Calls("f".into(), (1..=5).map(|x| vec![x.to_string()]).collect());
    let same = sandbox.compare(&original, &original, &inputs, 0).expect("they run");
    assert_eq!((same.difference, same.inputs, same.normal), (None, 5, 4));
    let differs = sandbox.compare(&original, &other, &inputs, 0).expect("they run");
    assert_eq!(differs.difference.map(|difference| difference.input), Some("f(4)".to_owned()));
}

#[test]
fn whole_programs_are_compared_by_their_output() {
    let sandbox = sandbox(small());
    let original = Program::python("a, b = map(int, input().split())\nprint(a * b)");
    let same = Program::python("x = input().split()\nprint(int(x[0]) * int(x[1]))\nassert len(x) == 2");
    let inputs = Inputs::Stdio(standard_inputs(&original, &[b"3 4\n".to_vec()], 1, 20));
    let compared = sandbox.compare(&original, &original, &inputs, 5).expect("they run");
    assert_eq!(compared.verdict, Verdict::Agreed, "{compared:?}");
    assert!(compared.detected > 0, "{compared:?}");
    let different =
        sandbox.compare(&original, &same, &Inputs::Stdio(vec![b"1 2 3".to_vec()]), 0).expect("they run");
    assert_eq!(different.verdict, Verdict::Failed, "the class of the exception differs");
}

/// It is compiled once for all inputs, and no run sees what another one wrote: neither in its scratch folder, nor beside the program.
#[test]
fn a_compiled_program_begins_anew_on_each_input() {
    let sandbox = sandbox(small().within(std::time::Duration::from_secs(10)));
    if sandbox.toolchain(Language::C).is_err() {
        return;
    }
    let count = "#include <stdio.h>\n#include <string.h>\nint main(int n, char **names) { int x; scanf(\"%d\", &x); \
                 char beside[4096]; strcpy(beside, names[0]); strcat(beside, \".log\"); \
                 char *paths[] = {\"log\", beside}; \
                 for (int i = 0; i < 2; i++) { FILE *f = fopen(paths[i], \"a\"); \
                 if (f) { fseek(f, 0, SEEK_END); if (ftell(f) > 0) x = -1; fputs(\"seen\", f); fclose(f); } } \
                 printf(\"%d\", x PLUS); return 0; }";
    let program = |plus| Program { language: Language::C, text: count.replace("PLUS", plus) };
    let inputs = Inputs::Stdio((1..=6).map(|x| x.to_string().into_bytes()).collect());
    let same = sandbox.compare(&program(""), &program("+ 0"), &inputs, 3).expect("they run");
    assert_eq!((same.verdict, same.normal, same.results), (Verdict::Agreed, 6, 6), "{same:?}");
    let other = sandbox.compare(&program(""), &program("+ (x == 5)"), &inputs, 0).expect("they run");
    assert_eq!(other.difference.map(|it| it.input), Some("5".to_owned()));
    let broken = sandbox.compare(&program(""), &program("+"), &inputs, 0).expect("they run");
    assert_eq!(broken.verdict, Verdict::Failed);
}

/// Inputs by type are accepted by compilers and called.
#[test]
#[ignore = "long"]
fn inputs_fit_the_types_of_every_language() {
    let sandbox = sandbox(small().within(std::time::Duration::from_secs(10)));
    let functions = [
        (Language::C, "int f(int *values, int n, const char *text) { return values[0] + n + text[0]; }"),
        (
            Language::Cpp,
            "#include <vector>\n#include <string>\n#include <map>\nusing namespace std;\nint f(vector<int> v, const string &s, map<string, int> m, double d) { return v.size() + s.size() + m.size() + (d > 1); }",
        ),
        (
            Language::Java,
            "import java.util.*;\nclass Solution { static int f(int[] v, List<String> s, Map<String, Integer> m, double d) { return v.length + s.size() + m.size() + (d > 1 ? 1 : 0); } }",
        ),
        (
            Language::Go,
            "package main\nfunc f(v []int, s string, m map[string]int, d float64) int { if d > 1 { return 1 }; return len(v) + len(s) + len(m) }",
        ),
        (Language::JavaScript, "function f(a, b) { return [a, b, a + b] }"),
        (
            Language::Python,
            "def f(a: list[int], b: str, c: dict[str, int], d: float):\n    return len(a) + len(b) + len(c) + d",
        ),
    ];
    for (language, text) in functions {
        if sandbox.toolchain(language).is_err() {
            continue;
        }
        let program = Program { language, text: text.to_owned() };
        let inputs = Inputs::Calls("f".into(), calls(&program, "f", "", 3, 12));
        let agreement = sandbox.compare(&program, &program, &inputs, 0).expect("they run");
        assert_eq!(agreement.verdict, Verdict::Agreed, "{language:?} {inputs:?} {agreement:?}");
        assert!(agreement.normal >= 10, "{language:?} {agreement:?}");
    }
}

#[test]
fn what_is_known_is_not_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let remembering = || {
        let sandbox = Sandbox::new(small(), familiar_sandbox::Policy::Confined).expect("it confines");
        sandbox.remember_in(folder.path())
    };
    // Its output is another one each time.
    let program = Program::python("import time\nprint(time.perf_counter_ns())");
    let test = Test::Stdio { input: Vec::new() };
    let sandbox = remembering();
    let first = sandbox.run(&program, &test).expect("it runs");
    assert_eq!(sandbox.run(&program, &test).expect("it is known"), first);
    assert_eq!(remembering().run(&program, &test).expect("it is known"), first);
    let grouped = remembering().run_groups(&[Job { program: program.clone(), test: test.clone() }], 4);
    assert_eq!(grouped[0].as_ref().expect("it is known"), &first);
    let other = sandbox.run(&program, &Test::Stdio { input: b"x".to_vec() }).expect("it runs");
    assert_ne!(other, first);
    // A damaged file is as if it were not there.
    for entry in walk(folder.path()) {
        std::fs::write(entry, "{\"end\":").expect("a file");
    }
    assert_ne!(remembering().run(&program, &test).expect("it runs"), first);
    let endless = Program::python("while True: pass");
    assert_eq!(sandbox.run(&endless, &test).expect("it runs").end, End::TimedOut);
    assert_eq!(walk(folder.path()).len(), 2, "what depends on how busy the machine is, is not kept");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let folders = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    folders
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .collect()
}
