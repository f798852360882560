//! Which lines changed since a revision, asked of the `git` command.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use familiar_files::work_tree;
use familiar_source::Lines;

/// Why the changed lines are not known.
#[derive(Debug, thiserror::Error)]
pub enum ChangedError {
    #[error(
        "--changed-since cannot ask git: {0}; check that git is installed and can read the repository's configuration"
    )]
    Start(std::io::Error),
    #[error("--changed-since {revision} in {}: git says: {message}", root.display())]
    Git { root: PathBuf, revision: String, message: String },
}

/// The lines below one root that changed since a revision; files that git does not track count as changed.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// By path below the root.
    lines: HashMap<Vec<u8>, Vec<Lines>>,
    /// Repositories within the root, of which git says nothing but that it does not track them.
    folders: HashSet<Vec<u8>>,
}

impl Changed {
    /// Asks git for the lines below `root` that differ from `revision` in the working tree. Files that ignore files name count only where
    /// `ignored` says so.
    pub(crate) fn since(root: &Path, revision: &str, ignored: bool) -> Result<Self, ChangedError> {
        let folder = if root.is_dir() { root } else { root.parent().unwrap_or(Path::new(".")) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Outside of a work tree, `git diff` compares files, and says nothing of why there is none.
        git(folder, revision, &["rev-parse", "--show-toplevel"])?;
        let mut changed = Self::default();
        let mut diff = vec!["diff"];
        // Whatever the user's configuration makes of a diff, this one has the form that is read below.
        diff.extend([
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            // Of a submodule git would ask its own configuration.
            "--ignore-submodules=all",
            "--relative",
        ]);
        let lines = ["--unified=0", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/"];
        let of_revision = ["--end-of-options", revision, "--"];
        changed.add_diff(&git(folder, revision, &[&diff[..], &lines, &of_revision].concat())?);
        // What git takes for binary may be text in another encoding, or said to be binary by attributes alone.
        diff.extend(["--numstat", "-z"]);
        for file in nul_separated(&git(folder, revision, &[&diff[..], &of_revision].concat())?) {
            if let Some(path) = file.strip_prefix(b"-\t-\t") {
                changed.add_whole(path);
            }
        }
        let mut others = vec!["ls-files", "--others", "-z"];
        if !ignored {
            others.push("--exclude-standard");
        }
        for path in nul_separated(&git(folder, revision, &others)?) {
            changed.add_whole(path);
        }
        Ok(changed)
    }

    /// A whole file, or what is below a folder.
    fn add_whole(&mut self, path: &[u8]) {
        if let Some(folder) = path.strip_suffix(b"/") {
            self.folders.insert(folder.to_vec());
        } else {
            self.lines.insert(path.to_vec(), vec![Lines::new(1, u32::MAX)]);
        }
    }

    /// Whether any of `lines` of the file at `path` below the root changed.
    pub(crate) fn touches(&self, path: &[u8], lines: Lines) -> bool {
        let touched = |changed: &Lines| changed.start <= lines.end && lines.start <= changed.end;
        let slashes = memchr::memchr_iter(b'/', path);
        self.lines.get(path).is_some_and(|list| list.iter().any(touched))
            || !self.folders.is_empty() && slashes.into_iter().any(|at| self.folders.contains(&path[..at]))
    }

    /// Reads a unified diff without context.
    fn add_diff(&mut self, diff: &[u8]) {
        let mut path: Option<Vec<u8>> = None;
        // Lines of a hunk that are still to come: they may look like headers.
        let mut body = 0;
        for line in diff.split(|&byte| byte == b'\n') {
            if line.starts_with(b"diff --git ") {
                body = 0;
            } else if body > 0 && matches!(line.first(), Some(b'+' | b'-')) {
                body -= 1;
            } else if let Some(name) = line.strip_prefix(b"+++ ") {
                path = unquoted(name).strip_prefix(b"b/").map(<[u8]>::to_vec);
            } else if let Some(hunk) = line.strip_prefix(b"@@ ").and_then(Hunk::read) {
                body = hunk.removed + hunk.added;
                if let Some(path) = &path {
                    self.lines.entry(path.clone()).or_default().push(hunk.lines());
                }
            }
        }
    }
}

/// What `-a,b +c,d @@` says.
struct Hunk {
    removed: u32,
    start: u32,
    added: u32,
}

impl Hunk {
    fn read(header: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(header.split(|&byte| byte == b'@').next()?).ok()?;
        let mut ranges = text.split_ascii_whitespace().map(|range| {
            let (start, count) = range.get(1..)?.split_once(',').unwrap_or((range.get(1..)?, "1"));
            Some((start.parse().ok()?, count.parse().ok()?))
        });
        let (old, new): ((u32, u32), (u32, u32)) = (ranges.next()??, ranges.next()??);
        Some(Self { removed: old.1, start: new.0, added: new.1 })
    }

    /// The lines on the new side; a pure deletion touches the lines around it.
    fn lines(&self) -> Lines {
        match self.added {
            0 => Lines::new(self.start.max(1), self.start + 1),
            added => Lines::new(self.start.max(1), self.start.max(1) + added - 1),
        }
    }
}

fn git(folder: &Path, revision: &str, arguments: &[&str]) -> Result<Vec<u8>, ChangedError> {
    let command = work_tree::git_without_filters(folder);
    let output = command.and_then(|mut git| git.args(arguments).output()).map_err(ChangedError::Start)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ChangedError::Git { root: folder.to_owned(), revision: revision.to_owned(), message })
}

fn nul_separated(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == 0).filter(|path| !path.is_empty())
}

/// A path as git prints it: quoted, with octal escapes, where it has unusual bytes.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let Some(inner) = name.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) else {
        return name.to_vec();
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < inner.len() {
        if inner[at] != b'\\' || at + 1 >= inner.len() {
            out.push(inner[at]);
            at += 1;
            continue;
        }
        let octal =
            inner.get(at + 1..at + 4).filter(|digits| digits.iter().all(|d| (b'0'..=b'7').contains(d)));
        if let Some(digits) = octal {
            out.push(
                digits.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit - b'0')),
            );
            at += 4;
            continue;
        }
        out.push(match inner[at + 1] {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 0x07,
            b'b' => 0x08,
            b'v' => 0x0B,
            b'f' => 0x0C,
            other => other,
        });
        at += 2;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_and_quoted_names_are_read() {
        let mut changed = Changed::default();
        changed.add_diff(
            b"+++ b/a.py\n@@ -1,0 +3,2 @@ def f\n+x\n+++ b/trap.py\ndiff --git a/x b/x\n+++ \"b/\\303\\274.py\"\n@@ -4 +9,0 @@\n-y\n\
              +++ /dev/null\n@@ -1 +0,0 @@\n--- z\n",
        );
        assert!(changed.touches(b"a.py", Lines::new(4, 9)) && !changed.touches(b"a.py", Lines::new(5, 9)));
        assert!(changed.touches("ü.py".as_bytes(), Lines::new(10, 10)));
        assert_eq!(changed.lines.len(), 2);
    }

    #[test]
    fn a_folder_without_a_repository_is_called_that() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let error = Changed::since(folder.path(), "HEAD", false).expect_err("there is none").to_string();
        assert!(error.contains("not a git repository"), "{error}");
    }

    #[test]
    fn a_name_that_ends_in_the_middle_of_an_escape_is_read_as_far_as_it_goes() {
        assert_eq!(unquoted(b"\"a\\tb\\\\c\\\""), b"a\tb\\c\\");
    }
}
