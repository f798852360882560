//! Which side of a pair is older, by evidence that can be compared.

use familiar_license::judge::Older;
use familiar_report::audit::DirectionRow;
use familiar_source::{Evidence, time};

use super::places::{Place, strong_time};

/// Since when some code stands on one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Age {
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
    pub(super) fn of_place(place: Option<&Place<'_>>) -> Self {
        let Some(Place { witness, .. }) = place else { return Self::unknown() };
        let o = &witness.occurrence;
        let or_earlier = o.evidence == Evidence::UploadTime;
        let text = match (strong_time(witness), o.first_seen) {
            (Some(since), _) => format!("in {} since {} ({})", o.project, time::utc(since), o.evidence),
            (None, Some(since)) => {
                format!("in {}: a file's time ({}) proves nothing", o.project, time::utc(since))
            }
            (None, None) => format!("in {}: no time is known", o.project),
        };
        Self { since: strong_time(witness), or_later: false, or_earlier, text }
    }

    /// Of a file that a commit brought.
    pub(super) fn of_commit(since: i64, commit: &str) -> Self {
        let text = format!("the file came with commit {commit} on {} (commit-time)", time::utc(since));
        Self { since: Some(since), or_later: true, text, ..Self::default() }
    }

    /// Of a file whose history cannot be asked.
    pub(super) fn untold(reason: &str) -> Self {
        Self { text: format!("no time is known: {reason}"), ..Self::default() }
    }

    /// Whether the code was not there before: a file's commit says so, a package's release does not.
    pub(super) fn is_beginning(&self) -> bool {
        !self.or_earlier
    }

    pub(super) fn unknown() -> Self {
        Self { text: "no time is known; files' times prove nothing".to_owned(), ..Self::default() }
    }
}

/// Which of two is older, and what speaks for it.
pub(super) fn of(left: &Age, right: &Age) -> (Older, DirectionRow) {
    let older = match (left.since, right.since) {
        (Some(here), Some(there)) if there < here => Older::Right,
        (Some(here), Some(there)) if here < there && !left.or_later => Older::Left,
        _ => Older::Unknown,
    };
    let name = match older {
        Older::Left => "left",
        Older::Right => "right",
        Older::Unknown => "unknown",
    };
    let mut evidence = vec![format!("left: {}", left.text), format!("right: {}", right.text)];
    if left.or_later && left.since < right.since && right.since.is_some() {
        evidence.push("left: the file is older, but the code may have come into it later".to_owned());
    }
    (older, DirectionRow { older: name, evidence, left_since: left.since })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_tell_only_what_they_prove() {
        let exact = |since| Age { since: Some(since), ..Age::default() };
        let file = |since| Age::of_commit(since, "1");
        let older = |left: &Age, right: &Age| of(left, right).1.older;
        assert_eq!(older(&exact(5), &exact(3)), "right");
        assert_eq!(older(&exact(3), &exact(5)), "left");
        assert_eq!(older(&exact(3), &exact(3)), "unknown");
        assert_eq!(older(&file(5), &exact(3)), "right");
        assert_eq!(older(&file(3), &exact(5)), "unknown");
        assert_eq!(older(&Age::unknown(), &exact(3)), "unknown");
        assert_eq!(of(&file(3), &exact(5)).1.evidence.len(), 3);
    }
}
