//! Since when files stand in a git work tree, asked of the `git` command.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// Most files that git is asked for.
const MOST_FILES: usize = 1000;

/// The time and the name of the commit that brought each of some files, by path below the work tree `folder`. What git does not know,
/// or cannot be asked, is missing.
pub(super) fn introduced(folder: &Path, paths: &[String]) -> BTreeMap<String, (i64, String)> {
    let mut all = BTreeMap::new();
    // In a shallow clone every file seems to have come with the oldest commit that is there.
    if paths.is_empty() || paths.len() > MOST_FILES || folder.join(".git/shallow").exists() {
        return all;
    }
    let arguments = [
        // The tree's own configuration must not have git run anything, nor fetch.
        "-c",
        "log.showSignature=false",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.sshCommand=false",
        "-c",
        "protocol.allow=never",
        "--literal-pathspecs",
        "log",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--diff-filter=A",
        "--no-renames",
        "--name-only",
        "-z",
        "--format=%x01%ct %H",
        "--",
    ];
    let output = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .args(paths)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let Ok(output) = output else { return all };
    let text = String::from_utf8_lossy(&output.stdout);
    // From the newest commit to the oldest; the oldest that brought a file counts.
    for commit in text.split('\x01').skip(1) {
        let mut parts = commit.split('\0');
        let Some((time, name)) = parts.next().and_then(|head| head.trim().split_once(' ')) else { continue };
        let Ok(time) = time.parse() else { continue };
        for path in parts.map(|path| path.trim_start_matches('\n')).filter(|path| !path.is_empty()) {
            all.insert(path.to_owned(), (time, name.to_owned()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_that_brought_a_file_counts() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let git = |arguments: &[&str], day: u32| {
            let status = Command::new("git")
                .current_dir(dir.path())
                .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
                .args(arguments)
                .env("GIT_COMMITTER_DATE", format!("2020-01-{day:02}T00:00:00Z"))
                .output();
            assert!(status.expect("git is installed").status.success());
        };
        git(&["init", "-q"], 1);
        std::fs::write(dir.path().join("a b.py"), "1\n").expect("just made");
        git(&["add", "."], 1);
        git(&["commit", "-qm", "one"], 1);
        std::fs::write(dir.path().join("a b.py"), "2\n").expect("just made");
        git(&["commit", "-qam", "two"], 2);
        let paths = ["a b.py".to_owned(), "none.py".to_owned()];
        let found = introduced(dir.path(), &paths);
        let times: Vec<_> = found.iter().map(|(path, (time, _))| (path.as_str(), *time)).collect();
        assert_eq!(times, [("a b.py", 1_577_836_800)]);
        assert!(introduced(&dir.path().join(".git/none"), &paths).is_empty());
    }
}
