//! What simplified parse trees are.

use familiar_represent::tree::{EOF, NoTree, Node, Tree, dot, json};
use familiar_source::Language;

use crate::holds::check;

fn tree(language: Language, text: &str) -> Tree<'_> {
    let tree = Tree::of(language, text, usize::MAX).expect("the text is short");
    check(&tree);
    tree
}

/// A tree as `label(children)`, by depth.
fn shown(tree: &Tree<'_>, node: &Node) -> String {
    let mut text = String::new();
    tree.label(node, &mut text);
    if !node.is_token() {
        let below: Vec<_> = tree.below(node).iter().map(|child| shown(tree, child)).collect();
        text = format!("{text}[{}]", below.join(" "));
    }
    text
}

fn check_shown(language: Language, text: &str, expected: &str) {
    let tree = tree(language, text);
    assert_eq!(shown(&tree, &tree.nodes()[0]), expected, "{text}");
}

#[test]
fn a_statement_is_called_after_its_keywords_and_signs() {
    check_shown(
        Language::Java,
        "class A { int f(int x) { if (x > 3) return x; /* c */ return 0; } }",
        "##[class##[class A {#}[{ int###[int f (#)[( int#[int x] )] \
         {##}[{ if##[if (#)[( #>#[x > 3] )] return#;[return x ;]] return#;[return 0 ;] }]] }]] <EOF>]",
    );
}

#[test]
fn strings_and_names_are_one_token() {
    check_shown(Language::Python, "x = 'a b'\n", "##[#=#[x = 'a b'] <EOF>]");
    check_shown(Language::C, "a();", "##[#;[##[a ()[( )]] ;] <EOF>]");
}

#[test]
fn a_program_without_tokens_is_its_end() {
    for text in ["", "\n", "// nothing\n"] {
        check_shown(Language::Java, text, "<EOF>");
    }
}

#[test]
fn rules_are_called_as_in_the_grammar() {
    let tree = tree(Language::C, "int a;");
    let mut names = String::new();
    for node in tree.nodes() {
        tree.rule(node, &mut names);
    }
    assert_eq!(names, "translation_unitdeclarationEOFprimitive_typeidentifier';'");
    let numbers: Vec<_> = tree.nodes().iter().map(|node| tree.rule_number(node)).collect();
    assert!(numbers[2] == EOF && numbers.iter().enumerate().all(|(at, &number)| at == 2 || number > 0));
    let tokens: Vec<_> = tree.nodes().iter().filter(|node| node.is_token()).map(|node| node.token).collect();
    assert_eq!(tokens, [3, 0, 1, 2]);
    let reserved: Vec<_> = tree.nodes().iter().map(|node| node.is_reserved).collect();
    assert_eq!(reserved, [false, false, false, true, false, true]);
}

#[test]
fn what_the_grammar_does_not_allow_is_in_the_tree() {
    for text in ["class {", "@#$%^ \u{0} 5", ")", "int f( { } }", "\u{fffd}"] {
        for language in [Language::Java, Language::C, Language::Cpp, Language::Python, Language::JavaScript] {
            let tree = tree(language, text);
            assert!(tree.nodes().len() > 1, "{text:?} in {}", language.name());
        }
    }
    assert_eq!(tree(Language::Java, "class A {}\nclass {").first_error_line(), Some(2));
    assert_eq!(tree(Language::Java, "class A {}").first_error_line(), None);
}

#[test]
fn deep_trees_are_no_harder_than_wide_ones() {
    let deep = format!("int a = {}1{};", "(".repeat(20_000), ")".repeat(20_000));
    assert!(tree(Language::C, &deep).nodes().len() > 40_000);
}

#[test]
fn a_language_without_a_grammar_has_no_trees() {
    let error = Tree::of(Language::Fortran, "end", usize::MAX).expect_err("there is none");
    assert_eq!(error.to_string(), "there is no grammar for fortran");
    let error = Tree::of(Language::C, "int a;", 10).expect_err("ten bytes");
    assert_eq!(error, NoTree::Budget);
}

#[test]
fn the_json_is_that_of_the_generator() {
    let tree = tree(Language::C, "int a;");
    let mut out = Vec::new();
    json::row("a.c", &tree, &mut out);
    assert_eq!(String::from_utf8_lossy(&out).lines().count(), 1);
    let value: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
    let graph = &value["graph"];
    assert_eq!(graph["nodes"].as_array().map(Vec::len), Some(6));
    assert_eq!(graph["num-of-edges"], 5);
    assert_eq!(
        graph["nodes"][3],
        serde_json::json!({
            "id": 3, "label": "int", "node-type": "Token", "type-rule-name": "primitive_type",
            "type-rule-index": graph["nodes"][3]["type-rule-index"], "reserved-word-flag": true,
            "dfs-index": 2, "depth": 2, "token-id": 0
        })
    );
    assert_eq!(graph["nodes"][1].get("token-id"), None);
    assert_eq!(graph["edges"][4], serde_json::json!({"between": [1, 5]}));
    let mut lines = Vec::new();
    json::lines("a.c", &tree, &mut lines);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&lines).expect("JSON"), value);
    let mut graph = Vec::new();
    dot::program("a.c", &tree, &mut graph);
    assert!(String::from_utf8_lossy(&graph).contains("  3 [label=\"int\"];\n"));
}
