//! Notices in words that no rule has, and what they say.

use super::*;

/// Every how manieth license text is tried.
const TEXTS: usize = 37;

pub(super) const MIT: &str = include_str!("../../../../LICENSE-MIT");

pub(super) fn check(text: &str, expected: &str) {
    let detected = Detector::embedded().detect(text);
    let found = detected.expression().map(|found| found.to_string()).unwrap_or_default();
    assert_eq!(found, expected, "{text}\n{:#?}", detected.matches);
}

#[test]
fn the_plain_notice_of_the_gpl_is_none_of_its_relatives() {
    let notice = |name: &str| {
        format!(
            "/* The pony tools. Copyright (C) 2011 Ada Byron\n *\n * This program is free software; you can redistribute it and/or modify\n \
             * it under the terms of the GNU {name}General Public License as published by\n * the Free Software Foundation; either \
             version 3 of the License, or\n * (at your option) any later version.\n *\n * This program is distributed in the hope that it \
             will be useful,\n * but WITHOUT ANY WARRANTY; without even the implied warranty of\n * MERCHANTABILITY or FITNESS FOR A \
             PARTICULAR PURPOSE.  See the\n * GNU {name}General Public License for more details.\n *\n * You should have received a copy \
             of the GNU {name}General Public License along\n * with this program; if not, visit the web site of the foundation.\n */\n"
        )
    };
    check(&notice(""), "GPL-3.0-or-later");
    check(&notice("Affero "), "AGPL-3.0-or-later");
    check(&notice("Lesser "), "LGPL-3.0-or-later");
}

#[test]
fn the_family_may_stand_before_an_abbreviation() {
    for (text, expected) in [
        ("This is licensed under the GNU Lesser GPL, version 3 or later.", "LGPL-3.0-or-later"),
        ("This is licensed under the GNU Library GPL, version 2.", "LGPL-2.0-only"),
        ("released under the GNU Lesser General Public License (LGPL) version 3.", "LGPL-3.0-only"),
        ("released under the GNU Affero General Public License (AGPL), version 3.", "AGPL-3.0-only"),
        ("https://img.shields.io/badge/license-AGPLv3%2B-blue.svg", "AGPL-3.0-or-later"),
        ("\"type\": \"library\",\n\"license\": \"GPL-2.0+\"", "GPL-2.0-or-later"),
    ] {
        check(text, expected);
    }
}

#[test]
fn what_and_joins_holds_together_and_bars_are_a_choice_in_a_field() {
    for (text, expected) in [
        ("License: Apache-2.0 AND GPL-3.0-only", "Apache-2.0 AND GPL-3.0-only"),
        ("@license MIT AND GPL-2.0-only", "MIT AND GPL-2.0-only"),
        ("Dual licensed under the MIT and GPL-2.0-only licenses.", "MIT OR GPL-2.0-only"),
        ("License: GPL-2 | GPL-3", "GPL-2.0-only OR GPL-3.0-only"),
        (
            "Dual licensed: MIT (code) and CC-BY-4.0 (documentation)",
            "LicenseRef-scancode-unknown-license-reference AND MIT AND CC-BY-4.0",
        ),
    ] {
        check(text, expected);
    }
}

#[test]
fn later_versions_may_be_said_by_a_sign() {
    for (text, expected) in [
        ("License: GPL (>= 2)", "GPL-2.0-or-later"),
        ("License: LGPL (>= 2.1)", "LGPL-2.1-or-later"),
        ("License: GPL (>= 3)", "GPL-3.0-or-later"),
    ] {
        check(text, expected);
    }
}

#[test]
fn what_begins_the_lines_of_a_comment_is_no_word_of_a_notice() {
    let notice = "This program is free software: you can redistribute it and/or modify\nit under the terms of the GNU \
                  General Public License as published by\nthe Free Software Foundation, either version 3 of the License, \
                  or\n(at your option) any later version.\n\nThis program is distributed in the hope that it will be \
                  useful,\nbut WITHOUT ANY WARRANTY; without even the implied warranty of\nMERCHANTABILITY or FITNESS \
                  FOR A PARTICULAR PURPOSE.  See the\nGNU General Public License for more details.\n";
    for prefix in ["C     ", "@c ", "NB. ", "# ", "REM ", "dnl "] {
        let lines: Vec<String> = notice.lines().map(|line| format!("{prefix}{line}")).collect();
        check(&lines.join("\n"), "GPL-3.0-or-later");
    }
    for (before, after) in [("  console.log('", "');"), ("print(\"", "\\n\")"), ("    echo \"", "\"")] {
        let lines: Vec<String> = notice.lines().map(|line| format!("{before}{line}{after}")).collect();
        check(&lines.join("\n"), "GPL-3.0-or-later");
    }
}

