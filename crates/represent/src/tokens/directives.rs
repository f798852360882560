//! The lines of the preprocessor.

use familiar_source::Language;

/// Whether `#` starts a directive in `language`.
pub(super) fn has_preprocessor(language: Language) -> bool {
    matches!(
        language,
        Language::C
            | Language::Cpp
            | Language::ObjectiveC
            | Language::CSharp
            | Language::Glsl
            | Language::Hlsl
    )
}

/// Tells the tokens of directives from the others, in the order of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directives {
    /// Where the directive ends that was read last.
    end: u32,
}

impl Directives {
    /// Those of a language that has them.
    pub(super) fn of(language: Language) -> Option<Self> {
        has_preprocessor(language).then_some(Self { end: 0 })
    }

    /// Whether `at` stands in the directive that was read last.
    pub(super) fn holds(self, at: u32) -> bool {
        at < self.end
    }

    /// Whether the token from `start` to `end` belongs to a directive. The token before it ends at `before`.
    #[inline]
    pub(super) fn hold(&mut self, text: &[u8], before: u32, start: u32, end: u32) -> bool {
        // Most tokens are far from any directive.
        (self.end > 0 || text[start as usize] == b'#') && self.hold_near(text, before, start, end)
    }

    fn hold_near(&mut self, text: &[u8], before: u32, start: u32, end: u32) -> bool {
        if self.end > 0 && start >= self.end {
            self.end = carried(text, before, self.end, start);
        }
        if start >= self.end && text[start as usize] == b'#' && starts_line(text, before, start) {
            self.end = line_end(text, start);
        }
        if start < self.end && end > self.end {
            self.end = line_end(text, end);
        }
        start < self.end
    }
}

fn starts_line(text: &[u8], before: u32, start: u32) -> bool {
    before == 0 || text[before as usize..start as usize].iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Where a directive ends that would end at `end`, where a comment carries it over lines before `start`; otherwise 0.
fn carried(text: &[u8], before: u32, end: u32, start: u32) -> u32 {
    let mut at = before.min(end) as usize;
    while let Some(open) = memchr::memmem::find(&text[at..end as usize], b"/*") {
        let inner = at + open + 2;
        let Some(close) = memchr::memmem::find(&text[inner..start as usize], b"*/") else { return 0 };
        at = inner + close + 2;
        if at > end as usize {
            return line_end(text, at as u32);
        }
    }
    0
}

/// The end of the line that holds `from`, or of the last line that a backslash joins to it.
fn line_end(text: &[u8], from: u32) -> u32 {
    let mut from = from as usize;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &text[from..]) {
        let at = from + found;
        if at == 0 || text[at - 1] != b'\\' {
            return at as u32;
        }
        from = at + if text[at..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    text.len() as u32
}
