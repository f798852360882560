//! The cases in `fixtures/graph`: small programs with the edges that they must have, written by hand.
//!
//! A case is one file: what it shows, `---`, the program, `---`, and the edges. `function NAME` says of which function,
//! `flow`, `data` or `control` which edges follow; all of these are there, and no others. A node is the number of its
//! line. Where several stand on one line they are `3.1`, `3.2` in the order in which they run. Parameters are `@NAME`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use familiar_source::Language;

use super::super::{Edge, EdgeKind, Graph, GraphFunction, NodeKind, Program, View, When, parse};

struct Section<'a> {
    function: &'a str,
    kind: &'a str,
    edges: BTreeSet<String>,
}

/// The sections of the last part of a case.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut function = "";
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        if let Some(name) = line.strip_prefix("function ") {
            function = name;
        } else if let Some((from, list)) = line.split_once(" -> ") {
            let section = sections.last_mut().expect("a section begins before its edges");
            for target in list.split(',') {
                section.edges.insert(format!("{} -> {}", from.trim(), target.trim()));
            }
        } else {
            sections.push(Section { function, kind: line, edges: BTreeSet::new() });
        }
    }
    sections
}

/// What each node of a function is called in a case.
fn names(graph: &Graph, function: &GraphFunction) -> Vec<String> {
    let own = &graph.nodes[function.first as usize..function.end as usize];
    let is_plain = |kind| !matches!(kind, NodeKind::Entry | NodeKind::Exit | NodeKind::Parameter);
    own.iter()
        .enumerate()
        .map(|(at, node)| match node.kind {
            NodeKind::Entry => "entry".to_owned(),
            NodeKind::Exit => "exit".to_owned(),
            NodeKind::Parameter => {
                // A type comes before a name, a default value behind it.
                let label = node.label.replace("::", "");
                let name = label.split('=').next().unwrap_or_default().split(':').next().unwrap_or_default();
                let name = name.split_whitespace().last().unwrap_or_default();
                let name: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
                format!("@{name}")
            }
            _ => {
                let same = |it: &&super::super::Node| it.line == node.line && is_plain(it.kind);
                if own.iter().filter(same).count() == 1 {
                    node.line.to_string()
                } else {
                    format!("{}.{}", node.line, own[..at].iter().filter(same).count() + 1)
                }
            }
        })
        .collect()
}

fn edges(graph: &Graph, function: &GraphFunction, kind: EdgeKind) -> BTreeSet<String> {
    let names = names(graph, function);
    let own = |edge: &&Edge| edge.kind == kind && (function.first..function.end).contains(&edge.from);
    let name = |node: u32| &names[(node - function.first) as usize];
    graph
        .edges
        .iter()
        .filter(own)
        .map(|edge| {
            let mut line = format!("{} -> {}", name(edge.from), name(edge.to));
            if edge.when != When::Always {
                write!(line, " {}", edge.when.name()).expect("a string takes all");
            }
            if let Some(variable) = edge.variable {
                write!(line, " {}", graph.variables[variable as usize]).expect("a string takes all");
            }
            line
        })
        .collect()
}

/// What is wrong with one case; empty where nothing is.
fn check(language: Language, path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a case can be read");
    let mut parts = text.splitn(3, "---\n");
    let (_, code, expected) = (parts.next(), parts.next(), parts.next());
    let (code, expected) = code.zip(expected).expect("a case has three parts");
    let nodes = parse(language, code, usize::MAX).expect("a case can be parsed");
    let program = Program::of(language, &nodes, code).expect("the language has graphs");
    let mut wrong = String::new();
    for section in sections(expected) {
        let (view, kind) = match section.kind {
            "flow" => (View::Cfg, EdgeKind::Flow),
            "data" => (View::Dfg, EdgeKind::Data),
            "control" => (View::Cdg, EdgeKind::Control),
            other => panic!("{}: no section is called {other}", path.display()),
        };
        let graph = program.graph(view);
        let Some(function) = graph.functions.iter().find(|it| it.full_name() == section.function) else {
            writeln!(wrong, "{}: no function {}", path.display(), section.function).expect("it takes all");
            continue;
        };
        let found = edges(&graph, function, kind);
        for edge in section.edges.difference(&found) {
            writeln!(wrong, "{}: {} lacks {edge}", path.display(), section.kind).expect("it takes all");
        }
        for edge in found.difference(&section.edges) {
            writeln!(wrong, "{}: {} has {edge}", path.display(), section.kind).expect("it takes all");
        }
    }
    wrong
}

fn check_all(language: Language, folder: &str, at_least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graph").join(folder);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the cases are there").map(|it| it.expect("a case").path()).collect();
    paths.sort();
    assert!(paths.len() >= at_least, "{} cases", paths.len());
    let wrong: String = paths.iter().map(|path| check(language, path)).collect();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn python() {
    check_all(Language::Python, "python", 20);
}

#[test]
fn java() {
    check_all(Language::Java, "java", 20);
}

#[test]
fn c() {
    check_all(Language::C, "c", 20);
}

#[test]
fn cpp() {
    check_all(Language::Cpp, "cpp", 1);
}

#[test]
fn javascript() {
    check_all(Language::JavaScript, "javascript", 20);
}

#[test]
fn typescript() {
    check_all(Language::TypeScript, "typescript", 1);
}

#[test]
fn go() {
    check_all(Language::Go, "go", 1);
}
