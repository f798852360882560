//! Which findings say nothing: users of such tools complain most of noise.

use familiar_report::{FragmentRow, PairRow};

use crate::lines;

/// Why a finding is left out, in the words of the summary.
pub(crate) const IDIOM: &str = "idiom";
pub(crate) const SHORT: &str = "short";
pub(crate) const UBIQUITOUS: &str = "ubiquitous";
pub(crate) const HANDED_OUT: &str = "handed-out";
pub(crate) const LICENSE_TEXT: &str = "license-text";
pub(crate) const IMPORTS: &str = "imports";
pub(crate) const TEMPLATE: &str = "template";
pub(crate) const TABLE: &str = "table";
/// It lies within code that is equal as written to code elsewhere.
pub(crate) const EXPLAINED: &str = "explained";

// The limits of this file were set by judgement when audits were made. No labeled set of findings measures them yet.
// `docs/formats/audit.md` states them, so that a reader can tell what is left out.

/// Below so many tokens code counts only where it is equal as written: what is said is little, and easily said again.
const SHORT_TOKENS: u32 = 80;

/// Below so many tokens, what more than [`MANY_PROJECTS`] projects have is common knowledge; larger code has a source.
const UBIQUITOUS_TOKENS: u32 = 120;
const MANY_PROJECTS: usize = 10;

/// What can be told without reading files: `projects` counts those that have the code, forks as one.
pub(crate) fn by_size(
    fragment: &FragmentRow,
    pairs: &[PairRow],
    projects: impl FnOnce() -> usize,
) -> Option<&'static str> {
    if pairs.iter().all(|pair| pair.idiom) {
        return Some(IDIOM);
    }
    if fragment.tokens < SHORT_TOKENS && pairs.iter().all(|pair| pair.clone_type > 1) {
        return Some(SHORT);
    }
    (fragment.tokens < UBIQUITOUS_TOKENS && projects() > MANY_PROJECTS).then_some(UBIQUITOUS)
}

/// How files begin that a program made for a person to go on with: those of sphinx-quickstart.
const TEMPLATES: [&str; 4] = [
    "# Makefile for Sphinx documentation",
    "# Minimal makefile for Sphinx documentation",
    "REM Command file for Sphinx documentation",
    "# You can set these variables from the command line, and also",
];

/// Lines from the start of a file within which that stands.
const HEAD_LINES: usize = 8;

/// A run with no more names is a table of values. Digits, primes and combinations of truth values are said alike by all who say them,
/// which is not so of large tables of many values.
const TABLE_NAMES: usize = 3;
const TABLE_TOKENS: u32 = 400;
const TABLE_VALUES: usize = 16;

/// What the file tells of a fragment, of which others have up to `shared` tokens: how it begins, texts of licenses in it, and its lines.
pub(crate) fn by_text(
    fragment: &FragmentRow,
    shared: u32,
    license_texts: &[(u32, u32)],
    lines: &[&str],
) -> Option<&'static str> {
    let (start, end) = (fragment.start_line, fragment.end_line);
    let is_of_template = |line: &&str| TEMPLATES.iter().any(|words| line.starts_with(words));
    if lines.iter().take(HEAD_LINES).any(is_of_template) {
        return Some(TEMPLATE);
    }
    let of_license = (start..=end)
        .filter(|line| license_texts.iter().any(|&(first, last)| (first..=last).contains(line)))
        .count();
    if of_license * 10 >= fragment.lines() as usize * 9 {
        return Some(LICENSE_TEXT);
    }
    if fragment.kind != "run" {
        return None;
    }
    let lines = lines::between(lines, start, end);
    if lines::are_imports(lines) {
        return Some(IMPORTS);
    }
    let (names, values) = lines::names_and_values(lines, TABLE_NAMES);
    let is_known = shared < TABLE_TOKENS || values <= TABLE_VALUES;
    (names <= TABLE_NAMES && values > 0 && is_known).then_some(TABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(kind: &'static str, tokens: u32, end_line: u32) -> FragmentRow {
        FragmentRow {
            id: 0,
            path: "a.py".into(),
            path_bytes: None,
            blob: None,
            root: 0,
            language: "python",
            kind,
            name: String::new(),
            start_line: 1,
            end_line,
            start_byte: 0,
            end_byte: 1,
            tokens,
            form: 0,
            document: 0,
        }
    }

    fn pair(clone_type: u8, idiom: bool) -> PairRow {
        PairRow {
            left: 0,
            right: 1,
            clone_type,
            similarity: 1.0,
            measure: "aligned",
            fingerprint: String::new(),
            vector_similarity: None,
            idiom,
            alignment: Vec::new(),
            explanation: None,
        }
    }

    #[test]
    fn small_code_counts_where_it_says_something() {
        let reason = |tokens, pairs: &[PairRow], projects| {
            by_size(&fragment("function", tokens, 9), pairs, || projects)
        };
        assert_eq!(reason(500, &[pair(3, true), pair(2, true)], 1), Some(IDIOM));
        assert_eq!(reason(500, &[pair(3, true), pair(2, false)], 1), None);
        assert_eq!(reason(79, &[pair(2, false)], 1), Some(SHORT));
        assert_eq!(reason(79, &[pair(2, false), pair(1, false)], 1), None);
        assert_eq!(reason(119, &[pair(1, false)], 11), Some(UBIQUITOUS));
        assert_eq!(reason(119, &[pair(1, false)], 10), None);
        assert_eq!(reason(120, &[pair(1, false)], 99), None);
    }

    #[test]
    fn texts_of_licenses_and_imports_are_told_by_their_lines() {
        let reason = |kind, texts: &[(u32, u32)], text: &str| {
            by_text(&fragment(kind, 99, 3), 99, texts, &text.lines().collect::<Vec<_>>())
        };
        assert_eq!(reason("run", &[(1, 2), (3, 9)], "a\nb\nc\n"), Some(LICENSE_TEXT));
        assert_eq!(reason("run", &[(1, 2)], "a\nb\nc\n"), None);
        assert_eq!(reason("run", &[], "import a\nimport b\nimport c\n"), Some(IMPORTS));
        assert_eq!(reason("run", &[], "# Minimal makefile for Sphinx documentation\nb\nc\n"), Some(TEMPLATE));
        let table = "primes = [2, 3, 5,\n 7, 11]\n\n";
        assert_eq!((reason("run", &[], table), reason("function", &[], table)), (Some(TABLE), None));
        assert_eq!(
            by_text(&fragment("run", 400, 3), 400, &[], &table.repeat(9).lines().collect::<Vec<_>>()),
            Some(TABLE)
        );
        assert_eq!(reason("function", &[], "import a\nimport b\nimport c\n"), None);
    }
}
