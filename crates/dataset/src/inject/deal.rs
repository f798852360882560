//! Gives each side its place.
//!
//! Sides are dealt to files by chance, and files are rewritten side by side. A side that a file does not take, since the text would not
//! parse, is dealt to another one. A pair of which a side finds no file is left out as a whole.

use std::collections::{BTreeMap, BTreeSet};

use familiar_source::{Language, Progress};
use familiar_syntax::Parser;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::host::Host;
use super::place::{Kind, Place, Sides};
use super::places::{Gap, gaps, parses};

/// How often a side is dealt.
const ROUNDS: u64 = 12;

/// What came of dealing.
#[derive(Default)]
pub(super) struct Dealt {
    pub(super) places: Vec<Place>,
    /// The new texts of files.
    pub(super) changed: BTreeMap<usize, String>,
    /// Pairs of which a side found no file.
    pub(super) left_out: BTreeMap<Kind, u64>,
}

/// A number by chance, the same for the same seed, name and turn.
pub(super) fn drawn(seed: u64, name: &str, turn: u64) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), seed ^ turn.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A side on its way: the number of its pair, and which of both it is.
type Side = (usize, usize);

/// A file and what has been put into it. Its text stays as it was read first, whatever becomes of the file meanwhile.
struct Filled {
    text: String,
    gaps: Vec<Gap>,
    /// Sides with the number of their gap.
    sides: Vec<(Side, usize)>,
}

pub(super) fn deal(host: &Host, all: &[Sides], seed: u64, progress: &dyn Progress) -> Dealt {
    let mut filled: BTreeMap<usize, Filled> = BTreeMap::new();
    let mut file_of: BTreeMap<Side, usize> = BTreeMap::new();
    // Files that turned out to take nothing.
    let mut open = host.by_language.clone();
    let mut left: Vec<Side> = (0..all.len()).flat_map(|at| [(at, 0), (at, 1)]).collect();
    for round in 0..ROUNDS {
        let mut dealt: BTreeMap<usize, Vec<Side>> = BTreeMap::new();
        for &(at, side) in &left {
            let files = open.get(all[at].langs[side].as_str());
            let Some(files) = files.filter(|files| !files.is_empty()) else { continue };
            let other = file_of.get(&(at, 1 - side));
            let draw = drawn(seed, &all[at].id, 2 * round + side as u64);
            let file = files[(draw % files.len() as u64) as usize];
            let is_taken = other == Some(&file)
                || dealt.get(&file).is_some_and(|sides| sides.iter().any(|it| it.0 == at));
            if !is_taken {
                dealt.entry(file).or_default().push((at, side));
            }
        }
        // A file leaves the list while it is filled further.
        let begun: Vec<(usize, Option<Filled>, Vec<Side>)> =
            dealt.into_iter().map(|(file, sides)| (file, filled.remove(&file), sides)).collect();
        let taken: Vec<(usize, Option<Filled>)> = begun
            .into_par_iter()
            .map_init(Parser::default, |parser, (file, before, sides)| {
                let before = before.or_else(|| Filled::read(host, parser, file));
                let language = host.files[file].language.unwrap_or(Language::Other);
                (file, before.and_then(|before| before.take(language, all, &sides, seed)))
            })
            .collect();
        let closed: BTreeSet<usize> =
            taken.iter().filter(|(_, after)| after.is_none()).map(|(file, _)| *file).collect();
        for files in open.values_mut() {
            files.retain(|file| !closed.contains(file));
        }
        for (file, after) in taken {
            let Some(after) = after else { continue };
            file_of.extend(after.sides.iter().map(|(side, _)| (*side, file)));
            filled.insert(file, after);
        }
        left.retain(|side| !file_of.contains_key(side));
        progress.advance(file_of.len() as u64 / 2);
        if left.is_empty() {
            break;
        }
    }
    finish(host, all, &filled, &left)
}

impl Filled {
    /// A file with places for functions.
    fn read(host: &Host, parser: &mut Parser, file: usize) -> Option<Self> {
        let (language, text) = (host.files[file].language?, host.text(file)?);
        let gaps = gaps(parser, language, &text);
        (!gaps.is_empty()).then_some(Self { text, gaps, sides: Vec::new() })
    }

