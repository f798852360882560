//! The rules themselves are the texts: each is found in its own words, however they are written down.

use proptest::prelude::*;

use super::*;
use crate::rules::Rule;

/// Every how manieth rule is tried.
const EVERY: usize = 37;

/// Rules that say that there is a license.
fn sample() -> impl Iterator<Item = u32> {
    let rules = Rules::embedded();
    let says = |rule: &u32| !rules.rules[*rule as usize].flags.has(Flags::FALSE_POSITIVE);
    (0..rules.rules.len() as u32).filter(says).step_by(EVERY)
}

/// What is found in a text, told or mentioned.
fn found(text: &str) -> Vec<String> {
    let Detected { matches, mentions } = Detector::embedded().detect(text);
    matches.into_iter().chain(mentions).map(|found| found.expression.to_string()).collect()
}

fn expected(rule: u32) -> String {
    Expression::parse(Rules::embedded().expression(rule))
        .expect("the rules' expressions are valid")
        .to_string()
}

#[test]
fn the_expressions_of_all_rules_are_valid() {
    let all = &Rules::embedded().expressions;
    let invalid: Vec<&String> = all.iter().filter(|text| Expression::parse(text).is_err()).collect();
    // Rules that match no license have no expression.
    assert_eq!(invalid, [""]);
}

#[test]
fn parts_of_rules_are_looked_for_only_beside_legal_words() {
    let detector = Detector::of(Rules::embedded());
    assert_eq!(detector.detect("def total(numbers):\n    return sum(numbers)\n"), Detected::default());
    // An identifier is no part of a rule.
    assert_eq!(detector.detect("// SPDX-License-Identifier: MIT\nint a;\n").matches.len(), 1);
    assert!(detector.candidates.get().is_none());
    let notice =
        "you may copy this under the terms of the GNU General Public License as published by anybody";
    detector.detect(notice);
    assert!(detector.candidates.get().is_some());
}

#[test]
fn every_rule_is_found_in_its_own_words() {
    for rule in sample() {
        let text = Rules::embedded().words(rule).join(" ");
        assert_eq!(found(&text), [expected(rule)], "{}", Rules::embedded().rules[rule as usize].name);
    }
}

#[test]
fn comment_leaders_of_every_language_and_upper_case_do_not_matter() {
    let leaders = [
        "// ",
        "# ",
        " * ",
        "dnl ",
        "-- ",
        "rem ",
        "; ",
        "% ",
        "!* ",
        "<p>",
        "\" \\n",
        "&#32;&quot;",
        ".\\\" ",
    ];
    for (rule, leader) in sample().zip(leaders.into_iter().cycle()) {
        let words = Rules::embedded().words(rule);
        let least = if Rules::embedded().rules[rule as usize].required.is_empty() { 3 } else { usize::MAX };
        if words.len() < least || Rules::embedded().rules[rule as usize].flags.has(Flags::CONTINUOUS) {
            continue;
        }
        let lines: Vec<String> =
            words.chunks(9).map(|words| format!("{leader}{}", words.join(" ").to_uppercase())).collect();
        let text = lines.join("\r\n");
        assert!(found(&text).contains(&expected(rule)), "{rule}: {text}");
    }
}

