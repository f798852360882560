//! Which functions may call themselves.

use familiar_syntax::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};

use super::code;
use crate::program::Program;

/// Whether the names in a function lead, through the functions of the program, to its own name.
pub(crate) fn may_call_itself(program: &Program, function: Node<'_>) -> bool {
    let mut mentions: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    for definition in code::all(program, "function_definition") {
        let (Some(name), Some(body)) = (definition.child("name"), definition.child("body")) else { continue };
        let names = body.descendants().filter(|it| it.kind() == "identifier").map(|it| program.of(it));
        mentions.entry(program.of(name)).or_default().extend(names);
    }
    let Some(start) = function.child("name").map(|it| program.of(it)) else { return true };
    let mut seen = FxHashSet::default();
    let mut open = vec![start];
    while let Some(name) = open.pop() {
        let mut next: Vec<_> = mentions.get(name).into_iter().flatten().copied().collect();
        next.sort_unstable();
        for name in next {
            if name == start {
                return true;
            }
            if seen.insert(name) {
                open.push(name);
            }
        }
    }
    false
}
