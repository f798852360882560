//! Which submissions follow each other.

use std::collections::BTreeMap;

use crate::status::{ACCEPTED, is_judged};
use crate::submission::Submission;

/// Which pairs are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairs {
    /// A rejected submission and an accepted one.
    #[default]
    Fixes,
    /// Any two.
    All,
}

impl Pairs {
    pub const ALL: [(&'static str, Self); 2] = [("fixes", Self::Fixes), ("all", Self::All)];

    fn takes(self, from: &Submission, to: &Submission) -> bool {
        self == Self::All || (from.status != ACCEPTED && to.status == ACCEPTED)
    }
}

/// The submissions of a problem that follow each other: of one user, in one language, by date and id. Those without a user or a date
/// follow none. Those that the judge did not judge say nothing, and are passed over.
pub(super) fn pairs(submissions: Vec<Submission>, wanted: Pairs) -> Vec<[Submission; 2]> {
    let mut chains: BTreeMap<(String, String), Vec<Submission>> = BTreeMap::new();
    for it in submissions {
        if !it.user_id.is_empty() && it.date.is_some() && is_judged(&it.status) {
            chains.entry((it.user_id.clone(), it.language.clone())).or_default().push(it);
        }
    }
    let mut pairs = Vec::new();
    for mut chain in chains.into_values() {
        chain.sort_by(|one, two| (one.date, &one.submission_id).cmp(&(two.date, &two.submission_id)));
        let two = chain.windows(2).filter(|two| wanted.takes(&two[0], &two[1]));
        pairs.extend(two.map(|two| [two[0].clone(), two[1].clone()]));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(id: &str, user: &str, language: &str, date: Option<i64>, status: &str) -> Submission {
        let text = str::to_owned;
        Submission {
            submission_id: text(id),
            user_id: text(user),
            language: text(language),
            date,
            status: text(status),
            ..Submission::default()
        }
    }

    #[test]
    fn submissions_follow_each_other_by_date() {
        let all = vec![
            submission("5", "ann", "C", Some(40), "Accepted"),
            submission("2", "ann", "C", Some(10), "Wrong Answer"),
            submission("3", "ann", "C", Some(20), "Internal Error"),
            submission("4", "ann", "C", Some(30), "Runtime Error"),
            submission("6", "ann", "C", Some(50), "Accepted"),
            // Other languages, other users, no user and no date.
            submission("1", "ann", "Java", Some(25), "Wrong Answer"),
            submission("7", "bob", "C", Some(35), "Accepted"),
            submission("8", "", "C", Some(35), "Accepted"),
            submission("9", "bob", "C", None, "Accepted"),
        ];
        let ids = |wanted| -> Vec<String> {
            let pairs = pairs(all.clone(), wanted);
            pairs.iter().map(|[from, to]| format!("{}{}", from.submission_id, to.submission_id)).collect()
        };
        assert_eq!(ids(Pairs::Fixes), ["45"]);
        assert_eq!(ids(Pairs::All), ["24", "45", "56"]);
    }
}