#[test]
fn a_version_without_later_is_that_version_alone() {
    for (text, expected) in [
        (
            "released under the GNU General Public License version 3 as published by the foundation",
            "GPL-3.0-only",
        ),
        (
            "This pony is under the terms of the GNU General Public License Version 3 as published by the FSF.",
            "GPL-3.0-only",
        ),
        ("covered by version 3 of the GNU General Public License as published by the FSF", "GPL-3.0-only"),
        (
            "released under the GNU General Public License, version 3, or at your option any newer one",
            "GPL-3.0-or-later",
        ),
        (
            "licensed under the GNU Lesser General Public License v2.1 or, as you like, any later version",
            "LGPL-2.1-or-later",
        ),
        (
            "This program is free software; you can redistribute it and/or modify\n * it under the terms of the GNU General Public \
             License version 3 as\n * published by the Free Software Foundation.\n *\n * This program is distributed in the hope that it \
             will be useful,\n * but WITHOUT ANY WARRANTY; without even the implied warranty of\n * MERCHANTABILITY or FITNESS FOR A \
             PARTICULAR PURPOSE.  See the\n * GNU General Public License for more details.",
            "GPL-3.0-only",
        ),
        ("You can use the pony under the terms of the GNU General Public License.", "GPL-1.0-or-later"),
    ] {
        check(text, expected);
    }
}

#[test]
fn a_notice_counts_beside_the_whole_text_of_another_license() {
    let notice = "Licensed under the GPL v2 or later, see the file LICENSE";
    check(&format!("{notice}\n\n{MIT}"), "GPL-2.0-or-later AND MIT");
    check(&format!("{MIT}\n\n{notice}"), "MIT AND GPL-2.0-or-later");
}

#[test]
fn a_notice_counts_beside_whichever_whole_text() {
    let rules = Rules::embedded();
    let is_text = |rule: &u32| {
        rules.length(*rule) > 150
            && rules.rules[*rule as usize].name.ends_with(".LICENSE")
            && !rules.expression(*rule).contains("GPL-2.0")
    };
    let notice =
        "// This program is licensed under the GNU General Public License, version 2 or any later version.";
    let mut lost = Vec::new();
    let texts: Vec<u32> = (0..rules.rules.len() as u32).filter(is_text).collect();
    for &rule in texts.iter().step_by(TEXTS) {
        let text = rules.words(rule).join(" ");
        for whole in [format!("{notice}\n\n\n{text}"), format!("{text}\n\n\n{notice}")] {
            let found = Detector::embedded().detect(&whole).expression();
            if !found.is_some_and(|found| found.ids().contains("GPL-2.0-or-later")) {
                lost.push(rules.rules[rule as usize].name.as_str());
            }
        }
    }
    assert!(texts.len() > 1000 && lost.is_empty(), "{lost:?} of {}", texts.len() / TEXTS);
}

/// Whether all texts say what they should; shows all that do not.
pub(super) fn check_all(cases: &[(&str, &str)]) {
    let wrong = |&(text, expected): &(&str, &str)| {
        let detected = Detector::embedded().detect(text);
        let found = detected.expression().map(|found| found.to_string()).unwrap_or_default();
        let by: Vec<_> =
            detected.matches.iter().map(|found| (&found.rule, found.bytes, found.score)).collect();
        (found != expected).then(|| format!("{text}\n  found {found}\n  not   {expected}\n  {by:?}\n"))
    };
    let wrong: Vec<String> = cases.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.concat());
}

