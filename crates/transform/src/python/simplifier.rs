//! Whether what a transformation inserts can be undone cheaply.
//!
//! A simplifier folds constants, writes single-use variables and constants where they are used, and deletes statements whose result
//! is never used, as often as anything changes. It is bolder than a compiler may be: it does not ask whether a name may change
//! in between. What it makes of a program is compared without blanks, comments and parentheses.

use std::ops::Range;
use std::path::Path;

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::code;
use super::memory::Assignment;
use crate::{ApplyError, Program, Where, apply, catalog};

/// Rewrites of one program.
const MOST_STEPS: usize = 500;

fn parsed(text: &str) -> Program {
    Program::parse(Language::Python, text.as_bytes(), usize::MAX).expect("a test's own code")
}

fn simplified(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST_STEPS {
        let program = parsed(&text);
        let step = folded(&program).or_else(|| split(&program)).or_else(|| inlined(&program));
        let Some(edits) = step.or_else(|| deleted(&program)) else { return text };
        text = edited(&text, edits);
    }
    panic!("it goes on without an end: {text}")
}

type Edits = Vec<(Range<usize>, String)>;

fn edited(text: &str, mut edits: Edits) -> String {
    let mut text = text.to_owned();
    edits.sort_by_key(|it| std::cmp::Reverse(it.0.start));
    for (range, new) in edits {
        text.replace_range(range, &new);
    }
    text
}

/// The words of a program, without parentheses and comments.
fn words(text: &str) -> Vec<String> {
    let program = parsed(text);
    let leaves =
        program.root().subtree().filter(|it| it.children().next().is_none() && it.kind() != "comment");
    let words = leaves.map(|it| program.of(it).trim().to_owned());
    words.filter(|it| !matches!(it.as_str(), "" | "(" | ")")).collect()
}

/// A whole number as it is written, also a negative one.
fn number(program: &Program, node: Node<'_>) -> Option<i128> {
    let bare = code::bare(node);
    match bare.kind() {
        "integer" => program.of(bare).parse().ok(),
        "unary_operator" if program.of(bare).starts_with('-') => {
            number(program, bare.child("argument")?).map(|it| -it)
        }
        _ => None,
    }
}

fn folded(program: &Program) -> Option<Edits> {
    program.root().subtree().find_map(|node| {
        let new = match node.kind() {
            "parenthesized_expression" => {
                let bare = code::bare(node);
                let single =
                    matches!(bare.kind(), "integer" | "float" | "string" | "true" | "false" | "identifier");
                single.then(|| format!(" {}", program.of(bare)))
            }
            "binary_operator" => operation(program, node),
            "not_operator" => match code::bare(node.child("argument")?).kind() {
                "true" => Some("False".to_owned()),
                "false" => Some("True".to_owned()),
                _ => None,
            },
            "comparison_operator" => comparison(program, node),
            "while_statement" | "if_statement" => {
                let never = node.child("condition").is_some_and(|it| code::bare(it).kind() == "false");
                (never && node.child("alternative").is_none()).then(|| "pass".to_owned())
            }
            "for_statement" => {
                let empty = node.child("right").is_some_and(|it| program.of(it) == "()");
                (empty && node.child("alternative").is_none()).then(|| "pass".to_owned())
            }
            _ => None,
        }?;
        Some(vec![(node.range(), new)])
    })
}

fn operation(program: &Program, node: Node<'_>) -> Option<String> {
    let (left, right) = (node.child("left")?, node.child("right")?);
    let sign = program.of(node.child("operator")?);
    if let (Some(a), Some(b)) = (number(program, left), number(program, right)) {
        let value = match sign {
            "+" => a.checked_add(b),
            "-" => a.checked_sub(b),
            "*" => a.checked_mul(b),
            "//" if b > 0 => Some(a.div_euclid(b)),
            "%" if b > 0 => Some(a.rem_euclid(b)),
            "**" => a.checked_pow(b.try_into().ok()?),
            "^" => Some(a ^ b),
            _ => None,
        }?;
        return Some(if value < 0 { format!("({value})") } else { value.to_string() });
    }
    let [left, right] = [left, right].map(code::bare);
    if left.kind() == "float" || right.kind() == "float" {
        let [a, b]: [f64; 2] = [program.of(left).parse().ok()?, program.of(right).parse().ok()?];
        return (sign == "/").then(|| format!("{:?}", a / b));
    }
    let texts = left.kind() == "string" && right.kind() == "string" && sign == "+";
    let [a, b] = [program.of(left), program.of(right)];
    (texts && a[..1] == b[..1]).then(|| format!("{}{}", &a[..a.len() - 1], &b[1..]))
}

fn comparison(program: &Program, node: Node<'_>) -> Option<String> {
    let (left, sign, right) = super::expressions::sides(node)?;
    let (a, b) = (number(program, left)?, number(program, right)?);
    let holds = match sign {
        "<" => a < b,
        ">" => a > b,
        "==" => a == b,
        "!=" => a != b,
        _ => return None,
    };
    Some(if holds { "True" } else { "False" }.to_owned())
}

/// `a, b = x, y` as two assignments.
fn split(program: &Program) -> Option<Edits> {
    code::all(program, "expression_statement").find_map(|statement| {
        let assignment = statement.named().next().filter(|it| it.kind() == "assignment")?;
        let (left, right) = (assignment.child("left")?, assignment.child("right")?);
        let (targets, values): (Vec<_>, Vec<_>) = (left.named().collect(), right.named().collect());
        let pair = left.kind() == "pattern_list" && right.kind() == "expression_list";
        let still = |it: &Node<'_>| {
            matches!(it.kind(), "integer" | "float" | "string" | "identifier" | "dictionary" | "list")
        };
        if !pair || targets.len() != values.len() || !values.iter().all(still) {
            return None;
        }
        let indent = code::indent(program, statement).ok()?;
        let lines =
            targets.iter().zip(&values).map(|(a, b)| format!("{} = {}", program.of(*a), program.of(*b)));
        Some(vec![(statement.range(), lines.collect::<Vec<_>>().join(&format!("\n{indent}")))])
    })
}

