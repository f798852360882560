//! Dominators of a flow graph, by the algorithm of Lengauer and Tarjan (1979, with simple path compression).

/// The successors of each node, one list after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Successors {
    starts: Vec<u32>,
    to: Vec<u32>,
}

impl Successors {
    /// The lists of a graph with `nodes` nodes.
    pub(crate) fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for at in 0..nodes {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut to = vec![0; starts[nodes] as usize];
        for (from, target) in edges {
            to[next[from as usize] as usize] = target;
            next[from as usize] += 1;
        }
        Self { starts, to }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn of(&self, node: u32) -> &[u32] {
        &self.to[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The nodes in the order in which a search in depth meets them, each with the one from which it was met.
    fn preorder(&self, root: u32) -> (Vec<u32>, Vec<u32>) {
        let mut parent = vec![NONE; self.len()];
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut open = vec![(root, root)];
        while let Some((node, from)) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            parent[node as usize] = from;
            order.push(node);
            open.extend(self.of(node).iter().rev().filter(|it| !seen[**it as usize]).map(|it| (*it, node)));
        }
        (order, parent)
    }

    /// The nodes that can be reached, each behind all from which it is reached without a loop.
    pub(crate) fn reverse_postorder(&self, root: u32) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut open = vec![(root, 0)];
        seen[root as usize] = true;
        while let Some((node, at)) = open.last_mut() {
            let node = *node;
            if let Some(next) = self.of(node).get(*at) {
                *at += 1;
                if !std::mem::replace(&mut seen[*next as usize], true) {
                    open.push((*next, 0));
                }
            } else {
                order.push(node);
                open.pop();
            }
        }
        order.reverse();
        order
    }
}

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// The node right above each node in the tree of dominators; `NONE` for the root, and for what it does not reach.
pub(crate) fn dominators(forth: &Successors, back: &Successors, root: u32) -> Vec<u32> {
    let nodes = forth.len();
    let (order, parent) = forth.preorder(root);
    let mut number = vec![NONE; nodes];
    for (at, node) in order.iter().enumerate() {
        number[*node as usize] = at as u32;
    }
    // From here on, nodes are their numbers in that order.
    let count = order.len();
    let mut semi: Vec<u32> = (0..count as u32).collect();
    let mut label = semi.clone();
    let mut ancestor = vec![NONE; count];
    let mut bucket: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut dominator = vec![0; count];
    let mut path = Vec::new();
    for at in (1..count as u32).rev() {
        let node = order[at as usize];
        let up = number[parent[node as usize] as usize];
        for from in back.of(node).iter().map(|it| number[*it as usize]).filter(|it| *it != NONE) {
            let best = least(from, &semi, &mut label, &mut ancestor, &mut path);
            semi[at as usize] = semi[at as usize].min(semi[best as usize]);
        }
        bucket[semi[at as usize] as usize].push(at);
        ancestor[at as usize] = up;
        for other in std::mem::take(&mut bucket[up as usize]) {
            let best = least(other, &semi, &mut label, &mut ancestor, &mut path);
            dominator[other as usize] = if semi[best as usize] < semi[other as usize] { best } else { up };
        }
    }
    for at in 1..count {
        if dominator[at] != semi[at] {
            dominator[at] = dominator[dominator[at] as usize];
        }
    }
    let mut of_node = vec![NONE; nodes];
    for at in 1..count {
        of_node[order[at] as usize] = order[dominator[at] as usize];
    }
    of_node
}

/// The node with the least semidominator on the path up to the root of its tree in the forest.
fn least(node: u32, semi: &[u32], label: &mut [u32], ancestor: &mut [u32], path: &mut Vec<u32>) -> u32 {
    if ancestor[node as usize] == NONE {
        return label[node as usize];
    }
    path.clear();
    let mut at = node;
    while ancestor[ancestor[at as usize] as usize] != NONE {
        path.push(at);
        at = ancestor[at as usize];
    }
    while let Some(at) = path.pop() {
        let up = ancestor[at as usize];
        if semi[label[up as usize] as usize] < semi[label[at as usize] as usize] {
            label[at as usize] = label[up as usize];
        }
        ancestor[at as usize] = ancestor[up as usize];
    }
    label[node as usize]
}
