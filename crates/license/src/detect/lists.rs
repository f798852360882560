//! Lists of licenses, as tools that handle licenses have them, are no license of the file.

use std::collections::BTreeSet;

use super::found::{Found, Scene, Way};
use crate::Expression;
use crate::rules::Flags;

/// Fewest names of a list, and of one that is the whole file.
const SHORT: usize = 15;
const LONG: usize = 150;
/// Farthest that neighbors in a list stand from each other, and longest name, in tokens.
const FARTHEST: i64 = 10;
const LONGEST: u32 = 20;

/// Takes out runs of mere names of many licenses. The matches are in the order of the text.
pub(super) fn without_lists(scene: Scene<'_>, matches: Vec<Found>) -> Vec<Found> {
    let names = matches.iter().filter(|found| is_name(scene, found)).count();
    if matches.len() > LONG && names as f32 > 0.95 * matches.len() as f32 && is_list(scene, &matches, LONG) {
        return Vec::new();
    }
    if matches.len() < SHORT {
        return matches;
    }
    let mut kept = Vec::new();
    let mut run: Vec<Found> = Vec::new();
    for found in matches {
        let is_name = is_name(scene, &found);
        let goes_on = run.last().is_none_or(|last| last.text.distance(&found.text) <= FARTHEST);
        if !is_name || !goes_on {
            end_run(scene, &mut run, &mut kept);
        }
        if is_name { run.push(found) } else { kept.push(found) }
    }
    end_run(scene, &mut run, &mut kept);
    kept
}

fn end_run(scene: Scene<'_>, run: &mut Vec<Found>, kept: &mut Vec<Found>) {
    let is_list = run.len() >= SHORT && is_list(scene, run, SHORT);
    let names = std::mem::take(run);
    if !is_list {
        kept.extend(names);
    }
}

/// Whether the matches name many different licenses.
fn is_list(scene: Scene<'_>, matches: &[Found], least: usize) -> bool {
    let different: BTreeSet<&Expression> = matches.iter().map(|found| scene.expression(found)).collect();
    let enough = if least == SHORT { SHORT / 3 } else { least };
    different.len() * 3 > matches.len() || different.len() >= enough
}

fn is_name(scene: Scene<'_>, found: &Found) -> bool {
    let mere = Flags::REFERENCE.with(Flags::TAG).with(Flags::INTRO).with(Flags::CLUE);
    scene.is(found, mere) && found.way != Way::Tag && scene.is_whole(found) && found.text.len() <= LONGEST
}
