//! What a blob holds besides its tokens, in few bytes: on which lines its tokens stand, where statements start, and its
//! fragments.

use std::ops::Range;

use super::SegmentError;
use crate::blocks::Blocks;

/// A fragment of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentFragment {
    /// The number of its `FragmentKind`.
    pub kind: u8,
    /// First token in the blob, and number of tokens.
    pub first: u32,
    pub tokens: u32,
    /// First and last line, from 1.
    pub lines: (u32, u32),
}

/// What stands beside a blob's tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// First and last line of each token, from 1.
    pub lines: Vec<(u32, u32)>,
    /// Ascending positions of the tokens that start a statement.
    pub statements: Vec<u32>,
    /// As the front end gave them.
    pub fragments: Vec<SegmentFragment>,
}

/// A line with up to this many tokens, at most two after the line before, takes one byte.
const SHORT_LINE: u32 = 31;
/// The first byte of every other line.
const LONG: u8 = 0x80;

impl Details {
    /// Keeps what stands beside some of the tokens, and the fragments that lie wholly among them.
    pub fn keep(&mut self, tokens: Range<u32>) {
        self.lines = self.lines[tokens.start as usize..tokens.end as usize].to_vec();
        self.statements.retain(|at| tokens.contains(at));
        self.statements.iter_mut().for_each(|at| *at -= tokens.start);
        self.fragments.retain(|f| tokens.start <= f.first && f.first + f.tokens <= tokens.end);
        self.fragments.iter_mut().for_each(|f| f.first -= tokens.start);
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.fragments.len() as u32);
        let mut before = 0u32;
        for fragment in &self.fragments {
            let same = self.lines_of(fragment) == Some(fragment.lines);
            put(out, u32::from(fragment.kind) << 1 | u32::from(same));
            put_signed(out, fragment.first.wrapping_sub(before));
            put(out, fragment.tokens);
            if !same {
                put(out, fragment.lines.0);
                put(out, fragment.lines.1);
            }
            before = fragment.first;
        }
        self.encode_exceptions(out);
        self.encode_lines(out);
    }

    /// The lines of a fragment's first and last token.
    fn lines_of(&self, fragment: &SegmentFragment) -> Option<(u32, u32)> {
        let last = (fragment.first + fragment.tokens).checked_sub(1)?;
        Some((self.lines.get(fragment.first as usize)?.0, self.lines.get(last as usize)?.1))
    }

    /// The first lines of all tokens, and whether the first token on each line starts a statement.
    fn encode_lines(&self, out: &mut Vec<u8>) {
        let mut statements = self.statements.iter().peekable();
        let (mut before, mut at) = (0u32, 0u32);
        for line in self.lines.chunk_by(|a, b| a.0 == b.0) {
            let tokens = line.len() as u32;
            while statements.next_if(|&&start| start < at).is_some() {}
            let starts = statements.peek() == Some(&&at);
            let step = line[0].0.wrapping_sub(before);
            if (1..=2).contains(&step) && tokens <= SHORT_LINE {
                out.push(((step - 1) << 6 | u32::from(starts) << 5 | tokens) as u8);
            } else {
                out.push(LONG | u8::from(starts));
                put_signed(out, step);
                put(out, tokens);
            }
            (before, at) = (line[0].0, at + tokens);
        }
    }

    /// Tokens that end on another line than they start on, and statements that start amid a line.
    fn encode_exceptions(&self, out: &mut Vec<u8>) {
        let long: Vec<(u32, u32)> = (0u32..)
            .zip(&self.lines)
            .filter(|(_, (start, end))| end != start)
            .map(|(at, (start, end))| (at, end.wrapping_sub(*start)))
            .collect();
        put(out, long.len() as u32);
        let mut before = 0;
        for (at, lines) in long {
            put(out, at - before);
            put_signed(out, lines);
            before = at;
        }
        let starts_line = |at: u32| at == 0 || self.lines[at as usize].0 != self.lines[at as usize - 1].0;
        let amid: Vec<u32> = self.statements.iter().copied().filter(|&at| !starts_line(at)).collect();
        put(out, amid.len() as u32);
        let mut before = 0;
        for at in amid {
            put(out, at - before);
            before = at;
        }
    }

    /// Reads what [`Details::encode`] wrote for a blob of `tokens` tokens.
    pub(super) fn decode(blocks: &Blocks, bytes: &[u8], tokens: u32) -> Result<Self, SegmentError> {
        let mut input = Input { bytes, at: 0 };
        let details = Self::read(&mut input, tokens);
        details.ok_or_else(|| blocks.damaged("the lines and fragments of a blob are not what they were"))
    }

    fn read(input: &mut Input<'_>, tokens: u32) -> Option<Self> {
        let mut details = Self { lines: Vec::with_capacity(tokens as usize), ..Self::default() };
        let (mut same, mut long) = (Vec::new(), Vec::new());
        read_fragments(input, tokens, |fragment, is_same| {
            same.push(is_same);
            details.fragments.push(fragment);
        })?;
        read_long(input, |at, lines| long.push((at, lines)))?;
        read_amid(input, tokens, |at| details.statements.push(at))?;
        read_lines(input, tokens, tokens, |line, first, count, starts| {
            if starts {
                details.statements.push(first);
            }
            details.lines.extend(std::iter::repeat_n((line, line), count as usize));
        })?;
        details.statements.sort_unstable();
        for (at, further) in long {
            let lines = details.lines.get_mut(at as usize)?;
            lines.1 = lines.0.wrapping_add(further);
        }
        for (number, same) in same.into_iter().enumerate() {
            if same {
                details.fragments[number].lines = details.lines_of(&details.fragments[number])?;
            }
        }
        (input.at == input.bytes.len()).then_some(details)
    }

    /// Of the details of a blob the tokens of its fragments alone.
    pub(super) fn decode_fragments(bytes: &[u8], tokens: u32) -> Option<Vec<SegmentFragment>> {
        let mut fragments = Vec::new();
        read_fragments(&mut Input { bytes, at: 0 }, tokens, |fragment, _| fragments.push(fragment))?;
        Some(fragments)
    }

    /// Of the details of a blob the positions of statements among the tokens `within` alone. Replaces `out`.
    pub(super) fn decode_statements(
        bytes: &[u8],
        tokens: u32,
        within: &Range<u32>,
        out: &mut Vec<u32>,
    ) -> Option<()> {
        let mut input = Input { bytes, at: 0 };
        out.clear();
        let mut add = |at: u32, starts: bool| {
            if starts && within.contains(&at) {
                out.push(at);
            }
        };
        read_fragments(&mut input, tokens, |_, _| {})?;
        read_long(&mut input, |_, _| {})?;
        read_amid(&mut input, tokens, |at| add(at, true))?;
        read_lines(&mut input, tokens, within.end, |_, first, _, starts| add(first, starts))?;
        out.sort_unstable();
        Some(())
    }
}

