//! Control dependence: which condition decides whether an instruction runs?
//!
//! By post-dominators (Ferrante, Ottenstein and Warren 1987, Section 3.1). As there, a way leads from the entry to the
//! exit, so that what runs in any case depends on the entry. A loop without an end gets a way out for this purpose only.

use super::dominance::{NONE, Successors, dominators};
use super::model::{ENTRY, EXIT, Flow, When};

/// How many dependences there may be for each instruction, on average, before the rest is left out.
const MOST_FOR_EACH: usize = 64;
const MOST_IN_ANY_CASE: usize = 100_000;

/// One instruction depends on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Dependence {
    pub(crate) on: u32,
    pub(crate) node: u32,
    pub(crate) when: When,
}

/// The dependences of one function, and whether they are all.
pub(crate) struct Control {
    pub(crate) dependences: Vec<Dependence>,
    pub(crate) is_whole: bool,
    /// Whether each instruction can be reached.
    pub(crate) reached: Vec<bool>,
}

pub(crate) fn control(count: usize, flow: &[Flow]) -> Control {
    let forth = Successors::new(count, flow.iter().map(|it| (it.from, it.to)));
    let order = forth.reverse_postorder(ENTRY);
    let mut reached = vec![false; count];
    for it in &order {
        reached[*it as usize] = true;
    }
    let mut edges: Vec<(u32, u32)> =
        flow.iter().filter(|it| reached[it.from as usize]).map(|it| (it.from, it.to)).collect();
    edges.push((ENTRY, EXIT));
    add_ways_out(count, &mut edges, &order);
    let back = Successors::new(count, edges.iter().map(|&(from, to)| (to, from)));
    let forth = Successors::new(count, edges.iter().copied());
    let after = dominators(&back, &forth, EXIT);
    let most = count * MOST_FOR_EACH + MOST_IN_ANY_CASE;
    let mut dependences = Vec::new();
    let mut is_whole = true;
    let mut at = 0;
    while at < flow.len() {
        let from = flow[at].from;
        let end = at + flow[at..].iter().take_while(|it| it.from == from).count();
        let branches = from == ENTRY || flow[at..end].iter().any(|it| it.to != flow[at].to);
        if branches && reached[from as usize] {
            for edge in &flow[at..end] {
                let mut node = edge.to;
                while node != after[from as usize] && node != EXIT && node != NONE {
                    dependences.push(Dependence { on: from, node, when: edge.when });
                    node = after[node as usize];
                }
            }
        }
        if dependences.len() > most {
            dependences.truncate(most);
            is_whole = false;
            break;
        }
        at = end;
    }
    dependences.sort_unstable();
    dependences.dedup();
    Control { dependences, is_whole, reached }
}

/// A way to the exit for each instruction that has none: from the last instruction of each loop without an end.
fn add_ways_out(count: usize, edges: &mut Vec<(u32, u32)>, order: &[u32]) {
    let back = Successors::new(count, edges.iter().map(|&(from, to)| (to, from)));
    let mut leaves = vec![false; count];
    let mark = |from: u32, leaves: &mut Vec<bool>| {
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut leaves[node as usize], true) {
                open.extend(back.of(node));
            }
        }
    };
    mark(EXIT, &mut leaves);
    for node in order.iter().rev() {
        if !leaves[*node as usize] {
            edges.push((*node, EXIT));
            mark(*node, &mut leaves);
        }
    }
}
