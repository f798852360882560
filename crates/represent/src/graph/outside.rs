//! What do calls read and write of variables that are not their function's own?
//!
//! It is found for all functions at once, along the calls (Horwitz, Reps and Binkley 1990, Section 4.2).

use super::calls::Taker;
use super::form::Language;
use super::model::{self, Does, ENTRY, EXIT, Function, Variable};
use super::reaching::{self, Access};

/// A function with more outer variables than these is taken as one with these only.
const MOST_OUTER: usize = 1024;
/// How many accesses may be looked at before the rest is left out.
const MOST_WORK: usize = 1 << 26;
/// How many accesses calls may add for each instruction, on average, before the rest is left out.
const MOST_FOR_EACH: usize = 32;
const MOST_IN_ANY_CASE: usize = 100_000;

/// What a function does to variables that are not its own, and to what its parameters stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    /// Sorted.
    pub(crate) reads: Vec<u32>,
    pub(crate) writes: Vec<u32>,
    pub(crate) changes: Vec<bool>,
}

impl Outside {
    fn add(list: &mut Vec<u32>, variable: u32) -> bool {
        match list.binary_search(&variable) {
            Err(at) if list.len() < MOST_OUTER => {
                list.insert(at, variable);
                true
            }
            _ => false,
        }
    }
}

/// The parameter through which a write to this variable is seen outside.
fn parameter_of(function: &Function<'_>, variables: &[Variable<'_>], variable: u32) -> Option<usize> {
    let is_copy = variables[variable as usize].is_copy;
    function.parameters.iter().position(|it| it.variable == Some(variable)).filter(|_| !is_copy)
}

/// What each function does outside, along all calls; and whether that is all of it.
pub(crate) fn outside(
    language: &dyn Language,
    functions: &[Function<'_>],
    variables: &[Variable<'_>],
) -> (Vec<Outside>, bool) {
    let mut all: Vec<Outside> = Vec::with_capacity(functions.len());
    for (at, function) in functions.iter().enumerate() {
        let mut own = Outside { changes: vec![false; function.parameters.len()], ..Outside::default() };
        for access in &function.accesses {
            let is_outer = variables[access.variable as usize].owner != at as u32;
            match access.does {
                Does::Use if is_outer => _ = Outside::add(&mut own.reads, access.variable),
                Does::Define | Does::Change if is_outer => _ = Outside::add(&mut own.writes, access.variable),
                Does::Change => {
                    let parameter = parameter_of(function, variables, access.variable);
                    if let Some(parameter) = parameter {
                        own.changes[parameter] = true;
                    }
                }
                _ => {}
            }
        }
        all.push(own);
    }
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); functions.len()];
    for (at, function) in functions.iter().enumerate() {
        for target in function.sites.iter().flat_map(|it| &it.targets) {
            callers[*target as usize].push(at as u32);
        }
    }
    let mut open: Vec<u32> = (0..functions.len() as u32).collect();
    let mut is_open = vec![true; functions.len()];
    let mut work = 0;
    while let Some(at) = open.pop() {
        work += functions[at as usize].accesses.len() + functions[at as usize].sites.len() * 16;
        if work > MOST_WORK {
            return (all, false);
        }
        is_open[at as usize] = false;
        let mut own = std::mem::take(&mut all[at as usize]);
        let grew = grow(language, functions, variables, at, &mut own, &all);
        all[at as usize] = own;
        if grew {
            for caller in &callers[at as usize] {
                if !std::mem::replace(&mut is_open[*caller as usize], true) {
                    open.push(*caller);
                }
            }
        }
    }
    (all, true)
}