#[test]
fn a_choice_in_prose_is_a_choice() {
    check_all(&[
        (
            "Licensed under either the Apache License 2.0 or the MIT license, at your option.",
            "Apache-2.0 OR MIT",
        ),
        (
            "You may use this file under either the MIT license or the Apache License 2.0, at your option.",
            "MIT OR Apache-2.0",
        ),
        ("This crate is dual licensed under MIT and Apache-2.0.", "MIT OR Apache-2.0"),
        (
            "The pony library is dual licensed under the MIT License and the GNU General Public License v2.0.",
            "MIT OR GPL-2.0-only",
        ),
        ("Dual-licensed under BSD-3-Clause and GPL-2.0-only.", "BSD-3-Clause OR GPL-2.0-only"),
        (
            "Licensed under either of\n\n * Apache License, Version 2.0\n * MIT license\n\nat your option.",
            "Apache-2.0 OR MIT",
        ),
        (
            "Licensed under either of Apache License, Version 2.0 or MIT license at your option.",
            "Apache-2.0 OR MIT",
        ),
        ("Licensed under either of\n * MPL-2.0\n * EPL-2.0\nat your option.", "MPL-2.0 OR EPL-2.0"),
        ("Distributed under the terms of MIT OR Apache-2.0.", "MIT OR Apache-2.0"),
        (
            "This pony is distributed under the terms of the BSD 2-Clause License or the Boost Software License 1.0.",
            "BSD-2-Clause OR BSL-1.0",
        ),
        (
            "This program may be used under the terms of the Mozilla Public License 2.0 or the GNU General Public License version 3.",
            "MPL-2.0 OR GPL-3.0-only",
        ),
        (
            "The code is available under the zlib license or the Unlicense, at your choice.",
            "Zlib OR Unlicense",
        ),
        ("Choose either the ISC license or the Apache License, Version 2.0.", "ISC OR Apache-2.0"),
        (
            "This library is tri-licensed under MIT, Apache-2.0 and BSD-2-Clause.",
            "MIT OR Apache-2.0 OR BSD-2-Clause",
        ),
        (
            "Licensed under the Apache License, Version 2.0 <LICENSE-APACHE or http://www.apache.org/licenses/LICENSE-2.0> or the MIT license <LICENSE-MIT or http://opensource.org/licenses/MIT>, at your option.",
            "Apache-2.0 OR MIT",
        ),
        (
            "This pony is licensed under the GNU General Public License version 2 or (at your option) any later version. The stable is under the MIT license.",
            "GPL-2.0-or-later AND MIT",
        ),
        // Both hold.
        (
            "Parts of it are under the MIT license and parts under the Apache License 2.0.",
            "MIT AND Apache-2.0",
        ),
        (
            "The code is under the MIT license. The documentation is under the Creative Commons Attribution 4.0 license.",
            "MIT AND CC-BY-4.0",
        ),
        (
            "Licensed under the MIT license. Some files are licensed under the Apache License 2.0 or, where they say so, differently.",
            "MIT AND Apache-2.0",
        ),
    ]);
}

const OPENJ9: &str = "/*******************************************************************************\n\
    \x20* Copyright IBM Corp. and others 1991\n\
    \x20*\n\
    \x20* This program and the accompanying materials are made available under\n\
    \x20* the terms of the Eclipse Public License 2.0 which accompanies this\n\
    \x20* distribution and is available at https://www.eclipse.org/legal/epl-2.0/\n\
    \x20* or the Apache License, Version 2.0 which accompanies this distribution and\n\
    \x20* is available at https://www.apache.org/licenses/LICENSE-2.0.\n\
    \x20*\n\
    \x20* This Source Code may also be made available under the following\n\
    \x20* Secondary Licenses when the conditions for such availability set\n\
    \x20* forth in the Eclipse Public License, v. 2.0 are satisfied: GNU\n\
    \x20* General Public License, version 2 with the GNU Classpath\n\
    \x20* Exception [1] and GNU General Public License, version 2 with the\n\
    \x20* OpenJDK Assembly Exception [2].\n\
    \x20*\n\
    \x20* [1] https://www.gnu.org/software/classpath/license.html\n\
    \x20* [2] https://openjdk.org/legal/assembly-exception.html\n\
    \x20*******************************************************************************/";

#[test]
fn secondary_licenses_are_a_choice_beside_whatever_text() {
    let offered = "EPL-2.0 OR Apache-2.0 OR GPL-2.0-only WITH Classpath-exception-2.0 OR GPL-2.0-only WITH OpenJDK-assembly-exception-1.0";
    check(OPENJ9, offered);
    check(&format!("{MIT}\n\n\n{OPENJ9}"), &format!("MIT AND ({offered})"));
    check(&format!("{OPENJ9}\n\n\n{MIT}"), &format!("({offered}) AND MIT"));
}

