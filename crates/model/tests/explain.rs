//! What an explanation promises: what it says sums up, it does not depend on which side is the left, and any text has one.

use familiar_model::explain::{Explain, Explanation, MOST_STATEMENTS, MOST_WORDS, PartName};
use familiar_model::{Builtin, Code, Encoder, Stage};
use familiar_source::{Language, Lines};

const PYTHON: &str = "def binary_search(items, wanted):
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
";

const JAVA: &str = "static int binarySearch(int[] sorted, int key) {
    int low = 0;
    int high = sorted.length - 1;
    // Halves what is left.
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < key) {
            low = middle + 1;
        } else if (sorted[middle] > key) {
            high = middle - 1;
        } else {
            return middle;
        }
    }
    return -1;
}";

fn explain(left: (Language, &str), right: (Language, &str)) -> Explanation {
    let code = |(language, text): (Language, &'static str)| Code { language, text: text.as_bytes() };
    let [left, right] = [left, right].map(|(language, text)| (language, text.to_owned().leak() as &str));
    Builtin::shipped().explain([code(left), code(right)])
}

fn searches() -> Explanation {
    explain((Language::Python, PYTHON), (Language::Java, JAVA))
}

#[test]
fn code_is_alike_with_itself_statement_by_statement() {
    for (language, text, statements) in [(Language::Python, PYTHON, 11), (Language::Java, JAVA, 12)] {
        let explanation = explain((language, text), (language, text));
        assert!((explanation.similarity - 1.0).abs() < 1e-4, "{}", explanation.similarity);
        assert_eq!(explanation.statements.len(), statements);
        for matched in &explanation.statements {
            assert_eq!(matched.left, matched.right);
            assert!((matched.similarity - 1.0).abs() < 1e-5, "{}", matched.similarity);
        }
        assert_eq!(explanation.other_statements, [vec![], vec![]]);
        assert_eq!(explanation.other_words, [Vec::<String>::new(), vec![]]);
        assert!(explanation.words.iter().all(|words| words.left == words.right));
    }
}

#[test]
fn the_statements_of_two_searches_correspond() {
    let explanation = searches();
    let matched: Vec<(u32, u32)> =
        explanation.statements.iter().map(|it| (it.left.start, it.right.start)).collect();
    for expected in [(3, 5), (4, 6), (7, 7), (8, 8), (11, 15)] {
        assert!(matched.contains(&expected), "{expected:?} is not in {matched:?}");
    }
    let words: Vec<&str> = explanation
        .words
        .iter()
        .filter(|words| words.left == words.right)
        .map(|words| words.left.as_str())
        .collect();
    for word in ["binary", "search", "low", "high", "middle"] {
        assert!(words.contains(&word), "{word} is not in {words:?}");
    }
    assert!(explanation.other_words[0].iter().chain(&explanation.other_words[1]).any(|it| it == "wanted"));
}

#[test]
fn each_statement_is_matched_once_or_listed_alone() {
    let explanation = searches();
    let sides = [0, 1].map(|side: usize| {
        let matched = explanation.statements.iter().map(|it| [it.left, it.right][side]);
        let mut lines: Vec<Lines> = matched.chain(explanation.other_statements[side].clone()).collect();
        lines.sort_unstable();
        lines
    });
    let line = |lines: &Lines| (lines.start, lines.end);
    assert_eq!(
        sides[0].iter().map(line).collect::<Vec<_>>(),
        (1..=11).map(|at| (at, at)).collect::<Vec<_>>()
    );
    let java = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 15].map(|at| (at, at));
    assert_eq!(sides[1].iter().map(line).collect::<Vec<_>>(), java);
}

#[test]
fn what_the_parts_add_is_the_similarity() {
    let explanation = searches();
    let sum: f32 = explanation.parts.iter().map(|part| part.adds).sum();
    assert!((sum - explanation.similarity).abs() < 1e-6);
    let names: Vec<&str> = explanation.parts.iter().map(|part| part.name.name()).collect();
    assert_eq!(names, ["flow", "words", "spelling", "forms"]);
    // The vectors are the parts, turned and shortened.
    let codes = [(Language::Python, PYTHON), (Language::Java, JAVA)];
    let codes = codes.map(|(language, text)| Code { language, text: text.as_bytes() });
    let vectors = Builtin::shipped().encode(&codes).expect("the built-in encoder takes any text");
    assert!((vectors.cosine(0, 1) - f64::from(explanation.similarity)).abs() < 0.05);
}

