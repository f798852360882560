//! Which comments of a file may speak of some of its lines, beside those right above: its head, and those on all that follows.

use super::comments::{self, BLOCKS, Line};

/// Longer heads are read so far.
const MOST_HEAD: usize = 200;
/// More comments on what follows than files have.
const MOST_SECTIONS: usize = 64;
/// Lines of a comment on what follows, before and behind the word that says so.
const AROUND: usize = 6;

/// How lines begin that may stand before and between the comments of a file's head.
const PREAMBLE: &[&str] = &[
    "#!",
    "#define",
    "#endif",
    "#if",
    "#include",
    "#pragma",
    "#undef",
    "'use ",
    "(function",
    ";(function",
    "<!doctype",
    "<?",
    "\"use ",
    "extern crate",
    "from ",
    "import ",
    "library(",
    "namespace ",
    "package ",
    "require",
    "use ",
    "using ",
];

/// The lines of the comments at the head of a file, in which it speaks of itself as a whole. A comment that stands right above the first
/// code speaks of that, unless it says that it speaks of the file.
pub(super) fn head<'t>(lines: &[&'t str]) -> Vec<Line<'t>> {
    let (mut end, mut open) = (0, None::<&str>);
    for line in lines.iter().take(MOST_HEAD) {
        let trimmed = line.trim();
        if let Some(close) = open {
            open = (!trimmed.contains(close)).then_some(close);
        } else if let Some((_, close)) = BLOCKS.iter().find(|(opens, _)| trimmed.starts_with(opens)) {
            open = (!trimmed[2..].contains(close)).then_some(close);
        } else if !trimmed.is_empty() && !is_preamble(trimmed) && !comments::is_line_comment(trimmed) {
            break;
        }
        end += 1;
    }
    let code = end as u32 + 1;
    let above = comments::comment_above(lines, code);
    let attached = &lines[(above - 1) as usize..end];
    let is_attached = attached.last().is_some_and(|line| !line.trim().is_empty());
    let is_of_code = is_attached && end < lines.len() && !attached.iter().any(|line| speaks_of_file(line));
    let last = if is_of_code { above - 1 } else { end as u32 };
    let mut head = comments::commented(lines, 1, last);
    head.retain(|line| !is_preamble(line.text.trim()));
    head
}

fn speaks_of_file(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "/*!",
        "@file",
        "copyright",
        "license",
        "this file",
        "this library",
        "this module",
        "this package",
        "this script",
    ];
    let line = line.to_ascii_lowercase();
    WORDS.iter().any(|word| line.contains(word))
}

fn is_preamble(line: &str) -> bool {
    let is = |start: &&str| line.get(..start.len()).is_some_and(|line| line.eq_ignore_ascii_case(start));
    PREAMBLE.iter().any(is)
}

/// Comments that speak of all that follows: `the following functions are from …`.
pub(super) fn sections<'t>(lines: &[&'t str]) -> Vec<Line<'t>> {
    let is_comment = |line: &str| {
        let line = line.trim();
        comments::is_line_comment(line)
            || line.starts_with(['*'])
            || line.starts_with("/*")
            || line.ends_with("*/")
    };
    let mut found: Vec<Line<'t>> = Vec::new();
    let mut count = 0;
    for (at, line) in lines.iter().enumerate() {
        if count == MOST_SECTIONS {
            break;
        }
        if !is_comment(line) || !speaks_of_what_follows(line) {
            continue;
        }
        count += 1;
        let before = lines[..at].iter().rev().take(AROUND).take_while(|line| is_comment(line)).count();
        let behind = lines[at..].iter().take(AROUND).take_while(|line| is_comment(line)).count();
        for (number, &text) in lines.iter().enumerate().take(at + behind).skip(at - before) {
            if found.last().is_none_or(|last| last.number <= number as u32) {
                found.push(Line { number: number as u32 + 1, text, comment: text.to_owned() });
            }
        }
    }
    found
}

fn speaks_of_what_follows(line: &str) -> bool {
    const WORDS: &[&str] = &["following", "below", "rest of", "remainder of"];
    let line = line.to_ascii_lowercase();
    WORDS.iter().any(|word| line.contains(word))
}
