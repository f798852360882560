//! Whether two names are of one holder.

use std::collections::BTreeSet;

/// Whether one of some holders is one of others: the same words, in any order and case, without `Inc.` and the like.
pub fn have_common_holder(some: &[String], others: &[String]) -> bool {
    let keys = |holders: &[String]| holders.iter().map(|holder| key(holder)).collect::<BTreeSet<_>>();
    let known = keys(others);
    keys(some).iter().any(|key| !key.is_empty() && known.contains(key))
}

/// Words of a holder's name that do not tell one from another.
const NO_NAME: &[&str] = &[
    "a",
    "ab",
    "ag",
    "all",
    "and",
    "author",
    "authors",
    "by",
    "co",
    "company",
    "contributors",
    "corp",
    "corporation",
    "ev",
    "foundation",
    "gmbh",
    "inc",
    "incorporated",
    "limited",
    "llc",
    "ltd",
    "of",
    "others",
    "reserved",
    "rights",
    "sa",
    "the",
];

fn key(holder: &str) -> BTreeSet<String> {
    // An address is not part of the name.
    let name = holder.split(['<', '(']).next().unwrap_or(holder).to_lowercase();
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .filter(|word| !NO_NAME.contains(word) && !word.bytes().all(|b| b.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_is_the_same_in_whatever_order_and_form_of_company() {
        let common = |one: &str, other: &str| have_common_holder(&[one.to_owned()], &[other.to_owned()]);
        for (one, other, expected) in [
            ("ACME Inc.", "Acme", true),
            ("Byron, Ada <ada@example.org>", "Ada Byron", true),
            ("Ada Byron", "Augusta Byron", false),
            ("the authors", "The Authors", false),
            ("2001, Inc.", "Inc. 2002", false),
        ] {
            assert_eq!(common(one, other), expected, "{one} / {other}");
        }
    }
}
