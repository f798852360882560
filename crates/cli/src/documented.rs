//! Every command that the documentation shows is one that the program takes.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::Familiar;

#[test]
fn every_command_of_the_documentation_is_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    pages_below(&root.join("docs"), &mut pages);
    let mut commands = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page is text");
        for words in shell_blocks(&text).flat_map(|block| commands_of(&block)) {
            commands += 1;
            let error = refusal(&words);
            assert!(
                error.is_none(),
                "{}: {}: {}",
                page.display(),
                words.join(" "),
                error.unwrap_or_default()
            );
        }
    }
    assert!(commands > 50, "only {commands} commands were found");
}

fn pages_below(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            pages_below(&path, pages);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
}

/// Why the program refuses a command, if it does. What trains is part of some builds only.
fn refusal(words: &[String]) -> Option<String> {
    let trains = |words: &[&str]| matches!(words, ["train", ..] | ["codenet", "train" | "evaluate", ..]);
    let verbs: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    if trains(&verbs) && cfg!(not(feature = "train")) {
        return None;
    }
    let error = Familiar::command().try_get_matches_from(words).err()?;
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    (!is_help).then(|| error.to_string())
}

/// The blocks of shell commands of a page, with continued lines joined.
fn shell_blocks(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split("\n```").map(|part| part.strip_prefix("sh\n"));
    parts.flatten().map(|block| block.replace("\\\n", " "))
}

/// The commands of a block that start the program, as words.
fn commands_of(block: &str) -> Vec<Vec<String>> {
    let lines = block.lines().flat_map(simple_commands);
    lines.filter_map(|words| program(&words).map(<[String]>::to_vec)).collect()
}

/// The words from the program's name on; of `cargo run -- WORDS`, the name stands for what comes before.
fn program(words: &[String]) -> Option<&[String]> {
    let runs =
        words.first().is_some_and(|first| first == "cargo") && words.get(1).is_some_and(|run| run == "run");
    let own = !words.iter().any(|word| word == "-p" || word == "--example");
    match words.first().map(String::as_str) {
        Some("familiar") => Some(words),
        Some(_) if runs && own => words.iter().position(|word| word == "--").map(|at| &words[at..]),
        _ => None,
    }
}

/// Splits a line as a shell does: into commands between `|`, `&&`, `;` and the like, of words without redirections.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words) = (Vec::new(), Vec::new());
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '#' => break,
            '|' | '&' | ';' => {
                commands.push(std::mem::take(&mut words));
                rest = rest.trim_start_matches(['|', '&', ';']);
            }
            '<' | '>' => rest = word(rest.trim_start_matches(['<', '>']).trim_start()).1,
            _ => {
                let (found, after) = word(rest);
                words.push(found);
                rest = after;
            }
        }
        rest = rest.trim_start();
    }
    commands.push(words);
    commands
}

/// The first word of a line without its quotes, and what comes after it. A substitution is a part of its word.
fn word(line: &str) -> (String, &str) {
    let (mut found, mut quote, mut depth) = (String::new(), None, 0);
    for (at, char) in line.char_indices() {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (None, '"' | '\'') => quote = Some(char),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ' ' | '|' | '&' | ';' | '<' | '>') if depth == 0 => return (found, &line[at..]),
            _ => found.push(char),
        }
    }
    (found, "")
}

#[test]
fn a_line_is_split_as_a_shell_does() {
    let split = |line: &str| simple_commands(line).iter().map(|words| words.join("·")).collect::<Vec<_>>();
    assert_eq!(split("familiar clones 'a b' | sort > out.txt   # why"), ["familiar·clones·a b", "sort"]);
    assert_eq!(split("familiar find - < in.py && echo \"$?\""), ["familiar·find·-", "echo·$?"]);
    assert_eq!(split("x $(sed 's/^/a|b/' list) y"), ["x·$sed s/^/a|b/ list·y"]);
    assert!(refusal(&["familiar", "clones", "--no-such-flag"].map(String::from)).is_some());
}
