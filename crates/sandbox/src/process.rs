//! One confined process from its start to its end.

use crate::Limits;
use crate::error::SandboxError;
use crate::jail::Role;
use crate::program::End;
use crate::protocol::Seen;
use crate::setup::{Cell, Needs, Setup};
use crate::streams::{Stop, Streams};
use nix::fcntl::OFlag;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, Uid};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// How often a scratch folder on disk is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How many milliseconds a tick of `/proc` has: Linux tells programs 100 of them a second.
const TICK: u64 = 10;
/// By so much the times of `/proc` may be behind those that the kernel's limits go by.
const LOOSE: Duration = Duration::from_millis(100);

/// A command, and where it runs.
pub(crate) struct Start<'a> {
    pub(crate) command: &'a [OsString],
    pub(crate) input: &'a [u8],
    pub(crate) readable: &'a [PathBuf],
    /// A folder on disk that it may write to.
    pub(crate) written: Option<&'a Path>,
    /// A folder for the dynamic linker.
    pub(crate) libraries: Option<&'a Path>,
    pub(crate) needs: Needs,
    pub(crate) limits: Limits,
}

/// Runs a command in a cell until it ends or is over a limit. Then nothing of it lives.
pub(crate) fn run(setup: &Setup, cell: &Cell, start: &Start<'_>) -> Result<Seen, SandboxError> {
    let fail = |error: nix::errno::Errno| SandboxError::Start(error.into());
    let (out, out_end) = nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(fail)?;
    let (err, err_end) = nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(fail)?;
    if let Some(user) = cell.user {
        // Who opens a pipe by its name in /dev has to be the one to whom it belongs.
        for end in [&out_end, &err_end] {
            nix::unistd::fchown(end, Some(Uid::from_raw(user)), None).map_err(fail)?;
        }
    }
    let input = if start.input.is_empty() { File::open("/dev/null") } else { in_memory(start.input) };
    let mut command = Command::new(start.command.first().cloned().unwrap_or_default());
    command.args(start.command.iter().skip(1)).current_dir("/");
    command.stdin(input.map_err(SandboxError::Start)?).stdout(out_end).stderr(err_end);
    let role = (Role::Program, start.needs);
    setup.confine(&mut command, cell, &start.limits, role, start.readable, start.written)?;
    if let Some(folder) = start.libraries {
        command.env("LD_LIBRARY_PATH", folder);
    }
    let mut child = command.spawn().map_err(SandboxError::Start)?;
    // Without this, the write ends of the pipes would stay open here.
    drop(command);
    let seen = watch(setup, cell, start, &mut child, [out, err]);
    if seen.is_err() {
        let _ = end(setup, &mut child);
    }
    seen.map_err(SandboxError::Start)
}

fn watch(
    setup: &Setup,
    cell: &Cell,
    start: &Start<'_>,
    child: &mut Child,
    ends: [OwnedFd; 2],
) -> io::Result<Seen> {
    let handle = handle_of(child)?;
    let mut streams = Streams::new(ends, start.limits.output)?;
    let begin = Instant::now();
    let deadline = begin + start.limits.wall;
    let mut over = loop {
        let look = if setup.layers.namespaces { deadline } else { deadline.min(Instant::now() + LOOK) };
        match streams.read_until(&handle, look)? {
            Stop::Other => break None,
            Stop::TooMuch => break Some(End::TooMuchOutput),
            Stop::Time if Instant::now() >= deadline => break Some(End::TimedOut),
            Stop::Time if holds_more_than(start.limits.scratch, &cell.scratch) => {
                break Some(End::TooMuchOnDisk);
            }
            Stop::Time => {}
        }
    };
    let used = if over.is_none() { processor_time(child.id()) } else { None };
    let status = end(setup, child)?;
    if over.is_none() && !streams.read_rest()? {
        over = Some(End::TooMuchOutput);
    }
    // The kernel kills at the second limit, which a program cannot catch. Several threads reach it before that time has passed.
    let most = Duration::from_secs(start.limits.cpu_seconds);
    let used_up = used.unwrap_or_default().max(begin.elapsed()) + LOOSE >= most;
    if over.is_none() && status == libc::SIGKILL && used_up {
        over = Some(End::TimedOut);
    }
    let [stdout, stderr] = streams.into_held();
    Ok(Seen { over, status, stdout, stderr, said: Vec::new() })
}

/// The processor time of a process that has ended and has not been waited for, and of those that it has waited for itself.
fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may hold anything, also spaces and brackets. The times are fields 14 to 17 (proc(5)).
    let fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let ticks: u64 = fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(ticks * TICK))
}

/// Ends a process and all that it has started, and gives its status.
fn end(setup: &Setup, child: &mut Child) -> io::Result<i32> {
    if setup.layers.namespaces {
        // If it has ended, so has its namespace. Otherwise the namespace ends with it.
        let _ = child.kill();
    } else if let Ok(group) = i32::try_from(child.id()) {
        // The number is its own until it has been waited for.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
    Ok(child.wait()?.into_raw())
}

/// A descriptor that is ready when the process has ended.
fn handle_of(child: &Child) -> io::Result<OwnedFd> {
    // SAFETY: the call takes numbers, and gives a new descriptor that nobody else owns, or a negative number.
    unsafe {
        let handle = libc::syscall(libc::SYS_pidfd_open, child.id(), 0);
        let handle = i32::try_from(nix::errno::Errno::result(handle)?).map_err(io::Error::other)?;
        Ok(OwnedFd::from_raw_fd(handle))
    }
}

/// A file without a name that holds `bytes` and is read from its beginning.
pub(crate) fn in_memory(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create(c"familiar", MFdFlags::MFD_CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// Whether a folder holds more than `bytes`, more than 4,096 entries, or folders nested more than 100 deep. Looks at no more entries.
fn holds_more_than(bytes: u64, top: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (mut waiting, mut entries, mut held) = (vec![(top.to_owned(), 0)], 0, 0);
    while let Some((folder, depth)) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            entries += 1;
            let Ok(metadata) = entry.metadata() else { continue };
            held += metadata.blocks() * 512;
            if entries > 4096 || held > bytes || depth > 100 {
                return true;
            }
            if metadata.is_dir() {
                waiting.push((entry.path(), depth + 1));
            }
        }
    }
    false
}
