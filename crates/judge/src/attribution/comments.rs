//! Comments of any language, told by their markers.

/// Longer comments above code are headers of files, not words on the code below.
const MAX_LINES: usize = 100;

/// A line and what of it is comment.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: u32,
    pub(super) text: &'a str,
    pub(super) comment: String,
}

/// Where comments over several lines begin and end.
pub(super) const BLOCKS: &[(&str, &str)] = &[
    ("/*", "*/"),
    ("<!--", "-->"),
    ("<#", "#>"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("{-", "-}"),
    ("(*", "*)"),
    ("--[[", "]]"),
    ("=begin", "=end"),
    ("=pod", "=cut"),
    ("=head1", "=cut"),
];

/// What comments within a line begin with.
const MARKERS: &str = "/<\"'{(-#=";

/// Those that mean something else within a line: `f(*arguments)`.
const FIRST: &[&str] = &["{-", "(*", "--[[", "<#", "=begin", "=pod", "=head1"];

/// Most comments, with an empty line between, that are read above code.
const MOST_ABOVE: usize = 3;

/// The first line of the comments that stand right above `line` of `lines` (both from 1), or `line` where none does. Attributes and decorators,
/// and one empty line each, may stand between.
pub(super) fn comment_above(lines: &[&str], line: u32) -> u32 {
    let Some(above) = lines.get(..line.saturating_sub(1) as usize) else { return line };
    let mut first = line;
    let mut at = above.len();
    for _ in 0..MOST_ABOVE {
        at = before_attributes(above, at);
        if at > 0 && above[at - 1].trim().is_empty() {
            at -= 1;
        }
        let end = at;
        while at > 0 && end - at < MAX_LINES {
            if is_line_comment(above[at - 1].trim()) {
                at -= 1;
            } else if let Some(start) = block_start(&above[..at]) {
                at = start;
            } else {
                break;
            }
        }
        if at == end {
            break;
        }
        first = at as u32 + 1;
    }
    first
}

/// Longest attribute or decorator.
const MOST_ATTRIBUTE: usize = 16;

/// Where the attributes, decorators and modifiers begin that end before `at`.
fn before_attributes(lines: &[&str], mut at: usize) -> usize {
    while at > 0 {
        let line = lines[at - 1].trim();
        if is_attribute(line) || is_modifier(line) {
            at -= 1;
        } else if let Some(start) = attribute_start(&lines[..at]) {
            at = start;
        } else {
            break;
        }
    }
    at
}

/// Where the decorator over several lines begins that ends with the last of `lines`.
fn attribute_start(lines: &[&str]) -> Option<usize> {
    if !lines.last()?.trim().ends_with([')', ']']) {
        return None;
    }
    let mut open = 0_i64;
    for (at, line) in lines.iter().enumerate().rev().take(MOST_ATTRIBUTE) {
        let of =
            |brackets: &[char]| line.chars().filter(|c| brackets.contains(c)).map(|_| 1_i64).sum::<i64>();
        open += of(&[')', ']']) - of(&['(', '[']);
        if open <= 0 {
            let first = line.trim();
            return (first.starts_with('@') || first.starts_with("#[")).then_some(at);
        }
    }
    None
}

/// What stands on a line of its own before a function's name: `static inline`, `template <class T>`.
fn is_modifier(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "constexpr",
        "export",
        "extern",
        "final",
        "inline",
        "private",
        "protected",
        "public",
        "static",
        "virtual",
    ];
    !line.is_empty() && line.split_whitespace().all(|word| WORDS.contains(&word))
        || line.starts_with("template") && line.ends_with('>')
}

/// Heads of blocks that lie farther up are not looked for.
const MAX_BLOCK: usize = 100;

/// The head of the outermost function, class or block that `line` (from 1) lies in, by indentation; `line` where it lies in none.
pub(super) fn head_of_blocks(lines: &[&str], line: u32) -> u32 {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some((first, above)) = lines.get(..line as usize).and_then(<[_]>::split_last) else { return line };
    let (mut head, mut least) = (line, indent(first));
    for (number, line) in (1..line).rev().zip(above.iter().rev()).take(MAX_BLOCK) {
        if least == 0 {
            break;
        }
        if !line.trim().is_empty() && indent(line) < least {
            (head, least) = (number, indent(line));
        }
    }
    head
}

