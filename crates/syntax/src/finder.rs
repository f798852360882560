//! What the fragment finders of the fast path share: matched brackets, statement counts, and making fragments.

use familiar_source::{Fragment, FragmentKind, LineIndex, Span, Token};

/// Fewest statements that make a block a fragment.
pub(crate) const MIN_BLOCK_STATEMENTS: u32 = 3;

/// A partner that does not exist.
pub(crate) const NONE: u32 = u32::MAX;

/// What a token is to the bracket matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `(`, `[`, `{`: the number tells the sorts apart.
    Open(u8),
    Close(u8),
    No,
}

/// For every token the position of the bracket that closes or opens it.
#[derive(Debug, Default)]
pub(crate) struct Brackets {
    partner: Vec<u32>,
    balanced: bool,
}

impl Brackets {
    /// Matches the brackets of `tokens`. A closing bracket without its opening one is left alone; an opening one that
    /// an outer bracket's end cuts off is left open. Takes linear time and no recursion.
    pub(crate) fn of(tokens: &[Token], sort: impl Fn(&Token) -> Bracket) -> Self {
        let mut partner = vec![NONE; tokens.len()];
        let mut open: Vec<(u8, u32)> = Vec::new();
        let mut depth_of = [0u32; 256];
        let mut balanced = true;
        for (at, token) in tokens.iter().enumerate() {
            match sort(token) {
                Bracket::No => {}
                Bracket::Open(sort) => {
                    open.push((sort, at as u32));
                    depth_of[sort as usize] += 1;
                }
                Bracket::Close(sort) if depth_of[sort as usize] == 0 => balanced = false,
                Bracket::Close(sort) => {
                    while let Some((opened, start)) = open.pop() {
                        depth_of[opened as usize] -= 1;
                        if opened == sort {
                            partner[start as usize] = at as u32;
                            partner[at] = start;
                            break;
                        }
                        balanced = false;
                    }
                }
            }
        }
        Self { partner, balanced: balanced && open.is_empty() }
    }

    /// The other bracket of the pair that `at` belongs to.
    pub(crate) fn partner(&self, at: usize) -> Option<usize> {
        self.partner.get(at).copied().filter(|&p| p != NONE).map(|p| p as usize)
    }

    /// The position after the group that opens at `at`, or after `at` itself where none does.
    pub(crate) fn after(&self, at: usize) -> usize {
        self.partner(at).filter(|&p| p > at).unwrap_or(at) + 1
    }

    /// Whether every bracket found its partner.
    pub(crate) fn balanced(&self) -> bool {
        self.balanced
    }
}

/// A fragment over the tokens `first..=last`, with the bytes and lines that these stand on.
///
/// `name` is a token's position; the fragment has none where that is `None`.
pub(crate) fn fragment(
    kind: FragmentKind,
    name: Option<usize>,
    first: usize,
    last: usize,
    tokens: &[Token],
    lines: &LineIndex,
) -> Fragment {
    let bytes = Span::new(tokens[first].start, tokens[last].end);
    Fragment {
        kind,
        name: name.map_or(Span::default(), |at| Span::new(tokens[at].start, tokens[at].end)),
        bytes,
        lines: lines.lines(bytes),
        tokens: Span::new(first as u32, last as u32 + 1),
    }
}

/// Brings fragments into the order of results: by start, the outer before the inner.
pub fn sort_fragments(fragments: &mut [Fragment]) {
    fragments.sort_by_key(|f| (f.bytes.start, std::cmp::Reverse(f.bytes.end), f.kind));
}
