//! Runs, and what the functions that were found leave of them.

use std::io;

use familiar_index::Collection;
use familiar_search::classes::Pairs;
use familiar_search::cover::Cover;
use familiar_search::information::{self, Limit};
use familiar_search::runs::{self, RunGroup, RunPair, Runs};
use familiar_search::{Item, Matches, Place};
use familiar_source::{FragmentKind, Span};

use crate::CloneOptions;

/// How many members of a group are tried as the first, beside which something is left.
const MOST_FIRST: usize = 8;

/// Fewer bits than this beside functions are no run that anybody misses: a brace, an annotation. Two new names and their
/// punctuation say as much. What it costs stands in ARCHITECTURE.md, under the invariants of findings.
const LEAST_BESIDE: u32 = 30;

/// Cuts the runs down to what no pair of functions covers.
///
/// Where what is left in one piece would be too small to be reported, the run stays whole: otherwise smaller functions
/// would take away what stands beside them.
pub(crate) fn outside_functions(
    collection: &Collection,
    options: &CloneOptions,
    limit: Limit,
    matches: &Matches,
    runs: Vec<RunClass>,
) -> io::Result<Vec<RunClass>> {
    let pairs = Pairs::new(matches, &collection.files, &options.types, options.cross_language);
    let cover = Cover::new(matches, &pairs, collection.files.len());
    let outside = Outside { collection, cover: &cover, limit, min_lines: options.min_lines as usize };
    let mut rest = Vec::new();
    for run in runs {
        if run.items.iter().all(|item| !cover.touches(item.place)) {
            rest.push(run);
        } else if run.period > 0 || run.pieces.is_some() {
            outside.whole(run, &mut rest)?;
        } else {
            outside.equal(&run, &mut rest)?;
        }
    }
    Ok(rest)
}

/// Tells what functions leave of runs.
struct Outside<'a> {
    collection: &'a Collection,
    cover: &'a Cover<'a>,
    limit: Limit,
    min_lines: usize,
}

impl Outside<'_> {
    /// The parts of a pair's left side that say something and that no function pair covers. Of two places that are not compared with
    /// one another, no function pair covers anything, and nothing is left.
    fn rest(&self, left: Place, right: Place) -> io::Result<Vec<Span>> {
        let side = |place: Place| self.collection.files[place.file as usize].side;
        if !side(left).pairs_with(side(right)) {
            return Ok(Vec::new());
        }
        let mut parts = self.cover.uncovered(left, right, 1);
        let mut buffer = Vec::new();
        let mut says = Vec::new();
        for part in &parts {
            let tokens = self.collection.tokens.get(left.file, part.start..part.end, &mut buffer)?;
            says.push(information::has_bits(tokens, LEAST_BESIDE));
        }
        let mut says = says.into_iter();
        parts.retain(|_| says.next() == Some(true));
        Ok(parts)
    }

    /// Whether each part would be reported by itself. Lines are not known yet; statements stand for them.
    fn all_allowed(&self, file: u32, parts: &[Span]) -> io::Result<bool> {
        let (mut buffer, mut starts) = (Vec::new(), Vec::new());
        for part in parts {
            self.collection.line_starts_in(file, part.start..part.end, &mut starts)?;
            let tokens = self.collection.tokens.get(file, part.start..part.end, &mut buffer)?;
            if starts.len() < self.min_lines || !self.limit.allows(tokens, &starts) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keeps a periodic or merged run whole, from its first item on that functions do not cover beside every later one.
    ///
    /// Items that functions cover beside that one stay, as in [`Self::equal`]: there may be others that they are alike.
    fn whole(&self, run: RunClass, out: &mut Vec<RunClass>) -> io::Result<()> {
        for first in 0..run.items.len().min(MOST_FIRST) {
            for other in &run.items[first + 1..] {
                if !self.rest(run.items[first].place, other.place)?.is_empty() {
                    out.push(RunClass { items: run.items[first..].to_vec(), ..run });
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Adds what is left of a group of equal runs, as one group for each part that is left.
    ///
    /// Members that functions cover beside the first stay, since others may be left beside them; the pair itself is
    /// contained in that of the functions.
    fn equal(&self, run: &RunClass, out: &mut Vec<RunClass>) -> io::Result<()> {
        let places: Vec<Place> = run.items.iter().map(|item| item.place).collect();
        for first in 0..places.len().min(MOST_FIRST) {
            let parts = self.parts(places[first], &places[first + 1..])?;
            if !parts.is_empty() {
                out.extend(parts.iter().map(|part| {
                    let members = places[first..].iter().map(|place| Place {
                        tokens: shifted(*part, places[first].tokens.start, place.tokens.start),
                        ..*place
                    });
                    RunClass::equal(&members.collect::<Vec<_>>())
                }));
                break;
            }
        }
        Ok(())
    }

    /// The parts of `first` that are left beside any of `others`.
    fn parts(&self, first: Place, others: &[Place]) -> io::Result<Vec<Span>> {
        let mut parts = Vec::new();
        for other in others {
            let rest = self.rest(first, *other)?;
            if !self.all_allowed(first.file, &rest)? {
                return Ok(vec![first.tokens]);
            }
            parts.extend(rest);
        }
        parts.sort_unstable();
        parts.dedup();
        Ok(parts)
    }
}

/// `span` moved by as much as `to` is behind `from`.
fn shifted(span: Span, from: u32, to: u32) -> Span {
    Span::new(span.start - from + to, span.end - from + to)
}

/// Runs that form one group: equal ones, periodic ones, or two that are equal but for gaps.
#[derive(Clone, Debug)]
pub(crate) struct RunClass {
    pub(crate) items: Vec<Item>,
    period: u32,
    /// Of two runs merged over gaps: what agrees, as (left start, right start, tokens), and how similar that makes them.
    pub(crate) pieces: Option<Vec<(u32, u32, u32)>>,
    pub(crate) similarity: f64,
}

impl RunClass {
    fn equal(places: &[Place]) -> Self {
        let items = places.iter().map(|&place| Item::run(FragmentKind::Run, place)).collect();
        Self { items, period: 0, pieces: None, similarity: 1.0 }
    }

    fn group(group: &RunGroup) -> Self {
        let period = group.period;
        let item = |member: &runs::Member| {
            let edges = member.edges();
            Item { edges, period, ..Item::run(FragmentKind::Run, member.place) }
        };
        let items = group.members.iter().map(item).collect();
        Self { items, period, pieces: None, similarity: 1.0 }
    }

    fn merged(pair: RunPair) -> Self {
        let (pieces, similarity) = (Some(pair.pieces), pair.similarity);
        Self { pieces, similarity, ..Self::equal(&[pair.left, pair.right]) }
    }
}

pub(crate) fn run_classes(runs: Runs) -> impl Iterator<Item = RunClass> {
    let groups = runs.groups.into_iter().map(|group| RunClass::group(&group));
    groups.chain(runs.pairs.into_iter().map(RunClass::merged))
}
