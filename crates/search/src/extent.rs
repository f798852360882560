//! Where a run begins and ends for its reader: at whole statements of one idea.
//!
//! Runs are maximal by their tokens, so what stands next to a copy belongs to it by chance: the `return` of one function
//! and the head of the next, a brace, the first branch of a condition. [`Extents::of`] cuts a run where it holds only the
//! end or only the beginning of a function or class, snaps the parts to statements, and takes off what closes a block
//! that the run did not open or opens one that it does not close. It looks at the run and its file alone, never at a
//! setting, so that a lower limit never changes how a longer run is cut.

use std::io;

use familiar_index::Collection;
use familiar_source::{Span, TokenClass};
use familiar_syntax::normal::Symbol;

use crate::Place;

/// With fewer statements, what stands before a brace that closes an outer block (or after one that opens a block that
/// the run does not close) is no part of the idea.
const LEAST_STATEMENTS: usize = 2;

/// Cuts runs; keeps its memory from one to the next.
#[derive(Debug)]
pub(crate) struct Extents<'c> {
    collection: &'c Collection,
    words: Words,
    tokens: Vec<u32>,
    starts: Vec<u32>,
    scopes: Vec<u32>,
}

impl<'c> Extents<'c> {
    pub(crate) fn new(collection: &'c Collection) -> Self {
        Self { collection, words: Words::new(), tokens: Vec::new(), starts: Vec::new(), scopes: Vec::new() }
    }

    /// The parts of a run that stand for something by themselves, in order, counted in the tokens of its file.
    pub(crate) fn of(&mut self, place: Place) -> io::Result<Vec<Span>> {
        let Place { file, tokens } = place;
        let starts = self.collection.line_starts.file(file, &mut self.starts)?;
        if starts.is_empty() {
            return Ok(vec![tokens]);
        }
        let symbols = self.collection.tokens.get(file, tokens.start..tokens.end, &mut self.tokens)?;
        let scopes = self.collection.scopes.file(file, &mut self.scopes)?;
        let whole = self.collection.tokens.len(file);
        let part = |part: Span| {
            let part = snapped(starts, part, whole)?;
            let offsets = (part.start - tokens.start) as usize..(part.end - tokens.start) as usize;
            let statements = within(starts, part);
            let kept = self.words.trimmed(&symbols[offsets], statements, part.start);
            (!kept.is_empty()).then_some(kept)
        };
        Ok(cut(scopes, tokens).into_iter().filter_map(part).collect())
    }
}

/// The run in parts, none of which holds only the end, or only the beginning, of a function or class.
fn cut(scopes: &[u32], run: Span) -> Vec<Span> {
    let mut at = Vec::new();
    for scope in scopes.chunks_exact(2).take_while(|scope| scope[0] < run.end) {
        let (start, end) = (scope[0], scope[1]);
        if start < run.start && run.start < end && end < run.end {
            at.push(end);
        } else if run.start < start && end > run.end {
            at.push(start);
        }
    }
    at.extend([run.start, run.end]);
    at.sort_unstable();
    at.dedup();
    at.windows(2).map(|ends| Span::new(ends[0], ends[1])).collect()
}

/// The whole statements of a part.
fn snapped(starts: &[u32], part: Span, whole: u32) -> Option<Span> {
    let first = *starts.get(starts.partition_point(|&start| start < part.start))?;
    let behind = starts.partition_point(|&start| start <= part.end);
    let is_end = part.end == whole || starts[..behind].last() == Some(&part.end);
    let end = if is_end { part.end } else { *starts[..behind].last()? };
    (first < end).then(|| Span::new(first, end))
}

/// The statements that begin in a part.
fn within(starts: &[u32], part: Span) -> &[u32] {
    let from = starts.partition_point(|&start| start < part.start);
    let to = starts.partition_point(|&start| start < part.end);
    &starts[from..to]
}

/// The words that open and close what stands around statements.
#[derive(Debug)]
struct Words {
    opening: [u32; 3],
    closing: [u32; 3],
    colon: u32,
    /// Words that close a block in languages without braces.
    ends: Vec<u32>,
    /// First words of what continues the statement before it.
    continuing: Vec<u32>,
    /// First words of the last statement of a block.
    leaving: Vec<u32>,
    /// First tokens of what may speak of the statement behind it: `@` and `#`.
    at_sign: u32,
    number_sign: u32,
    /// What stands within the name of an attribute.
    joints: [u32; 2],
    not: u32,
}

