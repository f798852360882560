//! Code that does nothing: it is never reached, or nothing depends on what it computes.
//!
//! Instructions that act are marked, then all on which a marked one depends, by data or by control; the rest has no
//! effect (Cytron et al. 1991, Section 7.1).

use super::model::{Function, Kind};
use super::program::Program;
use super::reaching::Does;

/// How much of a program does nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// All statements and conditions.
    pub statements: usize,
    /// Those that are never reached.
    pub unreachable: usize,
    /// Those that are reached, and whose value nobody uses: no call, no jump, and no write that other code can see.
    pub without_effect: usize,
}

impl Dead {
    /// The share of the statements that do nothing; 0 where there is no statement.
    pub fn share(&self) -> f64 {
        let dead = self.unreachable + self.without_effect;
        if self.statements == 0 { 0.0 } else { dead as f64 / self.statements as f64 }
    }
}

pub(super) fn dead(program: &Program<'_>) -> Dead {
    // Variables of which other functions know.
    let mut shared = vec![false; program.variables.len()];
    for (at, function) in program.functions.iter().enumerate() {
        for access in &function.accesses {
            shared[access.variable as usize] |=
                program.variables[access.variable as usize].owner != at as u32;
        }
    }
    let mut all = Dead::default();
    for (at, function) in program.functions.iter().enumerate() {
        let live = live(program, at, &shared);
        let reached = &program.facts[at].control.reached;
        for (number, instruction) in function.instructions.iter().enumerate() {
            if !counts(instruction.kind) {
                continue;
            }
            all.statements += 1;
            if !reached[number] {
                all.unreachable += 1;
            } else if !live[number] {
                all.without_effect += 1;
            }
        }
    }
    all
}

/// Whether it is a statement, or the condition of one.
fn counts(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Entry
            | Kind::Exit
            | Kind::Parameter
            | Kind::Operand
            | Kind::Finally
            | Kind::Close
            | Kind::Directive
    )
}

/// Whether the instruction is there for itself, and not for its value.
fn acts(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Statement
            | Kind::Declaration
            | Kind::Condition
            | Kind::Operand
            | Kind::Loop
            | Kind::Switch
            | Kind::Case
            | Kind::Parameter
    )
}

/// The instructions of a function on which something depends that is seen outside.
fn live(program: &Program<'_>, at: usize, shared: &[bool]) -> Vec<bool> {
    let (function, facts): (&Function<'_>, _) = (&program.functions[at], &program.facts[at]);
    let count = function.instructions.len();
    let mut live = vec![false; count];
    let mut open: Vec<u32> = Vec::new();
    let mark = |node: u32, live: &mut Vec<bool>, open: &mut Vec<u32>| {
        if !std::mem::replace(&mut live[node as usize], true) {
            open.push(node);
        }
    };
    for (number, instruction) in function.instructions.iter().enumerate() {
        if instruction.acts || acts(instruction.kind) {
            mark(number as u32, &mut live, &mut open);
        }
    }
    let is_declaration = |node: u32| function.instructions[node as usize].kind == Kind::Declaration;
    for access in &facts.accesses {
        let is_seen = match access.does {
            Does::Use => false,
            Does::Define => shared[access.variable as usize],
            // What a part belongs to may be known elsewhere by another name.
            Does::Change => !program.variables[access.variable as usize].name.is_empty(),
        };
        if is_seen {
            mark(access.instruction, &mut live, &mut open);
        }
    }
    // By the instruction that needs them.
    let mut needs: Vec<(u32, u32)> = facts.data.iter().map(|it| (it.to, it.from)).collect();
    needs.extend(facts.control.dependences.iter().map(|it| (it.node, it.on)));
    needs.sort_unstable();
    while let Some(node) = open.pop() {
        let first = needs.partition_point(|it| it.0 < node);
        for (_, from) in needs[first..].iter().take_while(|it| it.0 == node) {
            mark(*from, &mut live, &mut open);
        }
    }
    // A declaration is there for the variable.
    let mut used = vec![false; program.variables.len()];
    for access in
        facts.accesses.iter().filter(|it| live[it.instruction as usize] && !is_declaration(it.instruction))
    {
        used[access.variable as usize] = true;
    }
    for access in facts.accesses.iter().filter(|it| is_declaration(it.instruction)) {
        live[access.instruction as usize] |= used[access.variable as usize];
    }
    live
}
