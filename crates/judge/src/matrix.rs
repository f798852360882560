//! OSADL's compatibility matrix: what may be taken into a work under another license, and why (`data/osadl`).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The name under which it is cited.
pub(crate) const SOURCE: &str = "OSADL matrix 2024-11-04";

/// What the matrix answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Same,
    Yes,
    No,
    Unknown,
    /// It depends on how the two are combined.
    CheckDependency,
}

struct Matrix {
    numbers: FxHashMap<&'static str, usize>,
    /// For each outbound license a letter for each inbound one.
    rows: Vec<&'static [u8]>,
    reasons: FxHashMap<u8, (Answer, &'static str)>,
}

static MATRIX: LazyLock<Matrix> = LazyLock::new(|| Matrix::read(include_str!("../data/osadl/matrix.txt")));

impl Matrix {
    fn read(text: &'static str) -> Self {
        let mut matrix =
            Self { numbers: FxHashMap::default(), rows: Vec::new(), reasons: FxHashMap::default() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["reason", letter, answer, reason] => {
                    let answer = match answer {
                        "Same" => Answer::Same,
                        "Yes" => Answer::Yes,
                        "No" => Answer::No,
                        "Check dependency" => Answer::CheckDependency,
                        _ => Answer::Unknown,
                    };
                    matrix.reasons.insert(letter.as_bytes()[0], (answer, reason));
                }
                ["license", name, row] => {
                    matrix.numbers.insert(name, matrix.rows.len());
                    matrix.rows.push(row.as_bytes());
                }
                _ => {}
            }
        }
        matrix
    }
}

/// Whether the matrix has `license`, an identifier or `X WITH E`.
pub(crate) fn knows(license: &str) -> bool {
    MATRIX.numbers.contains_key(license)
}

/// Its answer and reason; none where it lacks one of the two.
pub(crate) fn ask(outbound: &str, inbound: &str) -> Option<(Answer, String)> {
    let row = MATRIX.rows[*MATRIX.numbers.get(outbound)?];
    let letter = row.get(*MATRIX.numbers.get(inbound)?)?;
    let (answer, reason) = MATRIX.reasons.get(letter)?;
    Some((*answer, reason.replace("{out}", outbound).replace("{in}", inbound)))
}

/// Whether the matrix takes `license` for copyleft: a permissive work cannot take it in.
pub(crate) fn is_copyleft(license: &str) -> Option<bool> {
    ask("MIT", license).map(|(answer, _)| answer == Answer::No)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(line: &str) -> Option<&str> {
        line.strip_prefix("license\t")?.split('\t').next()
    }

    #[test]
    fn every_pair_has_an_answer_with_a_reason() {
        assert_eq!(MATRIX.rows.len(), 115);
        let names = || include_str!("../data/osadl/matrix.txt").lines().filter_map(name);
        for outbound in names() {
            for inbound in names() {
                let (answer, reason) = ask(outbound, inbound).expect("the matrix is complete");
                assert_eq!(answer == Answer::Same, outbound == inbound, "{outbound} {inbound}");
                assert!(!reason.is_empty() && !reason.contains('{'), "{reason}");
            }
        }
    }

    #[test]
    fn a_row_is_the_license_of_the_work_that_takes_code_in() {
        let (answer, reason) = ask("0BSD", "AGPL-3.0-only").expect("both are listed");
        assert_eq!(answer, Answer::No);
        assert_eq!(
            reason,
            "Software under a copyleft license such as the AGPL-3.0-only license normally cannot be redistributed under a \
             non-copyleft license such as the 0BSD license, except if it were explicitly permitted in the licenses."
        );
        assert_eq!(ask("AGPL-3.0-only", "0BSD").map(|(answer, _)| answer), Some(Answer::Yes));
        assert_eq!(is_copyleft("MPL-2.0"), Some(true));
        assert_eq!(ask("MIT", "CC0-1.0"), None);
    }
}