#[test]
fn the_words_on_warranties_of_a_notice_name_no_other_version() {
    let notice = |before: &str, grant: &str, after: &str| {
        format!(
            "{before}This program is free software; you can redistribute it and/or modify\nit under the terms of the GNU {grant}.\n\nThis program is distributed in the hope that it will be useful,\nbut WITHOUT ANY WARRANTY; without even the implied warranty of\nMERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the\nGNU General Public License for more details.{after}"
        )
    };
    let texts = [
        (
            notice("", "General Public License version 3 as\npublished by the Free Software Foundation", ""),
            "GPL-3.0-only",
        ),
        (
            notice(
                "",
                "General Public License version 3 as\npublished by the Free Software Foundation",
                "\n\nYou should have received a copy of the GNU General Public License\nalong with this program.  If not, see <http://www.gnu.org/licenses/>.",
            ),
            "GPL-3.0-only",
        ),
        (notice("Pony tools, (c) 2011 Ada Byron. ", "General Public License, version 2", ""), "GPL-2.0-only"),
        (
            notice(
                "",
                "General Public License, v2 or any newer version",
                "\n\nYou should have received a copy of the GNU General Public License\nalong with the pony.",
            ),
            "GPL-2.0-or-later",
        ),
        (
            notice("", "General Public License as published by the FSF; version 2 of the License", ""),
            "GPL-2.0-only",
        ),
    ];
    let cases: Vec<(&str, &str)> = texts.iter().map(|(text, expected)| (text.as_str(), *expected)).collect();
    check_all(&cases);
}

#[test]
fn the_words_on_warranties_allow_no_later_version() {
    let notice = |name: &str, version: &str| {
        format!(
            "This pony is licensed under the GNU {name} General Public License {version} as published by the FSF.\n\nIt comes WITHOUT ANY WARRANTY; see the GNU {name} General Public License for more details."
        )
    };
    for (name, version, expected) in [
        ("Lesser", "version 2", "LGPL-2.0-only"),
        ("Lesser", "version 2.1", "LGPL-2.1-only"),
        ("Lesser", "version 3", "LGPL-3.0-only"),
        ("Affero", "version 3", "AGPL-3.0-only"),
        ("Lesser", "version 2.1 or any later version", "LGPL-2.1-or-later"),
    ] {
        check(&notice(name, version), expected);
    }
}

/// What is told of the text of a rule in which words are changed.
fn changed(rule: &str, words: &str, others: &str) -> Detected {
    let text = Rules::embedded().text_of(rule);
    assert!(text.contains(words), "{words}: {text}");
    Detector::embedded().detect(&text.replacen(words, others, 1))
}

#[test]
fn a_license_text_under_the_title_of_another_license_is_in_doubt() {
    for (rule, title, other, id) in [
        ("mpl-2.0.LICENSE", "mozilla public", "eclipse public", "MPL-2.0"),
        ("apache-2.0.LICENSE", "apcahe", "mozilla public", "Apache-2.0"),
        ("cc-by-nc-4.0.LICENSE", "noncommerical", "sharealike", "CC-BY-NC-4.0"),
    ] {
        let detected = changed(rule, title, other).matches;
        let is_body =
            |found: &&LicenseMatch| found.kind == MatchKind::Text && found.bytes.1 - found.bytes.0 > 5000;
        let [body] = detected.iter().filter(is_body).collect::<Vec<_>>()[..] else {
            panic!("{rule}: {detected:#?}")
        };
        assert_eq!((body.rule.as_str(), body.note), (rule, Some(Note::Altered)));
        assert_eq!(body.expression.to_string(), UNKNOWN, "{id}");
        assert!(body.score < 0.51, "{}", body.score);
    }
}

