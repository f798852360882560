//! Takes away what terminals and editors add to a text.

use std::borrow::Cow;

/// The text without escape sequences of terminals, control characters, byte-order marks and invisible characters, with Unix line ends.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => {
                // A control sequence ends with a letter; a command to the terminal ends with a bell or another escape. None goes over the
                // end of its line.
                match letters.next() {
                    Some('[') => {
                        while letters.next_if(|it| !('@'..='~').contains(it) && *it != '\n').is_some() {}
                    }
                    Some(']') => {
                        while letters.next_if(|it| !['\u{7}', '\u{1b}', '\n'].contains(it)).is_some() {}
                    }
                    _ => continue,
                }
                // The other escape of a command has a backslash behind it.
                if letters.next_if(|it| *it != '\n') == Some('\u{1b}') {
                    letters.next_if_eq(&'\\');
                }
            }
            '\r' => {
                letters.next_if_eq(&'\n');
                cleaned.push('\n');
            }
            '\u{a0}' => cleaned.push(' '),
            odd if is_odd(odd) => {}
            _ => cleaned.push(letter),
        }
    }
    Cow::Owned(cleaned)
}

/// The text without the blanks that stand before each of its lines, as in the items of a list.
pub(super) fn dedented(text: String) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next().filter(|line| blanks(line) > 0) else { return text };
    let mut common = &first[..blanks(first)];
    for line in lines {
        let same = common.bytes().zip(line.bytes()).take_while(|(one, other)| one == other).count();
        common = &common[..same];
    }
    if common.is_empty() {
        return text;
    }
    let without = |line: &str| line.strip_prefix(common).unwrap_or_else(|| line.trim_start()).to_owned();
    let mut cut = text.lines().map(without).collect::<Vec<_>>().join("\n");
    if text.ends_with('\n') {
        cut.push('\n');
    }
    cut
}

fn is_odd(letter: char) -> bool {
    let is_invisible = matches!(letter, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{a0}');
    is_invisible || (letter.is_control() && !matches!(letter, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_before_all_lines_go() {
        let dedented = |text: &str| dedented(text.to_owned());
        assert_eq!(dedented("   def f(x):\n\n     return x\n"), "def f(x):\n\n  return x\n");
        assert_eq!(dedented("\tif x {\n  y\n\t}"), "\tif x {\n  y\n\t}");
        assert_eq!(dedented("a\n  b\n"), "a\n  b\n");
        assert_eq!(dedented(" a\n"), "a\n");
        assert_eq!(dedented(""), "");
    }

    #[test]
    fn what_terminals_add_is_taken_away() {
        assert_eq!(clean("plain\n\ttext"), "plain\n\ttext");
        assert_eq!(clean("\u{feff}a\r\nb\rc"), "a\nb\nc");
        assert_eq!(clean("\u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}x\u{0}y"), "red xy");
        assert_eq!(clean("x\u{200b}=\u{a0}1"), "x= 1");
        assert_eq!(clean("open \u{1b}[12"), "open ");
        assert_eq!(clean("a\u{1b}]0;no end\nb\u{1b}[3\nc\u{1b}]0;t\u{1b}\\d"), "a\nb\ncd");
    }
}