/// Calls `each` with every fragment, and whether its lines, which are 0 then, are those of its first and last token.
fn read_fragments(
    input: &mut Input<'_>,
    tokens: u32,
    mut each: impl FnMut(SegmentFragment, bool),
) -> Option<()> {
    let mut before = 0u32;
    for _ in 0..input.count()? {
        let head = input.number()?;
        let first = before.wrapping_add(input.signed()?);
        let len = input.number()?;
        if first.checked_add(len)? > tokens {
            return None;
        }
        let is_same = head & 1 == 1;
        let lines = if is_same { (0, 0) } else { (input.number()?, input.number()?) };
        each(SegmentFragment { kind: (head >> 1) as u8, first, tokens: len, lines }, is_same);
        before = first;
    }
    Some(())
}

/// Calls `each` with every token that ends on another line than it starts on, and how many lines further.
fn read_long(input: &mut Input<'_>, mut each: impl FnMut(u32, u32)) -> Option<()> {
    let mut at = 0u32;
    for _ in 0..input.count()? {
        at = at.checked_add(input.number()?)?;
        each(at, input.signed()?);
    }
    Some(())
}

/// Calls `each` with every line on which tokens before `end` start: the line, its first token, their number, and whether the
/// first starts a statement.
fn read_lines(
    input: &mut Input<'_>,
    tokens: u32,
    end: u32,
    mut each: impl FnMut(u32, u32, u32, bool),
) -> Option<()> {
    let (mut line, mut at) = (0u32, 0u32);
    while at < tokens.min(end) {
        let first = input.byte()?;
        let (starts, step, count) = if first & LONG == 0 {
            (first >> 5 & 1, u32::from(first >> 6) + 1, u32::from(first) & SHORT_LINE)
        } else {
            (first & 1, input.signed()?, input.number()?)
        };
        line = line.wrapping_add(step);
        if count == 0 || count > tokens - at {
            return None;
        }
        each(line, at, count, starts == 1);
        at += count;
    }
    Some(())
}

