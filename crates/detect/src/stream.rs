//! Every pair of a finished search, one after another, for the formats that stream them.

use std::io;
use std::sync::Arc;

use familiar_index::{Collection, FileEntry};
use familiar_report::{ClassRow, Explanation, PairRow, PairSource, pair_fingerprint};
use familiar_search::classes::{Accepted, Class, Pair, Pairs};
use familiar_search::evidence::{Commonness, Judge};
use familiar_search::similar::Sequence;
use familiar_search::{Matches, Place, aligned};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::explain::{Explainer, Side};
use crate::ingest::FileInfo;
use crate::resolve::Text;

/// Which pairs of the matches belong to the result.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) files: Vec<FileEntry>,
    pub(crate) types: Vec<u8>,
    pub(crate) cross_families: bool,
    /// Where only pairs between trees are asked for: the tree of each file.
    pub(crate) trees: Option<Vec<u32>>,
    /// Where what stands in some files too counts for nothing: whether each file is one of those.
    pub(crate) handed_out: Option<Vec<bool>>,
    /// Where only pairs that touch some items are asked for: those items.
    pub(crate) touching: Option<Vec<bool>>,
    /// What the baseline accepts.
    pub(crate) accepted: Option<Accepted>,
}

impl Choice {
    pub(crate) fn pairs<'m>(&self, matches: &'m Matches) -> Pairs<'m> {
        Pairs::new(matches, &self.files, &self.types, self.cross_families)
            .between(self.trees.as_deref())
            .leaving_out(self.handed_out.as_deref())
            .touching(self.touching.clone())
            .without(self.accepted.clone())
    }
}

/// Numbers, densely, those of `items` items that are part of a pair.
pub(crate) fn ids(pairs: &Pairs<'_>) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |pair: bool| {
        pair.then(|| {
            next += 1;
            next - 1
        })
    };
    pairs.have_any().into_iter().map(number).collect()
}

/// The class of each item.
pub(crate) fn class_of(classes: &[Class], items: usize) -> Vec<Option<u32>> {
    let mut class_of = vec![None; items];
    for (number, class) in (0u32..).zip(classes) {
        for &member in &class.members {
            class_of[member as usize] = Some(number);
        }
    }
    class_of
}

/// A finished search: all that pairs are made from.
pub(crate) struct Finished {
    pub(crate) matches: Matches,
    pub(crate) choice: Choice,
    pub(crate) texts: Vec<Text>,
    /// The fragment id of each item that is part of a pair.
    pub(crate) ids: Vec<Option<u32>>,
    pub(crate) measure: &'static str,
    pub(crate) collection: Collection,
    /// Where pairs are to be told from idioms.
    pub(crate) idioms: Option<Idioms>,
    /// How many threads make rows. They are there only while rows are made: a result that is kept holds none, and a process that
    /// forked has none of its parent's.
    pub(crate) threads: usize,
    /// The document and the language of each file.
    pub(crate) files: Vec<FileInfo>,
    /// Where it is to be said what makes Type-4 pairs alike.
    pub(crate) explainer: Option<Explainer>,
}

/// Pairs that become rows at a time, and with explanations, which take more memory and time.
const BATCH: usize = 4096;
const EXPLAINED_BATCH: usize = 128;

/// Makes rows of a finished search. Its threads start when there is work for several, and end with it.
struct Visitor<'f> {
    finished: &'f Finished,
    pool: Option<ThreadPool>,
}

impl<'f> Visitor<'f> {
    fn new(finished: &'f Finished) -> Self {
        Self { finished, pool: None }
    }

    /// Visits the rows of some pairs, in their order.
    fn visit(&mut self, pairs: &[Pair], visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        let is_explained = self.finished.explainer.is_some();
        let (batch, least) = if is_explained { (EXPLAINED_BATCH, 1) } else { (BATCH, 64) };
        for batch in pairs.chunks(batch) {
            self.rows(batch, least)?.iter().try_for_each(&mut *visit)?;
        }
        Ok(())
    }

    /// The rows of some pairs; a thread makes `least` of them or more.
    fn rows(&mut self, pairs: &[Pair], least: usize) -> io::Result<Vec<PairRow>> {
        let finished = self.finished;
        if finished.threads == 1 || pairs.len() <= least {
            return pairs.iter().map(|pair| finished.row(pair)).collect();
        }
        let pool = match &mut self.pool {
            Some(pool) => pool,
            none => {
                let pool = ThreadPoolBuilder::new().num_threads(finished.threads).build();
                none.insert(pool.map_err(io::Error::other)?)
            }
        };
        pool.install(|| pairs.par_iter().with_min_len(least).map(|pair| finished.row(pair)).collect())
    }
}

impl Finished {
    pub(crate) fn id(&self, item: u32) -> u32 {
        self.ids[item as usize].expect("an item of a pair has an id")
    }

    fn row(&self, pair: &Pair) -> io::Result<PairRow> {
        let form = |item: u32| self.texts[item as usize].form;
        Ok(PairRow {
            left: self.id(pair.left),
            right: self.id(pair.right),
            clone_type: pair.relation.clone_type,
            similarity: pair.relation.similarity,
            vector_similarity: pair.relation.vector_similarity,
            measure: if pair.relation.clone_type == 4 { "learned" } else { self.measure },
            fingerprint: pair_fingerprint(form(pair.left), form(pair.right)),
            idiom: self.idioms.as_ref().map_or(Ok(false), |idioms| idioms.is_one(self, pair))?,
            alignment: self.alignment(pair)?,
            explanation: if pair.relation.clone_type == 4 {
                self.explanation([pair.left, pair.right])
            } else {
                None
            },
        })
    }