    /// Takes those of `sides` that fit. `None` for a file that does not parse as it is.
    fn take(mut self, language: Language, all: &[Sides], sides: &[Side], seed: u64) -> Option<Self> {
        let draw = |&(at, side): &Side| {
            let draw = drawn(seed, &all[at].id, u64::MAX - side as u64);
            ((at, side), (draw % self.gaps.len() as u64) as usize)
        };
        let drawn: Vec<(Side, usize)> = sides.iter().map(draw).collect();
        let reads = |more: &[(Side, usize)]| {
            let together: Vec<(Side, usize)> = self.sides.iter().chain(more).copied().collect();
            parses(language, &with(&self.text, &self.gaps, all, &together).0)
        };
        // Where not all fit, each is tried by itself.
        let fit = if reads(&drawn) {
            drawn
        } else if self.sides.is_empty() && !parses(language, &self.text) {
            return None;
        } else {
            drawn.into_iter().filter(|one| reads(std::slice::from_ref(one))).collect()
        };
        self.sides.extend(fit);
        Some(self)
    }
}

/// The text with sides in its gaps, and the first and last line of each.
fn with(text: &str, gaps: &[Gap], all: &[Sides], sides: &[(Side, usize)]) -> (String, Vec<(Side, [u32; 2])>) {
    let mut ordered: Vec<(Side, usize)> = sides.to_vec();
    ordered.sort_by_key(|&(side, gap)| (gap, side));
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut new, mut lines, mut at, mut line) = (String::with_capacity(text.len()), Vec::new(), 0, 1u32);
    for (side, gap) in ordered {
        let Gap { at: place, indentation } = &gaps[gap];
        let before = &text[at..*place];
        new.push_str(before);
        line += before.matches('\n').count() as u32;
        if !new.is_empty() && !new.ends_with('\n') {
            new.push_str(line_end);
            line += 1;
        }
        at = *place;
        new.push_str(line_end);
        line += 1;
        let start = line;
        for code in all[side.0].codes[side.1].trim_end().lines() {
            if !code.is_empty() {
                new.push_str(indentation);
                new.push_str(code.trim_end_matches('\r'));
            }
            new.push_str(line_end);
            line += 1;
        }
        lines.push((side, [start, line - 1]));
        new.push_str(line_end);
        line += 1;
    }
    new.push_str(&text[at..]);
    (new, lines)
}

/// A file, its new text, and the first and last line of each side in it.
type Written = (usize, String, Vec<(Side, [u32; 2])>);

/// Writes the places of pairs of which both sides were taken.
fn finish(host: &Host, all: &[Sides], filled: &BTreeMap<usize, Filled>, left: &[Side]) -> Dealt {
    let mut dealt = Dealt::default();
    let mut whole = vec![true; all.len()];
    for side in left {
        whole[side.0] = false;
    }
    for (at, _) in whole.iter().enumerate().filter(|(_, whole)| !**whole) {
        *dealt.left_out.entry(all[at].kind).or_default() += 1;
    }
    let texts: Vec<Written> = filled
        .par_iter()
        .map(|(&file, filled)| {
            let sides: Vec<(Side, usize)> =
                filled.sides.iter().copied().filter(|(side, _)| whole[side.0]).collect();
            let (new, lines) = with(&filled.text, &filled.gaps, all, &sides);
            (file, new, lines)
        })
        .filter(|(_, _, lines)| !lines.is_empty())
        .collect();
    for (file, new, lines) in texts {
        for (side, [start_line, end_line]) in lines {
            let Sides { id, kind, prompt, split, langs, .. } = &all[side.0];
            dealt.places.push(Place {
                id: id.clone(),
                side: side.1 as u8 + 1,
                kind: *kind,
                lang: langs[side.1].clone(),
                prompt: prompt.clone(),
                split: *split,
                path: host.files[file].path.clone(),
                start_line,
                end_line,
            });
        }
        dealt.changed.insert(file, new);
    }
    dealt
}
