//! Whole programs: what holds of every graph, dead code, calls, and code that is nested too deeply.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use familiar_source::Language;
use proptest::prelude::*;

use super::super::{Dead, EdgeKind, Graph, LANGUAGES, NodeKind, Program, View, parse};

fn graph(language: Language, code: &str, view: View) -> Graph {
    let nodes = parse(language, code, usize::MAX).expect("a test's own code");
    Program::of(language, &nodes, code).expect("a test's own code").graph(view)
}

fn dead(language: Language, code: &str) -> Dead {
    let nodes = parse(language, code, usize::MAX).expect("a test's own code");
    Program::of(language, &nodes, code).expect("a test's own code").dead()
}

/// What holds of every graph of every text.
fn assert_whole(graph: &Graph, text: &str) {
    let count = graph.nodes.len() as u32;
    let mut in_flow = vec![0; count as usize];
    let mut out_flow = vec![0; count as usize];
    for edge in &graph.edges {
        assert!(edge.from < count && edge.to < count);
        assert!(edge.variable.is_none_or(|it| (it as usize) < graph.variables.len()));
        let (from, to) = (&graph.nodes[edge.from as usize], &graph.nodes[edge.to as usize]);
        let is_inside = matches!(edge.kind, EdgeKind::Flow | EdgeKind::Data | EdgeKind::Control);
        assert!(!is_inside || from.function == to.function);
        if edge.kind == EdgeKind::Flow {
            assert!(from.kind != NodeKind::Exit && to.kind != NodeKind::Entry);
            in_flow[edge.to as usize] += 1;
            out_flow[edge.from as usize] += 1;
        }
        if edge.kind == EdgeKind::Call {
            assert_eq!(to.kind, NodeKind::Entry);
        }
    }
    let has_flow = graph.edges.iter().any(|it| it.kind == EdgeKind::Flow);
    assert!(graph.edges.is_sorted());
    for (at, node) in graph.nodes.iter().enumerate() {
        assert!(text.get(node.start as usize..node.end as usize).is_some());
        assert!((node.function as usize) < graph.functions.len());
        if node.kind == NodeKind::Entry && has_flow {
            assert!(out_flow[at] > 0, "an entry leads somewhere");
        }
    }
    for function in &graph.functions {
        assert_eq!(graph.nodes[function.first as usize].kind, NodeKind::Entry);
        assert_eq!(graph.nodes[function.first as usize + 1].kind, NodeKind::Exit);
    }
}

#[test]
fn dead_code_by_hand() {
    let code = "def f(a):\n    x = 1\n    y = a\n    print(y)\n    return y\n    z = 2\nf(1)\n";
    // `def f`, five statements in it and the call; `x` is never read, `z` never reached.
    assert_eq!(dead(Language::Python, code), Dead { statements: 7, unreachable: 1, without_effect: 1 });

    // A loop that computes nothing that anybody reads.
    let code = "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += i;\n  return n;\n}\n";
    assert_eq!(dead(Language::C, code), Dead { statements: 6, unreachable: 0, without_effect: 5 });

    // A declaration is there for its variable; writing to an array is seen by whoever else has it.
    let code = "class A { int f(int[] a) { int x; int y; x = 1; a[0] = x; return 0; } }";
    assert_eq!(dead(Language::Java, code), Dead { statements: 5, unreachable: 0, without_effect: 1 });

    // A variable that another function reads is used.
    let code = "let n = 0;\nfunction up() { n += 1; }\nexport { up };\n";
    assert_eq!(dead(Language::JavaScript, code).without_effect, 0);
    assert_eq!(Dead::default().share(), 0.0);
}

#[test]
fn calls_are_resolved_by_name_and_number() {
    let code = "class A { int g(int a) { return a; } int g(int a, int b) { return b; } int f() { return g(1); } }\n\
                class B { int g(int a) { return 2; } int h(A x) { return x.g(1, 2) + x.g(3); } }\n";
    let graph = graph(Language::Java, code, View::Ipcfg);
    let calls: Vec<_> = graph
        .edges
        .iter()
        .filter(|it| it.kind == EdgeKind::Call)
        .map(|it| {
            let name = |node: u32| graph.functions[graph.nodes[node as usize].function as usize].full_name();
            (name(it.from), name(it.to), it.is_ambiguous)
        })
        .collect();
    let call = |from: &str, to: &str, is_ambiguous| (from.to_owned(), to.to_owned(), is_ambiguous);
    // `x.g(3)` may be that of either class, since nothing is known of types.
    assert_eq!(
        calls,
        [
            call("A.f", "A.g", false),
            call("B.h", "A.g", true),
            call("B.h", "A.g", false),
            call("B.h", "B.g", true)
        ]
    );
    let returns = graph.edges.iter().filter(|it| it.kind == EdgeKind::Return).count();
    assert_eq!(returns, 4);
}

