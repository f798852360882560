//! A plot of a graph as SVG, one function below the other.

use super::super::{Edge, EdgeKind, Graph, NodeKind, View};
use super::layers::layers;
use super::{escaped, mark};

const CHARACTER: usize = 7;
const HEIGHT: usize = 26;
const GAP: usize = 24;
const BETWEEN_LAYERS: usize = 62;
const MARGIN: usize = 24;
/// The longest label, in characters.
const MOST_OF_LABEL: usize = 48;

const STYLE: &str = "<style>\
svg{background:#fff;color:#161616}text{font:12px ui-monospace,monospace;fill:currentColor}\
.node{fill:#f4f4f4;stroke:#8d8d8d}.choice{fill:#fff8e1;stroke:#b28600}.end{fill:#e8f5e9;stroke:#24a148}\
.value{fill:#e0f7f6;stroke:#007d79}.edge{fill:none;stroke:#525252}.data{stroke:#0f62fe}.control{stroke:#da1e28;\
stroke-dasharray:5 3}.call{stroke:#8a3ffc;stroke-width:2}.parameter{stroke:#007d79;stroke-dasharray:2 3}\
.mark{font-size:10px;fill:#525252}.title{font-weight:bold}\
@media (prefers-color-scheme:dark){svg{background:#161616;color:#f4f4f4}.node{fill:#262626}.choice{fill:#3a3000}\
.end{fill:#0e2f16}.value{fill:#08302e}.edge{stroke:#c6c6c6}.data{stroke:#78a9ff}.control{stroke:#ff8389}\
.call{stroke:#be95ff}.mark{fill:#c6c6c6}}</style>";

/// A node's box.
#[derive(Clone, Copy, Default)]
struct Place {
    x: usize,
    y: usize,
    width: usize,
    layer: usize,
    /// How far the boxes of its function reach.
    right: usize,
}

/// Writes a plot. `source` names the program.
pub fn program(source: &str, graph: &Graph, view: View, out: &mut Vec<u8>) {
    let mut places = vec![Place::default(); graph.nodes.len()];
    let mut titles = Vec::new();
    let (mut top, mut width) = (MARGIN, 0);
    let mut number = vec![0; graph.nodes.len()];
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); graph.functions.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        number[at] = own[node.function as usize].len();
        own[node.function as usize].push(at);
    }
    let mut edges: Vec<Vec<(usize, usize)>> = vec![Vec::new(); graph.functions.len()];
    for edge in &graph.edges {
        let function = graph.nodes[edge.from as usize].function;
        if function == graph.nodes[edge.to as usize].function {
            edges[function as usize].push((number[edge.from as usize], number[edge.to as usize]));
        }
    }
    for (at, function) in graph.functions.iter().enumerate() {
        titles.push((top + 14, function.full_name()));
        let (right, bottom) = arrange(graph, &own[at], &edges[at], top + HEIGHT, &mut places);
        width = width.max(right);
        top = bottom + GAP;
    }
    // Room at the right for edges that lead up.
    width += MARGIN * 4;
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {top}\" width=\"{width}\" height=\"{top}\" role=\"img\">"
    );
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(b"<title>");
    escaped(&format!("{source}: {}", view.name()), out);
    out.extend_from_slice(b"</title>");
    out.extend_from_slice(STYLE.as_bytes());
    out.extend_from_slice(
        b"<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
          orient=\"auto-start-reverse\"><path d=\"M0 0 8 4 0 8z\" fill=\"context-stroke\"/></marker></defs>\n",
    );
    for (y, title) in titles {
        out.extend_from_slice(format!("<text class=\"title\" x=\"{MARGIN}\" y=\"{y}\">").as_bytes());
        escaped(&title, out);
        out.extend_from_slice(b"</text>\n");
    }
    for edge in &graph.edges {
        draw(graph, edge, &places, out);
    }
    for (node, place) in graph.nodes.iter().zip(&places) {
        let Place { x, y, width, .. } = place;
        let round = if matches!(node.kind, NodeKind::Entry | NodeKind::Exit) { 13 } else { 3 };
        let shape = format!(
            "<rect class=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"{round}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">",
            class(node.kind),
            x + width / 2,
            y + 17
        );
        out.extend_from_slice(shape.as_bytes());
        escaped(&shown(&node.label), out);
        out.extend_from_slice(b"</text>\n");
    }
    out.extend_from_slice(b"</svg>\n");
}

