//! How a process confines itself, between `fork` and `exec`. Nothing here allocates: another thread may have held the lock of the
//! memory when the process was made.

use super::mounts::MAPS;
use super::{Jail, Mounts, Role, filter, rules};
use landlock::{AccessFs, PathBeneath, RulesetCreatedAttr};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::{ForkResult, Gid, Pid, Uid};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

impl Jail {
    /// Confines the process that calls it, for good. On return the process is ready for `exec`.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        // A process that leads a group already cannot do this, and need not.
        let _ = nix::unistd::setsid();
        // The kernel's first choice when memory runs out. Where it cannot be written, the choice is the kernel's.
        let _ = put(c"/proc/self/oom_score_adj", b"1000");
        self.drop_user()?;
        if self.role == Role::Program {
            // The thread that starts a program waits for it. The server outlives threads, and ends with its pipe.
            prctl::set_pdeathsig(Signal::SIGKILL)?;
        }
        if self.layers.namespaces {
            self.enter_namespaces()?;
        } else {
            prctl::set_child_subreaper(self.role == Role::Server)?;
        }
        nix::unistd::chdir(self.scratch.as_c_str())?;
        for (resource, limit) in &self.limits {
            setrlimit(*resource, *limit, *limit)?;
        }
        let _ = nix::sys::stat::umask(Mode::from_bits_truncate(0o022));
        close_the_rest()?;
        prctl::set_no_new_privs()?;
        self.restrict_files()?;
        self.restrict_calls()
    }

    fn drop_user(&self) -> Result<(), Errno> {
        let Some(user) = self.drop_to else { return Ok(()) };
        nix::unistd::setgroups(&[])?;
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        nix::unistd::setresgid(gid, gid, gid)?;
        nix::unistd::setresuid(uid, uid, uid)?;
        // Its own files in /proc would belong to root otherwise.
        prctl::set_dumpable(true)
    }

    /// Afterwards this is another process, with another number: the first one (or, for a program, the first of the namespace too)
    /// waits for it.
    fn enter_namespaces(&self) -> Result<(), Errno> {
        let (read, write) = nix::unistd::pipe2(OFlag::O_CLOEXEC)?;
        nix::sched::unshare(
            CloneFlags::CLONE_NEWUSER
                | CloneFlags::CLONE_NEWNS
                | CloneFlags::CLONE_NEWPID
                | CloneFlags::CLONE_NEWNET
                | CloneFlags::CLONE_NEWIPC
                | CloneFlags::CLONE_NEWUTS,
        )?;
        put(c"/proc/self/setgroups", b"deny")?;
        put(c"/proc/self/uid_map", self.user_map.as_bytes())?;
        put(c"/proc/self/gid_map", self.group_map.as_bytes())?;
        // SAFETY: the process has one thread.
        if let ForkResult::Parent { child } = unsafe { nix::unistd::fork() }? {
            wait_outside(child, &read);
        }
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        // A group that the process outside belongs to could be used to kill it.
        let _ = nix::unistd::setsid();
        if self.role == Role::Program {
            // The first process of a namespace gets no signals by default, `abort` among them, so the program is the second.
            // SAFETY: the process has one thread.
            if let ForkResult::Parent { child } = unsafe { nix::unistd::fork() }? {
                wait_inside(child, &write);
            }
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            let _ = nix::unistd::setsid();
        }
        // Last, since the tree shows what the process that runs the program has open.
        self.mounts.as_ref().map_or(Ok(()), Mounts::enter)
    }

    fn restrict_files(&mut self) -> io::Result<()> {
        let Some(mut ruleset) = self.ruleset.take() else { return Ok(()) };
        for folder in std::iter::once(&self.scratch).chain(&self.written) {
            let opened = nix::fcntl::open(
                folder.as_c_str(),
                OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC,
                Mode::empty(),
            )?;
            let rule = PathBeneath::new(opened, rules::of_scratch());
            ruleset = ruleset.add_rule(rule).map_err(|_| Errno::EPERM)?;
        }
        if self.maps {
            let opened = nix::fcntl::open(MAPS, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty())?;
            ruleset =
                ruleset.add_rule(PathBeneath::new(opened, AccessFs::ReadFile)).map_err(|_| Errno::EPERM)?;
        }
        let status = ruleset.restrict_self().map_err(|_| Errno::EPERM)?;
        if status.ruleset == landlock::RulesetStatus::NotEnforced {
            Err(Errno::ENOSYS.into())
        } else {
            Ok(())
        }
    }

    fn restrict_calls(&mut self) -> io::Result<()> {
        if let Some(filter) = &mut self.own_signals {
            filter::for_process(filter, std::process::id());
            seccompiler::apply_filter(filter).map_err(|_| Errno::EPERM)?;
        }
        for filter in &self.filters {
            seccompiler::apply_filter(filter).map_err(|_| Errno::EPERM)?;
        }
        Ok(())
    }
}

