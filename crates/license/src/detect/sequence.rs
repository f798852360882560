//! Parts of a rule in a text, in the order of the rule: the longest common stretch of legal words first, then what stands on
//! either side of it (Ratcliff and Obershelp; ScanCode's `match_blocks`).

use super::candidates::Candidate;
use super::found::{Found, Way};
use super::query::Query;
use super::refine::least_matched;
use super::span::Span;
use crate::rules::{Rules, Word};

/// Most times that one rule is looked for in one window.
const MOST_TIMES: usize = 8;
/// Most comparisons of one search, against texts made to be slow.
const MOST_STEPS: u64 = 20_000_000;

/// Finds rules in part, keeping its memory.
#[derive(Debug)]
pub(super) struct Sequences<'a> {
    rules: &'a Rules,
    query: &'a Query,
    /// Positions of the text that may not be matched.
    taken: Vec<bool>,
    /// For each legal word the first place in the rule, one more than it, and for each place the next.
    heads: Vec<u32>,
    nexts: Vec<u32>,
    /// Lengths of common stretches that end at each place of the rule.
    lengths: [Vec<u32>; 2],
    touched: [Vec<u32>; 2],
    steps: u64,
}

/// A common stretch: where it starts in the text and in the rule, and its length.
type Block = (u32, u32, u32);

impl<'a> Sequences<'a> {
    pub(super) fn new(rules: &'a Rules, query: &'a Query, taken: &Span) -> Self {
        let mut all = vec![false; query.tokens.len()];
        for &(start, end) in taken.parts() {
            all[start as usize..end as usize].fill(true);
        }
        Self {
            rules,
            query,
            taken: all,
            heads: vec![0; rules.vocabulary.legal as usize],
            nexts: Vec::new(),
            lengths: Default::default(),
            touched: Default::default(),
            steps: 0,
        }
    }

    /// The parts of a candidate in its window.
    pub(super) fn find(&mut self, candidate: Candidate) -> Vec<Found> {
        let tokens = self.rules.tokens(candidate.rule);
        let rule = &self.rules.rules[candidate.rule as usize];
        let length = tokens.len() as u32;
        let (least, _) = least_matched(length, rule.legal, rule.minimum_coverage);
        self.index(tokens);
        // What the rule holds before its first shared stretch may stand before it, edited.
        let mut start = candidate.first.saturating_sub(length);
        let end = (candidate.last + length).min(self.query.len());
        let mut found = Vec::new();
        for _ in 0..MOST_TIMES {
            let blocks = self.blocks(tokens, start, end);
            let Some(last) = blocks.last() else { break };
            start = last.0 + last.2;
            let matched: u32 = blocks.iter().map(|block| block.2).sum();
            if matched < least.min(4) {
                break;
            }
            found.extend(blocks.iter().filter_map(|&block| self.found(candidate.rule, tokens, block)));
        }
        self.forget(tokens);
        found
    }

    fn found(&self, rule: u32, tokens: &[Word], (text, inside, length): Block) -> Option<Found> {
        let legal = self.rules.vocabulary.legal;
        let stretch = &tokens[inside as usize..(inside + length) as usize];
        let legal = stretch.iter().filter(|&&token| token < legal).count() as u32;
        (length > 1 || legal == 1).then(|| Found {
            rule,
            way: Way::Sequence,
            text: Span::of(text, text + length),
            inside: Span::of(inside, inside + length),
            legal,
        })
    }

    fn index(&mut self, tokens: &[Word]) {
        self.nexts.clear();
        self.nexts.resize(tokens.len(), 0);
        for (at, &token) in tokens.iter().enumerate().rev() {
            if let Some(head) = self.heads.get_mut(token as usize) {
                self.nexts[at] = std::mem::replace(head, at as u32 + 1);
            }
        }
        for lengths in &mut self.lengths {
            lengths.clear();
            lengths.resize(tokens.len() + 1, 0);
        }
    }

    fn forget(&mut self, tokens: &[Word]) {
        for &token in tokens {
            if let Some(head) = self.heads.get_mut(token as usize) {
                *head = 0;
            }
        }
    }

    /// Common stretches in order, those that touch joined.
    fn blocks(&mut self, tokens: &[Word], start: u32, end: u32) -> Vec<Block> {
        let mut open = vec![(start, end, 0, tokens.len() as u32)];
        let mut blocks: Vec<Block> = Vec::new();
        while let Some((from, to, low, high)) = open.pop() {
            let (text, inside, length) = self.longest(tokens, (from, to), (low, high));
            if length == 0 {
                continue;
            }
            blocks.push((text, inside, length));
            if from < text && low < inside {
                open.push((from, text, low, inside));
            }
            if text + length < to && inside + length < high {
                open.push((text + length, to, inside + length, high));
            }
        }
        blocks.sort_unstable();
        let mut joined: Vec<Block> = Vec::with_capacity(blocks.len());
        for block in blocks {
            match joined.last_mut().filter(|last| last.0 + last.2 == block.0 && last.1 + last.2 == block.1) {
                Some(last) => last.2 += block.2,
                None => joined.push(block),
            }
        }
        joined
    }

    /// The longest common stretch of legal words, with the other words that stand around it in both.
    fn longest(&mut self, tokens: &[Word], (from, to): (u32, u32), (low, high): (u32, u32)) -> Block {
        let mut best: Block = (from, low, 0);
        for at in from..to {
            let head = self.heads.get(self.query.tokens[at as usize] as usize).copied().unwrap_or(0);
            let [before, now] = &mut self.lengths;
            if !self.taken[at as usize] && self.steps < MOST_STEPS {
                let mut place = head;
                while place > 0 {
                    let inside = place - 1;
                    place = self.nexts[inside as usize];
                    self.steps += 1;
                    if inside < low {
                        continue;
                    }
                    if inside >= high {
                        break;
                    }
                    let length = before[inside as usize] + 1;
                    now[inside as usize + 1] = length;
                    self.touched[1].push(inside + 1);
                    if length > best.2 {
                        best = (at + 1 - length, inside + 1 - length, length);
                    }
                }
            }
            for place in self.touched[0].drain(..) {
                before[place as usize] = 0;
            }
            self.lengths.swap(0, 1);
            self.touched.swap(0, 1);
        }
        for place in self.touched[0].drain(..) {
            self.lengths[0][place as usize] = 0;
        }
        self.grown(tokens, best, (from, to), (low, high))
    }

    fn grown(&self, tokens: &[Word], block: Block, (from, to): (u32, u32), (low, high): (u32, u32)) -> Block {
        let (mut text, mut inside, mut length) = block;
        let same = |text: u32, inside: u32| {
            self.query.tokens[text as usize] == tokens[inside as usize] && !self.taken[text as usize]
        };
        if length == 0 {
            return block;
        }
        while text > from && inside > low && same(text - 1, inside - 1) {
            (text, inside, length) = (text - 1, inside - 1, length + 1);
        }
        while text + length < to && inside + length < high && same(text + length, inside + length) {
            length += 1;
        }
        (text, inside, length)
    }
}
