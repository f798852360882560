//! What the search for runs gives: groups of places that share a run, and pairs that agree but for gaps.

use familiar_index::Collection;
use familiar_source::Span;

use crate::{Edges, Place};

/// One place of a [`RunGroup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    pub place: Place,
    /// What stands before and after the place: where two members have the same before, or the same after, their pair
    /// is part of a longer run that another group holds.
    pub(super) edges: (u32, u32),
}

impl Member {
    /// What stands next to the place.
    pub fn edges(&self) -> Edges {
        Edges { before: self.edges.0, after: self.edges.1 }
    }
}

/// Places that share a run: every two of them form a clone pair, unless they overlap or their sides do not pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunGroup {
    /// Ordered, at least two; the first is the representative.
    pub members: Vec<Member>,
    /// 0 where all places are equal. Otherwise each place is a maximal stretch that repeats the same piece of `period`
    /// tokens; the places are equal up to the number of repetitions and where in the piece they begin.
    pub period: u32,
}

impl RunGroup {
    /// The clone pairs of this group that are no part of a longer run: first and second place in order.
    pub fn pairs<'a>(&'a self, collection: &'a Collection) -> impl Iterator<Item = (Place, Place)> + 'a {
        self.members.iter().enumerate().flat_map(move |(at, a)| {
            let others = self.members[at + 1..].iter().filter(move |b| is_pair(collection, a, b));
            others.map(|b| (a.place, b.place))
        })
    }

    /// The longest place's number of tokens.
    pub(super) fn len(&self) -> u32 {
        // Equal places are equally long.
        let members = if self.period == 0 { &self.members[..1] } else { &self.members };
        members.iter().map(|member| member.place.tokens.len()).max().unwrap_or(0)
    }
}

/// Whether two members form a clone pair.
pub(super) fn is_pair(collection: &Collection, a: &Member, b: &Member) -> bool {
    let apart = a.place.file != b.place.file || a.place.tokens.end <= b.place.tokens.start;
    let side = |member: &Member| collection.files[member.place.file as usize].side;
    a.edges().are_maximal_with(b.edges()) && apart && side(a).pairs_with(side(b))
}

/// Two places that agree but for small gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPair {
    pub left: Place,
    pub right: Place,
    /// Tokens that agree, over the tokens of the longer side.
    pub similarity: f64,
    /// What agrees: start on the left, start on the right, number of tokens; at least two, in order.
    pub pieces: Vec<(u32, u32, u32)>,
}

impl RunPair {
    /// The places of what agrees, in order.
    pub(super) fn places(&self) -> Vec<(Place, Place)> {
        let place = |side: Place, start, tokens| Place { tokens: Span::new(start, start + tokens), ..side };
        let of_piece = |&(left, right, tokens): &(u32, u32, u32)| {
            (place(self.left, left, tokens), place(self.right, right, tokens))
        };
        self.pieces.iter().map(of_piece).collect()
    }
}

/// The result of [`super::find`]. Groups are ordered by their first place, longer ones first; pairs by left, then right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    pub groups: Vec<RunGroup>,
    pub pairs: Vec<RunPair>,
    /// Number of sampled k-grams.
    pub samples: u64,
}

/// Orders groups by their first place, longer and larger ones first.
pub(super) fn order(groups: &mut [RunGroup]) {
    groups.sort_unstable_by(|a, b| {
        let sizes = (b.len(), b.members.len()).cmp(&(a.len(), a.members.len()));
        first(a).cmp(&first(b)).then(sizes).then_with(|| a.members.cmp(&b.members))
    });
}

/// Drops ordered groups that were found by several buckets: the same run has the same places.
pub(super) fn drop_repeated(groups: &mut Vec<RunGroup>) {
    groups.dedup_by(|b, a| first(a) == first(b) && a.len() == b.len());
}

/// Where the first place of a group begins.
pub(super) fn first(group: &RunGroup) -> (u32, u32) {
    let place = group.members[0].place;
    (place.file, place.tokens.start)
}
