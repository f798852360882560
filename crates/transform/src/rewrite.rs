//! Edits that stand beside and inside each other, and the text that they make.
//!
//! An edit puts pieces in the place of a stretch of the text. Some pieces are new, others are kept from the old
//! text. Inside what an edit keeps, other edits may change the text too: the edits of a program are a forest.

use std::ops::Range;

/// Stands for a line end inside a string until the text is done, so that nobody indents what follows. No program has it.
const INSIDE: char = '\0';

/// New text for a stretch of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub pieces: Vec<Piece>,
}

/// A part of what an edit puts into its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// New text.
    Text(String),
    /// A stretch of the old text, which lies inside the range of the edit or stands unchanged elsewhere.
    Keep(Range<usize>),
    /// As `Keep`, with the lines behind the first one indented by `to` where they were indented by `from`. `fixed` are stretches, such as
    /// strings, whose lines are not indented.
    Shift { range: Range<usize>, from: String, to: String, fixed: Vec<Range<usize>> },
}

impl Edit {
    /// Puts `text` in the place of `range`.
    pub fn text(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, pieces: vec![Piece::Text(text.into())] }
    }
}

impl Piece {
    fn kept(&self) -> Option<&Range<usize>> {
        match self {
            Self::Text(_) => None,
            Self::Keep(range) | Self::Shift { range, .. } => Some(range),
        }
    }
}

/// Edits that do not disturb each other.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    roots: Vec<Grown>,
}

#[derive(Debug)]
struct Grown {
    edit: Edit,
    inside: Vec<Grown>,
}

impl Forest {
    /// Adds all of `edits`, or none: whether each fits in between, around or into what is kept by those that are there.
    pub(crate) fn add(&mut self, edits: Vec<Edit>) -> bool {
        let fits = edits.iter().all(|edit| fits(&self.roots, edit)) && apart(&edits);
        if fits {
            for edit in edits {
                insert(&mut self.roots, edit);
            }
        }
        fits
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The new text.
    pub(crate) fn render(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 2);
        render(&self.roots, text, 0..text.len(), &[], &mut out);
        out.replace(INSIDE, "\n")
    }
}

/// Whether the edits of one site stand beside each other, or inside what an earlier one of them keeps.
fn apart(edits: &[Edit]) -> bool {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut around: Vec<&Edit> = Vec::new();
    order.into_iter().all(|edit| {
        while around.last().is_some_and(|last| !touches(&last.range, &edit.range)) {
            around.pop();
        }
        let fits =
            around.last().is_none_or(|last| within(&edit.range, &last.range) && kept_by(last, &edit.range));
        around.push(edit);
        fits
    })
}

fn touches(left: &Range<usize>, right: &Range<usize>) -> bool {
    left == right || left.start < right.end && right.start < left.end
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether `inner` stands whole in each piece of `outer` that it touches, and in one at least.
fn kept_by(outer: &Edit, inner: &Range<usize>) -> bool {
    let mut kept = outer.pieces.iter().filter_map(Piece::kept).filter(|kept| touches(kept, inner)).peekable();
    kept.peek().is_some() && kept.all(|kept| within(inner, kept))
}

fn fits(there: &[Grown], edit: &Edit) -> bool {
    there.iter().filter(|grown| touches(&grown.edit.range, &edit.range)).all(|grown| {
        if within(&edit.range, &grown.edit.range) && kept_by(&grown.edit, &edit.range) {
            fits(&grown.inside, edit)
        } else {
            within(&grown.edit.range, &edit.range) && kept_by(edit, &grown.edit.range)
        }
    })
}

fn insert(there: &mut Vec<Grown>, edit: Edit) {
    let around = there.iter_mut().find(|grown| {
        within(&edit.range, &grown.edit.range)
            && touches(&grown.edit.range, &edit.range)
            && kept_by(&grown.edit, &edit.range)
    });
    if let Some(around) = around {
        return insert(&mut around.inside, edit);
    }
    let (inside, beside) =
        std::mem::take(there).into_iter().partition(|grown| touches(&grown.edit.range, &edit.range));
    *there = beside;
    there.push(Grown { edit, inside });
    there.sort_by_key(|grown| (grown.edit.range.start, grown.edit.range.end));
}

fn render(edits: &[Grown], text: &str, range: Range<usize>, fixed: &[Range<usize>], out: &mut String) {
    let mut at = range.start;
    for grown in edits.iter().filter(|grown| within(&grown.edit.range, &range)) {
        if grown.edit.range.start < at {
            continue;
        }
        copy(text, at..grown.edit.range.start, fixed, out);
        let mut new = String::new();
        for piece in &grown.edit.pieces {
            let mut inner = String::new();
            match piece {
                Piece::Text(text) => inner.push_str(text),
                Piece::Keep(kept) => render(&grown.inside, text, kept.clone(), fixed, &mut inner),
                Piece::Shift { range, from, to, fixed: strings } => {
                    let strings: Vec<_> = fixed.iter().chain(strings).cloned().collect();
                    let mut kept = String::new();
                    render(&grown.inside, text, range.clone(), &strings, &mut kept);
                    shift(&kept, from, to, &mut inner);
                }
            }
            part(&mut new, inner.chars().next());
            new.push_str(&inner);
        }
        part(out, new.chars().next());
        out.push_str(&new);
        part(out, text.get(grown.edit.range.end..range.end).and_then(|rest| rest.chars().next()));
        at = grown.edit.range.end;
    }
    copy(text, at..range.end, fixed, out);
}

/// Puts a blank between two characters that would make one word, as in `if(a)` where something else stands for `(a)`.
fn part(out: &mut String, next: Option<char>) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if out.chars().next_back().is_some_and(is_word) && next.is_some_and(is_word) {
        out.push(' ');
    }
}