/// A title, a license text, the number of words of its own title, and its license.
const TITLES: [(&str, &str, usize, &str); 16] = [
    ("GNU GENERAL PUBLIC LICENSE\nVersion 2.1, February 1999", "lgpl-2.1.LICENSE", 9, "LGPL-2.1-only"),
    ("GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007", "lgpl-3.0.LICENSE", 9, "LGPL-3.0-only"),
    ("GNU GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007", "agpl-3.0.LICENSE", 9, "AGPL-3.0-only"),
    ("GNU LIBRARY GENERAL PUBLIC LICENSE\nVersion 2, June 1991", "gpl-2.0.LICENSE", 8, "GPL-2.0-only"),
    ("GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007", "gpl-3.0.LICENSE", 8, "GPL-3.0-only"),
    ("GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007", "gpl-3.0.LICENSE", 8, "GPL-3.0-only"),
    ("GNU General Public License\nVersion 1.2, November 2002", "gfdl-1.2.LICENSE", 8, "GFDL-1.2-only"),
    ("Apache License\nVersion 2.0, January 2004", "mpl-2.0.LICENSE", 6, "MPL-2.0"),
    ("Apache License 1.1", "mpl-1.1.LICENSE", 6, "MPL-1.1"),
    ("Eclipse Public License - v 2.0", "epl-1.0.LICENSE", 6, "EPL-1.0"),
    ("European Union Public Licence V. 1.1", "eupl-1.2.LICENSE", 7, "EUPL-1.2"),
    ("Eclipse Public License - v 1.0", "cddl-1.0.LICENSE", 9, "CDDL-1.0"),
    ("Attribution-NonCommercial-NoDerivatives 4.0 International", "cc-by-nc-4.0.LICENSE", 5, "CC-BY-NC-4.0"),
    ("Attribution-NonCommercial 4.0 International", "cc-by-nc-nd-4.0.LICENSE", 6, "CC-BY-NC-ND-4.0"),
    ("Attribution 4.0 International", "cc-by-nd-4.0.LICENSE", 5, "CC-BY-ND-4.0"),
    ("Attribution-NoDerivatives 4.0 International", "cc-by-4.0.LICENSE", 4, "CC-BY-4.0"),
];

/// What is told of a license text whose title is another one, and whether it is told to be its license.
fn under(title: Option<&str>, (rule, words, id): (&str, usize, &str)) -> (Detected, bool) {
    let text = Rules::embedded().text_of(rule);
    let words: Vec<&str> = if title.is_some() { text.split(' ').skip(words).collect() } else { vec![&text] };
    let text = format!("{}\n\n{}", title.unwrap_or_default(), words.join(" "));
    let detected = Detector::embedded().detect(&text);
    let is_body = |found: &&LicenseMatch| 10 * (found.bytes.1 - found.bytes.0) > 9 * text.len();
    let is_sure = detected.matches.iter().filter(is_body).any(|found| found.expression.to_string() == id);
    (detected, is_sure)
}

#[test]
fn a_license_text_under_the_name_of_a_related_license_is_in_doubt() {
    for (title, rule, words, id) in TITLES {
        let (detected, is_sure) = under(None, (rule, words, id));
        assert!(is_sure, "{rule}: {detected:#?}");
        let (detected, is_sure) = under(Some(title), (rule, words, id));
        let names_others = detected.expression().is_some_and(|detected| detected.to_string() != id);
        assert!(!is_sure && names_others, "{rule} under {title}: {detected:#?}");
    }
}

#[test]
fn a_license_text_is_sure_under_a_title_that_names_no_license() {
    for (title, text) in [
        ("Pony 1.7", ("mpl-2.0.LICENSE", 6, "MPL-2.0")),
        ("", ("epl-1.0.LICENSE", 6, "EPL-1.0")),
        ("Copyright 2011 Ada Byron", ("cc-by-4.0.LICENSE", 4, "CC-BY-4.0")),
    ] {
        let (detected, is_sure) = under(Some(title), text);
        assert!(is_sure, "{title}: {detected:#?}");
    }
}

#[test]
fn the_version_after_a_name_counts() {
    check_all(&[
        ("This pony is under the Open Software License version 1.1.", "OSL-1.1"),
        ("This pony is under the Zope Public License (ZPL) Version 2.0.", "ZPL-2.0"),
        ("Licensed under the Academic Free License, version 2.0.", "AFL-2.0"),
        ("The LaTeX Project Public License\n\nLPPL Version 1.3c", "LPPL-1.3c"),
        ("This pony is under the Open Software License version 2.0 or any later version.", "OSL-2.0+"),
    ]);
}

#[test]
fn rules_farther_from_a_changed_text_do_not_say_what_the_nearest_one_no_longer_says() {
    for (rule, words, others, id) in [
        ("bsd-new_1070.RULE", "disclaimed in no event", "disclaimed in event", "BSD-3-Clause"),
        ("x11-xconsortium_14.RULE", "as is without warranty of", "as is without nc of", "X11"),
        ("x11-keith-packard_21.RULE", "implied warranty sony", "implied b sony", "HPND-sell-variant"),
    ] {
        let found = Detector::embedded().detect(&Rules::embedded().text_of(rule)).expression();
        assert!(found.is_some_and(|found| found.ids().contains(id)), "{rule}");
        let detected = changed(rule, words, others);
        assert!(
            !detected.expression().is_some_and(|found| found.ids().contains(id)),
            "{rule}: {:#?}",
            detected.matches
        );
    }
}

