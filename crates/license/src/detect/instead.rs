//! A license that a sentence of its own offers instead of the one before: "Alternatively, this file may be used under the terms of
//! the MIT license".

use super::words::{floor, words};
use super::{LicenseMatch, MatchKind};

/// How such a sentence begins.
const OPENINGS: [&[&str]; 4] =
    [&["alternatively"], &["or", "alternatively"], &["as", "an", "alternative"], &["as", "alternative"]];
/// Words that may follow up to the license, so that the sentence offers this code and says nothing of other code.
const OFFER: &str = "above accordance according any are at available be by can choice choose code conditions contents copied copy \
    covered distribute distributed either entire file for free full granted in intact is it its library licence license licensed made \
    may modified modify notice of on option or per permission permitted product program project provided redistribute redistributed \
    release released retained software subject terms the this to under use used version work you your";
/// Words of which one stands in an offer: it speaks of this code, or to whoever has it.
const THIS: [&str; 6] = ["this", "it", "you", "file", "program", "software"];
/// Longest text between a license and the next one, in bytes.
const APART: usize = 400;
/// Longest text between two statements of one license.
const NEAR: usize = 240;
/// Most statements of one license that stand together.
const TOGETHER: usize = 8;
/// How much of a match is looked at for the opening words.
const OWN: usize = 40;

/// How many matches from the first on are one choice, if its first `length` are: each further license stands in a sentence that
/// offers it instead.
///
/// `of_choice` says how many matches from the first on are one choice, and `of_both` how many hold together. Of licenses that are
/// offered together none may be left out, so such an offer joins nothing.
pub(super) fn extended(
    text: &str,
    matches: &[LicenseMatch],
    of_choice: fn(&str, &[LicenseMatch]) -> usize,
    of_both: fn(&str, &[LicenseMatch]) -> usize,
) -> usize {
    let mut length = of_choice(text, matches);
    let mut is_offered = false;
    loop {
        // The name of a license may stand above its text.
        let is_same = |pair: &&[LicenseMatch]| {
            pair[0].expression == pair[1].expression
                && pair[1].bytes.0 <= pair[0].bytes.1.saturating_add(NEAR)
        };
        let same = matches[length - 1..].windows(2).take(TOGETHER).take_while(is_same).count();
        let end = length + same;
        if !matches.get(end).is_some_and(|next| is_instead(text, &matches[end - 1], next)) {
            return if is_offered { end } else { length };
        }
        let offered = of_choice(text, &matches[end..]);
        let last = end + offered;
        let goes_on = matches.get(last).is_some_and(|more| {
            let gap = text.get(matches[last - 1].bytes.1..more.bytes.0);
            gap.is_some_and(|gap| last_sentence(gap).is_none())
        });
        if of_both(text, &matches[end..]) > 1 || goes_on {
            return if is_offered { end } else { length };
        }
        is_offered = true;
        length = last;
    }
}

/// Whether the sentence that `next` stands in offers it instead of `one`.
fn is_instead(text: &str, one: &LicenseMatch, next: &LicenseMatch) -> bool {
    let says = |found: &LicenseMatch| {
        !matches!(found.kind, MatchKind::Intro | MatchKind::Clue) && !found.is_lone_exception()
    };
    let Some(gap) = text.get(one.bytes.1..next.bytes.0).filter(|gap| gap.len() <= APART) else {
        return false;
    };
    let Some(sentence) = last_sentence(gap).filter(|_| says(one) && says(next)) else { return false };
    let lead = words(&sentence);
    let own = words(&text[next.bytes.0..floor(text, (next.bytes.0 + OWN).min(next.bytes.1))]);
    let all: Vec<&str> = lead.iter().chain(&own).map(String::as_str).collect();
    let Some(opening) = OPENINGS.iter().find(|opening| all.starts_with(opening)) else { return false };
    // "As an alternative to the GPL": what is named first is what is replaced.
    let is_replaced = all.get(opening.len()).is_some_and(|word| *word == "to");
    let mut offer = lead.iter().skip(opening.len());
    !is_replaced
        && offer.clone().any(|word| THIS.contains(&word.as_str()))
        && offer.all(|word| OFFER.split_whitespace().any(|known| known == word))
}

