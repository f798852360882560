//! What this kernel can enforce.

use crate::jail::{self, Jail, Order, Role};
use crate::layers::Layers;
use crate::scratch;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What this system enforces, found by trying.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Confinement {
    /// The layers that work here.
    pub layers: Layers,
    /// The version of Landlock, and 0 where there is none.
    pub landlock_version: u32,
    /// Why namespaces do not work here, where they do not.
    pub without_namespaces: Option<String>,
}

impl Confinement {
    /// Tries each layer once in the life of this process.
    pub fn of_this_system() -> &'static Self {
        static FOUND: OnceLock<Confinement> = OnceLock::new();
        FOUND.get_or_init(Self::find)
    }

    fn find() -> Self {
        let landlock_version = jail::version();
        let landlock = landlock_version >= jail::LEAST_VERSION && works(false, true, false).is_ok();
        let seccomp = works(false, false, true).is_ok();
        let without_namespaces = works(true, false, false).err();
        Self {
            layers: Layers { namespaces: without_namespaces.is_none(), landlock, seccomp },
            landlock_version,
            without_namespaces,
        }
    }
}

/// Makes a process that confines itself by these layers and ends.
fn works(namespaces: bool, landlock: bool, seccomp: bool) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (root, scratch) = (folder.path().join("root"), folder.path().join("scratch"));
    for made in [&root, &scratch] {
        std::fs::create_dir(made).map_err(|error| error.to_string())?;
    }
    let drop_to = nix::unistd::geteuid().is_root().then(|| jail::user_to_become(0));
    if let Some(user) = drop_to {
        for opened in [&root, &scratch] {
            std::os::unix::fs::chown(opened, Some(user), Some(user)).map_err(|error| error.to_string())?;
        }
        scratch::open_to_all(folder.path()).map_err(|error| error.to_string())?;
    }
    let jail = Jail::new(&Order {
        role: Role::Server,
        layers: Layers { namespaces, landlock, seccomp },
        readable: &["/usr".into()],
        written: None,
        root: &root,
        scratch: &scratch,
        scratch_bytes: 1 << 20,
        maps: false,
        drop_to,
        limits: &[],
    })
    .map_err(|error| error.to_string())?;
    let mut command = Command::new("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    jail.try_out(&mut command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