/// Writes all of `bytes` to a file that is there.
fn put(path: &CStr, bytes: &[u8]) -> Result<(), Errno> {
    let file = nix::fcntl::open(path, OFlag::O_WRONLY | OFlag::O_CLOEXEC, Mode::empty())?;
    match nix::unistd::write(&file, bytes)? {
        written if written == bytes.len() => Ok(()),
        _ => Err(Errno::EIO),
    }
}

/// Files that the caller had open are closed with `exec`, whoever opened them.
fn close_the_rest() -> Result<(), Errno> {
    // SAFETY: the call takes numbers only. It marks descriptors, and those of this process that are in use stay open until `exec`.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    Errno::result(done).map(drop)
}

/// Closes every descriptor but `kept`, which becomes the first one.
fn keep_only(kept: &OwnedFd) {
    // SAFETY: the process does nothing from here on but wait, and then it ends by `_exit`: no owner uses a descriptor again.
    unsafe {
        libc::dup2(kept.as_raw_fd(), 0);
        libc::syscall(libc::SYS_close_range, 1_u32, u32::MAX, 0_u32);
    }
}

/// Waits until `child` has ended, and returns its status in the kernel's form. Other children are reaped on the way.
fn wait_for(child: Pid) -> i32 {
    let mut status = 0;
    loop {
        // SAFETY: the pointer leads to a local value.
        match unsafe { libc::waitpid(-1, &raw mut status, 0) } {
            -1 if Errno::last() != Errno::EINTR => return 0x7f00,
            ended if ended == child.as_raw() => return status,
            _ => {}
        }
    }
}

/// The process outside the namespace: ends as the one inside ended. What the program's status was comes through `read`.
fn wait_outside(child: Pid, read: &OwnedFd) -> ! {
    keep_only(read);
    let mut status = wait_for(child).to_ne_bytes();
    // SAFETY: the buffer is four bytes long. Afterwards the process ends, in the way that the status says.
    unsafe {
        let mut told = [0_u8; 4];
        if libc::read(0, told.as_mut_ptr().cast(), 4) == 4 {
            status = told;
        }
        let status = i32::from_ne_bytes(status);
        if libc::WIFSIGNALED(status) {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(Resource::RLIMIT_CORE as _, &raw const none);
            libc::signal(libc::WTERMSIG(status), libc::SIG_DFL);
            libc::kill(libc::getpid(), libc::WTERMSIG(status));
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

/// The first process of the namespace: tells how the program ended, and ends. With it everything in the namespace ends.
fn wait_inside(child: Pid, write: &OwnedFd) -> ! {
    keep_only(write);
    let status = wait_for(child).to_ne_bytes();
    // SAFETY: the buffer is four bytes long, and the process ends.
    unsafe {
        libc::write(0, status.as_ptr().cast(), 4);
        libc::_exit(0)
    }
}