/// Where the block comment that ends with the last of `lines` begins.
fn block_start(lines: &[&str]) -> Option<usize> {
    let last = lines.last()?.trim();
    let (open, close) = BLOCKS.iter().find(|(_, close)| last.ends_with(close))?;
    if last.starts_with(open) && last.len() >= open.len() + close.len() {
        return Some(lines.len() - 1);
    }
    if open == close && last.len() > close.len() && last.matches(close).count() > 1 {
        return None;
    }
    let earlier = &lines[..lines.len() - 1];
    let opening = earlier.iter().rev().take(MAX_LINES).position(|line| line.contains(open))?;
    let start = earlier.len() - 1 - opening;
    // What comes before the opening must be the comment's own line, or it is code with a comment behind it.
    earlier[start].trim().starts_with(open).then_some(start)
}

pub(super) fn is_line_comment(line: &str) -> bool {
    line.starts_with("//")
        || line.starts_with("--")
        || line.starts_with(';')
        || line.starts_with('%')
        || line.starts_with("! ")
        || line.starts_with(":: ")
        || line.starts_with("REM ")
        || line.starts_with("rem ")
        || line.starts_with("dnl ")
        // Visual Basic and Vim; with a second quote it is a string.
        || line.starts_with("' ") && !line[1..].ends_with('\'')
        || line.starts_with("\" ") && !line[1..].contains('"')
        || line.starts_with('#') && !is_directive(line) && !is_attribute(line) && !line.starts_with("#>")
}

/// What begins with `#` and is a line of C or C#.
fn is_directive(line: &str) -> bool {
    const DIRECTIVES: &[&str] = &[
        "define",
        "elif",
        "else",
        "endif",
        "endregion",
        "error",
        "if",
        "ifdef",
        "ifndef",
        "import",
        "include",
        "line",
        "nullable",
        "pragma",
        "region",
        "undef",
        "warning",
    ];
    let word = line.trim_start_matches('#');
    let spaced = word.len() + 1 != line.len() || word.starts_with(' ');
    let word = word.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    !spaced && DIRECTIVES.contains(&word)
}

fn is_attribute(line: &str) -> bool {
    line.starts_with("#[") || line.starts_with('@') || line.starts_with('[') && line.ends_with(']')
}

/// The lines from `first` to `last` (from 1) with what of them is comment. Strings are not told from code: a marker within one begins a
/// comment, which costs nothing but a name found in a string.
pub(super) fn commented<'t>(lines: &[&'t str], first: u32, last: u32) -> Vec<Line<'t>> {
    let mut end: Option<&str> = None;
    let wanted = lines.iter().copied().zip(1_u32..).skip(first.saturating_sub(1) as usize);
    wanted
        .take_while(|(_, number)| *number <= last)
        .map(|(line, number)| Line { number, text: line, comment: comment_of(line, &mut end) })
        .collect()
}

/// What of `line` is comment; `end` is what closes the block that is open before it, and after it. Reads the line once.
fn comment_of(line: &str, end: &mut Option<&'static str>) -> String {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let (whole, directive) = (is_line_comment(trimmed), is_directive(trimmed));
    let mut comment = String::new();
    let mut before = ' ';
    let mut at = 0;
    while let Some(next) = line[at..].chars().next() {
        let rest = &line[at..];
        if let Some(close) = *end {
            let Some(length) = rest.find(close) else {
                comment.push_str(rest);
                return comment;
            };
            comment.push_str(&rest[..length]);
            comment.push(' ');
            *end = None;
            at += length + close.len();
            before = ' ';
            continue;
        }
        if !(MARKERS.contains(next) || at == indent && whole) {
            before = next;
            at += next.len_utf8();
            continue;
        }
        let opens =
            |(open, _): &&(&str, &str)| rest.starts_with(open) && (at == indent || !FIRST.contains(open));
        if let Some((open, close)) = BLOCKS.iter().find(opens) {
            *end = Some(close);
            at += open.len();
            continue;
        }
        if at == indent && whole || !directive && begins_behind_code(rest, before) {
            comment.push_str(rest);
            return comment;
        }
        before = next;
        at += next.len_utf8();
    }
    comment
}

/// Whether a comment to the end of the line begins here, behind code: `://` is an address, `x--` and `a#b` are code.
fn begins_behind_code(rest: &str, before: char) -> bool {
    (before.is_whitespace() || matches!(before, ';' | '{' | '}' | ')'))
        && ["//", "#", "-- "].iter().any(|marker| rest.starts_with(marker))
}