/// Calls `each` with every statement that starts amid a line.
fn read_amid(input: &mut Input<'_>, tokens: u32, mut each: impl FnMut(u32)) -> Option<()> {
    let mut at = 0u32;
    for _ in 0..input.count()? {
        at = at.checked_add(input.number()?).filter(|&at| at < tokens)?;
        each(at);
    }
    Some(())
}

/// A number in seven bits a byte, the lowest first.
fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A difference, small in either direction.
fn put_signed(out: &mut Vec<u8>, difference: u32) {
    let signed = difference.cast_signed();
    put(out, (signed << 1 ^ signed >> 31).cast_unsigned());
}

struct Input<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0u32;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<u32> {
        let number = self.number()?;
        Some(number >> 1 ^ (number & 1).wrapping_neg())
    }

    /// A number of things that take at least a byte each.
    fn count(&mut self) -> Option<u32> {
        self.number().filter(|&count| count as usize <= self.bytes.len() - self.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn details() -> impl Strategy<Value = Details> {
        let token = (0u32..4, 0u32..3, any::<bool>());
        let tokens = prop::collection::vec(token, 0..200);
        let fragment = (0u8..5, 0u32..200, 0u32..200, prop::option::of((any::<u32>(), any::<u32>())));
        (tokens, prop::collection::vec(fragment, 0..20)).prop_map(|(tokens, fragments)| {
            let mut details = Details::default();
            let mut line = 1u32;
            for (at, (step, long, starts)) in (0u32..).zip(tokens) {
                line += step.saturating_sub(2) * 50 + u32::from(step == 1);
                details.lines.push((line, line + long.saturating_sub(1)));
                if starts {
                    details.statements.push(at);
                }
            }
            let most = details.lines.len() as u32;
            for (kind, first, tokens, lines) in fragments {
                let first = first.min(most);
                let mut fragment =
                    SegmentFragment { kind, first, tokens: tokens.min(most - first), lines: (0, 0) };
                fragment.lines = lines.or_else(|| details.lines_of(&fragment)).unwrap_or((1, 1));
                details.fragments.push(fragment);
            }
            details
        })
    }

    proptest! {
        #[test]
        fn details_read_back_and_no_bytes_make_the_reader_fail_badly(details in details(), noise in any::<(u8, u16)>()) {
            let tokens = details.lines.len() as u32;
            let mut bytes = Vec::new();
            details.encode(&mut bytes);
            let read = |bytes: &[u8]| Details::read(&mut Input { bytes, at: 0 }, tokens);
            prop_assert_eq!(read(&bytes), Some(details.clone()));
            let within = u32::from(noise.0).min(tokens)..tokens;
            let mut statements = Vec::new();
            let whole = Details::decode_statements(&bytes, tokens, &within, &mut statements);
            let expected = details.statements.iter().copied().filter(|at| within.contains(at));
            prop_assert_eq!((whole, statements), (Some(()), expected.collect()));
            let fragments = Details::decode_fragments(&bytes, tokens).unwrap_or_default();
            let places = |all: &[SegmentFragment]| all.iter().map(|f| (f.first, f.tokens)).collect::<Vec<_>>();
            prop_assert_eq!(places(&fragments), places(&details.fragments));
            let at = usize::from(noise.1) % bytes.len();
            bytes[at] ^= noise.0;
            let _ = read(&bytes);
            prop_assert_eq!(read(&bytes[..at]), None);
        }
    }
}
