//! Whether a part of a rule still names the licenses that the rule stands for.

use super::found::{Found, Scene, Way};
use crate::Expression;
use crate::rules::{Flags, Rules, Word};

/// What the identifiers of families of licenses start with, and the words that name them.
const FAMILIES: [(&str, &[&str]); 9] = [
    ("GPL-", &["gpl", "gnu", "general"]),
    ("LGPL-", &["lgpl", "gpl", "gnu", "general", "lesser", "library"]),
    ("AGPL-", &["agpl", "gpl", "gnu", "general", "affero"]),
    ("BSD-", &["bsd", "berkeley", "regents"]),
    ("MIT", &["mit", "massachusetts", "expat", "x11"]),
    ("Apache-", &["apache", "asl", "al"]),
    ("MPL-", &["mpl", "mozilla"]),
    ("EPL-", &["epl", "eclipse"]),
    ("OLDAP-", &["oldap", "openldap"]),
];

/// The words that name the licenses of each expression; none where not all of its licenses are of a known family.
pub(super) fn names(rules: &Rules, expressions: &[Expression]) -> Vec<Vec<Word>> {
    let of_families = FAMILIES.map(|(start, names)| (start, words(rules, names)));
    let of_license = |id: &str| of_families.iter().find(|family| id.starts_with(family.0));
    let of_expression = |expression: &Expression| {
        let families = expression.licenses().into_iter().map(|license| of_license(&license.id));
        let words = families.map(|family| family.map(|family| family.1.clone()));
        words.collect::<Option<Vec<Vec<Word>>>>().unwrap_or_default().concat()
    };
    expressions.iter().map(of_expression).collect()
}

/// The words that are one of `names`, with or without a version: *gpl*, *gplv2*, *gpl3+*.
fn words(rules: &Rules, names: &[&str]) -> Vec<Word> {
    let is_version = |end: &str| {
        let version = end.strip_prefix('v').unwrap_or(end);
        version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')
    };
    let is_named = |word: &str| names.iter().any(|name| word.strip_prefix(name).is_some_and(is_version));
    let words = rules.vocabulary.words.iter();
    words.filter(|(word, _)| is_named(word)).map(|(_, number)| *number).collect()
}

/// Whether a part of a rule has none of the words that name its licenses, though the rule has some: *licensed under the license found
/// in* of a rule that says which. The text of a license says by its own words what it permits.
pub(super) fn lacks_names(scene: Scene<'_>, found: &Found) -> bool {
    if found.way != Way::Sequence || scene.is(found, Flags::TEXT) || scene.is_whole(found) {
        return false;
    }
    let names = &scene.names[scene.rules.rules[found.rule as usize].expression as usize];
    let rule = scene.rules.tokens(found.rule);
    let is_name = |at: u32| rule.get(at as usize).is_some_and(|word| names.contains(word));
    rule.iter().any(|word| names.contains(word)) && !found.inside.positions().any(is_name)
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn a_rule_without_the_names_of_its_licenses_says_none_of_them() {
        let header = |license: &str| {
            format!(
                "/*\n * Copyright (c) Pony Platforms, Inc. and affiliates.\n * All rights reserved.\n *\n * This source code is \
                 licensed under {license} found in the LICENSE file in\n * the root directory of this source tree.\n */\n"
            )
        };
        for (license, expected) in [
            ("the license", "LicenseRef-scancode-unknown-license-reference"),
            ("both licenses", "LicenseRef-scancode-unknown-license-reference"),
            ("the MIT license", "MIT"),
            ("the BSD-style license", "BSD-3-Clause"),
        ] {
            check(&header(license), expected);
        }
        check(
            "This source code is licensed under both the BSD-style license (found in the\nLICENSE file in the root directory of \
             this source tree) and the GPLv2 (found\nin the COPYING file in the root directory of this source tree).",
            "BSD-3-Clause OR GPL-2.0-only",
        );
        check(
            "This source code is licensed under the license found in the LICENSE file in the root directory.",
            "LicenseRef-scancode-unknown-license-reference",
        );
    }
}
