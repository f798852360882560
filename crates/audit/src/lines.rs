//! Stretches of a text by its lines.

use std::collections::BTreeSet;

/// Those from `start` to `end` (from 1).
pub(crate) fn between<'l, 't>(lines: &'l [&'t str], start: u32, end: u32) -> &'l [&'t str] {
    let first = (start.saturating_sub(1) as usize).min(lines.len());
    &lines[first..(end as usize).clamp(first, lines.len())]
}

/// Whether nearly all of some lines bring names in from elsewhere.
pub(crate) fn are_imports(lines: &[&str]) -> bool {
    let (mut imports, mut all, mut open) = (0, 0, false);
    for line in lines.iter().map(|line| line.trim()).filter(|line| line.len() > 1) {
        let words =
            ["import ", "from ", "#include", "using ", "use ", "require", "package ", "export * from"];
        let begins = words.iter().any(|word| line.starts_with(word)) || line.contains("require(");
        all += 1;
        imports += usize::from(begins || open);
        let opens = begins && line.contains(['(', '{']) && !line.contains([')', '}']);
        open = opens || open && !line.contains([')', '}']);
    }
    all > 0 && imports * 10 >= all * 9
}

/// Quoted text of more words says something, and is no value.
const MOST_WORDS: usize = 3;

/// The different names and the different values of some lines: values are numbers, quoted words, and words such as `true`; quoted text is
/// counted with the names, comments to the end of a line not at all. Lines after more than `most_names` are not looked at.
pub(crate) fn names_and_values(lines: &[&str], most_names: usize) -> (usize, usize) {
    const VALUES: [&str; 5] = ["true", "false", "none", "null", "nil"];
    let (mut names, mut values) = (BTreeSet::new(), BTreeSet::new());
    for line in lines {
        if names.len() > most_names {
            break;
        }
        let mut rest = *line;
        while let Some(next) = rest.chars().next() {
            if next == '#' || rest.starts_with("//") {
                break;
            }
            let length = if matches!(next, '"' | '\'' | '`') {
                rest[1..].find(next).map_or(rest.len(), |close| close + 2)
            } else if next.is_alphanumeric() || next == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            } else {
                rest = &rest[next.len_utf8()..];
                continue;
            };
            let (word, after) = rest.split_at(length);
            let is_name = match next {
                '"' | '\'' | '`' => word.split_whitespace().count() > MOST_WORDS,
                next => next.is_alphabetic() || next == '_',
            };
            if is_name && !VALUES.contains(&word.to_lowercase().as_str()) {
                names.insert(word);
            } else {
                values.insert(word);
            }
            rest = after;
        }
    }
    (names.len(), values.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        text.lines().collect()
    }

    #[test]
    fn lines_that_are_not_there_are_none() {
        let lines = lines("a\nb\nc\n");
        assert_eq!(between(&lines, 2, 3), ["b", "c"]);
        assert_eq!(
            (between(&lines, 3, 9), between(&lines, 9, 10), between(&lines, 3, 1)),
            (&["c"][..], &[][..], &[][..])
        );
    }

    #[test]
    fn lists_of_imports_are_known() {
        assert!(are_imports(&lines("import os\nfrom a import (\n    b,\n    c,\n)\nimport re\n")));
        assert!(!are_imports(&lines("import os\nx = 1\ny = 2\n")));
        assert!(are_imports(&lines("import {\n  a,\n} from 'b'\n")));
    }

    #[test]
    fn names_are_told_from_values() {
        let count = |text: &str| names_and_values(&lines(text), 9);
        assert_eq!(count("x = f('a b', \"it's\", 0x1f, True)\n"), (2, 4));
        assert_eq!(count("1, 2,  # one of four\n3 // five\n"), (0, 3));
        assert_eq!(count("'a', 'one two three four'"), (1, 1));
        assert_eq!(count("y = [1, 1, '\n"), (1, 2));
    }
}
