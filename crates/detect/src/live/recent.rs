//! What was found for the files that were asked about last, as long as it holds.
//!
//! Most fragments of a file are as they were before an edit. What may be an edited copy of one is the same then, while no other file
//! changes and the same words are rare. An edit changes a little how much words say. Candidates are chosen with much slack in that, so
//! what was found is used as long as only few tokens have changed since. Where a sample leads depends on the tokens around it.

use std::collections::BTreeMap;

use familiar_search::evidence::Commonness;
use familiar_source::Span;

use super::candidates::{Known, Led, Stretch};
use crate::ingest::FileData;

/// Most files of which something is kept.
const MOST_FILES: usize = 16;

/// Most tokens that may have changed since something was found.
const MOST_TOKENS: usize = 128;

/// What is known of files, by slot.
#[derive(Debug, Default)]
pub(super) struct Recent {
    files: BTreeMap<u32, Of>,
    time: u64,
}

#[derive(Debug, Default)]
struct Of {
    known: Known,
    /// How many tokens changed since, and when it was used last.
    tokens: usize,
    used: u64,
}

/// The tokens in which the text of a file differs from what it was.
pub(super) struct Change<'d> {
    tokens: [&'d [u32]; 2],
    /// The first of them.
    start: u32,
    /// Whether the file has another language now, or is searched no more, or anew.
    is_another: bool,
    /// Which of the tokens are seldom, and how often at most a rare word stands.
    before: (Vec<bool>, u32),
}

impl<'d> Change<'d> {
    /// The change of a file; `commonness` does not count it yet.
    pub(super) fn of(old: Option<&'d FileData>, new: Option<&'d FileData>, commonness: &Commonness) -> Self {
        let symbols = |data: Option<&'d FileData>| data.map_or(&[][..], |data| &*data.symbols);
        let (start, tokens) = middle(symbols(old), symbols(new));
        let before = (seldom(tokens, commonness), commonness.most_of_rare());
        let language = |data: Option<&FileData>| data.map(|data| data.language);
        let is_another = language(old).is_none() || language(old) != language(new);
        Self { tokens, start, is_another, before }
    }

    /// Whether the same words are rare as before; `commonness` counts the change by now.
    fn keeps_rare(&self, commonness: &Commonness) -> bool {
        self.before.1 == commonness.most_of_rare() && self.before.0 == seldom(self.tokens, commonness)
    }

    /// Where a sample leads, if nothing changed on the way.
    fn shifted(&self, led: Led) -> Option<Led> {
        let [old, new] = self.tokens.map(|tokens| tokens.len() as u32);
        if led.reach.end <= self.start {
            return Some(led);
        }
        let shift = |at: u32| at - old + new;
        let moved = |span: Span| Span::new(shift(span.start), shift(span.end));
        (led.reach.start >= self.start + old && led.reach.start > 0).then(|| Led {
            at: shift(led.at),
            reach: moved(led.reach),
            runs: led.runs.iter().map(|run| Stretch { here: moved(run.here), ..*run }).collect(),
        })
    }

    fn len(&self) -> usize {
        self.tokens.iter().map(|tokens| tokens.len()).sum()
    }
}

impl Recent {
    /// Keeps what was found for the file of a slot.
    pub(super) fn keep(&mut self, slot: u32, known: Known) {
        self.time += 1;
        let tokens = self.files.get(&slot).map_or(0, |of| of.tokens);
        self.files.insert(slot, Of { known, tokens, used: self.time });
        if self.files.len() > MOST_FILES
            && let Some((&oldest, _)) = self.files.iter().min_by_key(|(_, of)| of.used)
        {
            self.files.remove(&oldest);
        }
    }

    /// What is known of the file of a slot.
    pub(super) fn of(&self, slot: u32) -> Option<&Known> {
        self.files.get(&slot).map(|of| &of.known)
    }

    /// Forgets what holds no more since the file of a slot changed.
    pub(super) fn changed(&mut self, slot: u32, change: &Change<'_>, commonness: &Commonness) {
        let holds =
            !change.is_another && commonness.if_large_enough().is_some() && change.keeps_rare(commonness);
        let before = self.files.remove(&slot).filter(|_| holds);
        // The fragments of this file are numbered anew, so that nobody else may name them.
        self.files.clear();
        let Some(mut of) = before else { return };
        of.known.led = of.known.led.into_iter().filter_map(|led| change.shifted(led)).collect();
        of.tokens += change.len();
        if of.tokens > MOST_TOKENS {
            of.known.similar.clear();
            of.tokens = 0;
        }
        self.files.insert(slot, of);
    }

    /// Forgets all.
    pub(super) fn forget(&mut self) {
        self.files.clear();
    }
}

/// What two lists have between what both start and end with, and where that starts.
fn middle<'d>(old: &'d [u32], new: &'d [u32]) -> (u32, [&'d [u32]; 2]) {
    let same = |(a, b): &(&u32, &u32)| a == b;
    let start = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    (start as u32, [&old[..old.len() - end], &new[..new.len() - end]])
}

fn seldom(tokens: [&[u32]; 2], commonness: &Commonness) -> Vec<bool> {
    tokens.into_iter().flatten().map(|&token| commonness.is_seldom(token)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_changes_what_lies_between_what_is_the_same() {
        assert_eq!(middle(&[1, 2, 3], &[1, 4, 3]), (1, [&[2][..], &[4][..]]));
        assert_eq!(middle(&[1, 1], &[1, 1, 1]), (2, [&[][..], &[1][..]]));
        assert_eq!(middle(&[1, 2], &[1, 2]), (2, [&[][..], &[][..]]));
        assert_eq!(middle(&[], &[5]), (0, [&[][..], &[5][..]]));
    }
}
