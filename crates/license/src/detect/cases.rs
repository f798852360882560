//! Notices in words that no rule has, and what they say.

use super::*;

/// Every how manieth license text is tried.
const TEXTS: usize = 37;

const MIT: &str = include_str!("../../../../LICENSE-MIT");

fn check(text: &str, expected: &str) {
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
            // The words on warranties name no version.
            "GPL-3.0-only AND GPL-1.0-or-later",
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
