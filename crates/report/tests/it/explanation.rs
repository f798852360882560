//! A pair with an explanation, in every format that shows one.

use familiar_report::explanation::{AlikeWords, MatchedLines, OneSided, Part, Parts};
use familiar_report::{CloneReport, Explanation, Format, Style};

use crate::formats::{self, Pairs, assert_valid, closed, rendered, schema};
use crate::html;

fn explanation() -> Explanation {
    let part = |cosine, adds| Part { cosine, adds };
    let words = |left: &str, right: &str, adds| AlikeWords { left: left.into(), right: right.into(), adds };
    let matched = |left, right, similarity| MatchedLines { left, right, similarity };
    Explanation {
        similarity: 0.7421,
        parts: Parts {
            flow: part(0.8923, 0.2581),
            words: part(0.6702, 0.0959),
            spelling: part(-0.02, -0.0011),
            forms: part(0.734, 0.3892),
        },
        words: vec![
            words("search", "search", 0.3),
            words("low", "mid", 0.05),
            words("</script>", "\u{1b}", 0.01),
        ],
        statements: vec![
            matched([1, 1], [40, 40], 0.83),
            matched([2, 2], [41, 41], 0.9),
            matched([3, 3], [43, 44], 0.71),
        ],
        only_left: OneSided { words: vec!["wanted".to_owned()], statements: vec![[4, 4]] },
        only_right: OneSided { words: Vec::new(), statements: vec![[42, 42], [45, 46]] },
    }
}

/// The usual result, whose first class is one of type 4 that is explained.
fn report() -> CloneReport {
    let mut report = formats::report();
    let pairs = || {
        let mut pair = formats::pair(0, 2, 4, 0.93);
        pair.explanation = Some(Box::new(explanation()));
        vec![formats::pair(0, 1, 2, 1.0), pair, formats::pair(3, 4, 1, 1.0)]
    };
    report.pairs = Box::new(Pairs(pairs()));
    report.all_pairs = Box::new(Pairs(pairs()));
    report.classes[0].clone_type = 4;
    report.classes[0].explanation = Some(Box::new(explanation()));
    report
}

#[test]
fn text_says_in_a_few_lines_what_is_alike() {
    let style = Style { color: false, width: 100, show: Some(1) };
    let text = rendered(&report(), Format::Text, style);
    let told = text.lines().skip_while(|line| !line.contains("similarity 0.74"));
    insta::assert_snapshot!(told.take(4).collect::<Vec<_>>().join("\n"));
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn json_and_ndjson_have_the_explanation_that_the_schema_describes() {
    let mut clones = schema("clones-1.schema.json");
    closed(&mut clones);
    let text = rendered(&report(), Format::Json, Style::default());
    assert_valid(&clones, &text);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let [without, with] = [0, 1].map(|at| &document["pairs"][at]["explanation"]);
    assert!(without.is_null());
    let read: Explanation = serde_json::from_value(with.clone()).expect("what was written is read");
    assert_eq!(read, explanation());
    for key in ["properties", "required", "type", "additionalProperties"] {
        clones.as_object_mut().expect("a schema is an object").remove(key);
    }
    clones["$ref"] = "#/$defs/line".into();
    let lines = rendered(&report(), Format::Ndjson, Style::default());
    lines.lines().for_each(|line| assert_valid(&clones, line));
    assert_eq!(lines.matches("\"explanation\"").count(), 1);
}

#[test]
fn pages_have_explanations_in_packs_with_an_index() {
    let page = html::page(&report());
    let block = |name: &str| {
        let id = format!("id=\"data-{name}\">");
        let block = html::blocks(&page).find(|block| block.contains(&id));
        let json =
            block.and_then(|it| it.split_once('>')).and_then(|(_, rest)| rest.strip_suffix("</script>"));
        serde_json::from_str::<serde_json::Value>(json.expect("the block is there")).expect("JSON")
    };
    assert_eq!(block("head")["counts"]["explanations"], 1);
    // The pair with number 1, and a pack that begins with row 0.
    assert_eq!(block("explanations"), serde_json::json!({ "pair": "AQ==", "first": "AA==" }));
    let read: Vec<Explanation> = serde_json::from_value(block("explanations-0")).expect("explanations");
    assert_eq!(read, [explanation()]);
    assert!(html::blocks(&page).all(|block| block.matches('<').count() == 2), "nothing of it is markup");
    assert!(!html::page(&formats::report()).contains("\"explanations\""));
}
