//! The alignment of two prepared fragments, and its score.

use rustc_hash::{FxHashMap, FxHashSet};

use super::anchors::{self, MAX_CELLS};
use super::bound::ROUNDING;
use super::prepared::Prepared;
use super::roles::{is_name, key};
use super::statement::{FLOOR, Item, Statement, larger, merge, smaller};

/// A renaming is believed once this many aligned occurrences agree on it: the first sight of a pair of names is no
/// evidence.
const BELIEVE: u32 = 2;

/// Statements that correspond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) similarity: f32,
}

/// A prepared fragment and its symbols.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) prepared: &'t Prepared,
    pub(super) symbols: &'t [u32],
}

/// Compares one pair after another, keeping its memory.
#[derive(Default)]
pub(super) struct Comparer {
    /// The corresponding statements of the last comparison, in order.
    pub(super) path: Vec<Step>,
    similar: Vec<f32>,
    best: Vec<f32>,
    votes: Vec<(u32, u32)>,
    counted: Vec<(u32, u32, u32)>,
    taken: [FxHashSet<u32>; 2],
    /// Keys of names that are renamed, and what to; by the former.
    renamed: Vec<(u32, u32)>,
    items: Vec<Item>,
    columns: Columns,
}

/// How similar the statements of one fragment are to each statement that others have. The members of a crowd say the same
/// again and again, and are all compared with the same fragment.
/// What a statement is held to say depends on its own tokens alone, so equal statements of different fragments share a column.
#[derive(Default)]
struct Columns {
    /// The one fragment, by its text.
    of: Option<u64>,
    /// By the text of another's statement where its column stands in `values`: a number for each statement of the one.
    starts: FxHashMap<u64, u32>,
    values: Vec<f32>,
    /// The columns of the other fragment's statements.
    other: Vec<u32>,
}

impl Columns {
    /// Most numbers that are kept from one pair to the next.
    const MOST: usize = 1 << 18;

    /// Brings together what is known of two fragments, and computes what is not.
    fn set(&mut self, one: &Prepared, other: &Prepared) {
        let rows = one.statements.len();
        if self.of != Some(one.written) || self.values.len() > Self::MOST {
            self.of = Some(one.written);
            self.starts.clear();
            self.values.clear();
        }
        self.other.clear();
        for (j, statement) in other.statements.iter().enumerate() {
            let values = &mut self.values;
            let column = self.starts.entry(statement.written).or_insert_with(|| {
                let start = values.len() as u32;
                values.extend((0..rows).map(|i| statement_similarity(one, i, other, j)));
                start
            });
            self.other.push(*column);
        }
    }

    /// The similarity of statement `i` of the one fragment and `j` of the other.
    fn get(&self, i: usize, j: usize) -> f32 {
        self.values[self.other[j] as usize + i]
    }
}