/// Copies a stretch; line ends inside `fixed` are hidden.
fn copy(text: &str, range: Range<usize>, fixed: &[Range<usize>], out: &mut String) {
    let Some(stretch) = text.get(range.clone()) else { return };
    if !fixed.iter().any(|it| touches(it, &range)) {
        return out.push_str(stretch);
    }
    for (offset, character) in stretch.char_indices() {
        let at = range.start + offset;
        let hidden = character == '\n' && fixed.iter().any(|it| it.contains(&at));
        out.push(if hidden { INSIDE } else { character });
    }
}

fn shift(text: &str, from: &str, to: &str, out: &mut String) {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        if number == 0 || line.trim().is_empty() {
            out.push_str(line);
        } else {
            out.push_str(to);
            out.push_str(line.strip_prefix(from).unwrap_or_else(|| line.trim_start()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "if a:\n    b = '''x\n  y'''\n    c\nd\n";

    fn forest(edits: &[Edit]) -> Option<String> {
        let mut forest = Forest::default();
        edits.iter().all(|edit| forest.add(vec![edit.clone()])).then(|| forest.render(TEXT))
    }

    #[test]
    fn edits_inside_what_is_kept_change_it_in_both_orders() {
        let string = 14..25;
        let outer = Edit {
            range: 0..31,
            pieces: vec![
                Piece::Text("while b:\n  ".into()),
                Piece::Shift { range: 10..31, from: "    ".into(), to: "  ".into(), fixed: vec![string] },
            ],
        };
        let inner = Edit::text(30..31, "new");
        let expected = "while b:\n  b = '''x\n  y'''\n  new\nd\n";
        assert_eq!(forest(&[outer.clone(), inner.clone()]).as_deref(), Some(expected));
        assert_eq!(forest(&[inner, outer]).as_deref(), Some(expected));
    }

    #[test]
    fn edits_that_disturb_each_other_are_not_added() {
        assert_eq!(forest(&[Edit::text(0..5, "x"), Edit::text(3..8, "y")]), None);
        assert_eq!(forest(&[Edit::text(0..31, "x"), Edit::text(3..4, "y")]), None, "it is not kept");
        assert_eq!(forest(&[Edit::text(3..4, "y"), Edit::text(0..31, "x")]), None);
        assert_eq!(forest(&[Edit::text(3..4, "y"), Edit::text(3..4, "z")]), None);
        assert_eq!(
            forest(&[Edit::text(3..4, "y"), Edit::text(4..5, ";")]).as_deref().map(|it| &it[..5]),
            Some("if y;")
        );
    }

    #[test]
    fn a_piece_that_is_kept_twice_is_changed_twice() {
        let twice = Edit {
            range: 30..31,
            pieces: vec![Piece::Keep(30..31), Piece::Text("+".into()), Piece::Keep(30..31)],
        };
        assert_eq!(
            forest(&[twice, Edit::text(30..31, "q")]).as_deref(),
            Some("if a:\n    b = '''x\n  y'''\n    q+q\nd\n")
        );
    }
}
