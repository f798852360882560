//! Since when files stand in a git work tree, asked of the `git` command.
//!
//! The history is read once, from its oldest commit on: a file is as old as the commit that brought it, under whatever names it had
//! before. Where that cannot be told, nothing is: a time that is too young would make others look older.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use familiar_corpus::git;
use familiar_files::work_tree;

/// How long git may take, all in all.
const MOST_TIME: Duration = Duration::from_secs(60);

/// How many commits are read, the newest.
const MOST_COMMITS: u32 = 100_000;

/// How much git may say.
const MOST_BYTES: u64 = 64 << 20;

/// Of one commit, git compares at most the square of this many files that are gone and new to tell which were moved.
const MOST_MOVES: u64 = 1000;

/// The commits that brought some files, by path: time, and name.
pub(crate) type Times = BTreeMap<String, (i64, String)>;

/// Why the history of a work tree cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    #[error("git cannot be started: {0}")]
    Start(io::Error),
    #[error("git cannot be listened to: {0}")]
    Listen(io::Error),
    #[error("git took longer than {} s to tell the history of the work tree", MOST_TIME.as_secs())]
    TooSlow,
    #[error("git does not tell the history of the work tree")]
    Failed,
    #[error("the work tree is a shallow clone")]
    Shallow,
    #[error("the history of the work tree names more than {0} MiB of files")]
    TooLong(u64),
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// The commits that brought files to the work tree `folder`, by path below it. What the history does not tell is missing.
pub(crate) fn introduced(folder: &Path, paths: &BTreeSet<String>) -> Result<Times, HistoryError> {
    introduced_within(MOST_TIME, folder, paths)
}

fn introduced_within(time: Duration, folder: &Path, paths: &BTreeSet<String>) -> Result<Times, HistoryError> {
    if paths.is_empty() {
        return Ok(Times::new());
    }
    let deadline = Instant::now() + time;
    let is_whole = ask(folder, &["rev-parse", "--is-shallow-repository"], deadline, |out| {
        let mut answer = String::new();
        out.take(MOST_BYTES).read_to_string(&mut answer).map_err(|_| HistoryError::Failed)?;
        Ok(answer.trim() == "false")
    })?;
    if !is_whole {
        // Every file would seem to have come with the oldest commit that is there.
        return Err(HistoryError::Shallow);
    }
    let (commits, moves) = (format!("--max-count={MOST_COMMITS}"), format!("-l{MOST_MOVES}"));
    let log = [&LOG[..], &[&commits, &moves, "HEAD", "--"]].concat();
    let files = ask(folder, &log, deadline, |out| Files::read(out, MOST_BYTES))?;
    let time = |path: &String| {
        let commit = files.0.get(path.as_bytes())?.as_ref()?;
        Some((path.clone(), (commit.time, commit.name.to_string())))
    };
    Ok(paths.iter().filter_map(time).collect())
}

/// What is asked of all files. Paths are not named: they would hide what was moved.
const LOG: [&str; 13] = [
    "log",
    "--reverse",
    "--date-order",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "-O/dev/null",
    "-M",
    "--diff-filter=ARD",
    "--name-status",
    "-z",
    "--format=%x01%ct %H",
];

/// The tree's own configuration must not have git leave anything out.
const SETTINGS: [&str; 2] = ["log.showRoot=true", "diff.relative=false"];

/// Asks git, and reads its answer while it comes; it is ended at the deadline.
fn ask<T: Send + 'static>(
    folder: &Path,
    arguments: &[&str],
    deadline: Instant,
    read: impl FnOnce(BufReader<ChildStdout>) -> Result<T, HistoryError> + Send + 'static,
) -> Result<T, HistoryError> {
    let mut command = work_tree::git(folder);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    let child = command.args(arguments).stderr(Stdio::null()).spawn();
    let mut child = child.map_err(HistoryError::Start)?;
    let Some(out) = child.stdout.take() else { return Err(HistoryError::Failed) };
    let (sender, receiver) = mpsc::channel();
    // It ends with what it reads; nobody waits for it after the deadline.
    let reader = thread::Builder::new().spawn(move || sender.send(read(BufReader::new(out))));
    if let Err(error) = reader {
        end(child);
        return Err(HistoryError::Listen(error));
    }
    match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(Ok(answer)) if child.wait().is_ok_and(|status| status.success()) => Ok(answer),
        Ok(Ok(_)) => Err(HistoryError::Failed),
        Ok(Err(reason)) => {
            end(child);
            Err(reason)
        }
        Err(_) => {
            end(child);
            Err(HistoryError::TooSlow)
        }
    }
}

