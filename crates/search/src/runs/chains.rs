//! Long periodic stretches in a bucket: what in them is compared, and how far.

use std::io;

use familiar_index::Periodic;

use super::refine::{Entry, Refiner};
use super::text::At;

/// Lengths that decide what part of a chain is compared in full.
struct Chain;

impl Chain {
    /// Members at this distance are a chain if they agree on so many tokens.
    fn least(period: u32, tokens: u32) -> u32 {
        2 * period + tokens
    }

    /// How far members inside a chain are compared: farther than a stretch that is no chain can agree with them.
    fn reach(period: u32, tokens: u32) -> u32 {
        Self::least(period, tokens) + period + 1
    }
}

/// How many of the next members are tried as the next of a chain.
const CHAIN_TRIES: usize = 4;
/// How many behind those are tried as the next of a chain whose piece has members of its own: rows of many fields, functions of many
/// statements of one form.
const OUTER_TRIES: usize = 64;

impl Refiner<'_> {
    /// Finds the long periodic stretches that members lie in, and bounds how far those inside are compared.
    pub(super) fn find_chains(&mut self) -> io::Result<()> {
        for at in 0..self.entries.len() {
            for next in at + 1..self.entries.len().min(at + 1 + CHAIN_TRIES) {
                let (a, b) = (self.entries[at], self.entries[next]);
                if a.at.file != b.at.file {
                    break;
                }
                let period = b.at.offset - a.at.offset;
                let same = |chain: &Periodic| chain.period == period && b.at.offset < chain.end;
                let known = a.chain.filter(same);
                let chain = if known.is_some() { known } else { self.chain(a.at, b.at)? };
                if let Some(chain) = chain {
                    self.link(at, chain);
                    self.link(next, chain);
                    self.entries[at].chain = Some(chain);
                    self.entries[next].chain = Some(chain);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The same for members that would still be compared to the end of what they stand in: their stretch may repeat a piece in which
    /// more members stand than were tried.
    pub(super) fn find_outer_chains(&mut self) -> io::Result<()> {
        let mut known: Option<(u32, Periodic)> = None;
        for at in 0..self.entries.len() {
            let entry = self.entries[at];
            if entry.reach != u32::MAX {
                continue;
            }
            let holds = |(file, chain): &(u32, Periodic)| {
                *file == entry.at.file && chain.start <= entry.at.offset && entry.at.offset < chain.end
            };
            if !known.as_ref().is_some_and(holds) {
                let outer = self.outer_chain(at)?;
                known = outer.map(|chain| (entry.at.file, chain)).or(known);
            }
            if let Some((_, chain)) = known.filter(holds) {
                self.link(at, chain);
                self.entries[at].outer = Some(chain);
            }
        }
        Ok(())
    }

    /// The long stretch around a member whose piece is longer than the chain that it is in.
    fn outer_chain(&mut self, at: usize) -> io::Result<Option<Periodic>> {
        let a = self.entries[at];
        let from = match a.chain {
            Some(chain) => {
                let behind = |entry: &Entry| (entry.at.file, entry.at.offset) < (a.at.file, chain.end);
                at + self.entries[at..].partition_point(behind)
            }
            None => at + 1 + CHAIN_TRIES,
        };
        for next in from..self.entries.len().min(from + OUTER_TRIES) {
            let b = self.entries[next];
            if a.at.file != b.at.file {
                break;
            }
            if let Some(chain) = self.chain(a.at, b.at)? {
                return Ok(Some(chain));
            }
        }
        Ok(None)
    }

    /// The periodic stretch around `a` and its copy `b` one period later, if it is long.
    fn chain(&mut self, a: At, b: At) -> io::Result<Option<Periodic>> {
        let period = b.offset - a.offset;
        let least = Chain::least(period, self.min_tokens);
        if self.reader.after(a, b, least)? < least {
            return Ok(None);
        }
        let start = a.offset - self.reader.before(a, b, u32::MAX)?;
        let end = b.offset + self.reader.after(a, b, u32::MAX)?;
        self.found.regions.push((a.file, Periodic { start, end, period }));
        Ok(Some(Periodic { start, end, period }))
    }

    fn link(&mut self, at: usize, chain: Periodic) {
        let reach = Chain::reach(chain.period, self.min_tokens);
        let window = self.sampling.window as u32;
        let entry = &mut self.entries[at];
        let left = chain.end - entry.at.offset;
        entry.tail |= left < reach && left + chain.period >= reach;
        if entry.tail {
            entry.back = u32::MAX;
        }
        // The first members are compared in full: a run that enters the stretch from before is theirs.
        let inside = entry.at.offset - chain.start >= chain.period + window;
        entry.reach = if inside && left >= reach { reach } else { u32::MAX };
    }
}
