//! Where the nodes of a plot stand: in layers from above, so that most edges lead down (Sugiyama, Tagawa and Toda 1981).
//!
//! Edges that close a loop do not count. A node stands one layer below the lowest one that leads to it, and in its
//! layer where its neighbours are.

/// A node's place: its layer, and its place in the layer.
pub(super) struct Layers {
    pub(super) of: Vec<(usize, usize)>,
    pub(super) layers: Vec<Vec<usize>>,
}

/// How often the order in the layers is made better, downwards and upwards.
const SWEEPS: usize = 4;

pub(super) fn layers(count: usize, edges: &[(usize, usize)]) -> Layers {
    let forward = forward(count, edges);
    let mut depth = vec![0; count];
    // In the order in which `forward` was made, all edges lead from before.
    for &(from, to) in &forward {
        depth[to] = depth[to].max(depth[from] + 1);
    }
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth.iter().max().map_or(0, |most| most + 1)];
    for (node, depth) in depth.iter().enumerate() {
        layers[*depth].push(node);
    }
    let mut of: Vec<(usize, usize)> = depth.iter().map(|depth| (*depth, 0)).collect();
    place(&layers, &mut of);
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut below = above.clone();
    for &(from, to) in &forward {
        above[to].push(from);
        below[from].push(to);
    }
    for sweep in 0..SWEEPS {
        let neighbours = if sweep % 2 == 0 { &above } else { &below };
        for layer in &mut layers {
            let middle = |node: &usize| {
                let places = neighbours[*node].iter().map(|it| of[*it].1);
                let (sum, number) = places.fold((0, 0), |(sum, number), place| (sum + place, number + 1));
                // In hundredths of a place; a node without neighbours stays where it is.
                (sum * 100_usize).checked_div(number).unwrap_or(of[*node].1 * 100)
            };
            layer.sort_by_cached_key(middle);
            for (place, node) in layer.iter().enumerate() {
                of[*node].1 = place;
            }
        }
    }
    Layers { of, layers }
}

fn place(layers: &[Vec<usize>], of: &mut [(usize, usize)]) {
    for layer in layers {
        for (place, node) in layer.iter().enumerate() {
            of[*node].1 = place;
        }
    }
}

/// How far a search in depth is with a node.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// The edges that close no loop, in an order in which each comes behind those that lead to its source.
fn forward(count: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        next[from].push(to);
    }
    let mut state = vec![State::New; count];
    let mut order = Vec::new();
    let mut kept = vec![Vec::new(); count];
    for root in 0..count {
        if state[root] != State::New {
            continue;
        }
        let mut open = vec![(root, 0)];
        state[root] = State::Open;
        while let Some((node, at)) = open.last_mut() {
            let node = *node;
            if let Some(&to) = next[node].get(*at) {
                *at += 1;
                if state[to] != State::Open {
                    kept[node].push(to);
                }
                if state[to] == State::New {
                    state[to] = State::Open;
                    open.push((to, 0));
                }
            } else {
                state[node] = State::Done;
                order.push(node);
                open.pop();
            }
        }
    }
    order.iter().rev().flat_map(|&node| kept[node].iter().map(move |&to| (node, to))).collect()
}