fn grow(
    language: &dyn Language,
    functions: &[Function<'_>],
    variables: &[Variable<'_>],
    at: u32,
    own: &mut Outside,
    all: &[Outside],
) -> bool {
    let function = &functions[at as usize];
    let mut grew = false;
    for target in function.sites.iter().flat_map(|it| &it.targets).filter(|it| **it != at) {
        let other = &all[*target as usize];
        for variable in other.reads.iter().filter(|it| variables[**it as usize].owner != at) {
            grew |= Outside::add(&mut own.reads, *variable);
        }
        for variable in other.writes.iter().filter(|it| variables[**it as usize].owner != at) {
            grew |= Outside::add(&mut own.writes, *variable);
        }
    }
    for access in &function.accesses {
        if !matches!(access.does, Does::Argument(..) | Does::Object(_)) {
            continue;
        }
        let parameter = parameter_of(function, variables, access.variable);
        let is_outer = variables[access.variable as usize].owner != at;
        let is_known = parameter.is_some_and(|it| own.changes[it])
            || is_outer && own.writes.binary_search(&access.variable).is_ok();
        if (parameter.is_none() && !is_outer) || is_known {
            continue;
        }
        if changes(language, functions, variables, function, access, |it| {
            if it == at { None } else { Some(&all[it as usize]) }
        }) {
            grew |= is_outer && Outside::add(&mut own.writes, access.variable);
            if let Some(parameter) = parameter {
                grew |= !std::mem::replace(&mut own.changes[parameter], true);
            }
        }
    }
    grew
}

/// Whether a call may change what the variable stands for that it is given.
fn changes<'a>(
    language: &dyn Language,
    functions: &[Function<'_>],
    variables: &[Variable<'_>],
    function: &Function<'_>,
    access: &model::Access,
    of: impl Fn(u32) -> Option<&'a Outside>,
) -> bool {
    let variable = &variables[access.variable as usize];
    match access.does {
        Does::Argument(call, number) => {
            let site = &function.sites[call as usize];
            if site.targets.is_empty() {
                return !variable.is_plain && !language.is_quiet(site.name);
            }
            site.targets.iter().any(|target| {
                let taker = Taker::new(language, &functions[*target as usize]);
                let place = taker.parameter(site, usize::from(number));
                let other = of(*target);
                !variable.is_plain
                    && place.is_some_and(|it| other.is_some_and(|other| other.changes.get(it) == Some(&true)))
            })
        }
        Does::Object(call) => {
            let site = &function.sites[call as usize];
            // A method of this text says by its own code what it changes.
            site.targets.is_empty()
                || !language.has_explicit_object()
                || site
                    .targets
                    .iter()
                    .any(|target| of(*target).is_some_and(|other| other.changes.first() == Some(&true)))
        }
        _ => false,
    }
}

/// All accesses of a function, with those that its calls do; and whether these are all.
pub(crate) fn accesses(
    language: &dyn Language,
    functions: &[Function<'_>],
    variables: &[Variable<'_>],
    outside: &[Outside],
    at: u32,
) -> (Vec<Access>, bool) {
    let function = &functions[at as usize];
    let mut all: Vec<Access> = Vec::with_capacity(function.accesses.len());
    let mut push = |instruction, variable, does| all.push(Access { instruction, variable, does });
    for access in &function.accesses {
        let does = match access.does {
            Does::Use => reaching::Does::Use,
            Does::Define => reaching::Does::Define,
            Does::Change => reaching::Does::Change,
            Does::Argument(..) | Does::Object(_) => {
                if changes(language, functions, variables, function, access, |it| Some(&outside[it as usize]))
                {
                    reaching::Does::Change
                } else {
                    continue;
                }
            }
        };
        push(access.instruction, access.variable, does);
    }
    let mut left = function.instructions.len() * MOST_FOR_EACH + MOST_IN_ANY_CASE;
    for site in &function.sites {
        for target in &site.targets {
            let other = &outside[*target as usize];
            let more = other.reads.len() + other.writes.len();
            if more > left {
                left = 0;
                break;
            }
            left -= more;
            for variable in &other.reads {
                push(site.instruction, *variable, reaching::Does::Use);
            }
            for variable in &other.writes {
                push(site.instruction, *variable, reaching::Does::Change);
            }
        }
    }
    // When the function begins, variables of others have a value.
    let mut outer: Vec<u32> =
        all.iter().map(|it| it.variable).filter(|it| variables[*it as usize].owner != at).collect();
    outer.sort_unstable();
    outer.dedup();
    for variable in outer {
        all.push(Access { instruction: ENTRY, variable, does: reaching::Does::Define });
    }
    // When it ends, others see what it wrote.
    let changed = function.parameters.iter().zip(&outside[at as usize].changes).filter(|it| *it.1);
    let changed: Vec<u32> = changed.filter_map(|it| it.0.variable).collect();
    for variable in changed.iter().chain(&outside[at as usize].writes) {
        let access = Access { instruction: EXIT, variable: *variable, does: reaching::Does::Use };
        all.push(access);
    }
    all.sort_by_key(|it| it.instruction);
    (all, left > 0)
}

/// Adds to each function without a name, where it is made, what it takes from the function around it.
pub(crate) fn capture(functions: &mut [Function<'_>], variables: &[Variable<'_>]) {
    for at in (0..functions.len()).rev() {
        let Some((around, instruction)) = functions[at].made else { continue };
        let mut taken: Vec<(u32, bool)> = functions[at]
            .accesses
            .iter()
            .filter(|it| variables[it.variable as usize].owner != at as u32)
            .map(|it| (it.variable, matches!(it.does, Does::Define | Does::Change)))
            .collect();
        taken.sort_unstable();
        taken.dedup();
        let place = functions[around as usize].instructions[instruction as usize].start;
        for (variable, writes) in taken {
            let does = if writes { Does::Change } else { Does::Use };
            let access = model::Access { instruction, variable, at: place, does };
            functions[around as usize].accesses.push(access);
        }
    }
    for function in functions {
        function.accesses.sort_by_key(|access| access.instruction);
    }
}
