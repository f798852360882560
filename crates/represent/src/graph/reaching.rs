//! Reaching definitions: which instruction may have given a variable the value that another one reads?
//!
//! The classic equations over basic blocks, solved over sets of bits in rounds (Aho et al. 2006, Section 9.2.4). The
//! definitions of one variable stand side by side, so that a definition kills a range of bits. Many variables are
//! solved in groups, so that memory stays bounded.

use rustc_hash::FxHashSet;

use super::dominance::Successors;
use super::model::ENTRY;

/// Words of bits that one group of variables may take.
const MOST_WORDS: usize = 1 << 21;
/// Words of bits that all groups together may take, before the rest is left out.
const MOST_WORK: usize = 1 << 27;
/// How many edges there may be for each instruction, on average, before the rest is left out.
const MOST_FOR_EACH: usize = 64;
const MOST_IN_ANY_CASE: usize = 100_000;

/// What an instruction does to a variable, as far as values are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// It reads the value that was there before the instruction.
    Use,
    /// It writes, and what was there is gone.
    Define,
    /// It may write.
    Change,
}

/// One access, ordered by instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) instruction: u32,
    pub(crate) variable: u32,
    pub(crate) does: Does,
}

/// An edge of control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Whether it is taken before the instruction defines anything. What it may change, it may have changed.
    pub(crate) before_writing: bool,
}

/// The value that `from` gives to a variable may be read by `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Reach {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) variable: u32,
}

/// The edges from definitions to uses, and whether they are all. Only instructions that can be reached have any.
pub(crate) fn reaching(count: usize, flow: &[Way], accesses: &[Access]) -> (Vec<Reach>, bool) {
    let forth = Successors::new(count, flow.iter().map(|it| (it.from, it.to)));
    let blocks = Blocks::new(&forth, flow);
    let Accesses { by_block, used } = Accesses::new(&blocks, accesses);
    let mut reaches = Vec::new();
    let most = count * MOST_FOR_EACH + MOST_IN_ANY_CASE;
    let mut is_whole = true;
    let mut work = 0;
    // Definitions by variable.
    let mut definitions: Vec<(u32, u32)> = accesses
        .iter()
        .filter(|it| it.does != Does::Use && blocks.of[it.instruction as usize] != u32::MAX)
        .filter(|it| used.binary_search(&it.variable).is_ok())
        .map(|it| (it.variable, it.instruction))
        .collect();
    definitions.sort_unstable();
    definitions.dedup();
    let at_a_time = (MOST_WORDS / blocks.first.len().max(1)).max(1) * 64;
    let mut start = 0;
    while start < definitions.len() {
        let mut end = definitions.len().min(start + at_a_time);
        // A variable is solved in one group with all its definitions.
        while end < definitions.len() && end > 0 && definitions[end].0 == definitions[end - 1].0 {
            end += 1;
        }
        let group = &definitions[start..end];
        work += blocks.first.len() * group.len().div_ceil(64);
        if work > MOST_WORK || reaches.len() > most {
            is_whole = false;
            break;
        }
        Group::new(group, &blocks).solve(&by_block, &mut reaches, most);
        start = end;
    }
    is_whole &= reaches.len() <= most;
    reaches.truncate(most);
    reaches.sort_unstable();
    reaches.dedup();
    (reaches, is_whole)
}

/// Instructions that always run one after another, in an order in which most of what leads to a block stands before it.
struct Blocks {
    /// The block of each instruction; `MAX` for one that is never reached.
    of: Vec<u32>,
    /// The first instruction of each block.
    first: Vec<u32>,
    /// The blocks from which each block is reached: twice the number, and one more where the way leaves before writing.
    from: Successors,
    to: Successors,
    /// The last instruction of each block that is left before it writes.
    left_early: Vec<Option<u32>>,
    order: Vec<u32>,
}

