//! Renamed runs split by what their names and literals say ([`crate::evidence`]).

use std::io;

use familiar_index::Collection;

use super::{Member, RunGroup};
use crate::Place;
use crate::evidence::Judge;

/// Most representatives that are tried in one group.
const MOST_REPRESENTATIVES: usize = 8;

/// Splits a group into stars: the first place that is left and the places that are copies of it. Places that are copies
/// of none are left out.
pub(super) fn stars(collection: &Collection, judge: Judge<'_>, group: RunGroup) -> io::Result<Vec<RunGroup>> {
    let (mut first, mut other) = (Vec::new(), Vec::new());
    let period = group.period;
    let mut rest = group.members;
    let mut stars = Vec::new();
    for _ in 0..MOST_REPRESENTATIVES {
        let Some((&representative, others)) = rest.split_first() else { break };
        let own = tokens(collection, representative.place, &mut first)?;
        let mut members: Vec<Member> = vec![representative];
        let mut left = Vec::new();
        for &member in others {
            let tokens = tokens(collection, member.place, &mut other)?;
            // Periodic stretches may differ in length; their common part tells.
            let common = own.len().min(tokens.len());
            let copies = judge.are_copies(&own[..common], &tokens[..common]);
            if copies { &mut members } else { &mut left }.push(member);
        }
        if members.len() > 1 {
            stars.push(RunGroup { members, period });
        }
        rest = left;
    }
    Ok(stars)
}

fn tokens<'a>(collection: &'a Collection, place: Place, buffer: &'a mut Vec<u32>) -> io::Result<&'a [u32]> {
    collection.tokens.get(place.file, place.tokens.start..place.tokens.end, buffer)
}
