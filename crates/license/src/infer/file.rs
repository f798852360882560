//! What a file says itself.

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::before::{is_denied, is_denied_notice, puts_under};
use super::declaring;
use super::weight::{BESIDE, DENIED, is_specific};
use crate::detect::{Detected, LicenseMatch, MatchKind};
use crate::{Expression, Layer, LayerKind};

/// Layers of one file; what is found beyond them is told only where it is said for the first time.
const MAX_LAYERS: usize = 256;
/// Most layers of a file that is made of nothing else.
const MOST_LAYERS: usize = 1024;

/// The evidence of a name alone, and of a field of another form than SPDX's.
const REFERENCE: &str = "a reference to the license";
const FIELD: &str = "a license field";

/// What a file says in its own text, in the order of the text.
///
/// `SPDX-License-Identifier` is a tag, of the snippet that it stands in or else of the file. What stands between
/// `REUSE-IgnoreStart` and `REUSE-IgnoreEnd` is none. Texts, notices and license fields are notices, for somebody put them there
/// to say under what the file stands. A reference, a license's name or address, is a notice too where the file has nothing
/// stronger, or something that says the same, or where words put something under the license; otherwise it mostly speaks of other code, and [`conclude`](super::conclude) leaves it
/// out. Mere mentions are no layers.
pub fn file_layers(text: &str, detected: &Detected) -> Vec<Layer> {
    let matches = &detected.matches;
    let has_tag = matches.iter().any(|found| found.kind == MatchKind::Tag);
    let marks = if has_tag { Marks::read(text) } else { Marks::default() };
    let is_ignored = |found: &LicenseMatch| found.kind == MatchKind::Tag && marks.is_ignored(found.lines.0);
    let denied = |found: &LicenseMatch| match found.kind {
        MatchKind::Notice => is_denied_notice(text, found),
        MatchKind::Reference => is_denied(text, found),
        _ => false,
    };
    let is_strong = |found: &&LicenseMatch| {
        !denied(found)
            && matches!(found.kind, MatchKind::Text | MatchKind::Notice | MatchKind::Tag)
            && !is_ignored(found)
            && is_specific(&found.expression)
    };
    let strong: FxHashSet<String> =
        matches.iter().filter(is_strong).flat_map(|found| found.expression.ids()).collect();
    let mut layers: Vec<Layer> = Vec::new();
    let mut seen: FxHashSet<(LayerKind, Expression)> = FxHashSet::default();
    for found in matches.iter().filter(|found| !is_ignored(found)) {
        let is_declared = || found.expression.ids().iter().all(|id| strong.contains(id));
        let is_beside = || !strong.is_empty() && !is_declared();
        let notice = |evidence: &str| layer(LayerKind::FileNotice, found, evidence.to_owned());
        let layer = match found.kind {
            MatchKind::Tag => tag(found, &marks),
            MatchKind::Text => notice("the text of the license"),
            MatchKind::Notice | MatchKind::Reference if denied(found) => notice(DENIED),
            MatchKind::Notice => notice("a notice"),
            MatchKind::Reference if is_beside() && !puts_under(text, found) => notice(BESIDE),
            MatchKind::Reference => notice(REFERENCE),
            MatchKind::Intro | MatchKind::Clue => notice("words that hint at the license"),
        };
        let is_new = seen.insert((layer.kind, found.expression.clone()));
        if layers.len() < MAX_LAYERS || is_new && layers.len() < MOST_LAYERS {
            layers.push(layer);
        }
    }
    layers
}

/// The same for a file at a path. Programs that handle licenses keep their rules in files: which licenses are allowed, and what was
/// concluded of others' code. The names there say nothing of the file itself, nor do the fields of files that declare something.
pub fn file_layers_at(path: &str, text: &str, detected: &Detected) -> Vec<Layer> {
    let mut layers = file_layers(text, &declaring::of_itself(path, text, detected));
    if is_of_rules(path) {
        let is_name =
            |layer: &Layer| [REFERENCE, FIELD, BESIDE].iter().any(|it| layer.evidence.starts_with(it));
        layers.retain(|layer| layer.kind != LayerKind::FileNotice || !is_name(layer));
    }
    layers
}

/// Files of rules for licenses: Familiar's own, and those of cargo-deny, cargo-about, liccheck, licensed, `SkyWalking` Eyes, and GitHub's
/// dependency review.
const OF_RULES: [&str; 13] = [
    "familiar.toml",
    "deny.toml",
    ".deny.toml",
    "about.toml",
    "liccheck.ini",
    ".liccheck.ini",
    ".licensed.yml",
    "licensed.yml",
    ".licenserc.yaml",
    ".licenserc.yml",
    "dependency-review-config.yml",
    "dependency-review-config.yaml",
    ".dependency-review-config.yml",
];

