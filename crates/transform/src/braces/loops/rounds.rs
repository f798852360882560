//! Whether other code may see that each round of a loop has a variable of its own.

use familiar_source::Language;

use super::super::grammar::Loop;
use crate::Refusal;
use crate::program::Program;

/// Refuses where an inner function, or in Go a pointer, knows a variable of the head: JavaScript and newer Go make a new one for each round.
pub(super) fn check(program: &Program, parts: &Loop<'_>) -> Result<(), Refusal> {
    let names = program.names();
    let is_new = |number: &usize| {
        let place = program.node(names.variables()[*number].places[0]);
        parts.initializers.iter().any(|it| it.holds(place))
    };
    let mut declared = parts.initializers.iter().flat_map(|it| names.mentioned(*it)).filter(is_new);
    let is_shared = declared.any(|it| {
        let variable = &names.variables()[it];
        variable.is_captured || variable.is_addressed && program.language() == Language::Go
    });
    if is_shared && matches!(program.language(), Language::JavaScript | Language::TypeScript | Language::Go) {
        return Err(Refusal("something else may see the variable of a round"));
    }
    Ok(())
}