/// Gives each node of a function its place; how far to the right and down they reach.
fn arrange(
    graph: &Graph,
    own: &[usize],
    edges: &[(usize, usize)],
    top: usize,
    places: &mut [Place],
) -> (usize, usize) {
    let arranged = layers(own.len(), edges);
    let width_of = |node: usize| (shown(&graph.nodes[own[node]].label).chars().count() + 3) * CHARACTER;
    let total = |layer: &Vec<usize>| layer.iter().map(|it| width_of(*it) + GAP).sum::<usize>();
    let widest = arranged.layers.iter().map(total).max().unwrap_or(0);
    for layer in &arranged.layers {
        let mut x = MARGIN + (widest - total(layer)) / 2;
        for node in layer {
            let (depth, _) = arranged.of[*node];
            let width = width_of(*node);
            places[own[*node]] =
                Place { x, y: top + depth * BETWEEN_LAYERS, width, layer: depth, right: MARGIN + widest };
            x += width + GAP;
        }
    }
    (MARGIN + widest, top + arranged.layers.len() * BETWEEN_LAYERS)
}

fn draw(graph: &Graph, edge: &Edge, places: &[Place], out: &mut Vec<u8>) {
    let (from, to) = (places[edge.from as usize], places[edge.to as usize]);
    let same = graph.nodes[edge.from as usize].function == graph.nodes[edge.to as usize].function;
    let leads_down = from.y < to.y;
    let (path, x, y) = if leads_down {
        let (x1, y1) = (from.x + from.width / 2, from.y + HEIGHT);
        let (x2, y2) = (to.x + to.width / 2, to.y);
        let bend = (y2 - y1) / 2;
        // What passes other layers bows to a side, so that it does not cross their boxes in the middle.
        let side = if same { (to.layer - from.layer).saturating_sub(1) * 28 } else { 0 };
        let path = format!("M{x1} {y1}C{} {} {} {} {x2} {y2}", x1 + side, y1 + bend, x2 + side, y2 - bend);
        (path, usize::midpoint(x1, x2) + side * 3 / 4 + 4, y1 + bend)
    } else {
        let (x1, y1) = (from.x + from.width, from.y + HEIGHT / 2);
        let (x2, y2) = (to.x + to.width, to.y + HEIGHT / 2);
        // A curve comes three quarters of the way near its handles: it passes all boxes of the function.
        let (near, rows) = (x1.max(x2), from.layer.saturating_sub(to.layer).min(8));
        let far = near + from.right.saturating_sub(near) * 4 / 3 + 16 + 6 * rows;
        (format!("M{x1} {y1}C{far} {y1} {far} {y2} {x2} {y2}"), far - 8, usize::midpoint(y1, y2))
    };
    let class = match edge.kind {
        EdgeKind::Flow => "",
        EdgeKind::Data => " data",
        EdgeKind::Control => " control",
        EdgeKind::Call | EdgeKind::Return => " call",
        EdgeKind::ParameterIn | EdgeKind::ParameterOut => " parameter",
    };
    let line = format!("<path class=\"edge{class}\" d=\"{path}\" marker-end=\"url(#arrow)\"/>");
    out.extend_from_slice(line.as_bytes());
    let mark = mark(graph, edge);
    if !mark.is_empty() {
        out.extend_from_slice(format!("<text class=\"mark\" x=\"{x}\" y=\"{y}\">").as_bytes());
        escaped(&shown(mark), out);
        out.extend_from_slice(b"</text>");
    }
    out.push(b'\n');
}

fn class(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Entry | NodeKind::Exit => "end",
        NodeKind::Condition
        | NodeKind::Loop
        | NodeKind::Switch
        | NodeKind::Case
        | NodeKind::Handler
        | NodeKind::Directive => "choice",
        NodeKind::ActualIn | NodeKind::ActualOut | NodeKind::FormalIn | NodeKind::FormalOut => "value",
        _ => "node",
    }
}

/// A label that is not too long for a box.
fn shown(label: &str) -> String {
    let mut characters = label.chars();
    let mut shown: String = characters.by_ref().take(MOST_OF_LABEL).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