impl Words {
    fn new() -> Self {
        let of = |class: TokenClass, words: &[&str]| -> Vec<u32> {
            words.iter().map(|word| Symbol::new(class, word.as_bytes()).0).collect()
        };
        let operator = |word: &str| Symbol::new(TokenClass::Operator, word.as_bytes()).0;
        let operators = |words: [&str; 3]| words.map(operator);
        let keywords = |words: &[&str]| of(TokenClass::Keyword, words);
        Self {
            opening: operators(["{", "(", "["]),
            closing: operators(["}", ")", "]"]),
            colon: operator(":"),
            ends: keywords(&["end", "fi", "done", "esac", "endif", "endfor", "endforeach", "endwhile"]),
            continuing: keywords(&[
                "else", "elif", "elsif", "elseif", "catch", "except", "finally", "rescue", "ensure", "then",
            ]),
            leaving: keywords(&["return", "break", "continue", "goto", "throw", "raise"]),
            at_sign: operator("@"),
            number_sign: operator("#"),
            joints: [".", ":"].map(operator),
            not: operator("!"),
        }
    }

    fn opens(&self, symbol: u32) -> bool {
        self.opening.contains(&symbol)
    }

    fn closes(&self, symbol: u32) -> bool {
        self.closing.contains(&symbol)
    }

    /// The statements of `symbols` without those at its ends that belong to something else. `starts` are the
    /// statements' first tokens, in a file where `symbols` begin at `first`.
    fn trimmed(&self, symbols: &[u32], starts: &[u32], first: u32) -> Span {
        let statement = |at: usize| {
            let from = (starts[at] - first) as usize;
            let to = starts.get(at + 1).map_or(symbols.len(), |&next| (next - first) as usize);
            &symbols[from..to]
        };
        let (mut from, mut to) = (0, starts.len());
        while from < to {
            if self.ends_something(statement(from)) {
                from += 1;
            } else if let Some(closing) = self.unopened(from, to, statement)
                && closing - from < LEAST_STATEMENTS
            {
                from = closing + 1;
            } else {
                break;
            }
        }
        while from < to {
            if self.begins_something(statement(to - 1)) {
                to -= 1;
            } else if let Some(opening) = self.unclosed(from, to, statement)
                && to - 1 - opening < LEAST_STATEMENTS
            {
                to = opening;
            } else {
                break;
            }
        }
        if from == to {
            return Span::new(first, first);
        }
        Span::new(starts[from], starts.get(to).map_or(first + symbols.len() as u32, |&end| end))
    }

    /// Whether a statement at the beginning of a run is the end of something that began before it.
    fn ends_something(&self, statement: &[u32]) -> bool {
        let word = statement[0];
        self.closes(word)
            || self.ends.contains(&word)
            || self.continuing.contains(&word)
            || self.leaving.contains(&word)
    }

    /// Whether a statement at the end of a run is the beginning of something that ends behind it.
    fn begins_something(&self, statement: &[u32]) -> bool {
        let last = statement[statement.len() - 1];
        self.opens(last) || last == self.colon || self.is_attribute(statement)
    }

    /// Whether a statement is nothing but a word on the one behind it: `@Override`, `@app.route("/")`, `#[inline]`, `#ifdef NAME`. Much
    /// else begins with the same signs: arrays of Perl, properties of Objective-C, definitions of C.
    fn is_attribute(&self, statement: &[u32]) -> bool {
        let is_name = |symbol: &u32| Symbol(*symbol).class() != TokenClass::Operator;
        let opens = |symbol: &u32, at: usize| *symbol == self.opening[at];
        match statement {
            [sign, rest @ ..] if *sign == self.number_sign => match rest {
                [] | [_] => true,
                [bracket, ..] if opens(bracket, 2) => true,
                [not, bracket, ..] if *not == self.not => opens(bracket, 2),
                [word, ..] if Symbol(*word).class() == TokenClass::Keyword => true,
                [one, two] => is_name(one) && is_name(two),
                _ => false,
            },
            [sign, name, rest @ ..] if *sign == self.at_sign && is_name(name) => {
                let mut rest = rest;
                while let [joint, name, behind @ ..] = rest
                    && self.joints.contains(joint)
                    && is_name(name)
                {
                    rest = behind;
                }
                match rest {
                    [] => true,
                    [first, ..] => opens(first, 1) && self.closes_at_end(rest),
                }
            }
            _ => false,
        }
    }

    /// Whether what the first symbol opens is closed by the last one, and not before.
    fn closes_at_end(&self, symbols: &[u32]) -> bool {
        let mut open = 0_usize;
        for (at, &symbol) in symbols.iter().enumerate() {
            if self.opens(symbol) {
                open += 1;
            } else if self.closes(symbol) {
                open = open.saturating_sub(1);
            }
            if open == 0 {
                return at + 1 == symbols.len();
            }
        }
        false
    }

