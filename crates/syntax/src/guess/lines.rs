//! Lines of a snippet as words and signs, the same for every language.

/// Most tokens of a line that are looked at.
const MOST: usize = 64;

/// Signs of several characters, longest first.
const SIGNS: [&str; 26] = [
    "===", "!==", "...", "..<", "::=", "<->", ">>>", "->", "=>", "::", ":=", "==", "!=", "<-", "<<", "&&",
    "||", "++", "--", "+=", "-=", "?.", "??", "..", "</", "<?",
];

/// What a token is, beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Name,
    Number,
    String,
    Sign,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
}

/// Reads one line after another. It leaves out what is a comment in most languages and text in quotes over several lines.
#[derive(Debug, Default)]
pub struct Lines {
    /// What ends the comment or the text that is open.
    open: Option<&'static str>,
}

impl Lines {
    /// The tokens of the next line, in place of those in `tokens`.
    pub fn read<'s>(&mut self, line: &'s str, tokens: &mut Vec<Token<'s>>) {
        tokens.clear();
        let mut rest = line;
        while tokens.len() < MOST {
            if let Some(end) = self.open {
                let Some((_, after)) = rest.split_once(end) else { return };
                (rest, self.open) = (after, None);
            }
            let spaced = rest.len() == line.len() || rest.starts_with([' ', '\t']);
            rest = rest.trim_start();
            if rest.is_empty() || is_comment(rest, spaced, tokens.is_empty()) {
                return;
            }
            let (kind, bytes) = match opening(rest) {
                Some((bytes, end)) => {
                    self.open = Some(end);
                    (Kind::String, bytes)
                }
                None => one(rest, tokens.last().is_some_and(|last| last.kind == Kind::Name) && !spaced),
            };
            let (text, after) = rest.split_at(bytes);
            if text != "/*" {
                tokens.push(Token { kind, text });
            }
            rest = after;
        }
    }
}

/// `//` and `#` with space about them; nothing of a line follows them.
fn is_comment(rest: &str, spaced: bool, is_first: bool) -> bool {
    let sign = rest.starts_with("//") || (rest.starts_with("# ") || rest == "#");
    (sign && spaced) || (is_first && (rest.starts_with("##") || rest.starts_with("* ")))
}

/// A comment or text over lines: how long what opens it is, and what ends it.
fn opening(rest: &str) -> Option<(usize, &'static str)> {
    [("/*", "*/"), ("\"\"\"", "\"\"\""), ("'''", "'''")]
        .into_iter()
        .find_map(|(open, end)| rest.starts_with(open).then_some((open.len(), end)))
}

/// The token that a text starts with, and its length. `glued`: it follows a name without space.
fn one(rest: &str, glued: bool) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = || rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        return (Kind::Number, word());
    }
    if is_word(first) {
        return (Kind::Name, word());
    }
    // An apostrophe in a word quotes nothing; a letter before a quote, as in Python, does no harm.
    let quotes = matches!(first, '"' | '`') || (first == '\'' && !glued);
    if quotes && let Some(end) = closing(rest, first) {
        return (Kind::String, end);
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    (Kind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
}

/// The length of a text in quotes that ends on its line.
fn closing(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some(end.0 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let (mut lines, mut tokens) = (Lines::default(), Vec::new());
        let mut texts = Vec::new();
        for line in source.lines() {
            lines.read(line, &mut tokens);
            texts.extend(tokens.iter().map(|token| token.text.to_owned()));
        }
        texts
    }

    #[test]
    fn comments_and_long_texts_are_left_out() {
        assert_eq!(texts("a /* b\nc */ d // e\n# f\n#g"), ["a", "d", "#", "g"]);
        assert_eq!(texts("x = \"\"\"a\nb\"\"\" y"), ["x", "=", "\"\"\"", "y"]);
        assert_eq!(texts("http://a"), ["http", ":", "/", "/", "a"]);
    }

    #[test]
    fn words_texts_and_signs_are_tokens() {
        assert_eq!(texts("don't 1e5->x"), ["don", "'", "t", "1e5", "->", "x"]);
        assert_eq!(texts("s = 'a\\'b' é≤"), ["s", "=", "'a\\'b'", "é", "≤"]);
    }
}
