//! The `git` command, asked about a work tree that a stranger may have made.
//!
//! A repository's own configuration can name programs that git runs: a monitor of files, hooks, filters of contents, a
//! transport. Whoever only asks runs none of them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Settings under which git starts nothing and fetches nothing.
const SETTINGS: [&str; 6] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "protocol.allow=never",
    "log.showSignature=false",
    // A file of the repository's choice, without which git tells no differences.
    "diff.orderFile=/dev/null",
];

/// What would speak of another work tree, for instance of the one that a hook runs for.
const ELSEWHERE: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"];

/// A `git` command in `folder` that runs no program that the configuration names, as long as it reads no content of the
/// work tree; what it prints is piped.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    for name in ELSEWHERE {
        command.env_remove(name);
    }
    command
        .current_dir(folder)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// As [`git`], for a command that reads contents of the work tree: those that a filter would change count as they stand.
///
/// # Errors
///
/// Where git cannot be started, or cannot read the configuration: then it is not known which filters there are.
pub fn git_without_filters(folder: &Path) -> io::Result<Command> {
    let names = ["config", "--includes", "--name-only", "-z", "--get-regexp", r"^filter\."];
    let output = git(folder).args(names).output()?;
    // 1 says that there is none.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let mut command = git(folder);
    // Not with `-c`: a name may hold `=`, and any other byte.
    let mut count = 0;
    let mut set = |key: OsString, value: &str| {
        command.env(format!("GIT_CONFIG_KEY_{count}"), key).env(format!("GIT_CONFIG_VALUE_{count}"), value);
        count += 1;
    };
    // `filter.NAME.clean`
    let names = output.stdout.split(|&byte| byte == 0);
    let filters: BTreeSet<&[u8]> =
        names.filter_map(|name| Some(&name[..name.iter().rposition(|&byte| byte == b'.')?])).collect();
    for filter in filters {
        for (part, value) in [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")] {
            set(os_string([filter, b".", part.as_bytes()].concat()), value);
        }
    }
    command.env("GIT_CONFIG_COUNT", count.to_string());
    Ok(command)
}

fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_repository_runs_nothing() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |name: &str| folder.path().join(name);
        let usual = |arguments: &[&str]| {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
            let status = git(folder.path()).args(identity).args(arguments).status();
            assert!(status.expect("git is installed").success(), "{arguments:?}");
        };
        usual(&["init", "-q"]);
        std::fs::write(path("a.x"), "1\n").expect("the folder can be written");
        std::fs::write(path(".gitattributes"), "*.x filter=a=b.c diff=d\n")
            .expect("the folder can be written");
        usual(&["add", "-A"]);
        usual(&["commit", "-qm", "x"]);
        std::fs::write(path("a.x"), "2\n").expect("the folder can be written");
        let run = format!("touch {}; cat", path("ran").display());
        for name in
            ["filter.a=b.c.clean", "diff.d.textconv", "diff.d.command", "core.fsmonitor", "diff.external"]
        {
            usual(&["config", name, &run]);
        }
        usual(&["config", "filter.a=b.c.required", "true"]);
        usual(&["config", "diff.orderFile", "/no/such/file"]);
        let diff = ["diff", "--no-ext-diff", "--no-textconv", "HEAD", "--"];
        let output = git_without_filters(folder.path()).and_then(|mut git| git.args(diff).output());
        let output = output.expect("git is installed");
        assert!(String::from_utf8_lossy(&output.stdout).contains("+2"), "{output:?}");
        assert!(!path("ran").exists());
        // The trap works: git by itself falls into it.
        usual(&["config", "--unset", "diff.orderFile"]);
        let own = Command::new("git").current_dir(folder.path()).args(["diff", "HEAD", "--"]).output();
        assert!(own.is_ok() && path("ran").exists());
    }

    #[test]
    fn a_configuration_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let status = git(folder.path()).args(["init", "-q"]).status();
        assert!(status.expect("git is installed").success());
        std::fs::write(folder.path().join(".git/config"), "[filter").expect("the folder can be written");
        assert!(git_without_filters(folder.path()).is_err());
    }
}
