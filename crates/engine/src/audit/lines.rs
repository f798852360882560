//! Stretches of a text by its lines.

use std::collections::BTreeSet;

/// Whether nearly all of some lines bring names in from elsewhere.
pub(super) fn are_imports(text: &str, start: u32, end: u32) -> bool {
    let count = (end + 1).saturating_sub(start) as usize;
    let lines = text.lines().skip(start.saturating_sub(1) as usize).take(count).map(str::trim);
    let (mut imports, mut all, mut open) = (0, 0, false);
    for line in lines.filter(|line| line.len() > 1) {
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
/// counted with the names, comments to the end of a line not at all.
pub(super) fn names_and_values(text: &str, start: u32, end: u32) -> (usize, usize) {
    const VALUES: [&str; 5] = ["true", "false", "none", "null", "nil"];
    let count = (end + 1).saturating_sub(start) as usize;
    let (mut names, mut values) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines().skip(start.saturating_sub(1) as usize).take(count) {
        let mut rest = line;
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

    #[test]
    fn lists_of_imports_are_known() {
        assert!(are_imports("import os\nfrom a import (\n    b,\n    c,\n)\nimport re\n", 1, 6));
        assert!(!are_imports("import os\nx = 1\ny = 2\n", 1, 3));
        assert!(are_imports("import {\n  a,\n} from 'b'\n", 1, 3));
    }

    #[test]
    fn names_are_told_from_values() {
        assert_eq!(names_and_values("x = f('a b', \"it's\", 0x1f, True)\ny = [1, 1]\n", 1, 1), (2, 4));
        assert_eq!(names_and_values("1, 2,  # one of four\n3 // five\n", 1, 2), (0, 3));
        assert_eq!(names_and_values("'a', 'one two three four'", 1, 1), (1, 1));
        assert_eq!(names_and_values("x = f('a b')\ny = [1, 1, '\n", 2, 9), (1, 2));
    }
}
