//! Files that hold licenses for others: LICENSE, COPYING, UNLICENSE and the like.

use rustc_hash::FxHashSet;

use super::before::{is_denied, is_denied_notice, puts_under};
use super::weight::is_specific;
use crate::detect::{Detected, LicenseMatch, MatchKind};
use crate::{Copyright, Expression, Layer, LayerKind, License};

/// Words that such a file's name begins or ends with.
const WORDS: [&str; 11] = [
    "license",
    "licence",
    "licenses",
    "licences",
    "copying",
    "copyright",
    "unlicense",
    "unlicence",
    "copyleft",
    "eula",
    "copyrights",
];

/// What such a file may end in: nothing, or what texts end in.
const ENDINGS: [&str; 12] =
    ["txt", "text", "md", "markdown", "rst", "html", "htm", "adoc", "asciidoc", "rtf", "en", "utf8"];

/// Names of licenses that may stand where the ending does: `LICENSE.Apache2`, `COPYING.LESSER`.
const LICENSE_WORDS: [&str; 26] = [
    "agpl",
    "al2",
    "apache",
    "artistic",
    "boost",
    "bsd",
    "cc",
    "cddl",
    "epl",
    "fdl",
    "gfdl",
    "gpl",
    "isc",
    "lesser",
    "lgpl",
    "lib",
    "mit",
    "mpl",
    "ofl",
    "openssl",
    "psf",
    "python",
    "runtime",
    "unlicense",
    "wtfpl",
    "zlib",
];

/// Licenses that more different ones than this stand in a list, from which nothing follows for the files beside it.
pub(super) const MAX_LICENSES: usize = 64;

/// Who wrote licenses: what is theirs in a license file is its text.
const LICENSE_AUTHORS: [&str; 4] =
    ["Free Software Foundation", "The Perl Foundation", "Lawrence E. Rosen", "Creative Commons"];

/// A notice of fewer lines may be a remark.
const REMARK_LINES: u32 = 3;

/// Whose what the license file with this text speaks for is.
pub(super) fn copyrights(text: &str) -> Vec<Copyright> {
    let mut found = crate::copyrights(text);
    found.retain(|copyright| {
        let holder = copyright.holder.as_deref().unwrap_or_default();
        !LICENSE_AUTHORS.iter().any(|author| holder.starts_with(author))
    });
    found
}

/// Whether a file of this path holds a license by its name.
pub(super) fn is_license_file(path: &str) -> bool {
    // Texts that REUSE's tags refer to, which apply to nothing by themselves.
    if path.split('/').any(|part| part == "LICENSES") {
        return false;
    }
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let words = || name.split(['.', '-', '_', ' ']).filter(|word| !word.is_empty());
    let is_word = |word: &str| WORDS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let names_license = |word: &str| LICENSE_WORDS.iter().any(|name| word.starts_with(name));
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return words().next().is_some_and(is_word) || words().next_back().is_some_and(is_word);
    };
    let is_text = ENDINGS.contains(&ending) || ending.starts_with(|c: char| c.is_ascii_digit());
    if is_text {
        let words = || stem.split(['.', '-', '_', ' ']).filter(|word| !word.is_empty());
        return words().next().is_some_and(is_word) || words().next_back().is_some_and(is_word);
    }
    is_word(stem) && names_license(ending)
}

/// What a text says as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) expression: Option<Expression>,
    pub(super) evidence: String,
    pub(super) lines: Option<(u32, u32)>,
    pub(super) score: Option<f32>,
    pub(super) rule: Option<String>,
}

impl Found {
    fn nothing(evidence: &str) -> Self {
        Self { expression: None, evidence: evidence.to_owned(), lines: None, score: None, rule: None }
    }

    pub(super) fn layer(&self, kind: LayerKind, path: &str) -> Layer {
        Layer {
            kind,
            expression: self.expression.clone(),
            evidence: self.evidence.clone(),
            path: Some(path.to_owned()),
            lines: self.lines,
            score: self.score,
            rule: self.rule.clone(),
        }
    }
}

/// Whether a few words beside the texts of other licenses say that nothing stands under the one that they name: such texts
/// compare themselves with it (Python's: "GPL-compatible doesn't mean that we're distributing Python under the GPL").
fn is_remark(text: &str, notice: &LicenseMatch) -> bool {
    let is_short = notice.lines.1 - notice.lines.0 < REMARK_LINES;
    is_short && is_denied(text, notice)
}

fn is_named(expression: &Expression, id: &str) -> bool {
    matches!(expression, Expression::License(license) if license.id == id)
}