#[test]
fn values_go_in_and_out_of_functions() {
    let code =
        "total = 0\ndef add(n):\n    global total\n    total += n\n    return total\nk = 2\nprint(add(k))\n";
    let graph = graph(Language::Python, code, View::Sdg);
    let label = |node: u32| {
        let node = &graph.nodes[node as usize];
        format!("{} {}", node.kind.name(), node.label)
    };
    let of = |kind| -> Vec<(String, String)> {
        let edges = graph.edges.iter().filter(|it| it.kind == kind);
        edges.map(|it| (label(it.from), label(it.to))).collect()
    };
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let ins = of(EdgeKind::ParameterIn);
    assert!(ins.contains(&pair("actual-in k", "parameter n")));
    assert!(ins.contains(&pair("actual-in total", "formal-in total")));
    assert_eq!(ins.len(), 2);
    let outs = of(EdgeKind::ParameterOut);
    assert!(outs.contains(&pair("formal-out result", "actual-out result")));
    assert!(outs.contains(&pair("formal-out total", "actual-out total")));
    assert_eq!(outs.len(), 2);
    let data = of(EdgeKind::Data);
    assert!(data.contains(&pair("statement k = 2", "actual-in k")));
    assert!(data.contains(&pair("statement total = 0", "actual-in total")));
    assert!(data.contains(&pair("formal-in total", "statement total += n")));
    assert!(data.contains(&pair("statement total += n", "formal-out total")));
    assert!(data.contains(&pair("return return total", "formal-out result")));
    assert!(data.contains(&pair("actual-out result", "statement print(add(k))")));
    assert_whole(&graph, code);
}

#[test]
fn nesting_and_length_are_bounded() {
    let many = 3000;
    for (language, code) in [
        (Language::Python, format!("x = {}1{}\n", "(".repeat(many), ")".repeat(many))),
        (Language::C, format!("int f(int a) {{ {} a++; {} }}", "if (a) {".repeat(many), "}".repeat(many))),
        (
            Language::Java,
            format!("class A {{ int f(int a) {{ {} return a; }} }}", "if (a > 1) a = 2; else ".repeat(many)),
        ),
        (Language::JavaScript, format!("x = {} y;", "a ? b : ".repeat(many))),
        (Language::JavaScript, format!("x = {} y;", "a && ".repeat(many))),
        (Language::JavaScript, format!("x = {} y {};", "(a || (b && ".repeat(many), "))".repeat(many))),
        (Language::JavaScript, format!("{}{}", "(() => {".repeat(many), "})".repeat(many))),
        (Language::Go, format!("package p\nfunc f(a int) {{ {} }}", "a = a + 1\n".repeat(many))),
    ] {
        let Ok(nodes) = parse(language, &code, usize::MAX) else { continue };
        let program = Program::of(language, &nodes, &code).expect("the language has graphs");
        assert_whole(&program.graph(View::All), &code);
    }
}

/// The programs of all cases.
static PROGRAMS: LazyLock<Vec<(Language, String)>> = LazyLock::new(programs);

fn programs() -> Vec<(Language, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graph");
    let mut programs = Vec::new();
    for language in LANGUAGES {
        let name = language.name();
        let Ok(entries) = fs::read_dir(folder.join(name)) else { continue };
        for entry in entries {
            let text = fs::read_to_string(entry.expect("a case").path()).expect("a case can be read");
            let code = text.split("---\n").nth(1).expect("a case has three parts");
            programs.push((*language, code.to_owned()));
        }
    }
    programs.sort();
    programs
}

#[test]
fn every_case_is_whole_in_every_view() {
    let programs = &*PROGRAMS;
    assert!(programs.len() > 90, "{}", programs.len());
    for (language, code) in programs {
        for view in View::ALL {
            assert_whole(&graph(*language, code, view), code);
        }
    }
}

proptest! {
    #[test]
    fn damaged_programs_are_whole(at in any::<prop::sample::Index>(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12), 1..4)) {
        let programs = &*PROGRAMS;
        let (language, code) = &programs[at.index(programs.len())];
        let mut code: Vec<char> = code.chars().collect();
        for (place, length) in cuts {
            let place = place.index(code.len().max(1)).min(code.len());
            let end = (place + length).min(code.len());
            code.drain(place..end);
        }
        let code: String = code.into_iter().collect();
        let nodes = parse(*language, &code, usize::MAX).expect("it is short");
        let program = Program::of(*language, &nodes, &code).expect("the language has graphs");
        assert_whole(&program.graph(View::All), &code);
        let dead = program.dead();
        prop_assert!(dead.unreachable + dead.without_effect <= dead.statements);
    }
}
