//! Which system calls a confined process may make: a list of those that it may, and nothing else.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Op, SeccompCondition as Condition,
    SeccompFilter, SeccompRule as Rule, TargetArch,
};
use std::collections::BTreeMap;

/// Stands for the number of the process in the filter [`signals_to_itself`], until the process is there.
const OWN_PROCESS: u32 = 0x7fff_fff1;

/// Bits of `clone` that make a new namespace.
const NEW_NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Commands of `fcntl` that make the kernel send signals to a process that the caller names.
const SIGNALS_BY_FCNTL: [i32; 3] = [8, 10, 15];

/// Commands of `ioctl` that type into a terminal (`TIOCSTI`, `TIOCLINUX`) or do what `F_SETOWN` does.
const FORBIDDEN_IOCTLS: [u64; 4] = [0x5412, 0x541c, 0x8901, 0x8902];

/// Calls that any program may make: memory, files that are open or that Landlock and the mounts allow, time, threads, pipes,
/// and waiting.
const ALLOWED: &[libc::c_long] = &[
    // memory
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_membarrier,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_get_mempolicy,
    // files
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_umask,
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    libc::SYS_pipe2,
    libc::SYS_eventfd2,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_signalfd4,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    // messages over pairs of sockets, the only ones there are
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    // processes and threads
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_futex,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
    libc::SYS_prctl,
    libc::SYS_capget,
    libc::SYS_pidfd_open,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_clone3,
    libc::SYS_seccomp,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // signals
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_kill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_restart_syscall,
    // time, names and chance
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
];

/// Older spellings, which this processor alone has.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_mknod,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[libc::c_long] = &[libc::SYS_renameat];

/// Calls that change modes, owners, times and attributes of files. Landlock does not cover them: they are allowed where a mount
/// that cannot be written to protects what lies outside.
const MODES: &[libc::c_long] =
    &[libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat];
#[cfg(target_arch = "x86_64")]
const MODES_HERE: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const MODES_HERE: &[libc::c_long] = &[];

/// What differs between confined processes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// Mounts protect what lies outside, and process numbers of others cannot be named.
    pub(crate) namespaces: bool,
    /// The process may make groups of processes, which the warm server does for its programs.
    pub(crate) groups: bool,
}

/// The filters of a confined process, to be installed in this order.
pub(crate) fn filters(scope: Scope) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<Rule>> = BTreeMap::new();
    let modes = if scope.namespaces { [MODES, MODES_HERE].concat() } else { Vec::new() };
    let groups: &[libc::c_long] =
        if scope.groups || scope.namespaces { &[libc::SYS_setsid, libc::SYS_setpgid] } else { &[] };
    for call in [ALLOWED, ALLOWED_HERE, &modes, groups].concat() {
        rules.insert(call, Vec::new());
    }
    let eq = |argument, value| Condition::new(argument, Width::Dword, Op::Eq, value);
    let ne = |argument, value| Condition::new(argument, Width::Dword, Op::Ne, value);
    rules.insert(
        libc::SYS_clone,
        vec![Rule::new(vec![Condition::new(0, Width::Qword, Op::MaskedEq(NEW_NAMESPACES), 0)?])?],
    );
    rules.insert(libc::SYS_socketpair, vec![Rule::new(vec![eq(0, libc::AF_UNIX as u64)?])?]);
    rules.insert(libc::SYS_prlimit64, vec![Rule::new(vec![eq(0, 0)?])?]);
    let fcntl: Result<Vec<_>, _> = SIGNALS_BY_FCNTL.iter().map(|command| ne(1, *command as u64)).collect();
    rules.insert(libc::SYS_fcntl, vec![Rule::new(fcntl?)?]);
    let ioctl: Result<Vec<_>, _> = FORBIDDEN_IOCTLS.iter().map(|command| ne(1, *command)).collect();
    rules.insert(libc::SYS_ioctl, vec![Rule::new(ioctl?)?]);
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let allowed = SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch()?)?;
    // Its flags lie in memory, where a filter cannot see them. Libraries fall back to `clone` when it is not there.
    let unseen = SeccompFilter::new(
        [(libc::SYS_clone3, Vec::new())].into_iter().collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS as u32),
        arch()?,
    )?;
    // Mono sets the usual scheduling for its threads, and prints a warning where it may not. It is told as done, and is not.
    let usual = Rule::new(vec![eq(1, libc::SCHED_OTHER as u64)?])?;
    let told = SeccompFilter::new(
        [(libc::SYS_sched_setscheduler, vec![usual])].into_iter().collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(0),
        arch()?,
    )?;
    Ok(vec![allowed.try_into()?, unseen.try_into()?, told.try_into()?])
}

/// A filter by which a process can send signals to itself alone. [`for_process`] completes it.
pub(crate) fn signals_to_itself() -> Result<BpfProgram, seccompiler::BackendError> {
    let other = || Condition::new(0, Width::Dword, Op::Ne, u64::from(OWN_PROCESS));
    let not_own_group = || Condition::new(0, Width::Dword, Op::Ne, 0);
    let mut rules = BTreeMap::new();
    rules.insert(libc::SYS_kill, vec![Rule::new(vec![other()?, not_own_group()?])?]);
    for call in [libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        rules.insert(call, vec![Rule::new(vec![other()?])?]);
    }
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch()?)?.try_into()
}

/// Puts the number of the process into the filter of [`signals_to_itself`]. Allocates nothing.
pub(crate) fn for_process(filter: &mut BpfProgram, process: u32) {
    for instruction in filter.iter_mut().filter(|instruction| instruction.k == OWN_PROCESS) {
        instruction.k = process;
    }
}

fn arch() -> Result<TargetArch, seccompiler::BackendError> {
    std::env::consts::ARCH.try_into()
}
