//! Figure 2 of ours: problems as dots, and what they have in common as lines.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::{IdenticalProblems, ProblemPair};
use crate::page::escaped;

/// Width of the picture in pixels.
const WIDTH: f64 = 1100.0;
/// Space beside a group of problems, for their names.
const MARGIN: f64 = 60.0;
/// Space above and below a group.
const GAP: f64 = 24.0;

/// Problems that hang together, around a circle.
struct Group {
    problems: Vec<String>,
    radius: f64,
}

impl IdenticalProblems {
    /// The graph as SVG.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let groups = groups(&self.pairs);
        let (mut at, mut row, mut places) = ((0.0, 0.0), 0.0_f64, BTreeMap::new());
        for group in &groups {
            let (side, high) = (2.0 * (group.radius + MARGIN), 2.0 * (group.radius + GAP));
            if at.0 > 0.0 && at.0 + side > WIDTH {
                at = (0.0, at.1 + row);
                row = 0.0;
            }
            let center = (at.0 + side / 2.0, at.1 + high / 2.0);
            for (number, problem) in group.problems.iter().enumerate() {
                let angle = TAU * number as f64 / group.problems.len() as f64;
                let place = (center.0 + group.radius * angle.cos(), center.1 + group.radius * angle.sin());
                places.insert(problem.as_str(), (place, angle));
            }
            at.0 += side;
            row = row.max(high);
        }
        let height = at.1 + row;
        let mut text = String::new();
        for pair in &self.pairs {
            let (Some(((x1, y1), _)), Some(((x2, y2), _))) =
                (places.get(pair.left.as_str()), places.get(pair.right.as_str()))
            else {
                continue;
            };
            let width = 1.0 + (pair.near_duplicates.max(1) as f64).ln();
            let dashes = if pair.identical { "" } else { " stroke-dasharray=\"4 4\"" };
            let _ = writeln!(
                text,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#2f6f9f\" stroke-width=\"{width:.1}\"{dashes} opacity=\".6\"><title>{} and {}: {} near-duplicates</title></line>",
                escaped(&pair.left),
                escaped(&pair.right),
                pair.near_duplicates
            );
        }
        for (problem, ((x, y), angle)) in &places {
            let anchor = if angle.cos() < -0.01 { "end" } else { "start" };
            let side = if anchor == "end" { -8.0 } else { 8.0 };
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#2f6f9f\" /><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"11\" font-family=\"system-ui, sans-serif\" fill=\"#5a6b7b\">{}</text>",
                x + side,
                y + 4.0,
                escaped(problem)
            );
        }
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" role=\"img\" aria-label=\"graph of problems with near-duplicates\">"
        )?;
        out.write_all(text.as_bytes())?;
        writeln!(out, "</svg>")
    }
}

/// The problems that hang together, the largest group first.
fn groups(pairs: &[ProblemPair]) -> Vec<Group> {
    let mut neighbors: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for pair in pairs {
        neighbors.entry(&pair.left).or_default().push(&pair.right);
        neighbors.entry(&pair.right).or_default().push(&pair.left);
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut groups = Vec::new();
    for &start in neighbors.keys() {
        if !seen.insert(start) {
            continue;
        }
        let (mut problems, mut next) = (Vec::new(), vec![start]);
        while let Some(problem) = next.pop() {
            problems.push(problem.to_owned());
            next.extend(neighbors[problem].iter().copied().filter(|other| seen.insert(*other)));
        }
        let radius = (problems.len() as f64 * 26.0 / TAU).clamp(20.0, (WIDTH / 2.0) - MARGIN);
        groups.push(Group { problems, radius });
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.problems.len()));
    groups
}
