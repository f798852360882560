//! How much a program may use.

use std::time::Duration;

/// The limits of one run. The kernel enforces all of them but `wall` and `output`, which the one that waits enforces.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Limits {
    /// Time by the clock on the wall.
    pub wall: Duration,
    /// Time of the processor in whole seconds, of each process.
    pub cpu_seconds: u64,
    /// Memory in bytes, of each process.
    pub memory: u64,
    /// Bytes on standard output and standard error, each.
    pub output: u64,
    /// Processes and threads, beside the first.
    pub processes: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of the scratch folder.
    pub scratch: u64,
}

impl Default for Limits {
    /// 10 s by the clock and the processor, 512 MiB of memory, 1 MiB of output, 16 processes, files of 16 MiB and 64 MiB in all.
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(10),
            cpu_seconds: 10,
            memory: 512 << 20,
            output: 1 << 20,
            processes: 16,
            file: 16 << 20,
            scratch: 64 << 20,
        }
    }
}

impl Limits {
    /// These limits with another time, by the clock and the processor.
    pub fn within(self, wall: Duration) -> Self {
        Self { wall, cpu_seconds: wall.as_secs().max(1), ..self }
    }
}
