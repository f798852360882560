//! What `parse` made: is it of the replies that are there now, and are the pairs made of it?
//!
//! Replies may be replaced by others with the same names. A candidate holds lines of its reply, as what was dropped does, and a pair the code
//! of its candidate.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::candidate::{Candidate, Dropped};
use crate::pair::Pair;
use crate::reply::Reply;

/// So many lines of a text are kept. The longest one alone may be a signature, which replies share.
const LINES: usize = 3;

/// So many characters of a line are kept.
const KEPT: usize = 120;

/// What came of replies.
#[derive(Default)]
pub(super) struct Made {
    /// The longest lines of each candidate and of each dropped text, by a hash of the name of the reply. A reply gives one or the other.
    lines: BTreeMap<u64, Vec<String>>,
    /// Hashes of candidates with their names.
    candidates: BTreeSet<u64>,
}

impl Made {
    pub(super) fn candidate(&mut self, row: &Candidate) {
        self.candidates.insert(hash(&(&row.id, &row.lang, &row.code)));
        self.text(&row.seed_id, &row.prompt, row.sample, &row.code);
    }

    pub(super) fn dropped(&mut self, row: &Dropped) {
        self.text(&row.seed_id, &row.prompt, row.sample, &row.text);
    }

    fn text(&mut self, seed_id: &str, prompt: &str, sample: u64, text: &str) {
        let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
        let of_reply = self.lines.entry(hash(&(seed_id, prompt, sample))).or_default();
        of_reply.extend(lines.iter().take(LINES).map(|line| line.chars().take(KEPT).collect::<String>()));
    }

    /// Whether something came of this reply, and all of it stands in the reply.
    pub(super) fn is_of(&self, reply: &Reply) -> bool {
        let name = (reply.seed_id.as_str(), reply.prompt.as_str(), reply.sample);
        let Some(lines) = self.lines.get(&hash(&name)) else { return false };
        // Sequences of terminals stand within lines, and `parse` takes them away.
        if reply.reply.contains('\u{1b}') {
            return true;
        }
        let mut plain: Option<String> = None;
        lines.iter().all(|line| {
            reply.reply.contains(line)
                || plain.get_or_insert_with(|| letters(&reply.reply)).contains(&letters(line))
        })
    }

    /// Whether the pair is of a candidate as it is now.
    pub(super) fn has(&self, pair: &Pair) -> bool {
        self.candidates.contains(&hash(&(&pair.id, &pair.lang2, &pair.code2)))
    }
}

/// The letters and digits of a text: `parse` takes away invisible characters.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn reply(text: &str) -> Reply {
        Reply { seed_id: "s".into(), prompt: "p".into(), reply: text.into(), ..Reply::default() }
    }

    fn made_of(text: &str) -> Made {
        let seed = Seed { seed_id: "s".into(), ..Seed::of_code("python", "def f(x):\n    return x\n") };
        let (candidates, dropped) = crate::parse::one(&reply(text), &seed);
        let mut made = Made::default();
        for row in &candidates {
            made.candidate(row);
        }
        for row in &dropped {
            made.dropped(row);
        }
        made
    }

    #[test]
    fn replies_that_were_replaced_are_told() {
        let one = "def g(values):\n    return sum(value for value in values)\n";
        let other = "def g(values):\n    return functools.reduce(add, values)\n";
        for around in [
            "{}",
            "Sure!\n\n```python\n{}```\n",
            "1. By a sum:\n\n{}\n2. Words.\n",
            "\u{feff}```\r\n{}```\u{200b}\n",
            "```\u{1b}[1m\n{}\u{1b}[0m```\n",
        ] {
            let of = |code: &str| around.replace("{}", code);
            let made = made_of(&of(one));
            assert!(!made.candidates.is_empty() && made.is_of(&reply(&of(one))), "{around}");
            assert_eq!(made.is_of(&reply(&of(other))), around.contains('\u{1b}'), "{around}");
            let next = Reply { sample: 1, ..reply(&of(one)) };
            assert!(!made.is_of(&next), "{around}");
        }
        let dropped = made_of("There is no code.");
        assert!(
            dropped.is_of(&reply("There is no code.")) && !dropped.is_of(&reply("Nor is there any here."))
        );
    }

    #[test]
    fn replies_with_one_signature_are_told_apart() {
        let of = |body: &str| format!("```\ndef total_of_all_values(values):\n    {body}\n```\n");
        let made = made_of(&of("return sum(values)"));
        assert!(
            made.is_of(&reply(&of("return sum(values)"))) && !made.is_of(&reply(&of("return max(values)")))
        );
    }

    #[test]
    fn invisible_characters_do_not_count() {
        let text = "```\ndef g(values):\n    return\u{a0}sum(\u{200b}values, 0)\n```\n";
        assert!(made_of(text).is_of(&reply(text)));
    }

    #[test]
    fn pairs_of_other_candidates_are_told() {
        let pair = |code: &str| crate::split::tests::pair("a", "s", "x", code);
        let mut made = Made::default();
        let lang = pair("").lang2;
        let row = |code: &str| Candidate {
            id: "a".into(),
            seed_id: "s".into(),
            prompt: String::new(),
            sample: 0,
            variant: 0,
            lang: lang.clone(),
            code: code.into(),
        };
        made.candidate(&row("y"));
        assert!(made.has(&pair("y")) && !made.has(&pair("z")));
    }
}
