//! Two fragments set beside each other, line by line, as far as they differ.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::Excerpt;

/// Most rows that are shown.
const ROWS: usize = 14;

/// What a row says of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// In both fragments, or nothing to compare with.
    Same,
    Removed,
    Added,
    /// Lines of both fragments were left out here.
    Gap,
}

/// One row: a line of the left fragment, with its number, or of the right one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'e> {
    pub(super) mark: Mark,
    pub(super) number: Option<u32>,
    pub(super) text: &'e str,
}

/// The rows in which two fragments differ, each change with the line before and after it, and how many lines of the
/// left fragment come after the last row. Indentation does not count (Heckel's patience diff on trimmed lines).
pub(super) fn rows<'e>(left: &'e Excerpt, right: &'e Excerpt) -> (Vec<Row<'e>>, u32) {
    let all = all_rows(left, right);
    if all.len() <= ROWS {
        return (all, left.omitted);
    }
    let near = |at: usize| {
        let around = at.saturating_sub(1)..(at + 2).min(all.len());
        all[around].iter().any(|row| row.mark != Mark::Same)
    };
    let mut shown: Vec<Row<'e>> = Vec::new();
    let mut last = None;
    for (at, &row) in all.iter().enumerate() {
        // The first line says what it is about.
        if at > 0 && !near(at) {
            continue;
        }
        let gap = last.is_some_and(|last| last + 1 < at);
        if shown.len() + usize::from(gap) >= ROWS {
            break;
        }
        if gap {
            shown.push(Row { mark: Mark::Gap, number: None, text: "" });
        }
        shown.push(row);
        last = Some(at);
    }
    let after = &all[last.map_or(0, |last| last + 1)..];
    let rest = after.iter().filter(|row| row.number.is_some()).count() as u32;
    (shown, rest + left.omitted)
}

fn all_rows<'e>(left: &'e Excerpt, right: &'e Excerpt) -> Vec<Row<'e>> {
    let trimmed = |excerpt: &'e Excerpt| excerpt.lines.iter().map(|line| line.trim()).collect::<Vec<&str>>();
    let (a, b) = (trimmed(left), trimmed(right));
    let mut rows = Vec::new();
    for change in capture_diff_slices(Algorithm::Patience, &a, &b) {
        let (tag, old, new) = change.as_tag_tuple();
        let mark = if tag == DiffTag::Equal { Mark::Same } else { Mark::Removed };
        rows.extend(old.map(|at| Row {
            mark,
            number: Some(left.first_line + at as u32),
            text: &left.lines[at],
        }));
        if tag != DiffTag::Equal {
            rows.extend(new.map(|at| Row { mark: Mark::Added, number: None, text: &right.lines[at] }));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(lines: &[&str]) -> Excerpt {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        Excerpt { fragment: 0, first_line: 10, lines, omitted: 0 }
    }

    fn texts(lines: &[String]) -> Vec<&str> {
        lines.iter().map(String::as_str).collect()
    }

    fn shown(left: &[&str], right: &[&str]) -> (String, u32) {
        let (left, right) = (excerpt(left), excerpt(right));
        let (rows, rest) = rows(&left, &right);
        let mark = |mark| match mark {
            Mark::Same => ' ',
            Mark::Removed => '-',
            Mark::Added => '+',
            Mark::Gap => ':',
        };
        let lines: Vec<String> = rows.iter().map(|row| format!("{}{} ", mark(row.mark), row.text)).collect();
        (lines.concat(), rest)
    }

    #[test]
    fn short_fragments_are_shown_whole() {
        assert_eq!(shown(&["a", "  b", "c"], &["a", "b", "d"]), (" a    b -c +d ".to_owned(), 0));
    }

    #[test]
    fn of_long_ones_only_the_changes_and_the_first_line_are_shown() {
        let left: Vec<String> = (0..40).map(|n| format!("l{n}")).collect();
        let mut right = left.clone();
        right[20] = "x".to_owned();
        let (rows, rest) = shown(&texts(&left), &texts(&right));
        assert_eq!((rows.as_str(), rest), (" l0 :  l19 -l20 +x  l21 ", 18));
    }
}
