//! The function that is being built: its open ends, its junctions, and the jumps out of blocks.

use rustc_hash::FxHashMap;

use super::super::form::Way;
use super::super::model::{Access, Does, ENTRY, EXIT, Flow, Instruction, Kind, When};

/// From here on, numbers are those of junctions: places in the flow without an instruction.
pub(crate) const JUNCTION: u32 = 1 << 31;

/// A way out of an instruction that does not lead anywhere yet.
pub(crate) type End = (u32, When);

/// A place to which a jump may lead, and how many frames are around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    pub(crate) to: u32,
    pub(crate) depth: usize,
}

/// What stands around a statement and matters to jumps and exceptions.
pub(crate) enum Frame<'t> {
    Loop {
        labels: Vec<&'t str>,
        out: u32,
        again: u32,
    },
    Switch {
        out: u32,
        fall: u32,
        chain: Vec<End>,
        default: Option<u32>,
        /// Where the value goes.
        value: Option<u32>,
        subject: Option<u32>,
        /// Whether a `break` without a label leaves it.
        breaks: bool,
    },
    Labelled {
        label: &'t str,
        out: u32,
    },
    /// A block with handlers.
    Handlers {
        to: u32,
    },
    /// A block with something that runs last, whatever happens.
    Last {
        to: u32,
        pending: Vec<Aim>,
        raises: bool,
    },
}

/// A place to which `goto` jumps.
pub(crate) struct Label {
    pub(crate) at: u32,
    /// Whether the label was met, and not only a jump to it.
    pub(crate) is_met: bool,
}

/// A function under construction.
#[derive(Default)]
pub(crate) struct Flowing<'t> {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) edges: Vec<Flow>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) ends: Vec<End>,
    pub(crate) frames: Vec<Frame<'t>>,
    /// How many edges lead to each junction.
    junctions: Vec<u32>,
    /// Labels to which `goto` may jump, and whether they were met.
    pub(crate) labels: Vec<Label>,
    by_name: FxHashMap<&'t str, usize>,
}

impl<'t> Flowing<'t> {
    pub(crate) fn new(start: u32, end: u32) -> Self {
        let edge = |kind| Instruction { kind, start, end, acts: false };
        Self {
            instructions: vec![edge(Kind::Entry), edge(Kind::Exit)],
            ends: vec![(ENTRY, When::Always)],
            ..Self::default()
        }
    }

    pub(crate) fn junction(&mut self) -> u32 {
        self.junctions.push(0);
        JUNCTION | (self.junctions.len() as u32 - 1)
    }

    pub(crate) fn connect(&mut self, ends: &[End], to: u32) {
        if to >= JUNCTION {
            self.junctions[(to & !JUNCTION) as usize] += ends.len() as u32;
        }
        self.edges.extend(ends.iter().map(|&(from, when)| Flow { from, to, when, early: false }));
    }

    /// Leads all open ends here, and goes on from here.
    pub(crate) fn place(&mut self, at: u32) {
        let ends = std::mem::take(&mut self.ends);
        self.connect(&ends, at);
        self.ends = vec![(at, When::Always)];
    }

    /// Leads all open ends to a junction and goes on from there, if anything leads there.
    pub(crate) fn join(&mut self, junction: u32) {
        self.lead(junction);
        self.ends = self.from(junction);
    }

    /// The way out of a junction, if anything leads there.
    pub(crate) fn from(&self, junction: u32) -> Vec<End> {
        let is_used = self.junctions[(junction & !JUNCTION) as usize] > 0;
        if is_used { vec![(junction, When::Always)] } else { Vec::new() }
    }

    /// Leads all open ends to a place; nothing follows.
    pub(crate) fn lead(&mut self, to: u32) {
        let ends = std::mem::take(&mut self.ends);
        self.connect(&ends, to);
    }

    pub(crate) fn add(&mut self, kind: Kind, start: usize, end: usize) -> u32 {
        let number = self.instructions.len() as u32;
        self.instructions.push(Instruction { kind, start: start as u32, end: end as u32, acts: false });
        self.place(number);
        number
    }

    pub(crate) fn access(&mut self, instruction: u32, variable: u32, at: usize, does: Does) {
        self.accesses.push(Access { instruction, variable, at: at as u32, does });
    }

