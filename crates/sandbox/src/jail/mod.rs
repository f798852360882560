//! A jail: what a process does to itself so that the kernel keeps it where it is.
//!
//! `filter` lists the system calls, `rules` the files by Landlock, `mounts` the tree that is seen, and `enter` does it.

mod enter;
mod filter;
mod mounts;
mod rules;

use crate::layers::Layers;
use landlock::RulesetCreated;
use mounts::{Mounts, c_string};
use nix::sys::resource::Resource;
use seccompiler::BpfProgram;
use std::ffi::CString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use rules::{LEAST_VERSION, version};

/// The part that a confined process plays.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    /// A program that nobody trusts.
    Program,
    /// The warm server, which makes processes for programs.
    Server,
}

/// What a process gets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order<'a> {
    pub(crate) role: Role,
    pub(crate) layers: Layers,
    /// Files and folders to read and execute.
    pub(crate) readable: &'a [PathBuf],
    /// A folder on disk that may be written to.
    pub(crate) written: Option<&'a Path>,
    /// An empty folder for the tree of files.
    pub(crate) root: &'a Path,
    /// The working folder.
    pub(crate) scratch: &'a Path,
    pub(crate) scratch_bytes: u64,
    /// Whether the process may see what its own memory holds.
    pub(crate) maps: bool,
    /// The user to become, for root only.
    pub(crate) drop_to: Option<u32>,
    pub(crate) limits: &'a [(Resource, u64)],
}

/// Why a jail could not be made.
#[derive(Debug, thiserror::Error)]
pub enum JailError {
    /// Landlock refused a rule.
    #[error("landlock: {0}")]
    Landlock(#[from] landlock::RulesetError),
    /// The filter of system calls could not be compiled.
    #[error("seccomp: {0}")]
    Seccomp(#[from] seccompiler::BackendError),
}

/// A confined process to be.
pub(crate) struct Jail {
    role: Role,
    layers: Layers,
    drop_to: Option<u32>,
    user_map: CString,
    group_map: CString,
    mounts: Option<Mounts>,
    ruleset: Option<RulesetCreated>,
    scratch: CString,
    written: Option<CString>,
    maps: bool,
    limits: Vec<(Resource, u64)>,
    own_signals: Option<BpfProgram>,
    filters: Vec<BpfProgram>,
}

/// Device files that every program may use.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

impl Jail {
    pub(crate) fn new(order: &Order<'_>) -> Result<Self, JailError> {
        let Order { layers, role, .. } = *order;
        let devices = DEVICES.map(Path::new);
        let inside = order.drop_to.unwrap_or_else(|| nix::unistd::geteuid().as_raw());
        let group = order.drop_to.unwrap_or_else(|| nix::unistd::getegid().as_raw());
        let map = |id: u32| CString::new(format!("{id} {id} 1")).unwrap_or_default();
        let mut shown = order.readable.to_vec();
        shown.extend(devices.iter().map(|path| (*path).to_owned()));
        let mounts = layers.namespaces.then(|| {
            let own = role == Role::Program;
            let (root, scratch) = (order.root, order.scratch);
            Mounts::new(root, &shown, order.written, scratch, order.scratch_bytes, own, order.maps)
        });
        let ruleset = if layers.landlock { Some(rules::ruleset(order.readable, &devices)?) } else { None };
        let scope = filter::Scope { namespaces: layers.namespaces, groups: role == Role::Server };
        let filters = if layers.seccomp { filter::filters(scope)? } else { Vec::new() };
        let alone = layers.seccomp && !layers.namespaces && role == Role::Program;
        Ok(Self {
            role,
            layers,
            drop_to: order.drop_to,
            user_map: map(inside),
            group_map: map(group),
            mounts,
            ruleset,
            scratch: c_string(order.scratch),
            written: order.written.map(c_string),
            maps: order.maps,
            limits: order.limits.to_vec(),
            own_signals: if alone { Some(filter::signals_to_itself()?) } else { None },
            filters,
        })
    }

    /// What `command` starts is confined.
    pub(crate) fn confine(mut self, command: &mut Command) {
        // SAFETY: `enter` allocates nothing and takes no lock; it makes system calls on what was prepared here.
        unsafe { command.pre_exec(move || self.enter()) };
    }

    /// What `command` starts confines itself and ends at once, with 0.
    pub(crate) fn try_out(mut self, command: &mut Command) {
        // SAFETY: as above. `_exit` runs nothing of this process.
        unsafe { command.pre_exec(move || self.enter().map(|()| libc::_exit(0))) };
    }
}

/// The user that root becomes before it runs anything: limits on processes do not bind root. The number is one that systems keep
/// for services that come and go, and differs between processes of Familiar, so that they do not count each other's processes.
pub(crate) fn user_to_become(number: u32) -> u32 {
    62_000 + (std::process::id() * 8 + number) % 3_000
}
