//! What a detector took of the machine.

use std::time::Instant;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use serde::Serialize;

/// Time and memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Used {
    /// Wall time.
    pub seconds: f64,
    /// Processor time: of this program, or of the detector where that is a program of its own.
    pub cpu_seconds: f64,
    /// The most memory at a time, in bytes. It is not known of a program that took less than one before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl Used {
    /// Such as `2.0 s, 3.9 CPU s, at most 104 MiB`.
    pub(super) fn in_words(&self) -> String {
        let memory = self.memory.map(|it| format!(", at most {} MiB", it.div_ceil(1 << 20)));
        format!("{:.1} s, {:.1} CPU s{}", self.seconds, self.cpu_seconds, memory.unwrap_or_default())
    }

    /// What is known, by the names of the fields.
    pub(super) fn values(&self) -> Vec<(&'static str, String)> {
        let times = [("seconds", self.seconds.to_string()), ("cpu_seconds", self.cpu_seconds.to_string())];
        times.into_iter().chain(self.memory.map(|it| ("memory", it.to_string()))).collect()
    }

    /// Seconds, seconds of the processor and MiB, as cells of a table.
    pub(super) fn cells(&self) -> [String; 3] {
        let memory = self.memory.map_or_else(|| "--".to_owned(), |it| it.div_ceil(1 << 20).to_string());
        [format!("{:.1}", self.seconds), format!("{:.1}", self.cpu_seconds), memory]
    }
}

/// Whose time and memory are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    /// Programs that were started here and have ended.
    Programs,
}

/// Measures from now on.
pub(super) struct Watch {
    whose: Whose,
    started: Instant,
    before: Option<Usage>,
}

impl Watch {
    pub(super) fn start(whose: Whose) -> Self {
        if whose == Whose::Ours {
            // Linux forgets the peak of before; elsewhere, and where it does not, it counts, too.
            let _ = std::fs::write("/proc/self/clear_refs", "5");
        }
        Self { whose, started: Instant::now(), before: whose.usage() }
    }

    pub(super) fn end(&self) -> Option<Used> {
        let (before, after) = (self.before.as_ref()?, self.whose.usage()?);
        let peak = bytes(&after);
        let is_known = self.whose == Whose::Ours || peak > bytes(before);
        Some(Used {
            seconds: self.started.elapsed().as_secs_f64(),
            cpu_seconds: (processor(&after) - processor(before)).max(0.0),
            memory: is_known.then_some(peak),
        })
    }
}

impl Whose {
    fn usage(self) -> Option<Usage> {
        let who = match self {
            Self::Ours => UsageWho::RUSAGE_SELF,
            Self::Programs => UsageWho::RUSAGE_CHILDREN,
        };
        getrusage(who).ok()
    }
}

fn processor(usage: &Usage) -> f64 {
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6
}

/// Darwin counts bytes, and the others KiB.
fn bytes(usage: &Usage) -> u64 {
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    u64::try_from(usage.max_rss()).unwrap_or(0) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_memory() {
        let watch = Watch::start(Whose::Ours);
        let begun = processor(watch.before.as_ref().expect("this system tells"));
        let some = std::hint::black_box(vec![1u8; 64 << 20]);
        let mut sum = 0u64;
        // Until this process has had so much of a processor, however long that takes.
        while Whose::Ours.usage().is_some_and(|now| processor(&now) - begun < 0.05) {
            sum = sum.wrapping_add(some.iter().step_by(4096).map(|it| u64::from(*it)).sum::<u64>());
        }
        std::hint::black_box(sum);
        let used = watch.end().expect("this system tells");
        assert!(used.cpu_seconds >= 0.05 && used.seconds > 0.0, "{used:?}");
        assert!(used.memory.expect("it is ours") >= 64 << 20, "{used:?}");
    }
}
