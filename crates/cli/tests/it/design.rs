//! `transform design`, with a model that is a server on this machine.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Run, Tree, assert_valid, familiar, schema};
use crate::server::{Reply, Request, Server};
use serde_json::{Value, json};

const FAMILIAR: &str = env!("CARGO_BIN_EXE_familiar");

/// Loops take their items out of a list. `NAME` is that of the list.
const LOOPS: &str = r#"import ast
import os
import sys


class Loops(ast.NodeTransformer):
    def visit_For(self, node):
        self.generic_visit(node)
        if node.orelse:
            return node
        new = ast.parse(f"{NAME} = list({ast.unparse(node.iter)})\nwhile {NAME}:\n    x = {NAME}.pop(0)").body
        new[1].body[0].targets = [node.target]
        new[1].body.extend(node.body)
        return new


print(ast.unparse(Loops().visit(ast.parse(sys.stdin.read()))))
"#;

/// A tool with its name.
fn tool(program: &str) -> String {
    let (imports, rest) = program.split_once("\n\n\n").unwrap_or((program, ""));
    match program {
        LOOPS => format!("{imports}\n\nNAME = \"kept\"\n\n\n{rest}"),
        UNSTABLE => {
            let (imports, rest) = LOOPS.split_once("\n\n\n").expect("the same tool");
            format!("{imports}\n\nNAME = \"kept_\" + os.urandom(4).hex()\n\n\n{rest}")
        }
        other => other.to_owned(),
    }
}

/// Writes additions in full, so that less is different.
const ADDITIONS: &str = r#"import sys

print(sys.stdin.read().replace("result += ", "result = result + "))
"#;

/// Makes programs that do something else.
const BREAKS: &str = "import sys\nprint(sys.stdin.read().replace('+=', '-='))\n";
const SAME: &str = "import sys\nprint(sys.stdin.read())\n";
const RAISES: &str = "import sys\nraise ValueError(sys.stdin.read())\n";
/// Does the same as `LOOPS`, with another name each time.
const UNSTABLE: &str = "import unstable";

fn fenced(program: &str) -> String {
    format!("Here is the tool.\n\n```python\n{}```\n\nIt reads from standard input.", tool(program))
}

fn said(text: &str) -> Reply {
    let usage = json!({ "prompt_tokens": 700, "completion_tokens": 300 });
    let message = json!({ "role": "assistant", "content": text });
    Reply::json(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }], "usage": usage }))
}

fn asked(request: &Request) -> &str {
    request.body["messages"][0]["content"].as_str().expect("a text")
}

/// Which of the requests for one text this is: the seed says it.
fn sample(request: &Request) -> usize {
    request.body["seed"].as_u64().expect("a seed") as usize
}

/// A model: by number, what it designs, and how it implements that.
fn model(designs: &'static [&'static str], implementations: &'static [&'static str]) -> Server {
    Server::start(move |_, request| answer(request, designs, implementations))
}

fn answer(request: &Request, designs: &[&str], implementations: &[&str]) -> Reply {
    let at = sample(request);
    if asked(request).contains("Invent one rewriting") {
        said(designs[at % designs.len()])
    } else {
        match implementations[at % implementations.len()] {
            program if program.starts_with("import") => said(&fenced(program)),
            other => said(other),
        }
    }
}

const FIRST: &str = "Name: Prefixed Variables\nDescription: Each variable of a function gets a longer name.";
const SECOND: &str = "**Transformation Name:** Other Names\n\n**Description:** Variables of functions get other names.\nAll of them.";

/// Programs with tests, of which each is a problem.
fn data() -> Tree {
    rows(20)
}

/// So many programs.
fn rows(count: u32) -> Tree {
    let mut rows = String::new();
    for number in 0..count {
        let code = format!(
            "def total_{number}(items):\n    result = {number}\n    for item in items:\n        result += item * {number}\n    return result\n"
        );
        let test = format!("assert total_{number}([1, 2]) == {}", number + 3 * number);
        let row = json!({ "id": format!("p{number}"), "lang": "python", "code": code, "test": test });
        rows.push_str(&row.to_string());
        rows.push('\n');
    }
    Tree::new(&[("rows.jsonl", &rows)])
}

fn flags(server: &Server, more: &str) -> String {
    format!("transform design rows.jsonl --output project --llm {} --programs 6 {more}", server.address())
}

