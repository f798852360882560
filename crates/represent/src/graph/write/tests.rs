//! Each format of one small program.

use familiar_source::Language;

use super::super::{Graph, Program, View, parse};
use super::{dot, graphml, json, svg};

const CODE: &str = "def f(a):\n    if a < 1 and \"&\":\n        return a\n    return f(a - 1)\nf(2)\n";

fn graph(view: View) -> Graph {
    let nodes = parse(Language::Python, CODE, usize::MAX).expect("a test's own code");
    Program::of(Language::Python, &nodes, CODE).expect("a test's own code").graph(view)
}

fn written(write: impl Fn(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("it is text")
}

#[test]
fn json_has_all_nodes_and_edges() {
    for view in View::ALL {
        let graph = graph(view);
        let row = written(|out| json::row("a \"b\"", &graph, view, out));
        let lines = written(|out| json::lines("a \"b\"", &graph, view, out));
        assert_eq!(row.lines().count(), 1);
        let parsed: serde_json::Value = serde_json::from_str(&row).expect("it is JSON");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&lines).expect("it is JSON"), parsed);
        assert_eq!(parsed["id"], "a \"b\"");
        let parsed = &parsed["graph"];
        assert_eq!(parsed["type"], view.name());
        assert_eq!(parsed["nodes"].as_array().expect("nodes").len(), graph.nodes.len());
        assert_eq!(parsed["edges"].as_array().expect("edges").len(), graph.edges.len());
        assert_eq!(
            parsed["edges"][0]["between"],
            serde_json::json!([graph.edges[0].from, graph.edges[0].to])
        );
    }
}

#[test]
fn marks_are_written_out() {
    let graph = graph(View::All);
    let text = written(|out| graphml::program("a<b", &graph, View::All, out));
    assert!(text.contains("a&lt;b") && text.contains("a &lt; 1") && text.contains("&quot;&amp;&quot;"));
    assert_eq!(text.matches("<node ").count(), graph.nodes.len());
    assert_eq!(text.matches("<edge ").count(), graph.edges.len());
    let text = written(|out| dot::program("a", &graph, View::All, out));
    assert_eq!(text.matches(" -> ").count(), graph.edges.len());
    assert!(text.contains("label=\"\\\"&\\\"\""));
    let text = written(|out| svg::program("a", &graph, View::All, out));
    assert_eq!(text.matches("<rect ").count(), graph.nodes.len());
    assert_eq!(text.matches("<path class").count(), graph.edges.len());
    assert!(text.contains("a &lt; 1") && text.ends_with("</svg>\n"));
}

#[test]
fn programs_of_one_document_have_ids_of_their_own() {
    let graph = graph(View::Cfg);
    let ids = |source: &str| -> Vec<String> {
        let text = written(|out| graphml::program(source, &graph, View::Cfg, out));
        let ids = text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
        ids.map(str::to_owned).collect()
    };
    let (one, two) = (ids("a.py"), ids("b.py"));
    assert_eq!(one.len(), 1 + graph.nodes.len());
    assert!(one.iter().all(|id| !two.contains(id)));
}

#[test]
fn one_function_may_be_picked() {
    let all = graph(View::Cfg);
    let one = all.only("f");
    assert_eq!((all.functions.len(), one.functions.len()), (2, 1));
    assert!(one.nodes.len() < all.nodes.len());
    assert!(one.edges.iter().all(|it| (it.from.max(it.to) as usize) < one.nodes.len()));
    assert_eq!(one.functions[0].first, 0);
    assert!(all.only("g").nodes.is_empty());
}