impl Comparer {
    /// The similarity of two fragments, exactly where it is at least `least`, and some smaller number else.
    pub(super) fn compare(&mut self, left: Text<'_>, right: Text<'_>, least: f32) -> f32 {
        let order = |text: Text<'_>| {
            let prepared = text.prepared;
            (prepared.statements.len(), prepared.blind, prepared.written)
        };
        let (n, m) = (left.prepared.statements.len(), right.prepared.statements.len());
        if n * m <= MAX_CELLS {
            self.columns.set(left.prepared, right.prepared);
        }
        // Ties are broken by position, so the pair is compared in one order: the answer must not depend on the caller's.
        if order(right) < order(left) {
            let score = self.compare_ordered(right, left, least, true);
            for step in &mut self.path {
                std::mem::swap(&mut step.left, &mut step.right);
            }
            score
        } else {
            self.compare_ordered(left, right, least, false)
        }
    }

    /// As [`Self::compare`]; `swapped` where the columns are those of the left side's statements.
    fn compare_ordered(&mut self, left: Text<'_>, right: Text<'_>, least: f32, swapped: bool) -> f32 {
        let (a, b) = (left.prepared, right.prepared);
        self.path.clear();
        let (n, m) = (a.statements.len(), b.statements.len());
        if n * m <= MAX_CELLS {
            let columns = std::mem::take(&mut self.columns);
            let similar = |i, j| if swapped { columns.get(j, i) } else { columns.get(i, j) };
            self.align(a, b, (0, n), (0, m), similar);
            self.columns = columns;
        } else {
            let similar = |i, j| statement_similarity(a, i, b, j);
            anchors::split(a, b, |rows, columns| self.align(a, b, rows, columns, similar));
        }
        let whole = a.mass.max(b.mass).max(1.0);
        let equal = a.blind == b.blind;
        if !equal && self.at_most(a, b) < least * whole - ROUNDING {
            return 0.0;
        }
        self.find_renaming(left, right);
        let mut score = 0.0;
        for at in 0..self.path.len() {
            let Step { left: i, right: j, similarity } = self.path[at];
            let (i, j) = (i as usize, j as usize);
            let mut d = similarity;
            if d < 1.0 && !self.renamed.is_empty() {
                d = d.max(self.renamed_similarity(a, i, b, j));
                self.path[at].similarity = d;
            }
            score += d * d * a.outlines[i].mass.min(b.outlines[j].mass);
        }
        if equal { 1.0 } else { (score / whole).min(1.0) }
    }

    /// Appends the best order-preserving pairing of the statements `rows` of `a` and `columns` of `b`, which are as similar
    /// as `similar` says, to the path.
    fn align(
        &mut self,
        a: &Prepared,
        b: &Prepared,
        rows: (usize, usize),
        columns: (usize, usize),
        similar: impl Fn(usize, usize) -> f32,
    ) {
        let (n, m) = (rows.1 - rows.0, columns.1 - columns.0);
        self.similar.clear();
        self.best.clear();
        self.best.resize(m + 1, 0.0);
        for i in 0..n {
            self.best.push(0.0);
            let mut last = 0.0f32;
            for j in 0..m {
                let d = similar(rows.0 + i, columns.0 + j);
                self.similar.push(d);
                let mass = smaller(a.outlines[rows.0 + i].mass, b.outlines[columns.0 + j].mass);
                let above = i * (m + 1) + j;
                last = larger(larger(self.best[above] + d * d * mass, self.best[above + 1]), last);
                self.best.push(last);
            }
        }
        let from = self.path.len();
        let (mut i, mut j) = (n, m);
        let at = |i: usize, j: usize| i * (m + 1) + j;
        while i > 0 && j > 0 {
            if self.best[at(i, j)] == self.best[at(i - 1, j)] {
                i -= 1;
            } else if self.best[at(i, j)] == self.best[at(i, j - 1)] {
                j -= 1;
            } else {
                i -= 1;
                j -= 1;
                self.path.push(Step {
                    left: (rows.0 + i) as u32,
                    right: (columns.0 + j) as u32,
                    similarity: self.similar[i * m + j],
                });
            }
        }
        self.path[from..].reverse();
    }

    /// What the path can score at most, whatever is renamed.
    fn at_most(&self, a: &Prepared, b: &Prepared) -> f32 {
        let credit = |step: &Step| {
            let (i, j) = (step.left as usize, step.right as usize);
            let (x, y) = (&a.outlines[i], &b.outlines[j]);
            let d = if step.similarity < 1.0 { x.similarity(y) } else { 1.0 };
            d * d * x.mass.min(y.mass)
        };
        self.path.iter().map(credit).sum()
    }

    /// The one-to-one renaming that aligned statements of equal blind form agree on, the most frequent names first,
    /// where it is believed.
    fn find_renaming(&mut self, left: Text<'_>, right: Text<'_>) {
        self.renamed.clear();
        if self.path.iter().all(|step| step.similarity >= 1.0) {
            return;
        }
        self.votes.clear();
        for step in &self.path {
            let x = &left.prepared.statements[step.left as usize];
            let y = &right.prepared.statements[step.right as usize];
            if x.blind == y.blind {
                let (s, t) = (tokens(left, x), tokens(right, y));
                let names = s.iter().zip(t).filter(|&(&s, &t)| is_name(s) && is_name(t));
                self.votes.extend(names.map(|(&s, &t)| (s, t)));
            }
        }
        self.votes.sort_unstable();
        self.counted.clear();
        let agreeing = self.votes.chunk_by(|a, b| a == b);
        self.counted.extend(agreeing.map(|votes| (votes.len() as u32, votes[0].0, votes[0].1)));
        self.counted.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.cmp(y)));
        let [from, to] = &mut self.taken;
        from.clear();
        to.clear();
        for &(count, s, t) in &self.counted {
            if count < BELIEVE {
                break;
            }
            if !from.contains(&s) && !to.contains(&t) {
                from.insert(s);
                to.insert(t);
                if s != t {
                    self.renamed.push((key(s), key(t)));
                }
            }
        }
        self.renamed.sort_unstable();
    }

    fn renamed_similarity(&mut self, a: &Prepared, i: usize, b: &Prepared, j: usize) -> f32 {
        let (x, y) = (&a.statements[i], &b.statements[j]);
        self.items.clear();
        let renamed = &self.renamed;
        self.items.extend(a.open(x).iter().map(|item| {
            let name = renamed.binary_search_by_key(&item.key, |&(from, _)| from);
            Item { key: name.map_or(item.key, |at| renamed[at].1), ..*item }
        }));
        merge(&mut self.items, 0);
        let fixed = shared_fixed(a.fixed(x), b.fixed(y));
        let (written, kept) = shared_open(&self.items, b.open(y));
        let written = fixed + written;
        let local =
            (fixed + kept + blinded(x.locals, y.locals) + blinded(x.literals, y.literals)).max(written);
        let all = fixed + blinded(x.names, y.names) + blinded(x.literals, y.literals);
        let weight = a.outlines[i].weight + b.outlines[j].weight;
        (written + local + all) as f32 / (1.5 * weight)
    }
}

