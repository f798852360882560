//! So many of so many pairs.

use familiar_judging::proportions::Rate;
use serde::Serialize;

/// How many of how many pairs were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Share {
    pub found: u64,
    pub all: u64,
}

impl Share {
    pub(super) fn add(&mut self, is_found: bool) {
        self.found += u64::from(is_found);
        self.all += 1;
    }

    /// From 0 to 1; none of nothing.
    pub fn value(self) -> Option<f64> {
        Rate::new(self.found, self.all).share
    }

    /// The 95 % interval after Wilson (1927).
    pub fn interval(self) -> [f64; 2] {
        let rate = Rate::new(self.found, self.all);
        [rate.low, rate.high]
    }

    /// In percent, such as `62.4 %`; `-` of nothing.
    pub(super) fn percent(self) -> String {
        self.value().map_or_else(|| "-".to_owned(), |it| format!("{:.1} %", it * 100.0))
    }

    /// The interval in percent, such as `60.1–64.2`.
    pub(super) fn reach(self) -> String {
        let [low, high] = self.interval().map(|it| it * 100.0);
        format!("{low:.1}–{high:.1}")
    }
}