fn is_of_rules(path: &str) -> bool {
    OF_RULES.contains(&path.rsplit('/').next().unwrap_or(path))
}

fn layer(kind: LayerKind, found: &LicenseMatch, evidence: String) -> Layer {
    Layer {
        kind,
        expression: Some(found.expression.clone()),
        evidence: noted(evidence, found),
        path: None,
        lines: Some(found.lines),
        score: Some(found.score),
        rule: Some(found.rule.clone()),
    }
}

/// The evidence with what had to be taken into account to read it.
fn noted(evidence: String, found: &LicenseMatch) -> String {
    match found.note {
        Some(note) if evidence != BESIDE && evidence != DENIED => format!("{evidence}; {}", note.text()),
        _ => evidence,
    }
}

fn tag(found: &LicenseMatch, marks: &Marks) -> Layer {
    if !marks.has_tag(found.lines) {
        return layer(LayerKind::FileNotice, found, FIELD.to_owned());
    }
    let Some(snippet) = marks.snippet_at(found.lines.0) else {
        return layer(LayerKind::FileTag, found, "SPDX-License-Identifier".to_owned());
    };
    let evidence = if snippet.is_closed {
        format!("SPDX-License-Identifier on line {} of a snippet", found.lines.0)
    } else {
        format!(
            "SPDX-License-Identifier on line {} of a snippet without SPDX-SnippetEnd, taken to go on to the end",
            found.lines.0
        )
    };
    Layer { lines: Some(snippet.lines), ..layer(LayerKind::SnippetTag, found, evidence) }
}

/// A stretch of lines between SPDX-SnippetBegin and SPDX-SnippetEnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Snippet {
    lines: (u32, u32),
    is_closed: bool,
}

/// What a text marks for those who read its tags.
#[derive(Debug, Default)]
struct Marks {
    snippets: Vec<Snippet>,
    ignored: Vec<(u32, u32)>,
    /// The lines on which tags stand, in order.
    tags: Vec<u32>,
}

/// Snippets within each other.
const MAX_DEPTH: usize = 64;

impl Marks {
    fn read(text: &str) -> Self {
        let mut marks = Self::default();
        let (mut open, mut ignored_from): (Vec<u32>, Option<u32>) = (Vec::new(), None);
        let mut last = (0, 1);
        let mut line_at = |at: usize| {
            let (from, line) = last;
            last = (at, line + memchr::memchr_iter(b'\n', &text.as_bytes()[from..at]).count() as u32);
            last.1
        };
        // What all marks have in common, in upper case alone as the standards write them, but for the tag.
        let mut places: Vec<usize> = [&b"SPDX-Snippet"[..], b"REUSE-Ignore"]
            .into_iter()
            .flat_map(|word| memmem::find_iter(text.as_bytes(), word))
            .chain(tag_places(text))
            .collect();
        places.sort_unstable();
        for at in places {
            let rest = &text.as_bytes()[at..];
            let line = line_at(at);
            if rest.starts_with(b"SPDX-SnippetBegin") {
                if open.len() < MAX_DEPTH {
                    open.push(line);
                }
            } else if rest.starts_with(b"SPDX-SnippetEnd") {
                if let Some(start) = open.pop() {
                    marks.snippets.push(Snippet { lines: (start, line), is_closed: true });
                }
            } else if rest.starts_with(b"REUSE-IgnoreStart") {
                ignored_from.get_or_insert(line);
            } else if rest.starts_with(b"REUSE-IgnoreEnd") {
                marks.ignored.extend(ignored_from.take().map(|start| (start, line)));
            } else if marks.tags.last() != Some(&line) {
                marks.tags.push(line);
            }
        }
        let end = line_at(text.len());
        marks
            .snippets
            .extend(open.into_iter().rev().map(|start| Snippet { lines: (start, end), is_closed: false }));
        marks.ignored.extend(ignored_from.map(|start| (start, end)));
        marks
    }

    /// The innermost snippet that has `line`.
    fn snippet_at(&self, line: u32) -> Option<Snippet> {
        let holds = |snippet: &&Snippet| (snippet.lines.0..=snippet.lines.1).contains(&line);
        self.snippets.iter().filter(holds).min_by_key(|snippet| snippet.lines.1 - snippet.lines.0).copied()
    }

    fn is_ignored(&self, line: u32) -> bool {
        self.ignored.iter().any(|&(start, end)| (start..=end).contains(&line))
    }

    /// Whether a tag stands on one of these lines.
    fn has_tag(&self, (start, end): (u32, u32)) -> bool {
        let at = self.tags.partition_point(|&line| line < start);
        self.tags.get(at).is_some_and(|&line| line <= end)
    }
}