fn tokens<'t>(text: Text<'t>, statement: &Statement) -> &'t [u32] {
    &text.symbols[statement.tokens.0 as usize..statement.tokens.1 as usize]
}

fn blinded(left: u32, right: u32) -> u32 {
    left.min(right)
}

/// The similarity of two statements: that of their weighted token bags, averaged over three depths: as written, with
/// local names and literals blind, and with all names blind. 0 below the floor.
fn statement_similarity(a: &Prepared, i: usize, b: &Prepared, j: usize) -> f32 {
    let (x, y) = (&a.statements[i], &b.statements[j]);
    if x.written == y.written {
        return 1.0;
    }
    let (p, q) = (&a.outlines[i], &b.outlines[j]);
    if p.similarity(q) == 0.0 {
        return 0.0;
    }
    let half = (p.weight + q.weight) * 0.5;
    let fixed = shared_fixed(a.fixed(x), b.fixed(y));
    let literals = blinded(x.literals, y.literals);
    let all = (fixed + blinded(x.names, y.names) + literals) as f32;
    if all < FLOOR * half {
        return 0.0;
    }
    let (written, kept) = shared_open(a.open(x), b.open(y));
    let local = (fixed + kept + blinded(x.locals, y.locals) + literals) as f32;
    if all + 2.0 * local < 3.0 * FLOOR * half {
        return 0.0;
    }
    let d = ((fixed + written) as f32 + local + all) / (3.0 * half);
    if d < FLOOR { 0.0 } else { d }
}

/// Weight that two bags share.
fn shared_fixed(a: &[Item], b: &[Item]) -> u32 {
    let (mut i, mut j, mut sum) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        sum += if x.key == y.key { u32::from(x.kept.min(y.kept)) } else { 0 };
        i += usize::from(x.key <= y.key);
        j += usize::from(y.key <= x.key);
    }
    sum
}

/// Weight that two bags of names and literals share as written, and in names that stay with local names blind.
fn shared_open(a: &[Item], b: &[Item]) -> (u32, u32) {
    let (mut i, mut j, mut written, mut kept) = (0, 0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        if x.key == y.key {
            kept += u32::from(x.kept.min(y.kept));
            let whole = |item: Item| u32::from(item.kept) + u32::from(item.local);
            written += whole(x).min(whole(y));
        }
        i += usize::from(x.key <= y.key);
        j += usize::from(y.key <= x.key);
    }
    (written, kept)
}
