//! What stands beside a choice of licenses and offers no other one: the paragraph on contributions, and the names of the files that
//! hold the licenses.

use super::LicenseMatch;
use super::words::{floor, words};
use crate::Expression;

/// What a license is called that a text refers to without naming it.
const REFERENCE: &str = "LicenseRef-scancode-unknown-license-reference";
/// A word of the sentence on contributions, and words that it ends with.
const SUBMITTED: &str = "intentionally";
const AS_ABOVE: &str = "licensed as above";
/// Most bytes of that sentence after the word.
const SENTENCE: usize = 400;
/// What the names of files with licenses start with.
const FILES: [&str; 6] = ["license-", "license_", "license.", "licence-", "licence_", "licence."];

/// Takes out what belongs to a choice that is told.
pub(super) fn split(text: &str, matches: Vec<LicenseMatch>) -> (Vec<LicenseMatch>, Vec<LicenseMatch>) {
    let is_choice = |found: &&LicenseMatch| matches!(found.expression, Expression::Or(..));
    let offered: Vec<String> =
        matches.iter().filter(is_choice).flat_map(|choice| choice.expression.ids()).collect();
    if offered.is_empty() {
        return (matches, Vec::new());
    }
    let sentences = on_contributions(text);
    let fewest =
        matches.iter().filter(is_choice).map(|choice| choice.expression.ids().len()).min().unwrap_or(0);
    let belongs = |found: &LicenseMatch| {
        if is_choice(&found) {
            return false;
        }
        let is_offered = found.expression.ids().iter().all(|id| offered.contains(id));
        let is_reference = found.expression.ids().iter().all(|id| id == REFERENCE);
        let (start, end) = found.bytes;
        let is_on_contributions = sentences.iter().any(|&(from, to)| from <= start && end <= to);
        is_on_contributions && (is_offered || is_reference)
            || is_offered && is_file(text, found) && are_all_named(text, found, fewest)
    };
    let (taken, left) = matches.iter().cloned().partition(belongs);
    (left, taken)
}

/// The sentences that say that what is contributed is licensed as all the rest: "intentionally submitted for inclusion in the work by
/// you, as defined in the Apache-2.0 license, shall be dual licensed as above".
fn on_contributions(text: &str) -> Vec<(usize, usize)> {
    let sentence = |(start, _): (usize, &str)| {
        let rest = &text[start..floor(text, (start + SENTENCE).min(text.len()))];
        if words(rest).get(1).is_none_or(|word| word != "submitted") {
            return None;
        }
        let end = rest.find(". ").into_iter().chain(rest.find(".\n")).min().unwrap_or(rest.len());
        words(&rest[..end]).join(" ").contains(AS_ABOVE).then_some((start, start + end))
    };
    text.match_indices(SUBMITTED).filter_map(sentence).collect()
}

/// Whether a match is the name of a file: `LICENSE-MIT`, perhaps with the beginning of the next one.
fn is_file(text: &str, found: &LicenseMatch) -> bool {
    let names = text[found.bytes.0..found.bytes.1].to_ascii_lowercase();
    let mut names = names.split(|c: char| c.is_whitespace() || c == ',').filter(|name| !name.is_empty());
    let is_name = |name: &str| FILES.iter().any(|start| name.starts_with(start));
    let goes_on = text[found.bytes.1..].starts_with(|c: char| c == '-' || c.is_alphanumeric());
    match (names.next(), names.next()) {
        (Some(name), None) => is_name(name) && !goes_on,
        (Some(name), Some(next)) => {
            is_name(name) && matches!(next, "license" | "licence") && goes_on && names.next().is_none()
        }
        _ => false,
    }
}

/// Whether the line of a match names so many files of licenses: all of a choice, and not the one of a part.
fn are_all_named(text: &str, found: &LicenseMatch, least: usize) -> bool {
    let start = text[..found.bytes.0].rfind('\n').map_or(0, |at| at + 1);
    let end = text[found.bytes.1..].find('\n').map_or(text.len(), |at| found.bytes.1 + at);
    let line = text[start..end].to_ascii_lowercase();
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut names: Vec<&str> = line
        .split(|c| !is_of_name(c))
        .filter(|name| FILES.iter().any(|start| name.starts_with(start)))
        .collect();
    names.sort_unstable();
    names.dedup();
    names.len() >= least && !words(&line).iter().any(|word| word == "only")
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    const CHOICE: &str = "Licensed under either of <a href=\"LICENSE-APACHE\">Apache License, Version\n2.0</a> or \
                          <a href=\"LICENSE-MIT\">MIT license</a> at your option.\n";
    const CONTRIBUTION: &str = "Unless you explicitly state otherwise, any contribution intentionally submitted\nfor inclusion in \
                                this crate by you, as defined in the Apache-2.0 license, shall\nbe dual licensed as above, \
                                without any additional terms or conditions.\n";

    #[test]
    fn the_sentence_on_contributions_adds_nothing_to_a_choice() {
        check(&format!("{CHOICE}\n{CONTRIBUTION}"), "Apache-2.0 OR MIT");
        let commented: Vec<String> =
            format!("{CHOICE}\n{CONTRIBUTION}").lines().map(|line| format!("//! {line}")).collect();
        check(&commented.join("\n"), "Apache-2.0 OR MIT");
        check("Licensed under the Apache License 2.0 or the MIT license.\n", "Apache-2.0 OR MIT");
        // What is offered is not said.
        check(CONTRIBUTION, "Apache-2.0 AND LicenseRef-scancode-unknown-license-reference");
        check(
            &format!("{CHOICE}\n{}", CONTRIBUTION.replace("Apache-2.0", "GPL-3.0")),
            "(Apache-2.0 OR MIT) AND GPL-3.0-only",
        );
    }

    #[test]
    fn the_names_of_the_files_of_a_choice_add_nothing_to_it() {
        let choice = "Under The MIT License or Apache License, Version 2.0, at the user's discretion.";
        check(&format!("{choice}\n\nSee README.md, LICENSE-MIT, LICENSE-APACHE.\n"), "MIT OR Apache-2.0");
        check("Under the MIT License.\n\nSee README.md, LICENSE-APACHE.\n", "MIT AND Apache-2.0");
        let part = "The files of vendor/ are under LICENSE-APACHE only.";
        check(&format!("{choice}\n\n{part}\n"), "(MIT OR Apache-2.0) AND Apache-2.0");
    }
}
