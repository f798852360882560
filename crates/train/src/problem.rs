//! What a problem is called, whichever file it stands in.

use std::borrow::Cow;

/// The one name of a problem: `lc-1` for `leetcode/0001`, `exercism/leap` for `exercism-leap`, `algorithms/quicksort` for
/// `alg-quicksort`. So a problem that two files have is kept apart in both or in neither.
pub(crate) fn canonical(id: &str) -> Cow<'_, str> {
    if let Some(number) = id.strip_prefix("leetcode/") {
        return Cow::Owned(format!("lc-{}", number.trim_start_matches('0')));
    }
    let renamed = [("exercism-", "exercism/"), ("alg-", "algorithms/")];
    let found = renamed.iter().find_map(|(from, to)| id.strip_prefix(from).map(|rest| format!("{to}{rest}")));
    found.map_or(Cow::Borrowed(id), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_of_two_files_has_one_name() {
        for (id, name) in [
            ("leetcode/0042", "lc-42"),
            ("lc-42", "lc-42"),
            ("exercism-leap", "exercism/leap"),
            ("alg-quicksort", "algorithms/quicksort"),
            ("codeforces/1A", "codeforces/1A"),
        ] {
            assert_eq!(canonical(id), name, "{id}");
        }
    }
}
