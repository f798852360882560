//! Which side of a pair is older, by evidence that can be compared.

use familiar_judge::Older;
use familiar_report::audit::DirectionRow;
use familiar_source::{Evidence, time};

use crate::git_history::HistoryError;
use crate::places::{self, Place, strong_time};

/// Since when some code stands on one side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Age {
    /// Seconds since 1970.
    since: Option<i64>,
    /// Whether the code may have come later: the time is that of its file.
    or_later: bool,
    /// Whether the code may have come earlier: a release says nothing of the releases before it.
    or_earlier: bool,
    /// What it rests on, in words.
    text: String,
}

impl Age {
    /// Of a place in a corpus.
    pub(crate) fn of_place(place: Option<&Place<'_>>) -> Self {
        let Some(Place { witness, .. }) = place else { return Self::unknown() };
        let o = &witness.occurrence;
        let or_earlier = o.evidence == Evidence::UploadTime;
        let name = places::called(witness);
        let text = match (strong_time(witness), o.first_seen) {
            (Some(since), _) => {
                format!("{name} has the code since {} ({})", time::utc(since), in_words(o.evidence))
            }
            (None, Some(since)) if o.evidence == Evidence::None => {
                format!(
                    "{name} has the code since {} or longer: its history is a shallow clone",
                    time::utc(since)
                )
            }
            (None, Some(since)) => {
                format!("{name} has a file of {}, but the time of a file is not reliable", time::utc(since))
            }
            (None, None) => format!("{name} has no date"),
        };
        Self { since: strong_time(witness), or_later: false, or_earlier, text }
    }

    /// Of a file that a commit brought.
    pub(crate) fn of_commit(since: i64, commit: &str) -> Self {
        let text = format!("your file was added on {} by commit {commit}", time::utc(since));
        Self { since: Some(since), or_later: true, text, ..Self::default() }
    }

    /// Of a file whose history cannot be asked.
    pub(crate) fn without_history(reason: &HistoryError) -> Self {
        Self { text: format!("your file has no reliable date: {reason}"), ..Self::default() }
    }

    /// Whether the code was not there before: a file's commit says so, a package's release does not.
    pub(crate) fn is_beginning(&self) -> bool {
        !self.or_earlier
    }

    pub(crate) fn unknown() -> Self {
        Self { text: "your file has no reliable date".to_owned(), ..Self::default() }
    }
}

fn in_words(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::None => "no date",
        Evidence::FileTime => "time of the file",
        Evidence::CommitTime => "time of the commit",
        Evidence::PostTime => "time of the post",
        Evidence::UploadTime => "time of the upload",
    }
}

/// Which of two is older, and what speaks for it: first in one sentence, which calls the right side `name`.
pub(crate) fn of(left: &Age, right: &Age, name: &str) -> (Older, DirectionRow) {
    let older = match (left.since, right.since) {
        (Some(here), Some(there)) if there < here => Older::Right,
        (Some(here), Some(there)) if here < there && !left.or_later => Older::Left,
        _ => Older::Unknown,
    };
    let side = match older {
        Older::Left => "left",
        Older::Right => "right",
        Older::Unknown => "unknown",
    };
    let evidence = vec![summary(older, left, right, name), left.text.clone(), right.text.clone()];
    let [left_since, right_since] = [left, right].map(|age| age.since.map(time::utc));
    (older, DirectionRow { older: side, evidence, left_since, right_since })
}

/// Who copied from whom as far as is known, and why.
fn summary(older: Older, left: &Age, right: &Age, name: &str) -> String {
    let day = |age: &Age| age.since.map(|since| time::utc(since)[..10].to_owned());
    let dated = day(right).map_or_else(|| name.to_owned(), |day| format!("{name} ({day})"));
    let here = day(left).unwrap_or_default();
    match older {
        Older::Right => format!("Copied from {dated}. Your file is newer ({here})."),
        Older::Left => format!("{dated} copied from here. Your file is older ({here})."),
        Older::Unknown => {
            let why = match (left.since, right.since) {
                (None, Some(_)) => "your file has no reliable date".to_owned(),
                (None, None) => "neither side has a reliable date".to_owned(),
                (Some(_), None) => format!("{name} has no reliable date"),
                (Some(here), Some(there)) if here == there => "both sides have the same date".to_owned(),
                (Some(_), Some(_)) => {
                    format!("your file is older ({here}), but the code may have been added to it later")
                }
            };
            format!("Direction unknown. Treated as copied from {dated}, because {why}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_tell_only_what_they_prove() {
        let exact = |since| Age { since: Some(since), ..Age::default() };
        let file = |since| Age::of_commit(since, "1");
        let older = |left: &Age, right: &Age| of(left, right, "x").1.older;
        assert_eq!(older(&exact(5), &exact(3)), "right");
        assert_eq!(older(&exact(3), &exact(5)), "left");
        assert_eq!(older(&exact(3), &exact(3)), "unknown");
        assert_eq!(older(&file(5), &exact(3)), "right");
        assert_eq!(older(&file(3), &exact(5)), "unknown");
        let may_be_from_here = |left: &Age, right: &Age| of(left, right, "x").1.may_be_from_here();
        assert!(may_be_from_here(&file(3), &exact(5)) && may_be_from_here(&exact(3), &exact(5)));
        assert!(!may_be_from_here(&file(5), &exact(3)) && !may_be_from_here(&Age::unknown(), &exact(3)));
        assert!(!may_be_from_here(&file(3), &Age::unknown()));
        assert_eq!(older(&Age::unknown(), &exact(3)), "unknown");
    }

    #[test]
    fn the_first_sentence_says_what_is_assumed_and_why() {
        let day = |day: i64| Age { since: Some(day * 86_400), ..Age::default() };
        let sentence = |left: &Age, right: &Age| of(left, right, "html2text").1.evidence[0].clone();
        assert_eq!(
            sentence(&Age::unknown(), &day(19_780)),
            "Direction unknown. Treated as copied from html2text (2024-02-27), because your file has no reliable date."
        );
        assert_eq!(
            sentence(&day(19_781), &day(19_780)),
            "Copied from html2text (2024-02-27). Your file is newer (2024-02-28)."
        );
        assert_eq!(
            sentence(&day(1), &day(19_780)),
            "html2text (2024-02-27) copied from here. Your file is older (1970-01-02)."
        );
        let file = Age::of_commit(0, "1");
        assert_eq!(
            sentence(&file, &day(19_780)),
            "Direction unknown. Treated as copied from html2text (2024-02-27), because your file is older (1970-01-01), but the code may \
             have been added to it later."
        );
    }
}