#[test]
fn texts_with_some_words_changed_are_found() {
    let rules = Rules::embedded();
    let long = |rule: &u32| {
        let Rule { flags, minimum_coverage, .. } = rules.rules[*rule as usize];
        rules.length(*rule) > 100 && flags.has(Flags::TEXT.with(Flags::NOTICE)) && minimum_coverage < 95
    };
    let (mut all, mut right, mut telling, mut any) = (0, 0, 0, 0);
    for rule in sample().filter(long) {
        let mut words = rules.words(rule);
        let required =
            |at: &usize| rules.rules[rule as usize].required.iter().any(|p| p.contains(&(*at as u32)));
        let tokens = rules.tokens(rule);
        let tells = |at: usize| altered::tells_in_rule(&rules.distinguishing, tokens, at);
        (telling, any) = (telling + (0..tokens.len()).filter(|&at| tells(at)).count(), any + tokens.len());
        for at in (20..words.len()).step_by(40).filter(|at| !required(at) && !tells(*at)) {
            words[at] = "zyxomma";
        }
        all += 1;
        let ids = Expression::parse(rules.expression(rule)).expect("valid").ids();
        right += usize::from(
            found(&words.join(" "))
                .iter()
                .any(|found| Expression::parse(found).is_ok_and(|found| !found.ids().is_disjoint(&ids))),
        );
    }
    assert!(all > 100 && right * 100 >= all * 92, "{right} of {all}");
    // Most words of a long text may change: else next to nothing would be tried.
    assert!(telling * 100 <= any * 15, "{telling} of {any} words");
}

#[test]
fn names_in_code_are_no_license() {
    for text in [
        "gpl = load(gpl)",
        "fn license(&self) -> License { self.license }",
        "if (mit.edu) return bsd;",
        "let apache = 1;",
        "",
        "\u{0}\u{0}\n\r",
    ] {
        assert_eq!(Detector::embedded().detect(text).expression(), None, "{text}");
    }
}

#[test]
fn tags_are_read_as_they_stand() {
    for (text, expression) in [
        ("// SPDX-License-Identifier: MIT", Some("MIT")),
        (
            "/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */",
            Some("GPL-2.0-only WITH Linux-syscall-note OR MIT"),
        ),
        ("<!-- SPDX-License-Identifier: apache-2.0 -->", Some("Apache-2.0")),
        ("# SPDX-License-Identifier: LicenseRef-Our-Own", Some("LicenseRef-Our-Own")),
        ("# SPDX-License-Identifier: MIT AND", Some("MIT AND LicenseRef-scancode-unknown-spdx")),
        ("// SPDX-License-Identifier: GPL-2.0+ BSD-2-Clause", Some("GPL-2.0-or-later OR BSD-2-Clause")),
        (
            "# SPDX-License-Identifier: (GPL-2.0 MIT)",
            Some("GPL-2.0-only AND MIT AND LicenseRef-scancode-unknown-spdx"),
        ),
        ("# SPDX-License-Identifier: MIT Nonsense-1.0", Some("MIT AND LicenseRef-scancode-unknown-spdx")),
        ("# SPDX-License-Identifier: Nonsense-1.0", Some("LicenseRef-scancode-unknown-spdx")),
        ("SPDX-License-Identifier:", None),
    ] {
        let found = Detector::embedded().detect(text).expression();
        assert_eq!(found.map(|found| found.to_string()).as_deref(), expression, "{text}");
    }
}

#[test]
fn names_side_by_side_in_a_tag_are_a_choice_with_a_note() {
    let note = |text: &str| Detector::embedded().detect(text).matches.first().and_then(|found| found.note);
    assert_eq!(note("/* SPDX-License-Identifier:\tGPL-2.0+\tBSD-2-Clause */"), Some(Note::Choice));
    for text in ["GPL-2.0+ OR BSD-2-Clause", "GPL-2.0+", "GPL-2.0+ Nonsense-1.0", "MIT AND"] {
        assert_eq!(note(&format!("// SPDX-License-Identifier: {text}")), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_is_read(text in "([a-z+ ]{0,8}|license|licensed|under|gpl|mit|copyright|SPDX-License-Identifier: ?|[()]|AND |OR |\n|é|\u{1f600}|\\\\n|&#3){0,200}") {
        let detected = Detector::embedded().detect(&text);
        let lines = text.lines().count().max(1) as u32;
        for found in detected.matches.iter().chain(&detected.mentions) {
            prop_assert!(found.lines.0 >= 1 && found.lines.0 <= found.lines.1 && found.lines.1 <= lines);
            prop_assert!(text.get(found.bytes.0..found.bytes.1).is_some());
            prop_assert!((0.0..=1.0).contains(&found.score));
        }
    }
}
