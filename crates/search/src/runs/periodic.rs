//! Periodic stretches that repeat the same piece, as groups.
//!
//! The piece is made comparable by turning it to its least rotation (Booth, *Lexicographically least circular
//! substrings*, 1980).

use super::fingerprints::FileFingerprints;
use super::groups::{Member, RunGroup};
use super::settings::RunSettings;
use super::text::{At, NOTHING, Reader};
use crate::Place;
use familiar_index::{Collection, Periodic};
use familiar_source::Span;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::io;

/// A stretch; ordered so that those of the same piece are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stretch {
    family: u8,
    period: u32,
    /// Hash of the least rotation of the piece.
    piece: u64,
    file: u32,
    span: Span,
    /// Where in the stretch the least rotation begins.
    phase: u32,
}

/// The stretches of a collection.
pub(super) struct Stretches {
    /// Ordered by piece.
    all: Vec<Stretch>,
    /// Numbers in `all` with the number of the piece; ordered by file and start.
    places: Vec<(u32, Span, u32)>,
}

impl Stretches {
    /// The stretches that sampling set apart and `more` that the search met.
    pub(super) fn new(
        collection: &Collection,
        settings: &RunSettings,
        files: &[FileFingerprints],
        more: Vec<(u32, Periodic)>,
    ) -> io::Result<Self> {
        let set_apart =
            files.iter().zip(0..).flat_map(|(file, at)| file.periodic.iter().map(move |&r| (at, r)));
        let mut regions: Vec<_> = set_apart.chain(more).collect();
        regions.sort_unstable();
        regions.dedup();
        let mut reader = Reader::new(collection, settings.form());
        let mut all = Vec::with_capacity(regions.len());
        for (file, region) in regions {
            let family = if settings.cross_families { 0 } else { collection.files[file as usize].family };
            all.push(stretch(&mut reader, family, file, region)?);
        }
        all.sort_unstable();
        let mut places = Vec::with_capacity(all.len());
        for (alike, piece) in all.chunk_by(Stretch::is_alike).zip(0..) {
            // Stretches that overlap are no pair, so their group does not stand for what their parts share.
            let lone = (0..alike.len()).filter(|&at| {
                let meets = |other: Option<&Stretch>| other.is_some_and(|other| other.meets(&alike[at]));
                !meets(alike.get(at + 1)) && !meets(at.checked_sub(1).map(|before| &alike[before]))
            });
            places.extend(lone.map(|at| (alike[at].file, alike[at].span, piece)));
        }
        places.sort_unstable();
        Ok(Self { all, places })
    }

    /// Whether all places lie in stretches of the same piece, so that the stretches' group stands for them.
    pub(super) fn hold(&self, group: &RunGroup) -> bool {
        let mut pieces = self.pieces(group.members[0].place);
        pieces.any(|piece| {
            group.members[1..].iter().all(|member| self.pieces(member.place).any(|other| other == piece))
        })
    }

    /// The pieces of the stretches that hold `place`.
    fn pieces(&self, place: Place) -> impl Iterator<Item = u32> {
        let before = self
            .places
            .partition_point(|&(file, span, _)| (file, span.start) <= (place.file, place.tokens.start));
        let near = self.places[..before].iter().rev().take(NEAR);
        let holds =
            move |&&(file, span, _): &&(u32, Span, u32)| file == place.file && span.contains(place.tokens);
        near.filter(holds).map(|&(.., piece)| piece)
    }

    /// The groups of the stretches.
    pub(super) fn groups(
        &self,
        collection: &Collection,
        settings: &RunSettings,
    ) -> io::Result<Vec<RunGroup>> {
        let mut reader = Reader::new(collection, settings.form());
        let min_tokens = settings.sampling().tokens() as u32;
        let mut groups = Vec::new();
        for alike in self.all.chunk_by(Stretch::is_alike) {
            groups.extend(alike.windows(2).flat_map(|pair| cut_apart(pair, min_tokens)));
            let group = group(&mut reader, alike)?;
            if group.members.len() > 64 || group.pairs(collection).next().is_some() {
                groups.push(group);
            } else if alike.windows(2).any(|pair| pair[0].meets(&pair[1])) {
                groups.extend(alike.chunks(1).filter_map(|one| split(collection, min_tokens, one)));
            } else {
                groups.extend(split(collection, min_tokens, alike));
            }
        }
        Ok(groups)
    }
}

/// How many stretches that begin before a place are looked at; more than two of a kind cannot overlap.
const NEAR: usize = 8;

impl Stretch {
    fn is_alike(&self, other: &Self) -> bool {
        (self.family, self.period, self.piece) == (other.family, other.period, other.piece)
    }

    fn meets(&self, other: &Self) -> bool {
        let overlap = self.span.start < other.span.end && other.span.start < self.span.end;
        self.file == other.file && overlap
    }
}

fn stretch(reader: &mut Reader<'_>, family: u8, file: u32, region: Periodic) -> io::Result<Stretch> {
    let piece = reader.normal(At { file, offset: region.start }, region.period)?;
    let phase = least_rotation(&piece);
    let mut hasher = FxHasher::default();
    piece[phase..].iter().chain(&piece[..phase]).for_each(|symbol| symbol.hash(&mut hasher));
    Ok(Stretch {
        family,
        period: region.period,
        piece: hasher.finish(),
        file,
        span: Span::new(region.start, region.end),
        phase: phase as u32,
    })
}