/// A variable that is bound once and read once, or whose value is a literal, as its value.
fn inlined(program: &Program) -> Option<Edits> {
    code::all(program, "expression_statement").find_map(|statement| {
        let assignment = Assignment::of(program, statement)?;
        let variable = program.scopes().variable(assignment.target)?;
        let reads: Vec<_> = variable
            .places
            .iter()
            .filter(|it| !variable.bindings.contains(it))
            .map(|&it| program.node(it))
            .collect();
        let literal =
            matches!(assignment.value.kind(), "integer" | "float" | "string" | "true" | "false" | "none");
        let inside = reads.iter().any(|it| statement.holds(*it));
        let wanted = reads.len() == 1 || literal && !reads.is_empty();
        if variable.bindings.len() != 1 || variable.is_parameter || inside || !wanted {
            return None;
        }
        let value = format!("({})", program.of(assignment.value));
        let mut edits: Edits = reads.iter().map(|it| (it.range(), value.clone())).collect();
        edits.push((statement.range(), "pass".to_owned()));
        Some(edits)
    })
}

fn deleted(program: &Program) -> Option<Edits> {
    let statements = program.root().subtree().filter(|it| code::is_statement(*it));
    statements.filter(|it| is_unused(program, *it)).find_map(|statement| {
        let edit = code::deleted(program, statement).ok()?;
        let text = edit.pieces.iter().map(|piece| match piece {
            crate::Piece::Text(text) => text.clone(),
            crate::Piece::Keep(range) | crate::Piece::Shift { range, .. } => {
                program.slice(range.clone()).to_owned()
            }
        });
        Some(vec![(edit.range.clone(), text.collect())])
    })
}

fn is_unused(program: &Program, statement: Node<'_>) -> bool {
    let acts = |it: Node<'_>| {
        it.subtree().any(|it| matches!(it.kind(), "call" | "yield" | "await" | "named_expression"))
    };
    let first = statement.named().next();
    match (statement.kind(), first) {
        ("pass_statement", _) => true,
        ("expression_statement", Some(only))
            if matches!(only.kind(), "assignment" | "augmented_assignment") =>
        {
            let Some(target) = only.child("left").filter(|it| it.kind() == "identifier") else {
                return false;
            };
            let unread = program
                .scopes()
                .variable(target)
                .is_some_and(|it| it.places.iter().all(|place| it.bindings.contains(place)) && !it.is_shared);
            let itself = only.kind() == "assignment"
                && only.child("right").is_some_and(|it| program.of(it) == program.of(target));
            itself || unread && only.child("right").is_some_and(|it| !acts(it))
        }
        ("expression_statement", Some(only)) => only.kind() != "string" && !acts(only),
        _ => false,
    }
}

/// What stands before each transformation in its fixtures, with what it makes of that.
fn made(name: &str) -> Vec<(String, String)> {
    let file = format!("{}/fixtures/{name}/python.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(Path::new(&file)).expect("a test's own code");
    let transformation = catalog::transformation(name).expect("a test's own code");
    let cases = text.split("=== before\n").skip(1).filter_map(|case| case.split("=== ").next());
    let made = cases.filter_map(|before| match apply(&parsed(before), transformation, Where::All, 3) {
        Ok(variant) => Some((before.to_owned(), variant.program.text().to_owned())),
        Err(ApplyError::NotApplicable(_)) => None,
        Err(fault @ ApplyError::Broken { .. }) => panic!("{fault}"),
    });
    made.collect()
}

#[test]
fn new_20_cannot_be_undone_cheaply() {
    for transformation in catalog::Set::named("new-20").expect("a test's own code").all_members() {
        let made = made(transformation.name());
        assert!(!made.is_empty(), "{}", transformation.name());
        for (before, after) in made {
            let (before, after) = (simplified(&before), simplified(&after));
            assert_ne!(words(&before), words(&after), "{}\n{before}\n{after}", transformation.name());
        }
    }
}

#[test]
fn the_simplifier_undoes_what_can_be_undone() {
    let undone = ["dead-code", "redundant-code", "literal-rewrite", "constant-naming", "expression-split"];
    for name in undone {
        let made = made(name);
        let same =
            |(before, after): &&(String, String)| words(&simplified(before)) == words(&simplified(after));
        assert!(made.iter().any(|it| same(&it)), "{name}: {}", simplified(&made[0].1));
    }
}

#[test]
fn simplified_by_hand() {
    let cases = [
        ("def f(a):\n    b = a + 1\n    return b * (2 + 3)\n", "def f(a):\n    return (a + 1) * 5\n"),
        ("def f(a):\n    x, y = 7, a\n    z = x\n    return y + x\n", "def f(a):\n    return a + 7\n"),
        (
            "def f(a):\n    while False:\n        a()\n    a\n    return 'x' + 'y'\n",
            "def f(a):\n    return 'xy'\n",
        ),
        ("def f(a):\n    x = a()\n", "def f(a):\n    x = a()\n"),
        (
            "def f(a):\n    if 3 < 2:\n        a()\n    a = a\n    return not False\n",
            "def f(a):\n    return True\n",
        ),
    ];
    for (code, expected) in cases {
        assert_eq!(words(&simplified(code)), words(expected), "{code}");
    }
}
