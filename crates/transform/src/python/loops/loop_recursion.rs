//! `loop-recursion`: writes a loop over a range as a function that calls itself for both halves.
//!
//! # What it does
//!
//! The function gets the first place and the number of places. It calls itself for the first half and then for the second one. For one place, it does what
//! the body did.
//!
//! # Why behavior is kept
//!
//! The halves follow each other in the order of the range. The calls are no deeper than the logarithm of its length. Variables
//! that the body binds are declared, so they stay those of the function around.
//!
//! # Example
//!
//! `for i in range(n): total += i` becomes `def walk(low, count):` with two calls of `walk` and `total += i` inside, and `walk(0, n)`.
//!
//! # Where it does not apply
//!
//! Loops with another loop over a range inside; bodies that return, yield, await or leave the loop; functions that may call themselves, since the stack would get deeper;
//! variables that belong to a function further out; modules that others may import; the body of a class;
//! variables with a type, or without a value before they are read.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_RANGE, count_of, parts, range_loops, range_of};
use crate::program::Program;
use crate::python::calls::may_call_itself;
use crate::python::code;
use crate::python::effects::is_bound_before;
use crate::python::scopes::Variable;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "loop-recursion",
    summary: "writes a loop over a range as a function that calls itself for both halves",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// Loops over a range without another one inside.
fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops = range_loops(program);
    let is_inner = |it: &Node<'_>| !loops.iter().any(|other| other != it && it.holds(*other));
    loops.iter().filter(|it| is_inner(it)).copied().collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [target, items, body] = parts(site)?;
    range_of(program, items).ok_or(NO_RANGE)?;
    let declared = declared(program, site, body)?;
    let [span, walk, low, count] = [choices.name(), choices.name(), choices.name(), choices.name()];
    let mut lines = code::lines(program, site)?;
    for name in &declared.without_binding {
        lines.line(0, &format!("{name}: None"), &[]);
    }
    lines.line(0, &format!("{span} = $0"), &[items]).line(0, &format!("def {walk}({low}, {count}):"), &[]);
    if !declared.names.is_empty() {
        lines.line(1, &format!("{} {}", declared.word, declared.names.join(", ")), &[]);
    }
    lines.line(1, &format!("if {count} > 1:"), &[]).line(2, &format!("{walk}({low}, {count} // 2)"), &[]);
    lines.line(2, &format!("{walk}({low} + {count} // 2, {count} - {count} // 2)"), &[]);
    lines.line(1, &format!("elif {count} == 1:"), &[]);
    lines.line(2, &format!("$0 = {span}.start + {low} * {span}.step"), &[target]);
    lines.stretch(2, &code::stretch(program, body)?).line(0, &format!("{walk}(0, {})", count_of(&span)), &[]);
    code::indent(program, site)?;
    let mut edits = vec![lines.edit(site.range())];
    edits.extend(code::jumps(body, "continue_statement").map(|it| Edit::text(it.range(), "return")));
    Ok(edits)
}

/// What the function must declare.
struct Declared<'p> {
    word: &'static str,
    names: Vec<&'p str>,
    /// Those that nothing outside of loops binds.
    without_binding: Vec<&'p str>,
}

fn declared<'p>(program: &'p Program, site: Node<'p>, body: Node<'p>) -> Result<Declared<'p>, Refusal> {
    let leaves = |it: Node<'_>| {
        matches!(
            it.kind(),
            "return_statement" | "yield" | "await" | "global_statement" | "nonlocal_statement"
        ) && it.is_named()
            || it.kind() == "async"
    };
    if site.child("alternative").is_some()
        || code::own(body).any(leaves)
        || code::jumps(body, "break_statement").next().is_some()
    {
        return Err(Refusal("its body leaves the loop"));
    }
    let around = site.ancestors().find(|it| it.kind() == "function_definition");
    if program.scopes().is_reflective()
        || program.words().contains("super")
        || program.words().contains("__class__")
    {
        return Err(Refusal("the program sees names as text"));
    }
    if around.is_none() && !code::is_script(program) || around.is_some_and(|it| may_call_itself(program, it))
    {
        return Err(Refusal("it may call itself, or others may import it"));
    }
    let home = around.unwrap_or(program.root());
    let (mut names, mut without_binding) = (Vec::new(), Vec::new());
    for variable in program.scopes().variables() {
        let inside = |place: &&u32| site.holds(program.node(**place));
        if !variable.bindings.iter().any(|it| inside(&it))
            || site.number() < variable.scope && site.holds(program.node(variable.scope))
        {
            continue;
        }
        if variable.scope != home.number() || variable.is_fixed || variable.is_deleted {
            return Err(Refusal("a variable of it belongs to another function"));
        }
        if variable.bindings.iter().filter(inside).any(|it| code::has_type(program.node(*it))) {
            return Err(Refusal("a variable of it has a type"));
        }
        names.push(variable.name.as_str());
        // What stands in another loop may move into a function, too.
        let in_loop = |place: &u32| program.node(*place).ancestors().any(|it| it.kind() == "for_statement");
        if around.is_some() && !variable.is_parameter && variable.bindings.iter().all(in_loop) {
            without_binding.push(variable.name.as_str());
        }
    }
    // The exception of a variable without a value is another one in an inner function.
    let own = program.scopes().variables().iter().filter(|it| around.is_some() && it.scope == home.number());
    let is_bound = |it: &Variable| it.is_parameter || is_bound_before(site, &it.bindings);
    for variable in own.filter(|it| it.is_deleted || !is_bound(it)) {
        let mut places = variable.places.iter().filter(|it| site.holds(program.node(**it)));
        let is_known = |place: &u32| {
            let node = program.node(*place);
            let changes = node.parent().is_some_and(|it| it.kind() == "augmented_assignment");
            variable.bindings.contains(place) && !changes || is_bound_before(node, &variable.bindings)
        };
        if !places.all(|it| is_known(it) && !variable.is_deleted) {
            return Err(Refusal("a variable of it may have no value yet"));
        }
    }
    Ok(Declared { word: if around.is_some() { "nonlocal" } else { "global" }, names, without_binding })
}