    /// The first statement that closes what no statement before it opens.
    fn unopened<'s>(&self, from: usize, to: usize, statement: impl Fn(usize) -> &'s [u32]) -> Option<usize> {
        let mut open = 0u32;
        for at in from..to {
            for &symbol in statement(at) {
                if self.opens(symbol) {
                    open += 1;
                } else if self.closes(symbol) {
                    match open.checked_sub(1) {
                        Some(fewer) => open = fewer,
                        None => return Some(at),
                    }
                }
            }
        }
        None
    }

    /// The last statement that opens what no statement behind it closes.
    fn unclosed<'s>(&self, from: usize, to: usize, statement: impl Fn(usize) -> &'s [u32]) -> Option<usize> {
        let mut closed = 0u32;
        for at in (from..to).rev() {
            for &symbol in statement(at).iter().rev() {
                if self.closes(symbol) {
                    closed += 1;
                } else if self.opens(symbol) {
                    match closed.checked_sub(1) {
                        Some(fewer) => closed = fewer,
                        None => return Some(at),
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statements stand between bars.
    fn trimmed(code: &str) -> String {
        const KEYWORDS: [&str; 5] = ["if", "else", "return", "for", "def"];
        let class = |word: &str| match word {
            _ if KEYWORDS.contains(&word) => TokenClass::Keyword,
            _ if word.starts_with(char::is_alphabetic) => TokenClass::Identifier,
            _ => TokenClass::Operator,
        };
        let (mut symbols, mut starts, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for statement in code.split('|') {
            starts.push(symbols.len() as u32);
            for word in statement.split_whitespace() {
                symbols.push(Symbol::new(class(word), word.as_bytes()).0);
                words.push(word);
            }
        }
        words[Words::new().trimmed(&symbols, &starts, 0).range()].join(" ")
    }

    #[test]
    fn what_belongs_to_neighbors_is_taken_off() {
        assert_eq!(trimmed("return a ;| }| b ;| c ;"), "b ; c ;");
        assert_eq!(trimmed("} else {| b ;| c ;| d ;"), "b ; c ; d ;");
        assert_eq!(trimmed("a ;| b ;| for ( x ) {"), "a ; b ;");
        assert_eq!(trimmed("a ;| b ;| if ( x ) {| y ;"), "a ; b ;");
        assert_eq!(trimmed("x ;| }| a ;| b ;"), "a ; b ;");
        assert_eq!(trimmed("a ;| b ;| @ Test"), "a ; b ;");
        assert_eq!(trimmed("a ;| b ;| def f ( ) :"), "a ; b ;");
        assert_eq!(trimmed("a ;| b ;| @ app . route ( x ( y ) )"), "a ; b ;");
        assert_eq!(trimmed("a ;| b ;| # [ inline ]| # ifdef NAME"), "a ; b ;");
    }

    #[test]
    fn what_begins_as_an_attribute_and_is_more_stays() {
        for code in [
            "@ list = f ( a ) ;| @ more = f ( b ) ;",
            "@ unlink ( a ) ;| @ unlink ( b ) ;",
            "@ property ( nonatomic ) Text * name ;",
            "# define A f ( b )| # define B c + d",
            "yield f ( a )| yield f ( b )",
        ] {
            assert_eq!(trimmed(code), code.replace('|', ""));
        }
    }

    #[test]
    fn whole_blocks_and_large_parts_of_blocks_stay() {
        assert_eq!(trimmed("if ( x ) {| y ;| }| b ;"), "if ( x ) { y ; } b ;");
        assert_eq!(trimmed("a ;| b ;| c ;| }| d ;"), "a ; b ; c ; } d ;");
        assert_eq!(trimmed("a ;| if ( x ) {| y ;| z ;"), "a ; if ( x ) { y ; z ;");
        assert_eq!(trimmed("}"), "");
    }

    #[test]
    fn runs_are_cut_where_functions_end_or_begin() {
        let span = Span::new;
        // A function up to 10, one from 10 to 20, one from 25 on.
        let scopes = [0, 10, 10, 20, 25, 40];
        assert_eq!(cut(&scopes, span(5, 30)), [span(5, 10), span(10, 25), span(25, 30)]);
        assert_eq!(cut(&scopes, span(0, 25)), [span(0, 25)]);
        assert_eq!(cut(&scopes, span(26, 33)), [span(26, 33)]);
    }
}