/// What a text that was written to say a license says: all of its texts, notices and tags, the references that put something under
/// a license, and all references where it has nothing else. The text of a GNU license does not say whether later versions may be taken; where nothing beside it does,
/// both stay possible.
pub(super) fn read(text: &str, detected: &Detected) -> Found {
    let found = counted(text, detected);
    let Some(first) = found.first() else {
        return Found::nothing("no license that is known was found in it");
    };
    let (expressions, is_open) = expressions(&found);
    let count = expressions.len();
    let lines = found.iter().map(|found| found.lines).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    if count > MAX_LICENSES {
        let evidence = format!("a list of {count} licenses, which does not say what stands under which");
        return Found { lines, ..Found::nothing(&evidence) };
    }
    let what = in_words(first.kind);
    let mut evidence = if count > 1 { format!("{what} and others, {count} in all") } else { what.to_owned() };
    if is_open {
        evidence.push_str("; the text alone does not say whether later versions may be chosen");
    }
    if let Some(note) = found.iter().find_map(|found| found.note) {
        evidence = format!("{evidence}; {}", note.text());
    }
    Found {
        expression: expressions.into_iter().reduce(Expression::and),
        evidence,
        lines,
        score: found.iter().map(|found| found.score).reduce(f32::min),
        rule: Some(first.rule.clone()),
    }
}

/// The matches that count in such a text.
fn counted<'d>(text: &str, detected: &'d Detected) -> Vec<&'d LicenseMatch> {
    let of = |kinds: &[MatchKind]| -> Vec<&'d LicenseMatch> {
        let all = detected.matches.iter().filter(|found| is_specific(&found.expression));
        all.filter(|found| kinds.contains(&found.kind)).collect()
    };
    let mut found = of(&[MatchKind::Text, MatchKind::Notice, MatchKind::Tag, MatchKind::Reference]);
    found.retain(|one| one.kind != MatchKind::Reference || puts_under(text, one));
    if found.is_empty() {
        found = of(&[MatchKind::Reference, MatchKind::Intro, MatchKind::Clue]);
    }
    found.retain(|one| match one.kind {
        MatchKind::Notice => !is_denied_notice(text, one),
        MatchKind::Reference => !is_denied(text, one),
        _ => true,
    });
    let texts = of(&[MatchKind::Text]);
    found.retain(|one| one.kind == MatchKind::Text || texts.is_empty() || !is_remark(text, one));
    found
}

/// The licenses that matches name, each once, and whether it stays open if later versions may be taken.
fn expressions(found: &[&LicenseMatch]) -> (Vec<Expression>, bool) {
    let stated: FxHashSet<&str> = found
        .iter()
        .filter(|found| found.kind != MatchKind::Text)
        .flat_map(|found| found.expression.licenses())
        .filter_map(|license| versioned(&license.id))
        .collect();
    let mut is_open = false;
    let mut expressions: Vec<Expression> = Vec::new();
    let mut seen: FxHashSet<Expression> = FxHashSet::default();
    for one in found {
        let expression = match one.kind {
            MatchKind::Text => opened(&one.expression, &stated, &mut is_open),
            _ => Some(one.expression.clone()),
        };
        expressions.extend(expression.filter(|new| seen.insert(new.clone())));
    }
    if expressions.iter().any(|one| is_named(one, "Python-2.0")) {
        // It is the last of the texts that Python-2.0 consists of.
        expressions.retain(|one| !is_named(one, "LicenseRef-scancode-python-cwi"));
    }
    (expressions, is_open)
}

fn in_words(kind: MatchKind) -> &'static str {
    match kind {
        MatchKind::Text => "the text of a license",
        MatchKind::Notice => "a notice",
        MatchKind::Tag => "a tag",
        MatchKind::Reference => "a reference to a license",
        MatchKind::Intro | MatchKind::Clue => "words that hint at a license",
    }
}

/// The name of a GNU license without what it says of later versions.
fn versioned(id: &str) -> Option<&str> {
    id.strip_suffix("-only").or_else(|| id.strip_suffix("-or-later"))
}

