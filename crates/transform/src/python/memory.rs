//! Functions that get a memory of their own, through which their values flow.

use familiar_syntax::tree::Node;

use super::code;
use crate::program::Program;
use crate::template::Lines;
use crate::{Edit, Refusal};

/// Bodies that may have a memory: those of functions, and of a module what nobody imports.
pub(crate) fn bodies(program: &Program) -> Vec<Node<'_>> {
    let functions = code::all(program, "function_definition").filter_map(|it| it.child("body"));
    let script = if code::is_script(program) { Some(program.root()) } else { code::main_block(program) };
    script.into_iter().chain(functions).collect()
}

/// The statements of a body behind its docstring, its imports and what it declares.
pub(crate) fn working(body: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    code::statements(body).skip_while(|it| {
        code::is_text(*it)
            || matches!(
                it.kind(),
                "import_statement"
                    | "import_from_statement"
                    | "future_import_statement"
                    | "global_statement"
                    | "nonlocal_statement"
            )
    })
}

/// The edit that puts `line` before the first working statement of a body.
pub(crate) fn prologue(program: &Program, body: Node<'_>, line: &str) -> Result<Edit, Refusal> {
    let first = working(body).next().ok_or(Refusal("it has no statements"))?;
    let mut lines = Lines::new(program, code::indent(program, first)?, code::unit(program)?);
    lines.line(0, line, &[]).line(0, "$0", &[first]);
    Ok(lines.edit(first.range()))
}

/// Plain assignments of the body itself: a name, and the value that it gets.
pub(crate) fn assignments<'p>(program: &'p Program, body: Node<'p>) -> impl Iterator<Item = Assignment<'p>> {
    let statements = code::own(body).filter(|it| it.kind() == "expression_statement");
    statements.filter_map(move |statement| Assignment::of(program, statement))
}

/// `NAME = VALUE` as a statement on lines of its own.
#[derive(Clone, Copy)]
pub(crate) struct Assignment<'p> {
    pub(crate) statement: Node<'p>,
    pub(crate) target: Node<'p>,
    pub(crate) value: Node<'p>,
}

impl<'p> Assignment<'p> {
    pub(crate) fn of(program: &Program, statement: Node<'p>) -> Option<Self> {
        let assignment = statement.named().next().filter(|it| it.kind() == "assignment")?;
        let (target, value) = (assignment.child("left")?, assignment.child("right")?);
        let plain = target.kind() == "identifier"
            && value.kind() != "assignment"
            && assignment.child("type").is_none();
        (plain && code::indent(program, statement).is_ok()).then_some(Self { statement, target, value })
    }
}
