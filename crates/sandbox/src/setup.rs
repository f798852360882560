//! What all processes of one sandbox share: the layers, the limits and the folder.

use crate::Limits;
use crate::error::SandboxError;
use crate::jail::{self, Jail, Order, Role};
use crate::layers::Layers;
use crate::scratch::{self, Folder};
use nix::sys::resource::Resource;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Folders and files that compilers and interpreters need, and that hold nothing of a user's.
const SYSTEM: [&str; 13] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
];

/// Processes that the jail itself needs beside those of a program: two that wait, and the first one.
const OWN_PROCESSES: u64 = 3;

/// What a runtime needs beyond what its programs may use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// Threads that it starts by itself.
    pub(crate) threads: u64,
    /// Memory in bytes that it uses by itself.
    pub(crate) memory: u64,
    /// Addresses that it reserves without using them. With 0, the limit on memory is one on addresses.
    pub(crate) addresses: u64,
    /// Whether it asks where its own memory is.
    pub(crate) maps: bool,
}

/// The shared part of a sandbox.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) layers: Layers,
    pub(crate) limits: Limits,
    folder: Folder,
    root: bool,
    made: AtomicU32,
}

/// The folders of one confined process. They go with the value.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) scratch: PathBuf,
    root: PathBuf,
    /// The user as whom its processes run, where that is another one.
    pub(crate) user: Option<u32>,
}

impl Drop for Cell {
    fn drop(&mut self) {
        for folder in [&self.scratch, &self.root] {
            // What cannot be deleted now goes with the folder of the sandbox.
            let _ = scratch::remove(folder);
        }
    }
}

/// A folder on disk, which goes with the value.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) path: PathBuf,
}

impl Work {
    /// A folder in it, which the user of `cell` may write to and everybody may read.
    pub(crate) fn inside(&self, name: &str, cell: &Cell) -> std::io::Result<PathBuf> {
        let path = scratch::inside(&self.path, name, cell.user)?;
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(path)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = scratch::remove(&self.path);
    }
}

impl Setup {
    pub(crate) fn new(layers: Layers, limits: Limits) -> Result<Self, SandboxError> {
        let folder = Folder::new().map_err(SandboxError::Folder)?;
        Ok(Self { layers, limits, folder, root: nix::unistd::geteuid().is_root(), made: AtomicU32::new(0) })
    }

    /// New folders for one process, which runs as a user of its own where that is possible.
    pub(crate) fn cell(&self) -> Result<Cell, SandboxError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let sandboxed = self.layers != Layers::NONE;
        let user = (self.root && sandboxed).then(|| jail::user_to_become(number));
        let folder =
            |name: &str| self.folder.inside(&format!("{name}-{number}"), user).map_err(SandboxError::Folder);
        Ok(Cell { scratch: folder("scratch")?, root: folder("root")?, user })
    }

    /// A folder that everybody may read, made when it is first asked for.
    pub(crate) fn shared(&self, name: &str) -> std::io::Result<PathBuf> {
        let path = self.folder.path().join(name);
        if !path.is_dir() {
            self.folder.inside(name, None)?;
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        }
        Ok(path)
    }

    /// A folder on disk for the files of a program, which the user of `cell` may write to and everybody may read.
    pub(crate) fn work(&self, cell: &Cell) -> Result<Work, SandboxError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let name = format!("work-{number}");
        let path = self.folder.inside(&name, cell.user).map_err(SandboxError::Folder)?;
        let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, all).map_err(SandboxError::Folder)?;
        Ok(Work { path })
    }

    /// Lets what `command` starts run in the cell and nowhere else.
    pub(crate) fn confine(
        &self,
        command: &mut Command,
        cell: &Cell,
        limits: &Limits,
        (role, needs): (Role, Needs),
        readable: &[PathBuf],
        written: Option<&Path>,
    ) -> Result<(), SandboxError> {
        let mut shown: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        shown.extend(readable.iter().filter(|path| !path.starts_with("/usr")).cloned());
        let order = Order {
            role,
            layers: self.layers,
            readable: &shown,
            written,
            root: &cell.root,
            scratch: &cell.scratch,
            scratch_bytes: limits.scratch,
            maps: needs.maps,
            drop_to: cell.user,
            limits: &self.kernel_limits(limits, role, needs),
        };
        Jail::new(&order)?.confine(command);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LANG", "C.UTF-8");
        command.env("HOME", &cell.scratch).env("TMPDIR", &cell.scratch);
        Ok(())
    }

    fn kernel_limits(&self, limits: &Limits, role: Role, needs: Needs) -> Vec<(Resource, u64)> {
        let others = if self.layers.namespaces || self.root { 0 } else { processes_of_this_user() };
        let mut set = vec![
            (Resource::RLIMIT_AS, limits.memory + needs.addresses),
            (Resource::RLIMIT_DATA, limits.memory + needs.memory),
            (Resource::RLIMIT_FSIZE, limits.file),
            (Resource::RLIMIT_NPROC, limits.processes + needs.threads + OWN_PROCESSES + others),
            (Resource::RLIMIT_NOFILE, 256),
            (Resource::RLIMIT_MSGQUEUE, 0),
            (Resource::RLIMIT_CORE, 0),
        ];
        if role == Role::Program {
            set.push((Resource::RLIMIT_CPU, limits.cpu_seconds));
        }
        set
    }
}

/// How many threads the user has. Where process numbers are shared, the limit counts them too.
fn processes_of_this_user() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let user = nix::unistd::geteuid().as_raw();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|entry| entry.metadata().is_ok_and(|metadata| metadata.uid() == user));
    own.map(|entry| std::fs::read_dir(entry.path().join("task")).map_or(0, |tasks| tasks.count() as u64))
        .sum()
}
