//! What stands before a mark.

/// What stands before a mark on its line.
pub(super) struct Before<'a> {
    pub line: &'a str,
    /// As much before the mark as may matter, lines above included.
    text: &'a str,
}

impl<'a> Before<'a> {
    const MOST: usize = 120;

    pub(super) fn new(text: &'a str, at: usize) -> Self {
        let mut from = at.saturating_sub(Self::MOST);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let text = &text[from..at];
        Self { line: text.rfind('\n').map_or(text, |end| &text[end + 1..]), text }
    }

    /// The word before the mark, in lower case.
    pub(super) fn word(&self) -> String {
        self.line.split_whitespace().next_back().unwrap_or_default().to_lowercase()
    }

    /// Whether the mark only tells which of several things is meant: `software which is copyrighted by …`.
    pub(super) fn is_relative(&self) -> bool {
        let words = self.text.split_whitespace().rev();
        let mut words = words.filter(|word| word.contains(char::is_alphanumeric)).map(str::to_lowercase);
        let last = words.next().unwrap_or_default();
        let relative = matches!(words.next().as_deref(), Some("which" | "that" | "not"));
        last == "not" || (relative && matches!(last.as_str(), "is" | "are"))
    }

    /// Whether the mark begins a line, a string, an element or a sentence.
    pub(super) fn begins(&self) -> bool {
        let line = self.line.trim_end();
        !line.ends_with(|char: char| {
            char.is_alphanumeric() || matches!(char, ',' | '-' | '=' | '_' | '$' | '.')
        }) || {
            let word = self.word();
            matches!(word.as_str(), "dnl" | "rem" | "@c" | "portions" | "c" | "echo")
                || (word.ends_with('.') && word.len() > 1)
                || word.chars().all(|char| !char.is_alphanumeric())
        }
    }

    /// Whether nothing but a comment leader or a tag stands before the mark.
    pub(super) fn is_bare(&self) -> bool {
        self.line.ends_with('>') || !self.line.contains(char::is_alphanumeric)
    }

    /// Whether the mark is called in code.
    pub(super) fn is_code(&self) -> bool {
        self.line.ends_with(['.', '>', '&', '=']) || self.line.contains(['=', ';', '{'])
    }

    /// The words before the mark that say that only a part is claimed.
    pub(super) fn portions(&self) -> String {
        let words: Vec<&str> = self.line.split_whitespace().collect();
        let parts = ["portions", "parts", "modifications", "changes", "additions"];
        let first = words.iter().position(|word| parts.contains(&word.to_lowercase().as_str()));
        first
            .filter(|first| words.len() - first <= 8)
            .map_or_else(String::new, |first| words[first..].join(" "))
    }
}