    /// Jumps with all open ends, by way of what has to run last.
    pub(crate) fn jump(&mut self, aim: Aim) {
        let crossed = self.frames.iter_mut().skip(aim.depth).rev().find_map(|frame| match frame {
            Frame::Last { to, pending, .. } => {
                if !pending.contains(&aim) {
                    pending.push(aim);
                }
                Some(*to)
            }
            _ => None,
        });
        self.lead(crossed.unwrap_or(aim.to));
    }

    /// Sends an exception on its way from these ends; out of the function where nobody catches it.
    pub(crate) fn throw(&mut self, ends: &[End]) {
        let to = self.catcher().unwrap_or(EXIT);
        self.connect(ends, to);
    }

    /// An exception that the instruction may raise, where something in this function waits for it.
    pub(crate) fn may_raise(&mut self, instruction: u32) {
        if let Some(to) = self.catcher() {
            self.connect(&[(instruction, When::Exception)], to);
            if let Some(edge) = self.edges.last_mut() {
                edge.early = true;
            }
        }
    }

    fn catcher(&mut self) -> Option<u32> {
        self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Handlers { to } => Some(*to),
            Frame::Last { to, raises, .. } => {
                *raises = true;
                Some(*to)
            }
            _ => None,
        })
    }

    /// Where a `break` or `continue` goes.
    pub(crate) fn aim(&self, way: Way, label: Option<&str>) -> Option<Aim> {
        self.frames.iter().enumerate().rev().find_map(|(depth, frame)| {
            let to = match (frame, way, label) {
                (Frame::Loop { out, .. } | Frame::Switch { out, breaks: true, .. }, Way::Break, None)
                | (Frame::Switch { out, value: Some(_), .. }, Way::Give, None) => *out,
                (Frame::Loop { again, .. }, Way::Continue, None) => *again,
                (Frame::Loop { labels, again, .. }, Way::Continue, Some(label))
                    if labels.contains(&label) =>
                {
                    *again
                }
                (Frame::Labelled { label: own, out }, Way::Break, Some(label)) if *own == label => *out,
                (Frame::Switch { fall, .. }, Way::FallThrough, None) => *fall,
                _ => return None,
            };
            Some(Aim { to, depth })
        })
    }

    /// The place of a label to which `goto` jumps, before or after it is known.
    pub(crate) fn label(&mut self, label: &'t str) -> u32 {
        if let Some(known) = self.by_name.get(label) {
            return self.labels[*known].at;
        }
        let at = self.junction();
        self.by_name.insert(label, self.labels.len());
        self.labels.push(Label { at, is_met: false });
        at
    }

    /// The same, where the label stands.
    pub(crate) fn meet(&mut self, label: &'t str) -> u32 {
        let at = self.label(label);
        self.labels[self.by_name[label]].is_met = true;
        at
    }

    /// The edges between instructions: junctions are left out, and what led to them leads on.
    pub(crate) fn contracted(&mut self) -> Vec<Flow> {
        let mut out: Vec<Vec<(u32, When)>> = vec![Vec::new(); self.junctions.len()];
        for edge in self.edges.iter().filter(|edge| edge.from >= JUNCTION) {
            out[(edge.from & !JUNCTION) as usize].push((edge.to, edge.when));
        }
        let mut flow = Vec::with_capacity(self.edges.len());
        let mut seen: Vec<u32> = vec![u32::MAX; self.junctions.len()];
        let mut open = Vec::new();
        for (round, edge) in self.edges.iter().enumerate().filter(|(_, edge)| edge.from < JUNCTION) {
            if edge.to < JUNCTION {
                flow.push(*edge);
                continue;
            }
            open.push((edge.to, edge.when));
            while let Some((to, when)) = open.pop() {
                if to < JUNCTION {
                    flow.push(Flow { from: edge.from, to, when, early: edge.early });
                } else if std::mem::replace(&mut seen[(to & !JUNCTION) as usize], round as u32)
                    != round as u32
                {
                    let on = out[(to & !JUNCTION) as usize].iter();
                    open.extend(on.map(|&(to, next)| (to, if when == When::Always { next } else { when })));
                }
            }
        }
        flow.sort_unstable();
        flow.dedup();
        flow
    }
}
