//! The time that a document says it was made at.

use std::time::{SystemTime, UNIX_EPOCH};

use familiar_source::time;

/// When a document was made. It is the one thing that differs between two runs with the same result; nothing else follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Since 1970.
    pub seconds: i64,
}

impl Stamp {
    /// What `SOURCE_DATE_EPOCH` says; otherwise now.
    pub fn of_environment(value: Option<&str>) -> Self {
        let said = value.and_then(|value| value.trim().parse().ok());
        said.map_or_else(Self::now, |seconds| Self { seconds })
    }

    fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX) }
    }

    pub(super) fn utc(self) -> String {
        time::utc(self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_over_the_clock() {
        assert_eq!(Stamp::of_environment(Some(" 86400\n")).utc(), "1970-01-02T00:00:00Z");
        for nothing in [None, Some(""), Some("yesterday")] {
            assert!(Stamp::of_environment(nothing).utc().as_str() > "2026");
        }
    }
}
