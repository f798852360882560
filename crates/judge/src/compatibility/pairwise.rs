//! The verdict on two pieces of code that are alike, by what is known of who took from whom.

use super::terms::{Terms, judge_into};
use super::verdict::{RuleCitation, Status, Verdict};

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

/// The verdicts on a pair, in each direction in which the code may have moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairVerdict {
    /// The right took from the left.
    pub left_to_right: Option<Verdict>,
    pub right_to_left: Option<Verdict>,
}

/// Judges two sides under their licenses, or under those of the files and of the works that they are parts of ([`Terms`]). Code moves
/// from the older side to the younger; where that is not known, both directions are judged.
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
    let to_right = || judged(right, left);
    let to_left = || judged(left, right);
    PairVerdict {
        left_to_right: (circumstances.older != Older::Right).then(to_right),
        right_to_left: (circumstances.older != Older::Left).then(to_left),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use familiar_license::Expression;

    fn judged(left: &str, right: &str, older: Older, same_project: bool) -> PairVerdict {
        let expression = |text: &str| Expression::parse(text).expect(text);
        judge_pair(&expression(left), &expression(right), Circumstances { older, same_project })
    }

    /// The statuses of both directions.
    fn statuses(left: &str, right: &str, older: Older, same_project: bool) -> [Option<Status>; 2] {
        let verdict = judged(left, right, older, same_project);
        [verdict.left_to_right, verdict.right_to_left].map(|one| one.map(|verdict| verdict.status))
    }

    #[test]
    fn code_moves_from_the_older_side_to_the_younger_or_either_way() {
        let of = |older| statuses("MIT", "GPL-3.0-only", older, false);
        assert_eq!(of(Older::Left), [Some(Status::Compatible), None]);
        assert_eq!(of(Older::Right), [None, Some(Status::Conflict)]);
        assert_eq!(of(Older::Unknown), [Some(Status::Compatible), Some(Status::Conflict)]);
    }

    #[test]
    fn a_project_needs_no_license_from_itself() {
        let into = |left, right, same_project| statuses(left, right, Older::Right, same_project)[1];
        assert_eq!(into("NONE", "NONE", false), Some(Status::Conflict));
        assert_eq!(into("NONE", "NONE", true), Some(Status::Same));
        assert_eq!(into("MIT", "NONE", true), Some(Status::Compatible));
        assert_eq!(into("MIT", "GPL-2.0-only", true), Some(Status::Conflict));
    }
}