impl Blocks {
    fn new(forth: &Successors, flow: &[Way]) -> Self {
        let order = forth.reverse_postorder(ENTRY);
        let mut of = vec![u32::MAX; forth.len()];
        let mut into = vec![0_u32; forth.len()];
        let mut reached = vec![false; forth.len()];
        for it in &order {
            reached[*it as usize] = true;
        }
        let live = || flow.iter().filter(|it| reached[it.from as usize]);
        for it in live() {
            into[it.to as usize] += 1 + u32::from(it.before_writing);
        }
        let mut first = Vec::new();
        for (at, node) in order.iter().enumerate() {
            let before = at.checked_sub(1).map(|it| order[it]);
            let goes_on = before.is_some_and(|it| forth.of(it) == [*node]) && into[*node as usize] == 1;
            if !goes_on {
                first.push(*node);
            }
            of[*node as usize] = first.len() as u32 - 1;
        }
        let between = live().filter_map(|it| {
            let (from, to) = (of[it.from as usize], of[it.to as usize]);
            (from != to || it.to == first[to as usize]).then_some((from, to, it.before_writing))
        });
        let edges: Vec<(u32, u32, bool)> = between.collect();
        let mut left_early = vec![None; first.len()];
        for way in live().filter(|it| it.before_writing) {
            left_early[of[way.from as usize] as usize] = Some(way.from);
        }
        // From a block to what leads there, and from one to where it leads.
        let nodes = first.len() * 2;
        let back = edges.iter().map(|&(from, to, early)| (to, from * 2 + u32::from(early)));
        Self {
            from: Successors::new(nodes, back),
            to: Successors::new(first.len(), edges.iter().map(|&(from, to, _)| (from, to))),
            left_early,
            of,
            first,
            order,
        }
    }
}

/// The accesses of all instructions in the order in which blocks run.
struct Accesses {
    by_block: Vec<Vec<Access>>,
    /// The variables that are read, sorted.
    used: Vec<u32>,
}

impl Accesses {
    fn new(blocks: &Blocks, accesses: &[Access]) -> Self {
        let mut by_block = vec![Vec::new(); blocks.first.len()];
        let mut used = Vec::new();
        let mut written = FxHashSet::default();
        let mut starts = vec![0_usize; blocks.of.len() + 1];
        for it in accesses {
            starts[it.instruction as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        for node in &blocks.order {
            let own = &accesses[starts[*node as usize]..starts[*node as usize + 1]];
            let block: &mut Vec<Access> = &mut by_block[blocks.of[*node as usize] as usize];
            // What the instruction itself wrote before is not what was there before it.
            written.clear();
            let since = block.len();
            for access in own {
                match access.does {
                    Does::Use if written.contains(&access.variable) => {}
                    Does::Use => block.push(*access),
                    Does::Define => {
                        written.insert(access.variable);
                    }
                    Does::Change => {}
                }
            }
            block[since..].sort_unstable_by_key(|it| it.variable);
            let mut last = None;
            let fresh: Vec<Access> =
                block.drain(since..).filter(|it| last.replace(it.variable) != Some(it.variable)).collect();
            block.extend(fresh);
            // All reading comes before all writing.
            block.extend(own.iter().filter(|it| it.does != Does::Use));
            used.extend(own.iter().filter(|it| it.does == Does::Use).map(|it| it.variable));
        }
        used.sort_unstable();
        used.dedup();
        Self { by_block, used }
    }
}

/// Variables that are solved together.
struct Group<'a> {
    definitions: &'a [(u32, u32)],
    blocks: &'a Blocks,
    words: usize,
}

impl<'a> Group<'a> {
    fn new(definitions: &'a [(u32, u32)], blocks: &'a Blocks) -> Self {
        Self { definitions, blocks, words: definitions.len().div_ceil(64) }
    }

    /// The numbers of the definitions of a variable.
    fn range(&self, variable: u32) -> std::ops::Range<usize> {
        let start = self.definitions.partition_point(|it| it.0 < variable);
        start..start + self.definitions[start..].partition_point(|it| it.0 == variable)
    }