/// Where `SPDX-License-Identifier` stands, in any case.
fn tag_places(text: &str) -> impl Iterator<Item = usize> {
    const MIDDLE: &[u8] = b"license-identifier";
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'-', bytes).filter_map(move |dash| {
        let start = dash.checked_sub(4)?;
        let is_tag = bytes[start..dash].eq_ignore_ascii_case(b"spdx")
            && bytes.get(dash + 1..dash + 1 + MIDDLE.len())?.eq_ignore_ascii_case(MIDDLE);
        is_tag.then_some(start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::testing::{detect, detected};

    fn layers(text: &str) -> Vec<String> {
        let layers = file_layers(text, &detect(text));
        layers
            .iter()
            .map(|layer| {
                let expression = layer.expression.as_ref().map_or("-".to_owned(), ToString::to_string);
                let (start, end) = layer.lines.expect("a stretch of the file");
                format!("{} {start}-{end} {expression}", layer.kind.name())
            })
            .collect()
    }

    #[test]
    fn tags_are_of_the_innermost_snippet_or_of_the_file() {
        let text = "// SPDX-License-Identifier: MIT\n// SPDX-SnippetBegin\n// spdx-license-identifier: ISC\n\
            // SPDX-SnippetBegin\n// SPDX-License-Identifier: Zlib\n// SPDX-SnippetEnd\n// SPDX-SnippetEnd\n\
            // SPDX-SnippetBegin\n// SPDX-License-Identifier: 0BSD\n";
        let text = text.replace("spdx-license-identifier", "SPDX-License-Identifier");
        let expected =
            ["file-tag 1-1 MIT", "snippet-tag 2-7 ISC", "snippet-tag 4-6 Zlib", "snippet-tag 8-10 0BSD"];
        assert_eq!(layers(&text), expected);
    }

    #[test]
    fn what_reuse_ignores_is_no_tag() {
        let text = "REUSE-IgnoreStart\nSPDX-License-Identifier: MIT\nREUSE-IgnoreEnd\nREFERENCE ISC";
        assert_eq!(layers(text), ["file-notice 4-4 ISC"]);
    }

    #[test]
    fn references_are_set_apart_from_stronger_words_that_do_not_say_the_same() {
        let evidence = |text: &str| {
            let layers = file_layers(text, &detect(text));
            layers.into_iter().map(|layer| layer.evidence).collect::<Vec<_>>()
        };
        assert_eq!(evidence("REFERENCE MIT"), ["a reference to the license"]);
        let beside = evidence("NOTICE ISC\nREFERENCE MIT\nREFERENCE ISC");
        assert_eq!(beside, ["a notice", BESIDE, "a reference to the license"]);
        let unknown = evidence("NOTICE LicenseRef-scancode-unknown\nREFERENCE MIT");
        assert_eq!(unknown, ["a notice", "a reference to the license"]);
    }

    #[test]
    fn the_evidence_says_what_was_taken_into_account() {
        let mut detected = detected(&[(MatchKind::Tag, "MIT OR ISC")]);
        detected.matches[0].note = Some(crate::Note::Choice);
        let evidence = file_layers("SPDX-License-Identifier: MIT ISC", &detected).swap_remove(0).evidence;
        assert_eq!(evidence, format!("SPDX-License-Identifier; {}", crate::Note::Choice.text()));
    }

    #[test]
    fn rules_for_licenses_are_no_license_of_their_file() {
        let rules = "[licenses]\nallow = [\n    \"MIT\",\n    \"Apache-2.0\",\n]\n";
        let tagged = ["# SPDX-License", "-Identifier: ISC\n", rules].concat();
        let license = |path: &str, text: &str| {
            let layers = file_layers_at(path, text, &crate::Detector::embedded().detect(text));
            crate::infer::conclude_file(&layers).expression.map(|it| it.to_string())
        };
        assert_eq!(license("a/deny.toml", rules), None);
        assert_eq!(license("a/deny.toml", &tagged).as_deref(), Some("ISC"));
        assert_ne!(license("a/other.toml", rules), None);
    }

    #[test]
    fn a_tag_of_another_kind_is_a_notice() {
        let layers = file_layers("license = \"MIT\"", &detected(&[(MatchKind::Tag, "MIT")]));
        assert_eq!((layers[0].kind, layers[0].evidence.as_str()), (LayerKind::FileNotice, "a license field"));
    }

    #[test]
    fn a_list_of_licenses_has_an_end() {
        let text = "NOTICE MIT\n".repeat(5000) + "NOTICE ISC";
        let layers = layers(&text);
        assert_eq!(layers.len(), MAX_LAYERS + 1);
        assert!(layers.last().is_some_and(|last| last.ends_with("ISC")));
    }
}