/// Whether this system can run the programs of a model; CI has to.
fn runs(run: &Run) -> bool {
    let errors = run.stderr();
    let cannot = errors.contains("no toolchain") || errors.contains("cannot confine");
    assert!(!cannot || std::env::var_os("FAMILIAR_ALL_TOOLCHAINS").is_none(), "{errors}");
    !cannot
}

fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// All files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path).expect("it can be read"));
            }
        }
    }
    found
}

#[test]
#[ignore = "long"]
fn the_best_implementation_of_each_design_is_kept_and_used_like_any_other() {
    let tree = data();
    let server = model(&[FIRST, SECOND], &[ADDITIONS, BREAKS, LOOPS, SAME, RAISES, "I would rather not."]);
    let run = tree.run(&flags(&server, "--count 2 --implementations 6 --price 1,10"));
    if !runs(&run) {
        return;
    }
    let errors = run.stderr();
    for expected in [
        "5 example programs and 6 validation programs",
        "14 requests to go take about",
        "designed 2 of 2: Other Names; 2000 tokens spent, cost 0.0074",
        "implemented 2 of 2: Other Names: reward 0.",
        "14000 tokens spent, cost 0.0518",
    ] {
        assert!(errors.contains(expected), "{expected} is missing in: {errors}");
    }
    let table = run.success().stdout();
    assert!(table.contains("prefixed-variables") && table.contains("5 of 6"), "{table}");
    let first = read_json(&tree.at("project/prefixed-variables/transformation.json"));
    assert_eq!(first["schema"], "familiar.transformation/1");
    let program = std::fs::read_to_string(tree.at("project/prefixed-variables/program.py"));
    assert_eq!(program.expect("it is kept"), tool(LOOPS));
    let best = &first["best"];
    assert_eq!([&best["programs"], &best["applied"], &best["correct"]], [6, 6, 6]);
    let reward = best["reward"].as_f64().expect("a number");
    assert!(reward > 0.1 && reward < 1.0, "{reward}");
    let counts = &first["implementations"];
    assert_eq!(
        [&counts["requests"], &counts["programs"], &counts["different"], &counts["without_code"]],
        [6, 5, 5, 1]
    );
    let account = read_json(&tree.at("project/design.json"));
    assert_eq!(
        (&account["is_complete"], &account["spent"]["tokens"]["input"]),
        (&json!(true), &json!(9_800))
    );

    // The folder is a set like any other.
    let rows =
        tree.run("transform rows.jsonl --set project/ --count 2 --verify --format ndjson").success().stdout();
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).expect("JSON")).collect();
    assert_eq!(rows.len(), 20, "both designs have one implementation");
    assert!(rows.iter().all(|row| row["verified"] == "passed" && row["steps"][0]["name"] == "other-names"));
    assert!(rows[0]["code"].as_str().expect("a text").contains("while kept:"), "{}", rows[0]);
    let attack = "attack rows.jsonl --detector token-overlap --set project/,orig-4 --steps 2 --programs 3 --verify --format json";
    let result = tree.run(attack).success().json();
    let strengths = result["by_transformation"].as_array().expect("a list");
    let designed = strengths.iter().find(|it| it["name"] == "other-names").expect("it is a member");
    assert_eq!([&designed["applicable"], &designed["tested"], &designed["correct"]], [3, 3, 3]);
    assert_eq!(strengths.len(), 6);
    let with =
        tree.run("transform rows.jsonl --with project/other-names,for-while --count 1 --format ndjson");
    assert!(with.success().stdout().contains("while"));
}

#[test]
#[ignore = "long"]
fn a_run_is_repeated_to_the_byte_without_the_server() {
    let tree = data();
    let server = model(&[FIRST, SECOND], &[LOOPS, BREAKS, ADDITIONS]);
    let more = "--count 2 --implementations 3 --concurrency 3";
    let command = flags(&server, more);
    if !runs(&tree.run(&command)) {
        return;
    }
    let requests = server.requests().len();
    assert_eq!(requests, 8);
    let kept = files(&tree.at("project"));
    assert_eq!(kept.len(), 6, "{:?}", kept.keys());
    // The same again asks nobody.
    tree.run(&command).success();
    assert_eq!((server.requests().len(), files(&tree.at("project")) == kept), (requests, true));
    tree.write("again/requests.jsonl", &kept["requests.jsonl"]);
    let replay = format!("{} --replay --threads 1", command.replace("--output project", "--output again"));
    tree.run(&replay).success();
    assert_eq!((server.requests().len(), files(&tree.at("again")) == kept), (requests, true));
    let other = tree.run(&replay.replace("again", "third"));
    other.fails_with(&["third/requests.jsonl has no reply", "without --replay"]);
    tree.run(&format!("{command} --seed 5")).fails_with(&["made with another", "seed (0)", "--output"]);
}

