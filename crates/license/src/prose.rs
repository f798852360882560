//! Whether a stretch of source is the text of a license: in a here document, in lines that print it, in a string. Such a text says
//! nothing as code, however long it is.

/// Words that hardly anything but a license has, in lower case and in order.
const TERMS: [&str; 30] = [
    "claim",
    "conditions",
    "consequential",
    "contributors",
    "copyleft",
    "copyright",
    "copyrighted",
    "damages",
    "disclaimed",
    "disclaimer",
    "granted",
    "hereby",
    "herein",
    "implied",
    "incidental",
    "indemnify",
    "infringement",
    "liability",
    "liable",
    "licensed",
    "licensee",
    "licensor",
    "merchantability",
    "negligence",
    "noninfringement",
    "redistribute",
    "redistributions",
    "sublicense",
    "warranties",
    "warranty",
];
/// Letters of the shortest and of the longest of them.
const SHORTEST: usize = 5;
const LONGEST: usize = 15;
/// Fewest different ones in a license's text, and the least share that they have of all its words.
const DIFFERENT: u32 = 5;
const SHARE: f64 = 0.05;
/// Fewest words in a row between two signs of punctuation that code has, as a share of all words: sentences, not statements.
const LEAST_IN_SENTENCES: f64 = 0.6;
/// A sentence, in words.
const SENTENCE: usize = 4;
/// What parts sentences. Signs that stand in sentences, too, and the marks before each line of a comment or a string, part nothing.
const PARTS: [bool; 256] = {
    let signs = b"(){}[]<>=;:+|&$@!?%^~\\";
    let mut parts = [false; 256];
    let mut at = 0;
    while at < signs.len() {
        parts[signs[at] as usize] = true;
        at += 1;
    }
    parts
};

/// Whether `source` reads as the text of a license: sentences, and in them the words that licenses have.
pub fn is_license_text(source: &[u8]) -> bool {
    let mut seen = 0u32;
    let (mut terms, mut words, mut in_sentences) = (0u32, 0u32, 0u32);
    for part in source.split(|byte| PARTS[usize::from(*byte)]) {
        let mut here = 0;
        for word in part.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| word.len() > 1) {
            here += 1;
            if let Some(term) = term(word) {
                terms += 1;
                seen |= 1 << term;
            }
        }
        words += here;
        if here as usize >= SENTENCE {
            in_sentences += here;
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(words.max(1));
    seen.count_ones() >= DIFFERENT && share(terms) >= SHARE && share(in_sentences) >= LEAST_IN_SENTENCES
}

/// The number of the term that a word is, whatever its case.
fn term(word: &[u8]) -> Option<usize> {
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..word.len()).filter(|lower| lower.len() >= SHORTEST)?;
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    TERMS.binary_search_by(|term| term.as_bytes().cmp(lower)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIT: &str = include_str!("../../../LICENSE-MIT");
    const BSD: &str = "Redistribution and use in source and binary forms, with or without modification, are permitted provided that the \
        following conditions are met: Redistributions of source code must retain the above copyright notice, this list of conditions \
        and the following disclaimer. THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS AS IS AND ANY EXPRESS OR \
        IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY ARE DISCLAIMED. IN NO EVENT SHALL \
        THE COPYRIGHT HOLDER BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL DAMAGES";

    #[test]
    fn licenses_are_known_however_they_are_printed() {
        let echoed = |command: &str| {
            MIT.lines().map(|line| format!("{command} \"{line}\"\n")).collect::<Vec<_>>().concat()
        };
        for text in [
            MIT.to_owned(),
            BSD.to_owned(),
            echoed("echo"),
            echoed("REM"),
            format!("cat <<EOF\n{MIT}\nEOF\nmake all\n"),
        ] {
            assert!(is_license_text(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn terms_are_in_order_and_as_long_as_is_said() {
        assert!(TERMS.is_sorted());
        let lengths = || TERMS.iter().map(|term| term.len());
        assert_eq!((lengths().min(), lengths().max()), (Some(SHORTEST), Some(LONGEST)));
        assert!((0..TERMS.len()).all(|at| term(TERMS[at].to_uppercase().as_bytes()) == Some(at)));
    }

    #[test]
    fn code_about_licenses_is_code() {
        for code in [
            "if license.warranty && !license.liability { report(copyright, disclaimer, licensed, licensor, granted); }",
            "const TERMS = [\"warranty\", \"liability\", \"damages\", \"granted\", \"hereby\"];\nfor (const term of TERMS) {\n  if (text.includes(term)) {\n    count = count + 1;\n  }\n}",
            "echo copying files\ncp -r src/* build/\nfor f in a b c; do\n  install -m 644 $f /usr/share/licenses\ndone",
            "",
        ] {
            assert!(!is_license_text(code.as_bytes()), "{code}");
        }
    }
}
