//! The time that a document says it was made at.

use familiar_source::time;

/// When a document was made. Where nobody says, nothing is written but what a schema demands, and there 1970: so the same result gives
/// the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Seconds since 1970.
    pub seconds: Option<i64>,
}

impl Stamp {
    /// What `SOURCE_DATE_EPOCH` says.
    pub fn of_environment(value: Option<&str>) -> Self {
        Self { seconds: value.and_then(|value| value.trim().parse().ok()) }
    }

    pub(super) fn utc(self) -> Option<String> {
        self.seconds.map(time::utc)
    }

    pub(super) fn utc_or_1970(self) -> String {
        time::utc(self.seconds.unwrap_or(0))
    }
}