    fn write(&self, bits: &mut [u64], access: &Access) {
        if access.does == Does::Use {
            return;
        }
        let range = self.range(access.variable);
        if range.is_empty() {
            return;
        }
        if access.does == Does::Define {
            clear(bits, range.clone());
        }
        let own = &self.definitions[range.clone()];
        if let Ok(at) = own.binary_search(&(access.variable, access.instruction)) {
            let at = range.start + at;
            bits[at / 64] |= 1 << (at % 64);
        }
    }

    fn solve(&self, by_block: &[Vec<Access>], reaches: &mut Vec<Reach>, most: usize) {
        let count = by_block.len();
        let mut out = vec![0_u64; count * 2 * self.words];
        let mut bits = vec![0_u64; self.words];
        let mut dirty = vec![true; count];
        let mut any = true;
        while any {
            any = false;
            for block in 0..count {
                if !std::mem::replace(&mut dirty[block], false) {
                    continue;
                }
                self.enter(block, &out, &mut bits);
                let accesses = &by_block[block];
                let early = self.blocks.left_early[block];
                let end = early.map_or(accesses.len(), |it| {
                    accesses.iter().rposition(|access| access.instruction != it).map_or(0, |at| at + 1)
                });
                for access in &accesses[..end] {
                    self.write(&mut bits, access);
                }
                let mut grew = false;
                if early.is_some() {
                    let mut before = bits.clone();
                    for access in accesses[end..].iter().filter(|it| it.does == Does::Change) {
                        self.write(&mut before, access);
                    }
                    grew |= store(&mut out[(block * 2 + 1) * self.words..][..self.words], &before);
                    for access in &accesses[end..] {
                        self.write(&mut bits, access);
                    }
                }
                grew |= store(&mut out[block * 2 * self.words..][..self.words], &bits);
                if grew {
                    for next in self.blocks.to.of(block as u32) {
                        dirty[*next as usize] = true;
                        any |= *next as usize <= block;
                    }
                }
            }
        }
        for (block, accesses) in by_block.iter().enumerate() {
            self.enter(block, &out, &mut bits);
            for access in accesses {
                if access.does == Does::Use {
                    self.read(&bits, access, reaches);
                } else {
                    self.write(&mut bits, access);
                }
            }
            if reaches.len() > most {
                return;
            }
        }
    }

    /// What reaches the beginning of a block.
    fn enter(&self, block: usize, out: &[u64], bits: &mut [u64]) {
        bits.fill(0);
        for from in self.blocks.from.of(block as u32) {
            let other = &out[*from as usize * self.words..(*from as usize + 1) * self.words];
            for (bits, other) in bits.iter_mut().zip(other) {
                *bits |= other;
            }
        }
    }

    fn read(&self, bits: &[u64], access: &Access, reaches: &mut Vec<Reach>) {
        let range = self.range(access.variable);
        let mut at = range.start;
        while at < range.end {
            let rest = bits[at / 64] >> (at % 64);
            if rest == 0 {
                at = (at / 64 + 1) * 64;
                continue;
            }
            at += rest.trailing_zeros() as usize;
            if at >= range.end {
                return;
            }
            let from = self.definitions[at].1;
            reaches.push(Reach { from, to: access.instruction, variable: access.variable });
            at += 1;
        }
    }
}

/// Whether anything is new.
fn store(place: &mut [u64], bits: &[u64]) -> bool {
    let differs = place != bits;
    if differs {
        place.copy_from_slice(bits);
    }
    differs
}

fn clear(bits: &mut [u64], range: std::ops::Range<usize>) {
    let (first, last) = (range.start / 64, (range.end - 1) / 64);
    for (word, bits) in bits.iter_mut().enumerate().take(last + 1).skip(first) {
        let from = range.start.saturating_sub(word * 64).min(63);
        let to = (range.end - word * 64).min(64);
        let upper = if to == 64 { u64::MAX } else { (1 << to) - 1 };
        *bits &= !(upper & (u64::MAX << from));
    }
}
