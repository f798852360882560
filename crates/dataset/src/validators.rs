//! What two validators say of the pairs, by language and prompt (GPTCloneBench, Tables III and IV).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::pair::{Band, Pair};

/// From here on, a validator that looks at syntax takes a pair for a clone, as CloneCognition does from 76 %.
const ALIKE: f64 = 0.76;
/// From here on, the encoder confirms that both sides do the same: its threshold.
const CONFIRMED: f64 = 0.75;

/// What the validators say of the pairs of a language, or of two, and a prompt. False semantic clones do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Validated {
    pub language: String,
    pub prompt: String,
    pub pairs: u64,
    /// Pairs that look alike: the fewer, the more semantic. Across languages nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alike: Option<u64>,
    /// Pairs of which the encoder says that both sides do the same; none where it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<u64>,
}

/// Counts pairs.
#[derive(Default)]
pub(crate) struct Validators {
    rows: BTreeMap<(String, String), Validated>,
}

impl Validators {
    pub(crate) fn count(&mut self, pair: &Pair) {
        if pair.band == Band::False {
            return;
        }
        let language = if pair.lang1 == pair.lang2 {
            pair.lang1.clone()
        } else {
            format!("{}-{}", pair.lang1, pair.lang2)
        };
        let row = self.rows.entry((language, pair.prompt.clone())).or_default();
        row.pairs += 1;
        for (count, said, least) in
            [(&mut row.alike, pair.syntactic, ALIKE), (&mut row.confirmed, pair.semantic, CONFIRMED)]
        {
            if let Some(said) = said {
                *count.get_or_insert(0) += u64::from(said >= least);
            }
        }
    }

    pub(crate) fn rows(self) -> Vec<Validated> {
        let named = |((language, prompt), row)| Validated { language, prompt, ..row };
        self.rows.into_iter().map(named).collect()
    }
}

/// The rows as a table in Markdown.
pub(crate) fn table(rows: &[Validated]) -> String {
    let mut out =
        "| languages | prompt | pairs | look alike | the encoder confirms |\n|---|---|--:|--:|--:|\n"
            .to_owned();
    for Validated { language, prompt, pairs, alike, confirmed } in rows {
        let share = |count: &Option<u64>| {
            count.map_or_else(
                || "–".to_owned(),
                |count| format!("{count} ({:.1} %)", 100.0 * count as f64 / *pairs as f64),
            )
        };
        // Writing to a string does not fail.
        let _ =
            writeln!(out, "| {language} | {prompt} | {pairs} | {} | {} |", share(alike), share(confirmed));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::tests::pair;

    #[test]
    fn pairs_are_counted_by_language_and_prompt() {
        let of = |syntactic, semantic| Pair { syntactic, semantic, ..pair("a", "s", "x", "y") };
        let across = Pair { lang2: "java".to_owned(), ..of(None, Some(0.9)) };
        let copy = Pair { band: Band::False, ..of(Some(1.0), Some(1.0)) };
        let mut validators = Validators::default();
        for pair in [of(Some(0.5), Some(0.9)), of(Some(0.8), Some(0.1)), across, copy] {
            validators.count(&pair);
        }
        let rows = validators.rows();
        let counts: Vec<_> = rows.iter().map(|it| (it.pairs, it.alike, it.confirmed)).collect();
        assert_eq!(counts, [(2, Some(1), Some(1)), (1, None, Some(1))]);
        assert!(table(&rows).contains("| 2 | 1 (50.0 %) | 1 (50.0 %) |"), "{}", table(&rows));
    }
}
