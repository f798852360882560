//! Which variables may get another name, and the transformations that give them one.

pub(crate) mod field_rename;
pub(crate) mod function_rename;
pub(crate) mod numbered;
pub(crate) mod parameter_copy;
pub(crate) mod parameter_rename;
pub(crate) mod prefixed;
pub(crate) mod role;
pub(crate) mod short;
pub(crate) mod style;

use familiar_syntax::tree::Node;

use super::code;
use super::scopes::{ScopeKind, Variable};
use crate::program::Program;
use crate::{Choices, Edit, Refusal};

pub(super) const NO_VARIABLE: Refusal = Refusal("it is no variable");
pub(super) const NO_NAME: Refusal = Refusal("no such name is free");

/// Words that Python keeps for itself.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue",
    "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global", "if", "import", "in",
    "is", "lambda", "match", "nonlocal", "not", "or", "pass", "print", "raise", "return", "try", "type",
    "while", "with", "yield",
];

/// The first binding of each variable that no attribute, import or pattern fixes.
pub(super) fn candidates(program: &Program) -> Vec<Node<'_>> {
    let variables = program.scopes().variables().iter();
    let bound = variables.filter(|it| !it.is_fixed && it.kind != ScopeKind::Class);
    let mut places: Vec<_> = bound.filter_map(|it| it.bindings.iter().min()).copied().collect();
    places.sort_unstable();
    places.into_iter().map(|place| program.node(place)).collect()
}

/// The variable whose name stands here, where all code that knows it is seen.
pub(super) fn renamable<'p>(program: &'p Program, site: Node<'_>) -> Result<&'p Variable, Refusal> {
    let variable = program.scopes().variable(site).ok_or(NO_VARIABLE)?;
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if variable.name.starts_with("__") {
        return Err(Refusal("its name has a meaning for Python"));
    }
    if variable.kind == ScopeKind::Module && !code::is_script(program) && !is_of_main(program, variable) {
        return Err(Refusal("other modules may import it"));
    }
    if variable.is_parameter && !is_called_by_place(program, program.node(variable.scope)) {
        return Err(Refusal("a caller may name the parameter"));
    }
    Ok(variable)
}

/// Whether nobody who imports the module has the variable.
fn is_of_main(program: &Program, variable: &Variable) -> bool {
    let block = code::main_block(program);
    !variable.is_captured
        && block.is_some_and(|block| variable.bindings.iter().all(|&it| block.holds(program.node(it))))
}

/// The edits that give the variable another name at all places.
pub(super) fn renamed(program: &Program, variable: &Variable, name: &str) -> Vec<Edit> {
    variable.places.iter().map(|&place| Edit::text(program.node(place).range(), name)).collect()
}

/// The first of `base`, `base2`, `base3` and so on that is free.
pub(super) fn free_name(choices: &mut Choices, base: &str) -> Result<String, Refusal> {
    let wanted = (1..10_000).map(|at| if at == 1 { base.to_owned() } else { format!("{base}{at}") });
    choices.first_free(wanted.filter(|it| !KEYWORDS.contains(&it.as_str()))).ok_or(NO_NAME)
}

/// The calls of a function, where the program shows all of them: each place of its name but its definition is one.
pub(super) fn calls<'p>(program: &'p Program, function: Node<'_>) -> Option<Vec<Node<'p>>> {
    let decorated = function.parent().is_some_and(|it| it.kind() == "decorated_definition");
    let name = function.child("name").filter(|_| !decorated)?;
    let known = program.scopes().variable(name)?;
    let is_seen = known.kind == ScopeKind::Function
        || known.kind == ScopeKind::Module && (code::is_script(program) || is_private(program, &known.name));
    let uses = known.places.iter().filter(|it| !known.bindings.contains(it));
    let calls = uses.map(|&place| {
        let name = program.node(place);
        name.parent().filter(|it| it.kind() == "call" && name.field() == Some("function"))
    });
    let calls: Vec<_> = calls.collect::<Option<_>>()?;
    (is_seen && known.bindings.len() == 1 && !known.is_shared).then_some(calls)
}

/// Whether a name of a module is for the module alone, by its underscore.
pub(super) fn is_private(program: &Program, name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("__") && !program.words().contains("__all__")
}

/// Whether a function of Python calls the key that it is given by place.
fn sorts(program: &Program, function: Node<'_>) -> bool {
    const IMPORTED: &[&str] =
        &["nlargest", "nsmallest", "merge", "groupby", "bisect_left", "bisect_right", "bisect", "insort"];
    let name = program.of(function.child("attribute").unwrap_or(function));
    if function.kind() == "attribute" {
        return name == "sort" || IMPORTED.contains(&name);
    }
    let is_imported = |variable: &Variable| {
        variable
            .bindings
            .iter()
            .all(|&it| program.node(it).ancestors().any(|it| it.kind() == "import_from_statement"))
    };
    ["sorted", "min", "max"].iter().any(|it| program.scopes().is_builtin(program, function, it))
        || IMPORTED.contains(&name) && program.scopes().variable(function).is_some_and(is_imported)
}

/// Whether the program shows all calls of a function, and none of them names a parameter.
fn is_called_by_place(program: &Program, function: Node<'_>) -> bool {
    if function.kind() == "lambda" {
        let argument = function.parent().filter(|it| it.kind() == "keyword_argument");
        let call = argument.and_then(|it| it.ancestors().nth(1)).and_then(|it| it.child("function"));
        return argument.and_then(|it| it.child("name")).is_some_and(|it| program.of(it) == "key")
            && call.is_some_and(|it| sorts(program, it));
    }
    let by_place = |call: &Node<'_>| {
        call.child("arguments").is_some_and(|it| {
            !it.named().any(|it| matches!(it.kind(), "keyword_argument" | "dictionary_splat"))
        })
    };
    calls(program, function).is_some_and(|calls| calls.iter().all(by_place))
}