    /// What makes two items alike, where that was asked for.
    fn explanation(&self, items: [u32; 2]) -> Option<Box<Explanation>> {
        self.explainer.as_ref()?.explanation(items.map(|item| {
            let file = &self.files[self.matches.items()[item as usize].place.file as usize];
            Side { document: file.document, language: file.language, text: &self.texts[item as usize] }
        }))
    }

    /// Says what makes the two sides alike that are compared of classes of type 4, which have item numbers still.
    pub(crate) fn explain(&self, classes: &mut [ClassRow]) {
        let explain = |class: &mut ClassRow| {
            if let (4, Some(left), Some(right)) = (class.clone_type, &class.excerpt, &class.other) {
                class.explanation = self.explanation([left.fragment, right.fragment]);
            }
        };
        classes.par_iter_mut().for_each(explain);
    }

    /// The symbols of an item.
    fn symbols(&self, item: u32) -> io::Result<Vec<u32>> {
        let Place { file, tokens } = self.matches.items()[item as usize].place;
        Ok(self.collection.tokens.get(file, tokens.start..tokens.end, &mut Vec::new())?.to_vec())
    }

    /// The line runs that correspond, where the texts know their lines.
    fn alignment(&self, pair: &Pair) -> io::Result<Vec<[u32; 4]>> {
        let [left, right] = [pair.left, pair.right].map(|item| &self.texts[item as usize]);
        if pair.relation.clone_type != 3 || left.token_lines.is_empty() || right.token_lines.is_empty() {
            return Ok(Vec::new());
        }
        let (mut symbols, mut starts) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (side, item) in [pair.left, pair.right].into_iter().enumerate() {
            let Place { file, tokens } = self.matches.items()[item as usize].place;
            let all = &self.collection.tokens;
            symbols[side] = all.get(file, tokens.start..tokens.end, &mut Vec::new())?.to_vec();
            self.collection.line_starts_in(file, tokens.start..tokens.end, &mut starts[side])?;
        }
        let sequence = |side: usize| Sequence { symbols: &symbols[side], line_starts: &starts[side] };
        let lines = |run: &aligned::Run| {
            let (left, right) = (left.lines_of(run.left), right.lines_of(run.right));
            [left.start, left.end, right.start, right.end]
        };
        Ok(aligned::align(sequence(0), sequence(1)).iter().map(lines).collect())
    }

    /// Turns the item numbers of classes into fragment ids.
    pub(crate) fn renumber(&self, classes: &mut [ClassRow]) {
        for class in classes {
            self.renumber(&mut class.nested);
            class.representative = self.id(class.representative);
            for member in &mut class.members {
                *member = self.id(*member);
            }
            for excerpt in class.excerpt.iter_mut().chain(&mut class.other) {
                excerpt.fragment = self.id(excerpt.fragment);
            }
        }
    }
}

/// Tells pairs from idioms, by what names and literals say.
pub(crate) struct Idioms(Commonness);

impl Idioms {
    pub(crate) fn of(collection: &Collection) -> io::Result<Self> {
        Commonness::of(collection).map(Self)
    }

    /// Whether the two sides are alike in their shape, and in little that they say.
    fn is_one(&self, finished: &Finished, pair: &Pair) -> io::Result<bool> {
        let judge = Judge { commonness: self.0.if_large_enough() };
        let symbols = || Ok::<_, io::Error>((finished.symbols(pair.left)?, finished.symbols(pair.right)?));
        Ok(match pair.relation.clone_type {
            1 | 4 => false,
            2 => {
                let (left, right) = symbols()?;
                // Of what repeats a piece, one side may do so more often.
                let length = left.len().min(right.len());
                !judge.are_copies(&left[..length], &right[..length])
            }
            _ => {
                let (left, right) = symbols()?;
                !judge.are_edited_copies(pair.relation.similarity, &left, &right)
            }
        })
    }
}

/// Some pairs of a finished search.
pub(crate) struct SomePairs {
    pub(crate) finished: Arc<Finished>,
    pub(crate) pairs: Vec<Pair>,
}

impl PairSource for SomePairs {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        Visitor::new(&self.finished).visit(&self.pairs, visit)
    }
}

/// Every pair of a finished search.
pub(crate) struct AllPairs {
    pub(crate) finished: Arc<Finished>,
    pub(crate) most_per_class: Option<u64>,
    pub(crate) class_of: Vec<Option<u32>>,
}

impl PairSource for AllPairs {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        let finished = &*self.finished;
        let mut visitor = Visitor::new(finished);
        let classes = self.class_of.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let mut seen = vec![0u64; classes];
        let mut batch = Vec::with_capacity(BATCH);
        finished.choice.pairs(&finished.matches).for_each(|pair| -> io::Result<()> {
            let (left, right) = (self.class_of[pair.left as usize], self.class_of[pair.right as usize]);
            if let (Some(class), true, Some(most)) = (left, left == right, self.most_per_class) {
                seen[class as usize] += 1;
                if seen[class as usize] > most {
                    return Ok(());
                }
            }
            batch.push(pair);
            if batch.len() == BATCH {
                visitor.visit(&batch, visit)?;
                batch.clear();
            }
            Ok(())
        })?;
        visitor.visit(&batch, visit)
    }
}