#[test]
fn a_rule_says_of_later_versions_what_its_words_say() {
    let module = |name: &str| {
        format!(
            "This module is free software; you can redistribute it and/or modify\nit under the terms of the GNU {name}\nas published by the Free Software Foundation.\n\nThis module is distributed in the hope that it will be useful, but\nWITHOUT ANY WARRANTY; without even the implied warranty of\nMERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE."
        )
    };
    let debian = format!(
        "{}\n\nOn Debian systems, the complete text of the license can be found in\nthe file /usr/share/common-licenses/LGPL-2",
        module("Lesser General Public License version 2")
    );
    let texts = [
        (module("Lesser General Public License version 2"), "LGPL-2.0-only"),
        (debian, "LGPL-2.0-only"),
        (module("Lesser General Public License version 2.1"), "LGPL-2.1-only"),
    ];
    let cases: Vec<(&str, &str)> = texts.iter().map(|(text, expected)| (text.as_str(), *expected)).collect();
    check_all(&cases);
    check_all(&[
        ("The pony is under the GNU Lesser General Public License version 2.", "LGPL-2.0-only"),
        ("The pony is under the GNU Lesser General Public License, Version 2.1+.", "LGPL-2.1-or-later"),
        (
            "The pony is under the GNU Lesser General Public License, version 2.0 or later.",
            "LGPL-2.0-or-later",
        ),
        ("The pony is supplied under the GNU AGPLv3.", "AGPL-3.0-only"),
        ("The pony is under the terms of GNU GPL v2 or later.", "GPL-2.0-or-later"),
        ("The pony is licensed under the terms GNU LGPL v3 or later.", "LGPL-3.0-or-later"),
        ("Pony: EPL 2.0/GPL 2.0/LGPL 2.1", "EPL-2.0 OR GPL-2.0-only OR LGPL-2.1-only"),
    ]);
}

#[test]
fn a_license_text_is_sure_under_its_name_without_a_version() {
    for (title, text) in [
        ("GNU General Public License", ("gpl-3.0.LICENSE", 8, "GPL-3.0-only")),
        ("GNU General Public License", ("gpl-2.0.LICENSE", 8, "GPL-2.0-only")),
        ("The GNU General Public License", ("gpl-3.0.LICENSE", 4, "GPL-3.0-only")),
        ("GNU Lesser General Public License", ("lgpl-3.0.LICENSE", 9, "LGPL-3.0-only")),
        ("GNU Lesser General Public License", ("lgpl-2.1.LICENSE", 9, "LGPL-2.1-only")),
        ("GNU Affero General Public License", ("agpl-3.0.LICENSE", 9, "AGPL-3.0-only")),
        ("Mozilla Public License", ("mpl-2.0.LICENSE", 6, "MPL-2.0")),
        ("Apache License", ("apache-2.0.LICENSE", 6, "Apache-2.0")),
        ("Eclipse Public License", ("epl-1.0.LICENSE", 6, "EPL-1.0")),
    ] {
        let (detected, is_sure) = under(Some(title), text);
        let is_alone = detected.expression().is_some_and(|detected| detected.to_string() == text.2);
        assert!(is_sure && is_alone, "{title}, {text:?}: {detected:#?}");
    }
}

#[test]
fn the_end_of_a_license_text_is_no_license_beside_it() {
    let rules = Rules::embedded();
    let rule =
        rules.rules.iter().position(|rule| rule.name == "python_40.RULE").expect("it is a rule") as u32;
    let tells = |at: &usize| altered::tells_in_rule(&rules.distinguishing, rules.tokens(rule), *at);
    let mut python = rules.words(rule);
    let slip = (python.len() / 3..python.len()).find(|at| !tells(at)).expect("most words do not tell");
    python[slip] = "zyxomma";
    check(&python.join(" "), "Python-2.0");
    let cwi = rules.text_of("python-cwi.LICENSE");
    check(&format!("{MIT}\n\n{cwi}"), "MIT AND LicenseRef-scancode-python-cwi");
}
