//! Where a text differs from a rule, word by word. What finds rules in part goes by long stretches of legal words, so one word
//! that was changed can move the words around it to another place of the rule.

use super::edit::Edit;
use crate::rules::Word;

/// Longest stretch between two edits that may be in a wrong place, in words.
const MOVED: u32 = 8;
/// Longest stretches of text and rule that are compared word by word.
const MOST: u32 = 160;

/// The same differences in as few words as can be: edits near each other are compared anew as one.
pub(super) fn realigned(text: &[Word], rule: &[Word], edits: &[Edit]) -> Vec<Edit> {
    let mut all = Vec::with_capacity(edits.len());
    for group in edits.chunk_by(|a, b| are_near(*a, *b)) {
        let (first, last) = (group[0], group[group.len() - 1]);
        let stretch =
            Edit { text: (first.text.0, last.text.1), rule: (first.rule.0, last.rule.1), is_outer: false };
        if first.is_outer || stretch.text.1 - stretch.text.0 > MOST || stretch.rule.1 - stretch.rule.0 > MOST
        {
            all.extend_from_slice(group);
        } else {
            all.extend(word_by_word(text, rule, stretch));
        }
    }
    all
}

/// Whether the words between two edits are so few that they may belong elsewhere. The ends of a rule stay as they are.
fn are_near(a: Edit, b: Edit) -> bool {
    let longest = |edit: Edit| (edit.text.1 - edit.text.0).max(edit.rule.1 - edit.rule.0);
    let between = b.rule.0 - a.rule.1;
    !a.is_outer && !b.is_outer && between <= MOVED && between <= longest(a).max(longest(b))
}

/// What a common word is worth, if each edit costs one: *version 1.1* stays together where *version 1* and *1* stand apart, too.
const COMMON: u16 = 2;

/// The edits that are left if as many words as possible are common, in few pieces.
pub(super) fn word_by_word(text: &[Word], rule: &[Word], stretch: Edit) -> Vec<Edit> {
    let worth = Worth::of(of(text, stretch.text), of(rule, stretch.rule));
    let (mut at, mut inside, mut edits) = (0, 0, Vec::new());
    while (at, inside) != worth.end() {
        let start = (at, inside);
        while let Some(next) = worth.next_in_edit(at, inside) {
            (at, inside) = next;
        }
        if start != (at, inside) {
            let place = |base: u32, from: usize, to: usize| (base + from as u32, base + to as u32);
            edits.push(Edit {
                text: place(stretch.text.0, start.0, at),
                rule: place(stretch.rule.0, start.1, inside),
                is_outer: false,
            });
        }
        while worth.goes_on(at, inside) {
            (at, inside) = (at + 1, inside + 1);
        }
    }
    edits
}

/// What the rests of two stretches are worth from each pair of places on: among common words, and within an edit.
struct Worth<'a> {
    text: &'a [Word],
    rule: &'a [Word],
    common: Vec<u16>,
    edit: Vec<u16>,
}

impl<'a> Worth<'a> {
    fn of(text: &'a [Word], rule: &'a [Word]) -> Self {
        let size = (text.len() + 1) * (rule.len() + 1);
        let mut worth = Self { text, rule, common: vec![0; size], edit: vec![0; size] };
        // Worth nothing is one more than nothing, so that the cost of an edit can be taken from it.
        for at in (0..=text.len()).rev() {
            for inside in (0..=rule.len()).rev() {
                let place = worth.place(at, inside);
                let both = worth.both(at, inside);
                let edit = [(at + 1, inside), (at, inside + 1)]
                    .into_iter()
                    .filter_map(|next| worth.edit_at(next))
                    .max();
                worth.edit[place] = edit.max(both).unwrap_or(1);
                worth.common[place] = both.unwrap_or(0).max(worth.edit[place] - u16::from(edit.is_some()));
            }
        }
        worth
    }

    fn end(&self) -> (usize, usize) {
        (self.text.len(), self.rule.len())
    }

    fn place(&self, at: usize, inside: usize) -> usize {
        at * (self.rule.len() + 1) + inside
    }

    fn edit_at(&self, (at, inside): (usize, usize)) -> Option<u16> {
        (at <= self.text.len() && inside <= self.rule.len()).then(|| self.edit[self.place(at, inside)])
    }

    /// What it is worth to take the words here as a common one.
    fn both(&self, at: usize, inside: usize) -> Option<u16> {
        let is_common =
            at < self.text.len() && inside < self.rule.len() && self.text[at] == self.rule[inside];
        is_common.then(|| COMMON + self.common[self.place(at + 1, inside + 1)])
    }

    /// Whether the words here are best taken as a common one after common ones.
    fn goes_on(&self, at: usize, inside: usize) -> bool {
        self.both(at, inside).is_some_and(|both| both >= self.common[self.place(at, inside)])
    }

    /// Where an edit goes on; none where it is best ended.
    fn next_in_edit(&self, at: usize, inside: usize) -> Option<(usize, usize)> {
        let here = self.edit[self.place(at, inside)];
        if self.both(at, inside) == Some(here) {
            return None;
        }
        [(at + 1, inside), (at, inside + 1)].into_iter().find(|&next| self.edit_at(next) == Some(here))
    }
}

fn of(tokens: &[Word], (start, end): (u32, u32)) -> &[Word] {
    &tokens[start as usize..end as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(words: &str) -> Vec<Word> {
        let number = |word: &str| {
            word.bytes().fold(7, |sum: Word, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
        };
        words.split(' ').map(number).collect()
    }

    /// The differences of two stretches, as words.
    fn differences(text: &str, rule: &str, is_outer: bool) -> String {
        let (ours, theirs) = (numbered(text), numbered(rule));
        let whole = Edit { text: (0, ours.len() as u32), rule: (0, theirs.len() as u32), is_outer };
        let words = |all: &str, (start, end): (u32, u32)| {
            all.split(' ').take(end as usize).skip(start as usize).collect::<Vec<_>>().join(" ")
        };
        let in_words = |edit: Edit| format!("{}/{}", words(text, edit.text), words(rule, edit.rule));
        realigned(&ours, &theirs, &[whole]).into_iter().map(in_words).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_changed_word_is_one_edit() {
        for (text, rule, expected) in [
            (
                "without any pony without even the warranty",
                "without any warranty without even the warranty",
                "pony/warranty",
            ),
            ("the affero general public", "the gnu general public", "affero/gnu"),
            ("0 or see copying", "2 0", "/2; or see copying/"),
            ("a b c", "a b c", ""),
            ("a b", "c", "a b/c"),
            ("version 1 0 1 of version 1 1", "version 1 1", "version 1 0 1 of/"),
        ] {
            assert_eq!(differences(text, rule, false), expected, "{text} / {rule}");
        }
    }

    #[test]
    fn the_ends_of_a_rule_stay_as_they_are() {
        assert_eq!(differences("a b c", "a b d", true), "a b c/a b d");
    }

    #[test]
    fn words_that_moved_between_two_edits_move_back() {
        let (text, rule) = (numbered("any pony without warranty"), numbered("any warranty without warranty"));
        let edits = [
            Edit { text: (1, 3), rule: (1, 1), is_outer: false },
            Edit { text: (4, 4), rule: (2, 4), is_outer: false },
        ];
        let found = realigned(&text, &rule, &edits);
        assert_eq!(found.iter().map(|edit| (edit.text, edit.rule)).collect::<Vec<_>>(), [((1, 2), (1, 2))]);
    }
}
