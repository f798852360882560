//! The verdict on two pieces of code that are alike, by what is known of who took from whom.

use super::terms::{Terms, judge_into};
use super::verdict::{RuleCitation, Status, Verdict, extend};

/// Which side had the code first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Older {
    Left,
    Right,
    #[default]
    Unknown,
}

/// What is known of a pair besides its licenses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    pub older: Older,
    /// Both sides are the same project's, which needs no license from itself.
    pub same_project: bool,
}

/// The verdict on a pair. Of the two directions that is judged in which the code may have moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairVerdict {
    /// The one direction's; where both are possible the worse status, with the duties and rules of both.
    pub combined: Verdict,
    /// The right took from the left.
    pub left_to_right: Option<Verdict>,
    pub right_to_left: Option<Verdict>,
}

/// Judges two sides under their licenses, or under those of the files and of the works that they are parts of ([`Terms`]). Code moves from the older side to the younger; where that is not known, both directions
/// are judged, and a conflict in either is one, for nothing says that it is not the one in which the code moved.
pub fn judge_pair<'e>(
    left: impl Into<Terms<'e>>,
    right: impl Into<Terms<'e>>,
    circumstances: Circumstances,
) -> PairVerdict {
    let (left, right) = (left.into(), right.into());
    let judged = |outbound: Terms<'_>, inbound: Terms<'_>| {
        if circumstances.same_project && (outbound.file.is_none() || inbound.file.is_none()) {
            let text = "both sides belong to one project, which needs no license from itself";
            let status = if outbound.file == inbound.file { Status::Same } else { Status::Compatible };
            return Verdict::new(status, Vec::new(), vec![RuleCitation::new("same project", text)]);
        }
        judge_into(outbound, inbound)
    };
    match circumstances.older {
        Older::Left => {
            let verdict = judged(right, left);
            PairVerdict { combined: verdict.clone(), left_to_right: Some(verdict), right_to_left: None }
        }
        Older::Right => {
            let verdict = judged(left, right);
            PairVerdict { combined: verdict.clone(), left_to_right: None, right_to_left: Some(verdict) }
        }
        Older::Unknown => {
            let (to_right, to_left) = (judged(right, left), judged(left, right));
            PairVerdict {
                combined: both(&to_right, &to_left),
                left_to_right: Some(to_right),
                right_to_left: Some(to_left),
            }
        }
    }
}

fn both(to_right: &Verdict, to_left: &Verdict) -> Verdict {
    let mut combined = to_right.clone().and(to_left.clone()).settled();
    if to_right.status != to_left.status {
        let text = format!(
            "the direction is unknown: {} if the right side copied from the left, {} if the left side copied from the right; the \
             worse counts",
            to_right.status, to_left.status
        );
        let mut rules = vec![RuleCitation::new("direction", text)];
        extend(&mut rules, combined.rules);
        combined.rules = rules;
    }
    combined
}

#[cfg(test)]
mod tests {
    use super::*;
    use familiar_license::Expression;

    fn judged(left: &str, right: &str, older: Older, same_project: bool) -> PairVerdict {
        let expression = |text: &str| Expression::parse(text).expect(text);
        judge_pair(&expression(left), &expression(right), Circumstances { older, same_project })
    }

    #[test]
    fn code_moves_from_the_older_side_to_the_younger() {
        assert_eq!(judged("MIT", "GPL-3.0-only", Older::Left, false).combined.status, Status::Compatible);
        assert_eq!(judged("MIT", "GPL-3.0-only", Older::Right, false).combined.status, Status::Conflict);
        assert_eq!(judged("MIT", "GPL-3.0-only", Older::Right, false).left_to_right, None);
    }

    #[test]
    fn without_a_direction_the_worse_status_counts_and_both_are_shown() {
        let verdict = judged("MIT", "GPL-3.0-only", Older::Unknown, false);
        assert_eq!(verdict.combined.status, Status::Conflict);
        assert_eq!(verdict.left_to_right.map(|one| one.status), Some(Status::Compatible));
        assert_eq!(verdict.right_to_left.map(|one| one.status), Some(Status::Conflict));
        assert!(verdict.combined.rules[0].text.contains("compatible if the right side copied from the left"));
        assert_eq!(judged("MIT", "MIT", Older::Unknown, false).combined.status, Status::Same);
    }

    #[test]
    fn a_project_needs_no_license_from_itself() {
        assert_eq!(judged("NONE", "NONE", Older::Unknown, false).combined.status, Status::Conflict);
        assert_eq!(judged("NONE", "NONE", Older::Unknown, true).combined.status, Status::Same);
        assert_eq!(judged("MIT", "NONE", Older::Right, true).combined.status, Status::Compatible);
        assert_eq!(judged("MIT", "GPL-2.0-only", Older::Right, true).combined.status, Status::Conflict);
    }
}