#[test]
fn swapping_the_sides_swaps_the_explanation() {
    let there = searches();
    let back = explain((Language::Java, JAVA), (Language::Python, PYTHON));
    assert_eq!(there.parts, back.parts);
    let [left, right] = back.other_words;
    assert_eq!(there.other_words, [right, left]);
    let [left, right] = back.other_statements;
    assert_eq!(there.other_statements, [right, left]);
    let swapped: Vec<_> = back.words.iter().map(|it| (&it.right, &it.left, it.adds)).collect();
    assert_eq!(there.words.iter().map(|it| (&it.left, &it.right, it.adds)).collect::<Vec<_>>(), swapped);
    let mut swapped: Vec<_> =
        back.statements.iter().map(|it| (it.right, it.left, it.similarity.to_bits())).collect();
    swapped.sort_unstable();
    let statements = there.statements.iter().map(|it| (it.left, it.right, it.similarity.to_bits()));
    assert_eq!(statements.collect::<Vec<_>>(), swapped);
}

#[test]
fn statements_are_matched_out_of_order_where_they_are_much_alike() {
    let there = "def f(a, b):\n    first = a.read(1024)\n    log('connection opened', b)\n    return first\n";
    let moved = "def f(a, b):\n    log('connection opened', b)\n    first = a.read(1024)\n    return first\n";
    let explanation = explain((Language::Python, there), (Language::Python, moved));
    let matched: Vec<(u32, u32)> =
        explanation.statements.iter().map(|it| (it.left.start, it.right.start)).collect();
    assert_eq!(matched, [(1, 1), (2, 3), (3, 2), (4, 4)]);
}

#[test]
fn what_is_one_statement_here_and_two_there_corresponds() {
    let one =
        "void f(int right) {\n    start(right);\n    if (right == 6) right = 5;\n    finish(right);\n}\n";
    let two = "function f(right) {\n    start(right);\n    if (right == 6)\n        right = 5;\n    finish(right);\n}\n";
    let explanation = explain((Language::C, one), (Language::TypeScript, two));
    let lines =
        explanation.statements.iter().map(|it| [it.left.start, it.left.end, it.right.start, it.right.end]);
    assert_eq!(lines.collect::<Vec<_>>(), [[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 4], [4, 4, 5, 5]]);
    assert_eq!(explanation.other_statements, [vec![], vec![]]);
}

#[test]
fn code_without_anything_to_read_has_an_explanation_that_says_nothing() {
    for text in ["", "  \n", "# only a comment\n"] {
        let explanation = explain((Language::Python, text), (Language::Java, JAVA));
        assert_eq!(explanation.similarity, 0.0);
        assert!(explanation.parts.iter().all(|part| part.cosine == 0.0 && part.adds == 0.0));
        assert!(explanation.words.is_empty() && explanation.statements.is_empty());
        assert!(explanation.other_statements[0].is_empty() && !explanation.other_statements[1].is_empty());
    }
}

#[test]
fn code_over_many_windows_is_matched_to_its_end() {
    let names = ["total", "count", "price", "weight", "height"];
    let statement = |at: usize| format!("    {} = {} + {at}\n", names[at % 5], names[(at + 2) % 5]);
    let body: String = (0..300).map(statement).collect();
    let text = format!("def f(x):\n{body}");
    let explanation = explain((Language::Python, &text), (Language::Python, &text));
    assert_eq!(explanation.statements.len(), 301);
    assert!(explanation.statements.iter().all(|it| it.left == it.right));
    assert!(explanation.words.len() <= MOST_WORDS);

    let body: String = (0..MOST_STATEMENTS + 100).map(statement).collect();
    let long = format!("def f(x):\n{body}");
    let explanation = explain((Language::Python, &long), (Language::Python, &text));
    assert!(explanation.statements.iter().all(|it| it.left.start <= MOST_STATEMENTS as u32));
    assert!((300..=301).contains(&explanation.statements.len()), "{}", explanation.statements.len());
}

#[test]
fn a_statement_of_more_than_a_window_is_one_statement() {
    let items: Vec<String> = (0..1000).map(|at| format!("item{at}")).collect();
    let text = format!("def f():\n    return [{}]\n", items.join(", "));
    let explanation = explain((Language::Python, &text), (Language::Python, &text));
    assert_eq!(explanation.statements.len(), 2);
}

#[test]
fn only_the_whole_encoder_explains() {
    assert!(Builtin::shipped().explainer().is_some());
    assert!(Builtin::shipped().at_stage(Stage::Static).explainer().is_none());
    assert_eq!(PartName::Forms.name(), "forms");
}
