//! The tree of files that a confined process sees where the system allows namespaces: the folders that it may read, and a scratch
//! folder in memory of a limited size. Nothing else has a name there.

use nix::errno::Errno;
use nix::fcntl::AT_FDCWD;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::Mode;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Everything that [`Mounts::enter`] needs, made before there is a process to confine: afterwards nothing may be allocated.
pub(crate) struct Mounts {
    root: CString,
    folders: Vec<CString>,
    files: Vec<CString>,
    /// What stands where, to be read.
    shown: Vec<(CString, CString)>,
    /// The one folder outside of memory that can be written to.
    written: Option<(CString, CString)>,
    scratch: CString,
    scratch_size: CString,
    /// What a program has open, by number, and the three names that lead there.
    open_files: Option<OpenFiles>,
    /// Where the process finds what its own memory holds.
    maps: Option<CString>,
}

/// `/dev/fd` and what leads there.
struct OpenFiles {
    folder: CString,
    names: [CString; 3],
}

/// Where the three standard files stand in `/dev/fd`, by their names there.
const STANDARD: [(&str, &CStr); 3] =
    [("/dev/stdin", c"fd/0"), ("/dev/stdout", c"fd/1"), ("/dev/stderr", c"fd/2")];

/// What the memory of the process that opens it holds, by addresses.
pub(super) const MAPS: &CStr = c"/proc/self/maps";

impl Mounts {
    /// `root` is an empty folder, above which the tree is put together. `scratch` is a path in the new tree. With `open_files`, the
    /// process finds its own ones in `/dev/fd`, and with `maps` its own [`MAPS`].
    pub(crate) fn new(
        root: &Path,
        readable: &[PathBuf],
        written: Option<&Path>,
        scratch: &Path,
        scratch_bytes: u64,
        open_files: bool,
        maps: bool,
    ) -> Self {
        let inside = |path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
        let (mut folders, mut files, mut shown) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut add_folders = |path: &Path| {
            let below = path.ancestors().take_while(|above| *above != root);
            folders.extend(below.map(Path::to_owned));
        };
        for path in readable.iter().filter(|path| path.exists()) {
            let target = inside(path);
            if path.is_dir() {
                add_folders(&target);
            } else {
                add_folders(target.parent().unwrap_or(root));
                files.push(c_string(&target));
            }
            shown.push((c_string(path), c_string(&target)));
        }
        let written = written.map(|path| (path, inside(path)));
        if let Some((_, target)) = &written {
            add_folders(target);
        }
        add_folders(&inside(scratch));
        let open_files = open_files.then(|| {
            let folder = inside(Path::new("/dev/fd"));
            add_folders(&folder);
            let names = STANDARD.map(|(name, _)| c_string(&inside(Path::new(name))));
            OpenFiles { folder: c_string(&folder), names }
        });
        let maps = maps.then(|| {
            let file = inside(Path::new(MAPS.to_str().unwrap_or_default()));
            add_folders(file.parent().unwrap_or(root));
            files.push(c_string(&file));
            c_string(&file)
        });
        Self {
            root: c_string(root),
            folders: folders.iter().map(|path| c_string(path)).collect(),
            files,
            shown,
            written: written.map(|(path, target)| (c_string(path), c_string(&target))),
            scratch: c_string(&inside(scratch)),
            scratch_size: CString::new(format!("size={scratch_bytes},nr_inodes=4096,mode=700"))
                .unwrap_or_default(),
            open_files,
            maps,
        }
    }

    /// Puts the tree together and makes it the root of this process. The process has a mount namespace of its own.
    pub(crate) fn enter(&self) -> Result<(), Errno> {
        let nothing: Option<&CStr> = None;
        let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        let root = self.root.as_c_str();
        mount(nothing, c"/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)?;
        mount(Some(c"tmpfs"), root, Some(c"tmpfs"), plain, Some(c"size=1m,mode=755"))?;
        for folder in &self.folders {
            match nix::unistd::mkdir(folder.as_c_str(), Mode::from_bits_truncate(0o755)) {
                Err(error) if error != Errno::EEXIST => return Err(error),
                _ => {}
            }
        }
        for file in &self.files {
            let flags = nix::fcntl::OFlag::O_CREAT | nix::fcntl::OFlag::O_CLOEXEC;
            drop(nix::fcntl::open(file.as_c_str(), flags, Mode::from_bits_truncate(0o644))?);
        }
        let bind = MsFlags::MS_BIND | MsFlags::MS_REC;
        for (source, target) in &self.shown {
            mount(Some(source.as_c_str()), target.as_c_str(), nothing, bind, nothing)?;
        }
        if let Some(files) = &self.open_files {
            for (name, (_, to)) in files.names.iter().zip(STANDARD) {
                nix::unistd::symlinkat(to, AT_FDCWD, name.as_c_str())?;
            }
            // Nothing else of /proc has a name in the tree. A system that hides its /proc leaves the folder empty.
            let of_this_process = Some(c"/proc/self/fd");
            let _ = mount(of_this_process, files.folder.as_c_str(), nothing, MsFlags::MS_BIND, nothing);
        }
        if let Some(maps) = &self.maps {
            let _ = mount(Some(MAPS), maps.as_c_str(), nothing, MsFlags::MS_BIND, nothing);
        }
        read_only(root)?;
        if let Some((source, target)) = &self.written {
            mount(Some(source.as_c_str()), target.as_c_str(), nothing, MsFlags::MS_BIND, nothing)?;
        }
        let size = Some(self.scratch_size.as_c_str());
        mount(Some(c"tmpfs"), self.scratch.as_c_str(), Some(c"tmpfs"), plain, size)?;
        nix::unistd::chdir(root)?;
        nix::unistd::pivot_root(c".", c".")?;
        umount2(c".", MntFlags::MNT_DETACH)?;
        nix::unistd::chdir(c"/")
    }
}

/// Nothing below `root` can be changed any more: no content, no mode, no owner and no time.
fn read_only(root: &CStr) -> Result<(), Errno> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: both pointers lead to values that live through the call, and the size is that of the second one.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            root.as_ptr(),
            libc::AT_RECURSIVE,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    Errno::result(done).map(drop)
}

/// A path without a NUL. One that had a NUL would name no file.
pub(crate) fn c_string(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}