/// What follows from the text of a license alone; none where a notice beside it says the same and more.
fn opened(expression: &Expression, stated: &FxHashSet<&str>, is_open: &mut bool) -> Option<Expression> {
    let Expression::License(license) = expression else { return Some(expression.clone()) };
    let Some(name) = versioned(&license.id) else { return Some(expression.clone()) };
    if stated.contains(name) {
        return None;
    }
    *is_open = true;
    let with = |suffix: &str| {
        Expression::License(License { id: format!("{name}{suffix}"), exception: license.exception.clone() })
    };
    Some(with("-only").or(with("-or-later")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Detector;
    use crate::infer::testing::detected;
    use crate::rules::Rules;

    const MIT: &str = include_str!("../../../../LICENSE-MIT");

    #[test]
    fn license_files_are_known_by_their_names() {
        for path in [
            "LICENSE",
            "a/COPYING",
            "COPYING3",
            "COPYING.LESSER",
            "LICENSE-MIT",
            "LICENSE.txt",
            "license.md",
            "MIT-LICENSE",
            "MIT-LICENSE.txt",
            "UNLICENSE",
            "LICENSE.Apache-2",
            "Copyright",
            "LICENCE.rst",
            "GPL_LICENSE",
            "LICENSE_1_0.txt",
            "LICENSE-2.0",
            "LICENSE.APACHE2",
        ] {
            assert!(is_license_file(path), "{path}");
        }
        for path in [
            "license.py",
            "src/licensing.rs",
            "copying.c",
            "LICENSES/MIT.txt",
            "LICENSE.license",
            "license.json",
            "README.md",
            "delicense",
            "license_check.py",
            "copyright.h",
            "license-checker/index.html",
        ] {
            assert!(!is_license_file(path), "{path}");
        }
    }

    fn check(matches: &[(MatchKind, &str)], expression: &str, evidence: &str) {
        let found = read("", &detected(matches));
        assert_eq!(found.expression.map(|found| found.to_string()).unwrap_or_default(), expression);
        assert!(found.evidence.contains(evidence), "{}", found.evidence);
    }

    #[test]
    fn the_text_of_the_gpl_alone_leaves_later_versions_open() {
        let text = (MatchKind::Text, "GPL-3.0-only");
        check(&[text], "GPL-3.0-only OR GPL-3.0-or-later", "does not say whether later versions");
        check(&[text, (MatchKind::Notice, "GPL-3.0-or-later")], "GPL-3.0-or-later", "text");
        check(&[text, (MatchKind::Notice, "MIT")], "(GPL-3.0-only OR GPL-3.0-or-later) AND MIT", "2 in all");
    }

    #[test]
    fn references_count_where_nothing_else_speaks() {
        check(&[(MatchKind::Reference, "MIT")], "MIT", "reference");
        check(&[(MatchKind::Text, "ISC"), (MatchKind::Reference, "MIT")], "ISC", "text");
        check(&[(MatchKind::Text, "LicenseRef-scancode-unknown"), (MatchKind::Clue, "MIT")], "MIT", "words");
        check(&[(MatchKind::Text, "LicenseRef-scancode-unknown")], "", "no license");
    }

    #[test]
    fn texts_that_compare_themselves_with_the_gpl_are_not_under_it() {
        let license_of = |words: &str| {
            let text = format!("{words}\n\n\n\n\n{MIT}");
            let found = read(&text, &Detector::embedded().detect(&text)).expression;
            found.map(|found| found.to_string()).unwrap_or_default()
        };
        assert_eq!(
            license_of("GPL-compatible doesn't mean that we're distributing it under the GPL."),
            "MIT"
        );
        assert_eq!(license_of("This program is free software under the GPL."), "GPL-1.0-or-later AND MIT");
        assert_eq!(
            license_of("The tools are under the GNU General Public License, version 2."),
            "GPL-2.0-only AND MIT"
        );
        let cwi = (MatchKind::Text, "LicenseRef-scancode-python-cwi");
        check(&[(MatchKind::Text, "Python-2.0"), cwi], "Python-2.0", "text");
        check(&[(MatchKind::Notice, "GPL-1.0-or-later")], "GPL-1.0-or-later", "notice");
    }

    #[test]
    fn notices_beside_any_whole_text_are_kept() {
        for name in ["gfdl-1.2", "openssl", "python", "epl-2.0", "zlib", "artistic-2.0"] {
            let text = Rules::embedded().text_of(&format!("{name}.LICENSE"));
            for notice in [
                "Licensed under the GPL v2 or later, see the file COPYING.",
                "The tools are available under the GPL version 2 or later.",
            ] {
                for text in [format!("{notice}\n\n\n{text}"), format!("{text}\n\n\n{notice}")] {
                    let ids =
                        read(&text, &Detector::embedded().detect(&text)).expression.map(|all| all.ids());
                    assert!(
                        ids.is_some_and(|ids| ids.len() > 1 && ids.contains("GPL-2.0-or-later")),
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_long_list_says_nothing_of_the_files_beside_it() {
        let names: Vec<String> = (0..100).map(|n| format!("LicenseRef-{n}")).collect();
        let list: Vec<_> = names.iter().map(|name| (MatchKind::Text, name.as_str())).collect();
        check(&list, "", "a list of 100 licenses");
    }
}
