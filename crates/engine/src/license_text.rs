//! Whether a stretch of source is the text of a license: in a here document, in lines that print it, in a string. Such a text says
//! nothing as code, however long it is.

/// Words that hardly anything but a license has, in lower case.
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
/// Fewest different ones in a license's text, and the least share that they have of all its words.
const DIFFERENT: u32 = 5;
const SHARE: f64 = 0.05;
/// Fewest words in a row between two signs of punctuation that code has, as a share of all words: sentences, not statements.
const LEAST_IN_SENTENCES: f64 = 0.6;
/// A sentence, in words.
const SENTENCE: usize = 4;

pub(crate) fn is_license_text(source: &[u8]) -> bool {
    let mut seen = 0u32;
    let (mut terms, mut words, mut in_sentences) = (0u32, 0u32, 0u32);
    // Signs that stand in sentences, too, and the marks before each line of a comment or a string, part nothing.
    let parts = source.split(|byte| b"(){}[]<>=;:+|&$@!?%^~\\".contains(byte));
    for part in parts {
        let mut here = 0;
        for word in part.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| word.len() > 1) {
            here += 1;
            if let Some(term) = TERMS.iter().position(|term| word.eq_ignore_ascii_case(term.as_bytes())) {
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
