//! One decision: about which finding, what, why, by whom and when.

use familiar_source::time;
use serde::{Deserialize, Serialize};

/// What somebody says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// It may stay.
    Accepted,
    /// It is no copy.
    FalsePositive,
    /// Somebody has to do something about it.
    NeedsAction,
    /// Nothing; takes back what was said before.
    Open,
}

impl Judgement {
    pub const ALL: [Self; 4] = [Self::Accepted, Self::FalsePositive, Self::NeedsAction, Self::Open];

    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::FalsePositive => "false-positive",
            Self::NeedsAction => "needs-action",
            Self::Open => "open",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|judgement| judgement.name() == name)
    }

    /// Whether nobody needs to look at the finding again.
    pub fn settles(self) -> bool {
        matches!(self, Self::Accepted | Self::FalsePositive)
    }
}

/// Most characters of a comment, of a name, and of a place.
const MOST_COMMENT: usize = 4_000;
const MOST_NAME: usize = 200;
const MOST_PLACE: usize = 1_000;

/// What somebody said of a finding. Their order is that of fingerprints, then of time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Of a class or a pair: 32 hexadecimal digits.
    pub fingerprint: String,
    /// In UTC, as `2026-01-31T12:00:00Z`.
    pub decided: String,
    pub author: String,
    pub decision: Judgement,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Where the finding was when it was decided, for people; nothing depends on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// What is wrong with a decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    #[error(
        "{0:?} is not a fingerprint; fingerprints have 32 hexadecimal digits, and --format json shows them"
    )]
    Fingerprint(String),
    #[error("{0:?} is not a time; write it as in 2026-01-31T12:00:00Z")]
    Time(String),
    #[error("the author is missing; give a name")]
    Nobody,
    #[error("the {0} has more than {1} characters, or invisible characters")]
    Text(&'static str, usize),
}

impl Decision {
    /// Why a finding is settled, and who says so, in as many characters as a comment may have.
    pub fn reason(&self) -> String {
        let why = match (self.comment.as_str(), self.decision) {
            ("", Judgement::FalsePositive) => "no copy",
            ("", _) => "accepted",
            (comment, _) => comment,
        };
        let by = format!(" ({})", self.author);
        let room = MOST_COMMENT - by.chars().count();
        let why: String = if why.chars().count() <= room {
            why.to_owned()
        } else {
            why.chars().take(room - 1).chain(['…']).collect()
        };
        why + &by
    }

    /// The day, as `2026-01-31`.
    pub fn day(&self) -> &str {
        self.decided.split_once('T').map_or(self.decided.as_str(), |(day, _)| day)
    }

    /// The decision with its fingerprint and its time as they are compared.
    pub fn checked(mut self) -> Result<Self, DecisionError> {
        self.fingerprint.make_ascii_lowercase();
        let is_print =
            self.fingerprint.len() == 32 && self.fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_print {
            return Err(DecisionError::Fingerprint(self.fingerprint));
        }
        match time::parse(&self.decided) {
            Some(seconds) => self.decided = time::utc(seconds),
            None => return Err(DecisionError::Time(self.decided)),
        }
        for text in [&mut self.author, &mut self.comment, &mut self.place] {
            *text = text.trim().to_owned();
        }
        if self.author.chars().all(joins) {
            return Err(DecisionError::Nobody);
        }
        let of_comment = |letter: char| !matches!(letter, '\n' | '\t') && is_unseen(letter);
        for (what, text, most, is_unseen) in [
            ("name", &self.author, MOST_NAME, &is_unseen as &dyn Fn(char) -> bool),
            // Paths are as they are.
            ("place", &self.place, MOST_PLACE, &char::is_control),
            ("comment", &self.comment, MOST_COMMENT, &of_comment),
        ] {
            if text.chars().count() > most || text.chars().any(is_unseen) {
                return Err(DecisionError::Text(what, most));
            }
        }
        Ok(self)
    }
}

/// Whether a character shows nothing itself, and may change how others are shown: controls, what turns the direction of text, blanks
/// without width, and tags.
fn is_unseen(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}');
    let has_no_width =
        matches!(letter, '\u{200b}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
    letter.is_control() || turns || has_no_width || matches!(letter, '\u{e0000}'..='\u{e007f}')
}

/// Whether a character only says how those beside it are written, as in Persian words and in signs of several parts.
fn joins(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision() -> Decision {
        Decision {
            fingerprint: "0123456789ABCDEF0123456789abcdef".to_owned(),
            decided: "2026-01-31".to_owned(),
            author: " ada ".to_owned(),
            decision: Judgement::Accepted,
            comment: "ours\nwholly".to_owned(),
            place: String::new(),
        }
    }

    #[test]
    fn what_is_compared_is_written_one_way() {
        let checked = decision().checked().expect("it is right");
        assert_eq!(checked.fingerprint, "0123456789abcdef0123456789abcdef");
        assert_eq!((checked.decided.as_str(), checked.author.as_str()), ("2026-01-31T00:00:00Z", "ada"));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let wrong = |change: &dyn Fn(&mut Decision)| {
            let mut decision = decision();
            change(&mut decision);
            decision.checked().expect_err("it is wrong")
        };
        assert_eq!(
            wrong(&|decision| decision.fingerprint = "é".repeat(16)),
            DecisionError::Fingerprint("é".repeat(16))
        );
        assert_eq!(
            wrong(&|decision| decision.decided = "soon".to_owned()),
            DecisionError::Time("soon".to_owned())
        );
        assert_eq!(wrong(&|decision| decision.author = " ".to_owned()), DecisionError::Nobody);
        assert_eq!(
            wrong(&|decision| decision.author = "a\nb".to_owned()),
            DecisionError::Text("name", MOST_NAME)
        );
        for unseen in ['\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{7}', '\u{e0041}'] {
            assert_eq!(
                wrong(&|decision| decision.author = format!("a{unseen}b")),
                DecisionError::Text("name", MOST_NAME)
            );
            assert_eq!(
                wrong(&|decision| decision.comment = format!("a{unseen}b")),
                DecisionError::Text("comment", MOST_COMMENT)
            );
        }
        assert_eq!(wrong(&|decision| decision.author = "\u{200d}".to_owned()), DecisionError::Nobody);
        let joined = Decision { author: "\u{645}\u{6cc}\u{200c}\u{622}".to_owned(), ..decision() };
        assert!(joined.checked().is_ok());
        let long = "x".repeat(MOST_COMMENT + 1);
        assert_eq!(
            wrong(&|decision| decision.comment.clone_from(&long)),
            DecisionError::Text("comment", MOST_COMMENT)
        );
    }

    #[test]
    fn a_reason_may_be_a_comment() {
        let long =
            Decision { comment: "x".repeat(MOST_COMMENT), author: "é".repeat(MOST_NAME), ..decision() };
        let reason = long.checked().expect("it is right").reason();
        assert_eq!(reason.chars().count(), MOST_COMMENT);
        assert!(reason.ends_with("é)") && decision().reason().ends_with("wholly ( ada )"));
    }

    #[test]
    fn a_judgement_has_one_name() {
        for judgement in Judgement::ALL {
            assert_eq!(Judgement::from_name(judgement.name()), Some(judgement));
            assert_eq!(serde_json::to_value(judgement).expect("plain"), judgement.name());
        }
    }
}
