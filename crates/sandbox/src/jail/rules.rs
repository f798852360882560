//! Which files a confined process may open: the rules of Landlock.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};
use std::path::{Path, PathBuf};

/// The newest interface that the rules ask for. An older kernel enforces what it knows.
const NEWEST: ABI = ABI::V7;

/// The lowest version of Landlock that confines by itself: it covers renaming between folders and cutting files short.
pub(crate) const LEAST_VERSION: u32 = 3;

/// The version of Landlock that this kernel enforces, and 0 where it enforces none.
pub(crate) fn version() -> u32 {
    // SAFETY: with this flag the call reads no memory and makes nothing; it returns a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0_usize, 0_usize, 1_u32) };
    u32::try_from(version).unwrap_or(0)
}

/// Everything below `readable` may be read and executed, and the device files `devices` may be written to. All else is refused,
/// as are TCP and signals to processes that are not confined by the same rules.
pub(crate) fn ruleset(readable: &[PathBuf], devices: &[&Path]) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for path in readable {
        let access = if path.is_dir() {
            AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute
        } else {
            AccessFs::ReadFile | AccessFs::Execute
        };
        rules = add(rules, path, access)?;
    }
    for path in devices {
        rules = add(rules, path, AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    Ok(rules)
}

/// A path that is not there needs no rule.
fn add(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    match PathFd::new(path) {
        Ok(opened) => rules.add_rule(PathBeneath::new(opened, access)),
        Err(_) => Ok(rules),
    }
}

/// What may be done in a scratch folder: everything but device files.
pub(crate) fn of_scratch() -> BitFlags<AccessFs> {
    AccessFs::from_all(NEWEST) & !(AccessFs::MakeBlock | AccessFs::MakeChar | AccessFs::IoctlDev)
}