/// What begins after the last end of a sentence or paragraph, and goes on to the end of `gap`; none where none ends. A colon may
/// stand at the end.
fn last_sentence(gap: &str) -> Option<String> {
    let (all, gap) =
        (gap, gap.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '!' | '?')));
    let end = &all[gap.len()..];
    if end.matches('\n').count() > 1 && !end.contains(':') {
        return Some(String::new());
    }
    let (mut sentence, mut ends) = (String::new(), false);
    for (number, line) in gap.split('\n').enumerate() {
        if number > 0 && !line.contains(char::is_alphanumeric) {
            sentence.clear();
            ends = true;
            continue;
        }
        sentence.push_str(line);
        sentence.push('\n');
        let mut ends_at = sentence.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
        if let Some(end) = ends_at.rfind(|&at| sentence[at..].starts_with(char::is_whitespace)) {
            sentence.drain(..end);
            ends = true;
        }
    }
    ends.then_some(sentence)
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::{MIT, check};

    const GPL: &str = "/*\n * This program is free software; you can redistribute it and/or modify\n * it under the terms of the GNU \
        General Public License version 2 as\n * published by the Free Software Foundation.\n *\n";
    const WARRANTY: &str = " * This program is distributed in the hope that it will be useful,\n * but WITHOUT ANY WARRANTY; without \
        even the implied warranty of\n * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the\n * GNU General Public License \
        for more details.\n *\n";

    #[test]
    fn alternatively_begins_a_choice() {
        for (sentence, expected) in [
            (
                "Alternatively, this program may be used under the terms of the MIT License.",
                "GPL-2.0-only OR MIT",
            ),
            (
                "Alternatively, you may use this file under the Apache License, Version 2.0.",
                "GPL-2.0-only OR Apache-2.0",
            ),
            (
                "Or, alternatively, the contents of this file are available under the BSD-3-Clause license.",
                "GPL-2.0-only OR BSD-3-Clause",
            ),
        ] {
            check(&format!("{GPL} * {sentence}\n */\n"), expected);
            check(&format!("{GPL}{WARRANTY} * {sentence}\n */\n"), expected);
        }
    }

    #[test]
    fn the_text_of_either_license_may_stand_there() {
        let notice = "Alternatively, this software may be distributed under the terms of the GNU General Public License version 2.\n";
        check(&format!("{MIT}\n{notice}"), "MIT OR GPL-2.0-only");
        let text = MIT.replace('\n', "\n * ");
        check(
            &format!(
                "{GPL} * Alternatively, you can use this file under the MIT license:\n *\n * {text}\n */"
            ),
            "GPL-2.0-only OR MIT",
        );
    }

    #[test]
    fn other_code_is_no_choice() {
        for sentence in [
            "Alternatively, install libbar, which is under the MIT License.",
            "It links libbar, which may be used under the MIT License.",
            "This file may be used under the terms of the MIT License.",
            "Alternatively, the following files are licensed under the MIT License: foo.c, bar.c",
            "Alternatively, a package is available under the MIT License.",
            "Alternatively, the source of the library under the MIT License may be used in its place.",
        ] {
            check(&format!("{GPL} * {sentence}\n */\n"), "GPL-2.0-only AND MIT");
        }
    }

    #[test]
    fn no_license_of_an_offer_of_several_is_left_out() {
        for (sentence, expected) in [
            (
                "Alternatively, this file may be used under the terms of the Apache License, Version 2.0 or the MIT license.",
                "GPL-2.0-only OR Apache-2.0 OR MIT",
            ),
            (
                "Alternatively, this file may be used under the MIT License and the BSD-3-Clause license.",
                "GPL-2.0-only AND MIT AND BSD-3-Clause",
            ),
            (
                "Alternatively, this library may be used with software under the Apache License, Version 2.0.",
                "GPL-2.0-only AND Apache-2.0",
            ),
        ] {
            check(&format!("{GPL} * {sentence}\n */\n"), expected);
        }
    }

    #[test]
    fn what_an_offer_replaces_is_not_what_it_offers() {
        let sentence =
            "As an alternative to the GPL, you may use this file under the terms of the MIT License.";
        check(&format!("{GPL} * {sentence}\n */\n"), "GPL-2.0-only AND GPL-1.0-or-later AND MIT");
    }
}