fn end(mut child: Child) {
    // What is over already needs no end.
    let _ = child.kill();
    let _ = child.wait();
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Commit {
    time: i64,
    name: Arc<str>,
}

/// Every name that a file ever had, and the commit that brought the file; none where that is not known.
#[derive(Debug, Default)]
struct Files(HashMap<Vec<u8>, Option<Commit>>);

/// What one commit did to names.
#[derive(Debug, Default)]
struct Changes {
    added: Vec<Vec<u8>>,
    deleted: Vec<Vec<u8>>,
    /// From, and to.
    moved: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Files {
    /// Reads what git says: commits, the oldest first, each with the files that it brought, moved and took away.
    fn read(out: impl BufRead, most: u64) -> Result<Self, HistoryError> {
        let mut out = out.take(most);
        let mut files = Self::default();
        let mut at: Option<(Commit, Changes)> = None;
        while let Some(field) = field(&mut out)? {
            if let Some(head) = field.strip_prefix(b"\x01") {
                let next = commit(head).ok_or(HistoryError::Failed)?;
                if let Some((commit, changes)) = at.replace((next, Changes::default())) {
                    files.add(&commit, changes);
                }
                continue;
            }
            let status = field.strip_prefix(b"\n").unwrap_or(&field);
            let mut path = || field_or_fail(&mut out);
            match (status.first(), &mut at) {
                (None, _) => {}
                (Some(b'A'), Some((_, changes))) => changes.added.push(path()?),
                (Some(b'D'), Some((_, changes))) => changes.deleted.push(path()?),
                (Some(b'R'), Some((_, changes))) => changes.moved.push((path()?, path()?)),
                _ => return Err(HistoryError::Failed),
            }
        }
        if out.limit() == 0 {
            return Err(HistoryError::TooLong(most >> 20));
        }
        if let Some((commit, changes)) = at {
            files.add(&commit, changes);
        }
        Ok(files)
    }

    /// Takes what the next commit did.
    fn add(&mut self, commit: &Commit, changes: Changes) {
        let Changes { added, deleted, moved } = changes;
        // What is gone before it came was there before the first commit that is read, or came with a merge.
        let before: Vec<Option<Commit>> =
            moved.iter().map(|(from, _)| self.0.entry(from.clone()).or_default().clone()).collect();
        // A commit of a time that cannot be says nothing of when.
        let is_dated = git::is_possible(commit.time);
        let are_compared = added.len() as u64 * deleted.len() as u64 <= MOST_MOVES * MOST_MOVES;
        for path in deleted {
            self.0.entry(path).or_default();
        }
        for path in added {
            self.bring(path, Some(commit).filter(|_| are_compared && is_dated).cloned());
        }
        for ((_, to), commit) in moved.into_iter().zip(before) {
            self.bring(to, commit);
        }
    }

    /// Takes a file at a path; if there was one before, the older counts.
    fn bring(&mut self, path: Vec<u8>, commit: Option<Commit>) {
        let known = self.0.entry(path).or_insert_with(|| commit.clone());
        *known = Option::zip(known.take(), commit)
            .map(|(known, new)| if new.time < known.time { new } else { known });
    }
}

/// The text up to the next zero byte; none at the end.
fn field(out: &mut impl BufRead) -> Result<Option<Vec<u8>>, HistoryError> {
    let mut field = Vec::new();
    let read = out.read_until(0, &mut field)?;
    field.pop_if(|last| *last == 0);
    Ok((read > 0).then_some(field))
}

fn field_or_fail(out: &mut impl BufRead) -> Result<Vec<u8>, HistoryError> {
    field(out)?.ok_or(HistoryError::Failed)
}

/// The time and the name of a commit.
fn commit(head: &[u8]) -> Option<Commit> {
    let (time, name) = std::str::from_utf8(head).ok()?.trim().split_once(' ')?;
    Some(Commit { time: time.parse().ok()?, name: Arc::from(name) })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    struct Repository(tempfile::TempDir);

    impl Repository {
        fn new() -> Self {
            let repository = Self(tempfile::tempdir().expect("the temporary folder can be written"));
            repository.git(&["init", "-q"], 1);
            repository
        }

        fn git(&self, arguments: &[&str], day: u32) {
            let output = Command::new("git")
                .current_dir(self.0.path())
                .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
                .args(arguments)
                .env("GIT_COMMITTER_DATE", format!("2020-01-{day:02}T00:00:00Z"))
                .output();
            assert!(output.expect("git is installed").status.success());
        }

        fn commit(&self, day: u32) {
            self.git(&["add", "-A"], day);
            self.git(&["commit", "-qm", "x"], day);
        }

        fn write(&self, path: &str, text: &str) {
            std::fs::write(self.0.path().join(path), text).expect("the temporary folder can be written");
        }

        /// On which days of January the files came.
        fn days(&self, paths: &[&str]) -> Vec<(String, i64)> {
            let paths = paths.iter().map(|&path| path.to_owned()).collect();
            let times = introduced(self.0.path(), &paths).expect("git tells");
            times.into_iter().map(|(path, (time, _))| (path, (time - 1_577_836_800) / 86_400 + 1)).collect()
        }
    }

    fn lines(last: &str) -> String {
        let lines: Vec<String> = (0..20).map(|number| format!("line {number}\n")).collect();
        lines.concat() + last
    }

    #[test]
    fn a_file_is_as_old_as_what_brought_it_under_whatever_name() {
        let repository = Repository::new();
        repository.write("a b.py", &lines(""));
        repository.commit(1);
        repository.write("a b.py", &lines("2\n"));
        repository.commit(2);
        repository.git(&["mv", "a b.py", "moved.py"], 3);
        repository.write("moved.py", &lines("3\n"));
        repository.commit(3);
        repository.git(&["mv", "moved.py", "again.py"], 4);
        repository.write("new.py", "4\n");
        repository.commit(4);
        let expected = [("again.py".to_owned(), 1), ("new.py".to_owned(), 4)];
        assert_eq!(repository.days(&["again.py", "new.py", "none.py"]), expected);
    }

    #[test]
    fn what_is_no_whole_history_tells_nothing() {
        let repository = Repository::new();
        repository.write("a.py", "1\n");
        repository.commit(1);
        let paths = BTreeSet::from(["a.py".to_owned()]);
        assert!(introduced(&repository.0.path().join(".git/none"), &paths).is_err());
        let late = introduced_within(Duration::ZERO, repository.0.path(), &paths);
        assert!(matches!(late, Err(HistoryError::TooSlow)));
        let head = std::fs::read(repository.0.path().join(".git/refs/heads/main"));
        let head = head.or_else(|_| std::fs::read(repository.0.path().join(".git/refs/heads/master")));
        let shallow = String::from_utf8(head.expect("a branch")).expect("hex digits");
        repository.write(".git/shallow", &shallow);
        assert!(matches!(introduced(repository.0.path(), &paths), Err(HistoryError::Shallow)));
    }

    /// The time of every name, as `name time` or `name ?`.
    fn times_of(answer: &str) -> Vec<String> {
        let files = Files::read(answer.replace('|', "\0").as_bytes(), 1000).expect("it is whole");
        let files: BTreeMap<_, _> = files.0.into_iter().collect();
        let time = |commit: Option<Commit>| commit.map_or("?".to_owned(), |commit| commit.time.to_string());
        let line = |(name, commit)| format!("{} {}", String::from_utf8_lossy(name), time(commit));
        files.iter().map(|(name, commit)| line((name, commit.clone()))).collect()
    }

    #[test]
    fn names_that_are_exchanged_keep_their_times() {
        let answer = "\x011 c|\nA|a|\x012 d|\nA|b|\x013 e|\nR100|a|b|R100|b|a|";
        assert_eq!(times_of(answer), ["a 1", "b 1"], "a path had both; the older counts");
        assert_eq!(times_of("\x011 c|\nA|a|\x012 d|\nR060|a|\x01b|"), ["\x01b 1", "a 1"]);
    }

    #[test]
    fn a_commit_of_an_impossible_time_tells_none() {
        assert_eq!(
            times_of("\x010 c|\nA|a|\x019999999999 d|\nA|b|\x012 e|\nR100|b|c|"),
            ["a ?", "b ?", "c ?"]
        );
        assert_eq!(
            times_of("\x011 c|\nA|a|\x019999999999 d|\nR100|a|b|"),
            ["a 1", "b 1"],
            "it was there before"
        );
    }

    #[test]
    fn what_may_have_been_there_before_has_no_time() {
        assert_eq!(times_of("\x011 c|\nD|a|\x012 d|\nA|a|A|b|"), ["a ?", "b 2"]);
        assert_eq!(times_of("\x011 c|\nR100|a|b|"), ["a ?", "b ?"]);
        let many = |status: &str| -> Vec<Vec<u8>> {
            (0..1001).map(|n| format!("{status}{n}").into_bytes()).collect()
        };
        let mut files = Files::default();
        let commit = Commit { time: 1, name: Arc::from("c") };
        files.add(&commit, Changes { added: many("a"), deleted: many("d"), moved: Vec::new() });
        assert_eq!(files.0.get(&b"a7"[..]), Some(&None), "more than git compares");
        assert!(
            Files::read(&b"\x011 c\0\nA\0a\0"[..], 4).is_err_and(|error| error.to_string().contains("MiB"))
        );
        assert!(Files::read(&b"X\0a\0"[..], 99).is_err());
    }
}
