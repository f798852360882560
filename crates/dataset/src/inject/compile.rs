//! Does the system still compile? A command of the user says it, and the lines that it names say which pairs stand in the way.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::DatasetError;

use super::place::Place;

/// So many lines of a command's last words stand in an error.
const LAST_WORDS: usize = 5;

/// What the command said.
pub(super) enum Said {
    Compiles,
    /// The pairs in which it found errors, each with the first line that says so.
    Errors(BTreeMap<String, String>),
}

/// Runs `command` by the shell in the folder of the system. Fails if the command does, and names no line of a pair.
pub(super) fn check(command: &str, system: &Path, places: &[Place]) -> Result<Said, DatasetError> {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    let ended = shell
        .arg(if cfg!(windows) { "/C" } else { "-c" })
        .arg(command)
        .current_dir(system)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| DatasetError::Compile { command: command.to_owned(), said: source.to_string() })?;
    if ended.status.success() {
        return Ok(Said::Compiles);
    }
    let said =
        [ended.stdout, ended.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n");
    let mut errors = BTreeMap::new();
    let mut before = "";
    for line in said.lines() {
        for (path, number) in mentioned(line) {
            let inside =
                |it: &&Place| is_path(&it.path, path) && (it.start_line..=it.end_line).contains(&number);
            if let Some(place) = places.iter().find(inside) {
                // Python says the place first, and Java both at once.
                let shown = if line.trim_start().starts_with("File ") { before } else { line };
                errors.entry(place.id.clone()).or_insert_with(|| shown.trim().to_owned());
            }
        }
        before = line;
    }
    if !errors.is_empty() {
        return Ok(Said::Errors(errors));
    }
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &last[last.len().saturating_sub(LAST_WORDS)..];
    Err(DatasetError::Compile { command: command.to_owned(), said: last.join("\n") })
}

/// Whether a compiler may mean a file of the system by `said`: it says paths from the root, from the system, or from a folder below it.
fn is_path(path: &str, said: &str) -> bool {
    let said = said.strip_prefix("./").unwrap_or(said);
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with('/'))
    };
    is_end(said, path) || is_end(path, said)
}

/// The places that a line names: `FILE:LINE` and `FILE(LINE`, as compilers do, and `File "FILE", line LINE` as Python does.
fn mentioned(line: &str) -> Vec<(&str, u32)> {
    let number = |text: &str| {
        let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        text[..digits].parse::<u32>().ok()
    };
    let mut all = Vec::new();
    if let Some((path, rest)) = line.split_once("File \"").and_then(|(_, rest)| rest.split_once('"')) {
        all.extend(rest.strip_prefix(", line ").and_then(number).map(|number| (path, number)));
    }
    for (at, _) in line.match_indices([':', '(', '[']) {
        let head = &line[..at];
        let rest = line[at + 1..].trim_start_matches('[');
        let start = head.rfind([' ', '\t', '"', '\'', '(']).map_or(0, |space| space + 1);
        let path = &head[start..];
        if let Some(number) = number(rest.trim_start_matches(',')).filter(|_| path.contains('.')) {
            all.push((path.trim_end_matches(':'), number));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::Kind;
    use crate::split::Split;

    #[test]
    fn compilers_name_their_places() {
        let cases = [
            ("src/a/B.java:12: error: cannot find symbol", ("src/a/B.java", 12)),
            ("[ERROR] /x/src/a/B.java:[12,5] cannot find symbol", ("/x/src/a/B.java", 12)),
            ("./b.go:3:4: undefined: x", ("./b.go", 3)),
            ("a/c.cs(7,9): error CS0103: no such name", ("a/c.cs", 7)),
            ("  File \"d/e.py\", line 41", ("d/e.py", 41)),
            ("  --> src/lib.rs:5:1", ("src/lib.rs", 5)),
        ];
        for (line, expected) in cases {
            assert_eq!(mentioned(line).first(), Some(&expected), "{line}");
        }
        assert!(mentioned("3 errors: see above (at 12:30)").is_empty());
    }

    #[test]
    fn paths_are_those_of_the_system() {
        assert!(is_path("src/a/B.java", "/tmp/x/src/a/B.java"));
        assert!(is_path("src/a/B.java", "a/B.java"));
        assert!(is_path("src/a/B.java", "./src/a/B.java"));
        assert!(!is_path("src/a/B.java", "AB.java"));
    }

    #[cfg(unix)]
    #[test]
    fn a_failure_that_is_no_pair_s_is_told() {
        let folder = tempfile::tempdir().expect("there is room");
        let place = |id: &str, path: &str, start_line: u32| Place {
            id: id.to_owned(),
            side: 1,
            kind: Kind::Type3,
            lang: "c".to_owned(),
            prompt: String::new(),
            split: Split::Train,
            path: path.to_owned(),
            start_line,
            end_line: start_line + 3,
        };
        let places = [place("p", "a.c", 10), place("q", "b.c", 10)];
        let check = |command: &str| check(command, folder.path(), &places);
        assert!(matches!(check("true"), Ok(Said::Compiles)));
        let errors =
            check("echo 'b.c:12:1: error: no x'; echo 'a.c:2:1: error' >&2; false").expect("it names a pair");
        let Said::Errors(errors) = errors else { panic!("it fails") };
        assert_eq!(
            errors.into_iter().collect::<Vec<_>>(),
            [("q".to_owned(), "b.c:12:1: error: no x".to_owned())]
        );
        let error = check("echo 'a.c:2:1: error'; false").err().expect("it names no pair").to_string();
        assert!(error.contains("a.c:2:1"), "{error}");
    }
}