/// Two stretches that overlap by a few tokens, without those in the second and without those in the first: whole, as in
/// [`group`], they are no pair.
fn cut_apart(pair: &[Stretch], min_tokens: u32) -> Vec<RunGroup> {
    let (first, second) = (&pair[0], &pair[1]);
    if !first.meets(second) {
        return Vec::new();
    }
    let member = |tokens| Member { place: Place { file: first.file, tokens }, edges: (NOTHING, NOTHING) };
    let parted = |end, start| RunGroup {
        members: vec![member(Span::new(first.span.start, end)), member(Span::new(start, second.span.end))],
        period: first.period,
    };
    let long = |at: &u32| at - first.span.start >= min_tokens && second.span.end - at >= min_tokens;
    [first.span.end, second.span.start].iter().filter(|at| long(at)).map(|&at| parted(at, at)).collect()
}

/// Stretches of one piece.
fn group(reader: &mut Reader<'_>, alike: &[Stretch]) -> io::Result<RunGroup> {
    let mut members = Vec::with_capacity(alike.len());
    for stretch in alike {
        let end = At { file: stretch.file, offset: stretch.span.end };
        let start = At { file: stretch.file, offset: stretch.span.start };
        let before = edge(stretch, reader.value_before(start)?);
        let after = edge(stretch, reader.value(end)?);
        members.push(Member {
            place: Place { file: stretch.file, tokens: stretch.span },
            edges: (before, after),
        });
    }
    Ok(RunGroup { members, period: alike[0].period })
}

/// Two stretches are part of a longer run only if they are equal and the same token stands next to them.
fn edge(stretch: &Stretch, next: u32) -> u32 {
    if next == NOTHING {
        return NOTHING;
    }
    let mut hasher = FxHasher::default();
    (stretch.span.len(), stretch.phase, next).hash(&mut hasher);
    hasher.finish() as u32
}

/// Stretches that repeat within themselves only, or in whole copies of what is around them, as equal halves.
fn split(collection: &Collection, min_tokens: u32, alike: &[Stretch]) -> Option<RunGroup> {
    let mut members = Vec::new();
    for stretch in alike {
        let side = collection.files[stretch.file as usize].side;
        let region = Periodic { start: stretch.span.start, end: stretch.span.end, period: stretch.period };
        let Some(parts) = halves(region, min_tokens).filter(|_| side.pairs_with(side)) else { continue };
        // The first halves of two stretches are part of a longer run, and so are the second halves.
        for (tokens, half) in [(parts.0, 0), (parts.1, 1)] {
            members.push(Member { place: Place { file: stretch.file, tokens }, edges: (half, half) });
        }
    }
    members.sort_unstable();
    (!members.is_empty()).then_some(RunGroup { members, period: 0 })
}

/// Two equal parts of a periodic stretch that do not overlap, if there are such of `min_tokens`.
///
/// The parts reach to both ends of the stretch, so that no other pair in it reaches beyond them, unless they would be too
/// short; then they are whole periods from its start on.
pub(super) fn halves(stretch: Periodic, min_tokens: u32) -> Option<(Span, Span)> {
    let Periodic { start, end, period } = stretch;
    let len = end - start;
    let shift = len.div_ceil(2 * period) * period;
    let (shift, part) =
        if len >= shift + min_tokens { (shift, len - shift) } else { (shift - period, shift - period) };
    let parts = (Span::new(start, start + part), Span::new(start + shift, start + shift + part));
    (part >= min_tokens).then_some(parts)
}

/// Where the lexicographically least rotation of `piece` begins.
pub(crate) fn least_rotation(piece: &[u32]) -> usize {
    let len = piece.len();
    let at = |index: usize| piece[index % len];
    let (mut best, mut other, mut agree) = (0, 1, 0);
    while best < len && other < len && agree < len {
        match at(best + agree).cmp(&at(other + agree)) {
            std::cmp::Ordering::Equal => agree += 1,
            std::cmp::Ordering::Greater => {
                best += agree + 1;
                agree = 0;
            }
            std::cmp::Ordering::Less => {
                other += agree + 1;
                agree = 0;
            }
        }
        if best == other {
            other += 1;
        }
    }
    best.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rotation_has_the_same_least_one() {
        let piece = [3u32, 1, 2, 1, 1, 2];
        let turned = |by: usize| -> Vec<u32> { [&piece[by..], &piece[..by]].concat() };
        let least = turned(3);
        for by in 0..piece.len() {
            let rotation = turned(by);
            let at = least_rotation(&rotation);
            assert_eq!([&rotation[at..], &rotation[..at]].concat(), least);
        }
    }

    #[test]
    fn halves_do_not_overlap() {
        let stretch = |len: u32, period| Periodic { start: 10, end: 10 + len, period };
        assert_eq!(halves(stretch(100, 1), 50), Some((Span::new(10, 60), Span::new(60, 110))));
        assert_eq!(halves(stretch(25, 10), 10), Some((Span::new(10, 20), Span::new(20, 30))));
        assert_eq!(halves(stretch(38, 10), 18), Some((Span::new(10, 28), Span::new(30, 48))));
        assert_eq!(halves(stretch(25, 10), 11), None);
    }
}