#[test]
#[ignore = "long"]
fn a_run_that_was_killed_asks_only_what_was_not_answered() {
    let tree = data();
    let server = Server::start(|_, request| {
        std::thread::sleep(Duration::from_millis(40));
        answer(request, &[FIRST, SECOND], &[LOOPS, BREAKS, ADDITIONS])
    });
    let command = flags(&server, "--count 2 --implementations 6 --concurrency 1");
    if !runs(&tree.run(&format!("{command} --forecast"))) {
        return;
    }
    for requests in [1, 4, 9] {
        let mut child = Command::new(FAMILIAR)
            .current_dir(tree.path())
            .args(command.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        while server.requests().len() < requests && child.try_wait().expect("it runs").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("it runs, or has ended");
        child.wait().expect("it has ended");
    }
    tree.run(&command).success();
    let bodies: Vec<String> = server.requests().iter().map(|it| it.body.to_string()).collect();
    let different: BTreeSet<&String> = bodies.iter().collect();
    assert_eq!(different.len(), 14);
    // One was under way at each kill.
    assert!(bodies.len() <= 14 + 3, "{}", bodies.len());
    assert_eq!(read_json(&tree.at("project/design.json"))["is_complete"], true);
}

#[test]
#[ignore = "long"]
fn replies_of_no_use_are_counted() {
    let tree = data();
    let server = Server::start(|_, request| {
        let filtered =
            json!({ "choices": [{ "message": { "content": "" }, "finish_reason": "content_filter" }] });
        let cut = json!({ "choices": [{
            "message": { "content": "Name: Half\nDescription: Variables get other" }, "finish_reason": "length"
        }] });
        match (asked(request).contains("Invent one rewriting"), sample(request)) {
            (true, 0) => said("What a nice set of programs! They add numbers."),
            (true, 1) => Reply::json(&filtered),
            (true, 2) => said("Name: ../../../evil\nDescription: Variables get other names."),
            (true, 3) => said("Name: Evil\nDescription: Another text."),
            (true, 4) => said("Name: Two\nDescription: Variables get other names."),
            (true, 5) => Reply::json(&cut),
            (true, _) => said("Name: Useless\nDescription: Nothing comes of it."),
            (false, _) if asked(request).contains("Useless") => said("Sorry, I have no idea."),
            (false, 0) => Reply::json(&filtered),
            (false, 1) => said("```python\nx = (\n```"),
            (false, 2) => said(&fenced(UNSTABLE)),
            (false, 3) => Reply(200, "", "{\"choices\":[{\"mess".to_owned()),
            (false, _) => said(&fenced(ADDITIONS)),
        }
    });
    let run = tree.run(&flags(&server, "--count 2 --implementations 5 --tries 1"));
    if !runs(&run) {
        return;
    }
    assert!(run.stderr().contains("Useless: no implementation is of use"), "{}", run.stderr());
    run.success();
    let account = read_json(&tree.at("project/design.json"));
    let expected =
        json!({ "requests": 7, "designs": 2, "twice": 2, "without_design": 2, "refused": 1, "failed": 0 });
    assert_eq!(account["asked"], expected);
    let counts = &account["designs"][0]["implementations"];
    assert_eq!(
        ["programs", "different", "unstable", "refused", "not_python", "failed"]
            .map(|name| counts[name].as_u64()),
        [2, 2, 1, 1, 1, 1].map(Some)
    );
    assert_eq!(account["designs"][1]["best"], Value::Null);
    assert_valid(&schema("docs/formats/design-1.schema.json", None), &account);
    let names: Vec<String> = files(&tree.at("project")).into_keys().collect();
    assert_eq!(names, ["design.json", "evil/program.py", "evil/transformation.json", "requests.jsonl"]);
    let outside: Vec<String> = files(tree.path()).into_keys().filter(|name| name.contains("evil")).collect();
    assert_eq!(outside.len(), 2, "{outside:?}");
}

#[test]
#[ignore = "long"]
fn what_was_given_up_for_an_unstable_implementation_has_its_turn() {
    let (tree, server) = (rows(45), model(&[FIRST], &[UNSTABLE, ADDITIONS]));
    let run = tree.run(&format!(
        "transform design rows.jsonl --output project --llm {} --programs 33 --count 1 --implementations 2",
        server.address()
    ));
    if !runs(&run) {
        return;
    }
    run.success();
    let designed = read_json(&tree.at("project/prefixed-variables/transformation.json"));
    let counts = &designed["implementations"];
    assert_eq!(["unstable", "given_up"].map(|name| counts[name].as_u64()), [1, 0].map(Some), "{designed}");
    let program = std::fs::read_to_string(tree.at("project/prefixed-variables/program.py"));
    assert_eq!(program.expect("it is kept"), ADDITIONS);
}

#[test]
fn a_model_that_designs_nothing_is_an_error() {
    let (tree, server) = (data(), model(&["Hello!"], &[]));
    let run = tree.run(&flags(&server, "--count 1"));
    if runs(&run) {
        run.fails_with(&[
            "no transformation was designed: of 8 replies, 8 have no whole name and description",
        ]);
    }
}

#[test]
#[ignore = "long"]
fn a_server_of_no_use_is_one_clear_error() {
    let tree = data();
    for (reply, expected) in [
        ((401, "who are you"), ["HTTP 401: who are you", "FAMILIAR_API_KEY"]),
        ((200, "<html><body>Log in"), ["a page and no JSON: <html><body>Log in", "/chat/completions"]),
        ((404, "no model"), ["HTTP 404: no model", "after # a model"]),
    ] {
        let server = Server::start(move |_, _| Reply(reply.0, "", reply.1.to_owned()));
        let run = tree.run(&flags(&server, "--count 1"));
        if runs(&run) {
            run.fails_with(&expected);
        }
    }
    let run = tree.run(
        "transform design rows.jsonl --output project --llm http://127.0.0.1:9#m --tries 1 --programs 1",
    );
    if runs(&run) {
        run.fails_with(&["cannot reach http://127.0.0.1:9", "is the server running?"]);
    }
    let run = tree.run("transform design rows.jsonl --output project --llm localhost#m");
    if runs(&run) {
        run.fails_with(&["--llm: ", "http:// or https://", "give URL#MODEL"]);
    }
}

#[test]
#[ignore = "long"]
fn limits_end_a_run_and_a_higher_limit_goes_on() {
    let (tree, server) = (data(), model(&[FIRST], &[LOOPS]));
    let command = flags(&server, "--count 1 --implementations 4 --max-tokens 1000 --concurrency 1");
    let run = tree.run(&format!("{command} --max-tokens-total 4000"));
    if !runs(&run) {
        return;
    }
    run.fails_with(&["the limit of 4000 tokens is reached", "--max-tokens-total"]);
    let before = server.requests().len();
    assert!((2..5).contains(&before), "{before}");
    tree.run(&format!("{command} --max-cost 1")).fails_with(&["--price"]);
    let run = tree.run(&format!("{command} --price 1,10 --max-cost 0.03")).success();
    assert!(run.stderr().contains("5000 tokens spent, cost 0.0185"), "{}", run.stderr());
    assert_eq!(server.requests().len(), 5);
    let forecast = tree.run(&format!("{command} --forecast")).success().stdout();
    assert!(forecast.starts_with("0 requests to go") && forecast.contains("5000 tokens spent"), "{forecast}");
}

#[test]
#[ignore = "long"]
fn a_full_disk_is_one_clear_error_and_loses_nothing() {
    let tree = data();
    // A reply with three megabytes of prose.
    let server = Server::start(|_, request| {
        if asked(request).contains("Invent one rewriting") {
            return said(FIRST);
        }
        said(&(fenced(LOOPS) + &"It does. ".repeat(350_000)))
    });
    let command = flags(&server, "--count 1 --implementations 3 --concurrency 1");
    if !runs(&tree.run(&format!("{command} --forecast"))) {
        return;
    }
    let script = "trap '' XFSZ; ulimit -S -f 2048; exec \"$@\"";
    let mut limited = Command::new("sh");
    limited.current_dir(tree.path()).args(["-c", script, "sh", FAMILIAR]).args(command.split_whitespace());
    let run = Run(limited.output().expect("there is a shell"));
    run.fails_with(&["cannot write", "project", "run the same again"]);
    let answered = std::fs::read_to_string(tree.at("project/requests.jsonl")).expect("it is there");
    assert!(answered.is_empty() || answered.ends_with('\n'), "{answered}");
    tree.run(&command).success();
    let bodies = server.requests().len();
    assert!(bodies <= 4 + 1, "{bodies} requests: one reply could not be kept");
}

#[test]
#[ignore = "long"]
fn folders_that_are_no_sets_say_what_is_wrong() {
    let tree = data();
    let description = |name: &str, program: &str| {
        json!({ "schema": "familiar.transformation/1", "name": name, "language": "python", "program": program }).to_string()
    };
    tree.write("empty/a.txt", "a");
    tree.write("path/x/transformation.json", description("x", "../../rows.jsonl"));
    tree.write("name/x/transformation.json", description("../x", "program.py"));
    tree.write("gone/x/transformation.json", description("x", "program.py"));
    tree.write(
        "old/x/transformation.json",
        "{\"schema\":\"familiar.transformation/9\",\"name\":\"x\",\"language\":\"python\"}",
    );
    tree.write("json/x/transformation.json", "{");
    for name in ["one", "two"] {
        tree.write(&format!("{name}/x/transformation.json"), description("x", "program.py"));
        tree.write(&format!("{name}/x/program.py"), SAME);
    }
    for (set, expected) in [
        ("empty/", "empty/ has no transformation"),
        ("nowhere/", "cannot read nowhere/"),
        ("path/", "has to be a file in the same folder"),
        ("name/", "lower-case letters, digits and dashes"),
        ("gone/", "cannot read gone/x/program.py"),
        ("old/", "its schema is familiar.transformation/9"),
        ("json/", "EOF"),
        ("one/,two/", "two transformations have the name x"),
        ("minify,one/", "the set minify belongs together"),
    ] {
        let run = tree.run(&format!("transform rows.jsonl --set {set}"));
        if runs(&run) {
            run.fails_with(&[expected]);
        }
    }
    let run = tree.run("transform rows.jsonl --set one/");
    if runs(&run) {
        assert!(
            run.stderr().contains("p0: x: the program of the transformation prints the same program"),
            "{}",
            run.stderr()
        );
    }
}

#[test]
#[ignore = "long"]
fn what_goes_wrong_in_a_transformation_is_a_refusal() {
    let tree = data();
    for (name, program) in [
        ("a-fails", RAISES),
        ("b-exits", "import sys\nsys.exit(3)\n"),
        ("c-prints-nothing", "print('  ')\n"),
        ("d-prints-prose", "print('Here is your program: (')\n"),
        ("e-prints-bytes", "import sys\nsys.stdout.buffer.write(b'x = 1 # \\xff')\n"),
        ("f-writes-much", "while True:\n    print('x = 1 ' * 10000)\n"),
        ("g-needs-memory", "x = bytearray(4 << 30)\n"),
        ("h-reads-files", "print(open('/etc/passwd').read())\n"),
        ("i-never-ends", "while True:\n    pass\n"),
    ] {
        let description =
            json!({ "schema": "familiar.transformation/1", "name": name, "language": "python" });
        tree.write(&format!("set/{name}/transformation.json"), description.to_string());
        tree.write(&format!("set/{name}/program.py"), program);
    }
    tree.write("one.py", "x = 1\nprint(x)\n");
    for (name, expected) in [
        ("a-fails", "fails"),
        ("b-exits", "fails"),
        ("c-prints-nothing", "prints nothing"),
        ("d-prints-prose", "is no program"),
        ("e-prints-bytes", "is no program"),
        ("f-writes-much", "writes too much"),
        ("g-needs-memory", "fails"),
        ("h-reads-files", "fails"),
        ("i-never-ends", "takes too long"),
    ] {
        let run = tree.run(&format!("transform one.py --with set/{name}"));
        if !runs(&run) {
            return;
        }
        let errors = run.success().stderr();
        assert!(
            errors.contains(&format!("one.py: {name}: ")) && errors.contains(expected),
            "{name}: {errors}"
        );
    }
    let mut command = familiar();
    command.current_dir(tree.path()).args(["transform", "one.py", "--with", "for-while", "--unsandboxed"]);
    Run(command.output().expect("the command was built"))
        .fails_with(&["--unsandboxed: nothing is run without --verify"]);
}
