//! A graph of any text has both ends of each edge, and the same text gives the same graph.
//!
//! The first byte chooses the language. `FAMILIAR_FUZZ_LANGUAGE=java` fixes it.
#![no_main]

use std::sync::LazyLock;

use familiar_represent::graph::{EdgeKind, LANGUAGES, NodeKind, Program, View, parse, write::json};
use familiar_source::Language;
use libfuzzer_sys::fuzz_target;

static FIXED: LazyLock<Option<Language>> =
    LazyLock::new(|| Language::from_name(&std::env::var("FAMILIAR_FUZZ_LANGUAGE").ok()?));

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let language = FIXED.unwrap_or(LANGUAGES[usize::from(*first) % LANGUAGES.len()]);
    let text = String::from_utf8_lossy(bytes);
    let Ok(nodes) = parse(language, &text, 64 << 20) else { return };
    let program = Program::of(language, &nodes, &text).expect("the language has graphs");
    let graph = program.graph(View::All);
    let count = graph.nodes.len() as u32;
    let mut leads = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        assert!(edge.from < count && edge.to < count);
        let (from, to) = (&graph.nodes[edge.from as usize], &graph.nodes[edge.to as usize]);
        match edge.kind {
            EdgeKind::Flow => {
                assert!(from.kind != NodeKind::Exit && to.kind != NodeKind::Entry);
                assert_eq!(from.function, to.function);
                leads[edge.from as usize] = true;
            }
            EdgeKind::Data | EdgeKind::Control => assert_eq!(from.function, to.function),
            EdgeKind::Call => assert_eq!(to.kind, NodeKind::Entry),
            EdgeKind::Return => assert_eq!(from.kind, NodeKind::Exit),
            EdgeKind::ParameterIn | EdgeKind::ParameterOut => {}
        }
    }
    for (node, leads) in graph.nodes.iter().zip(leads) {
        assert!(text.get(node.start as usize..node.end as usize).is_some());
        assert!(leads || node.kind != NodeKind::Entry);
    }
    // Bounded: what a program's length allows.
    assert!(graph.nodes.len() <= 64 * (text.len() + 1024));
    let dead = program.dead();
    assert!(dead.unreachable + dead.without_effect <= dead.statements);
    let again = Program::of(language, &nodes, &text).expect("the language has graphs").graph(View::All);
    let (mut one, mut other) = (Vec::new(), Vec::new());
    json::row("a", &graph, View::All, &mut one);
    json::row("a", &again, View::All, &mut other);
    assert_eq!(one, other);
});
