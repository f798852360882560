//! Whether a license text stands under the name of another license. The words of a title are those of any text, so what tells is which
//! license they name.

use rustc_hash::FxHashSet;

use super::exact::Anchors;
use super::found::{Found, Scene};
use super::span::Span;
use crate::Expression;
use crate::rules::{Flags, Word};

/// The first words of a license text among which its title stands.
const TITLE: u32 = 16;
/// Words of the rule beyond those, where a name that stands among them goes on.
const MORE: u32 = 4;
/// Most words that a name in the title has before the first word of the text.
const BEFORE: u32 = 12;

/// Finds the licenses that titles name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Titles<'a> {
    pub(super) anchors: &'a Anchors,
    /// Words with a digit.
    pub(super) numbered: &'a FxHashSet<Word>,
}

impl Titles<'_> {
    /// The title of a license text that was found, if it names other licenses only, and names that the text itself has not.
    pub(super) fn of_another(self, scene: Scene<'_>, found: &Found) -> Option<(u32, u32)> {
        let rule = scene.rules.tokens(found.rule);
        let (start, inside) = (found.text.start(), found.inside.start());
        let end = end_in_text(found, inside + TITLE);
        if inside == 0
            && stretch(&scene.query.tokens, (start, end)) == stretch(rule, (inside, inside + TITLE))
        {
            return None;
        }
        let first = start.saturating_sub(BEFORE);
        let mut names = self.names(scene, stretch(&scene.query.tokens, (first, end)));
        // A name that ends before the text is told by itself.
        names.retain(|name| first + name.text.last() >= start);
        let own = self.names(scene, stretch(rule, (0, inside + TITLE + MORE)));
        let license = scene.expression(found);
        let is_its_name = |name: &Found| {
            let has_version = words_of(&scene.query.tokens[first as usize..], name)
                .any(|word| self.numbered.contains(&word));
            may_be_title(scene.expression(name), license, has_version)
        };
        let is_in_rule = |name: &Found| own.iter().any(|own| scene.expression(own) == scene.expression(name));
        let names_another = !names.iter().all(is_in_rule) && !names.iter().any(is_its_name);
        names_another.then_some((start, end))
    }

    /// The licenses named in a few words; of a name within a name only the longer one.
    fn names(self, scene: Scene<'_>, tokens: &[Word]) -> Vec<Found> {
        let mut all = self.anchors.find(scene.rules, tokens, &Span::default());
        let is_none = Flags::FALSE_POSITIVE.with(Flags::CLUE).with(Flags::INTRO).with(Flags::UNKNOWN);
        all.retain(|found| !scene.is(found, is_none));
        let is_within = |found: &Found| {
            all.iter().any(|other| other.text.len() > found.text.len() && other.text.contains(&found.text))
        };
        all.iter().filter(|found| !is_within(found)).cloned().collect()
    }
}

/// Words of a text or rule, as far as there are.
fn stretch(tokens: &[Word], (start, end): (u32, u32)) -> &[Word] {
    &tokens[start as usize..tokens.len().min(end as usize)]
}

/// Where the words of the text end that stand before a word of the rule.
fn end_in_text(found: &Found, inside: u32) -> u32 {
    let pairs = found.text.positions().zip(found.inside.positions());
    pairs.take_while(|pair| pair.1 < inside).last().map_or(found.text.start(), |pair| pair.0 + 1)
}

/// The words of a name, among those that it was looked for in.
fn words_of<'t>(tokens: &'t [Word], name: &'t Found) -> impl Iterator<Item = Word> + 't {
    name.text.positions().map(|at| tokens[at as usize])
}

/// Whether a name is one of a license, or of any of its versions.
fn may_be_title(name: &Expression, license: &Expression, has_version: bool) -> bool {
    let (names, licenses) = (name.ids(), license.ids());
    names.iter().any(|name| licenses.iter().any(|license| stands_for(name, license, has_version)))
}

/// Whether a name stands for a license: one that says no version stands for later ones, too.
fn stands_for(name: &str, license: &str, has_version: bool) -> bool {
    let versions = |id: &str| {
        let later = id.strip_suffix("-or-later").or_else(|| id.strip_suffix('+'));
        let id = later.or_else(|| id.strip_suffix("-only")).unwrap_or(id);
        let (family, version) = id.rsplit_once('-').unwrap_or((id, ""));
        (family.to_owned(), version.to_owned())
    };
    let (name, license) = (versions(name), versions(license));
    name.0 == license.0 && (name.1 == license.1 || !has_version && name.1 < license.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_version_stands_for_all() {
        for (name, license, has_version, expected) in [
            ("GPL-1.0-or-later", "GPL-2.0-only", false, true),
            ("GPL-2.0-or-later", "GPL-2.0-only", true, true),
            ("GPL-1.0-or-later", "LGPL-2.1-only", false, false),
            ("GFDL-1.1-or-later", "GFDL-1.3-only", true, false),
            ("GPL-3.0-only", "GPL-2.0-only", true, false),
            ("Apache-2.0", "Apache-1.1", true, false),
            ("CC-BY-ND-4.0", "CC-BY-4.0", true, false),
            ("MPL-1.0", "MPL-2.0", false, true),
            ("MPL-1.0", "MPL-2.0", true, false),
            ("MIT", "MIT", false, true),
        ] {
            assert_eq!(stands_for(name, license, has_version), expected, "{name} above {license}");
        }
    }
}
