//! Fragments as the walk finds them, and their place among the tokens.

use familiar_source::{Fragment, FragmentKind, LineIndex, Span, Token};

/// A fragment that knows its bytes only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) kind: FragmentKind,
    pub(super) name: Span,
    pub(super) bytes: Span,
}

impl Found {
    /// The fragment with its lines; its token span is empty.
    pub(super) fn fragment(&self, lines: &LineIndex) -> Fragment {
        Fragment {
            kind: self.kind,
            name: self.name,
            bytes: self.bytes,
            lines: lines.lines(self.bytes),
            tokens: Span::default(),
        }
    }
}

/// Appends `found` to `fragments` with lines and token spans; what holds no token is left out.
pub(super) fn place(found: &[Found], tokens: &[Token], lines: &LineIndex, fragments: &mut Vec<Fragment>) {
    for one in found {
        let first = tokens.partition_point(|token| token.start < one.bytes.start);
        let end = tokens.partition_point(|token| token.end <= one.bytes.end);
        if first < end {
            let mut fragment = one.fragment(lines);
            fragment.tokens = Span::new(first as u32, end as u32);
            fragments.push(fragment);
        }
    }
}
