//! Transformations of loops, and what is known of ranges.

pub(crate) mod comprehension_loop;
pub(crate) mod continue_else;
pub(crate) mod countdown;
pub(crate) mod index;
pub(crate) mod infinite;
pub(crate) mod loop_comprehension;
pub(crate) mod loop_recursion;
pub(crate) mod stack;
pub(crate) mod tail_recursion;
pub(crate) mod true_loop;
pub(crate) mod while_condition;

use familiar_syntax::tree::Node;

use super::code;
use crate::Refusal;
use crate::program::Program;
use crate::template::Lines;

pub(super) const NO_LOOP: Refusal = Refusal("it is no whole loop");
pub(super) const NO_RANGE: Refusal = Refusal("it does not run over a range");

/// Target, collection and body of a `for` loop, where new names may stand beside it.
pub(super) fn parts(statement: Node<'_>) -> Result<[Node<'_>; 3], Refusal> {
    let fields = [statement.child("left"), statement.child("right"), statement.child("body")];
    let [Some(target), Some(items), Some(body)] = fields else { return Err(NO_LOOP) };
    code::may_add_names(statement)?;
    if statement.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is an `async for`"));
    }
    Ok([target, items, body])
}

/// The arguments of a call of the builtin `range`.
pub(super) fn range_of<'p>(program: &Program, items: Node<'p>) -> Option<Vec<Node<'p>>> {
    let function = items.child("function").filter(|_| items.kind() == "call")?;
    program.scopes().is_builtin(program, function, "range").then_some(())?;
    let arguments: Vec<_> = items.child("arguments")?.named().filter(|it| it.kind() != "comment").collect();
    let plain = arguments
        .iter()
        .all(|it| !matches!(it.kind(), "list_splat" | "keyword_argument" | "dictionary_splat"));
    (plain && (1..=3).contains(&arguments.len())).then_some(arguments)
}

/// How many numbers the range of this name has; negative where it has none.
pub(super) fn count_of(span: &str) -> String {
    format!("-(({span}.start - {span}.stop) // {span}.step)")
}

/// Adds what stands behind `else` of a loop, and `break`, for a place inside the loop that takes its place.
pub(super) fn add_end(program: &Program, lines: &mut Lines<'_>, statement: Node<'_>) -> Result<(), Refusal> {
    if let Some(other) = statement.child("alternative").and_then(|it| it.child("body")) {
        let leaves = ["break_statement", "continue_statement"]
            .iter()
            .any(|it| code::jumps(other, it).next().is_some());
        if leaves {
            return Err(Refusal("its `else` leaves a loop around it"));
        }
        // It comes to stand before the body.
        code::declares_nothing(statement)?;
        lines.stretch(2, &code::stretch(program, other)?);
    }
    lines.line(2, "break", &[]);
    Ok(())
}

/// Adds a line behind a loop that lets go of what the loop went over. A generator that a `break` stops runs its `finally` then, as
/// it does behind a `for`.
pub(super) fn add_close(program: &Program, lines: &mut Lines<'_>, body: Node<'_>, stream: &str) {
    let has = |words: &[&str]| words.iter().any(|it| program.words().contains(*it));
    let sees = has(&["__del__"]) || has(&["yield"]) && has(&["finally", "with", "except"]);
    if sees && code::jumps(body, "break_statement").next().is_some() {
        lines.line(0, &format!("del {stream}"), &[]);
    }
}

/// All `for` statements.
pub(super) fn for_loops(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "for_statement").collect()
}

/// `for` statements over a range.
pub(super) fn range_loops(program: &Program) -> Vec<Node<'_>> {
    let over_range = |it: &Node<'_>| it.child("right").is_some_and(|it| range_of(program, it).is_some());
    code::all(program, "for_statement").filter(over_range).collect()
}
