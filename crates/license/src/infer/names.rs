//! What people write where an SPDX expression should stand: `Apache 2.0`, `GPLv2+`, `BSD`.

use super::qualified::{self, normal};
use crate::Expression;

/// What a name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Known(Expression),
    /// It fits several licenses; why, in words.
    Ambiguous(String),
    Unknown,
}

/// What a GNU license's version means where nothing is said of later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alone {
    /// That is left open.
    Open,
    /// This version alone, as DEP-5 has it.
    Only,
}

/// Names longer than this are texts.
const MAX_BYTES: usize = 200;
/// Longer expressions are lists, from which nothing follows.
const MAX_EXPRESSION: usize = 4096;

/// Normal forms ([`normal`]) of names that fit one license.
const NAMES: &[(&str, &str)] = &[
    ("0bsd", "0BSD"),
    ("afl 3.0", "AFL-3.0"),
    ("apache 1.1", "Apache-1.1"),
    ("apache 2", "Apache-2.0"),
    ("apache 2.0", "Apache-2.0"),
    ("apache2", "Apache-2.0"),
    ("apache2.0", "Apache-2.0"),
    ("asl 2.0", "Apache-2.0"),
    ("al2", "Apache-2.0"),
    ("artistic 1", "Artistic-1.0"),
    ("artistic 2", "Artistic-2.0"),
    ("artistic 2.0", "Artistic-2.0"),
    ("beerware", "Beerware"),
    ("boost", "BSL-1.0"),
    ("boost 1.0", "BSL-1.0"),
    ("bsl 1.0", "BSL-1.0"),
    ("bsd 2", "BSD-2-Clause"),
    ("bsd 2 clause", "BSD-2-Clause"),
    ("2 clause bsd", "BSD-2-Clause"),
    ("simplified bsd", "BSD-2-Clause"),
    ("bsd 2 clause simplified", "BSD-2-Clause"),
    ("freebsd", "BSD-2-Clause"),
    ("bsd 3", "BSD-3-Clause"),
    ("bsd 3 clause", "BSD-3-Clause"),
    ("3 clause bsd", "BSD-3-Clause"),
    ("new bsd", "BSD-3-Clause"),
    ("bsd new", "BSD-3-Clause"),
    ("modified bsd", "BSD-3-Clause"),
    ("revised bsd", "BSD-3-Clause"),
    ("bsd 3 clause new or revised", "BSD-3-Clause"),
    ("bsd 4 clause", "BSD-4-Clause"),
    ("4 clause bsd", "BSD-4-Clause"),
    ("cc by 3.0", "CC-BY-3.0"),
    ("cc by 4.0", "CC-BY-4.0"),
    ("cc by sa 2.5", "CC-BY-SA-2.5"),
    ("cc by sa 3.0", "CC-BY-SA-3.0"),
    ("cc by sa 4.0", "CC-BY-SA-4.0"),
    ("cc0", "CC0-1.0"),
    ("cc0 1.0", "CC0-1.0"),
    ("cc0 1.0 universal", "CC0-1.0"),
    ("cddl 1.0", "CDDL-1.0"),
    ("cddl 1.1", "CDDL-1.1"),
    ("eclipse public 1.0", "EPL-1.0"),
    ("eclipse public 2.0", "EPL-2.0"),
    ("epl 1.0", "EPL-1.0"),
    ("epl 2.0", "EPL-2.0"),
    ("eupl 1.1", "EUPL-1.1"),
    ("eupl 1.2", "EUPL-1.2"),
    ("expat", "MIT"),
    ("fsfap", "FSFAP"),
    ("hpnd", "HPND"),
    ("isc", "ISC"),
    ("iscl", "ISC"),
    ("mit", "MIT"),
    ("mit expat", "MIT"),
    ("mit no attribution", "MIT-0"),
    ("mozilla public 1.1", "MPL-1.1"),
    ("mozilla public 2.0", "MPL-2.0"),
    ("mpl 1.1", "MPL-1.1"),
    ("mpl 2", "MPL-2.0"),
    ("mpl 2.0", "MPL-2.0"),
    ("mpl2", "MPL-2.0"),
    ("ms pl", "MS-PL"),
    ("ofl 1.1", "OFL-1.1"),
    ("public domain", "LicenseRef-scancode-public-domain"),
    ("python foundation", "PSF-2.0"),
    ("psf", "PSF-2.0"),
    ("psf 2", "PSF-2.0"),
    ("sil ofl 1.1", "OFL-1.1"),
    ("unlicense", "Unlicense"),
    ("upl 1.0", "UPL-1.0"),
    ("wtfpl", "WTFPL"),
    ("zlib", "Zlib"),
    ("zlib libpng", "Zlib"),
    ("zope public 2.1", "ZPL-2.1"),
    ("zpl 2.1", "ZPL-2.1"),
];

/// Normal forms of names that fit several licenses.
const AMBIGUOUS: &[(&str, &str)] = &[
    ("academic free", "several versions"),
    ("afl", "several versions"),
    ("apache", "versions 1.0, 1.1 and 2.0"),
    ("artistic", "versions 1.0 and 2.0"),
    ("bsd", "licenses with two, three or four clauses"),
    ("bsd like", "licenses with two, three or four clauses"),
    ("bsd style", "licenses with two, three or four clauses"),
    ("cc by", "several versions"),
    ("cc by sa", "several versions"),
    ("creative commons", "several licenses"),
    ("dual", "any two licenses"),
    ("eclipse public", "versions 1.0 and 2.0"),
    ("epl", "versions 1.0 and 2.0"),
    ("free", "many licenses"),
    ("freeware", "many licenses"),
    ("mozilla public", "versions 1.0, 1.1 and 2.0"),
    ("mpl", "versions 1.0, 1.1 and 2.0"),
    ("open source", "many licenses"),
    ("other", "any license"),
    ("proprietary", "any terms"),
];

/// The license that `text` names: an SPDX expression, or what is commonly written for one.
pub(crate) fn named(text: &str, alone: Alone) -> Named {
    let text = text.trim().trim_matches(['"', '\'', '.']).trim();
    if text.is_empty() || text.len() > MAX_EXPRESSION {
        return Named::Unknown;
    }
    if let Ok(expression) = Expression::parse(text)
        && !expression.is_none()
        && !expression.is_no_assertion()
    {
        return Named::Known(expression);
    }
    if text.len() > MAX_BYTES {
        return Named::Unknown;
    }
    let Some(text) = qualified::bounded(text) else {
        return Named::Ambiguous("which bounds its versions as no license does".to_owned());
    };
    if let Some((license, exceptions)) = qualified::excepted(&text) {
        return match named(license, alone) {
            Named::Known(licenses) => {
                qualified::with_exception(&licenses, &exceptions).map_or(Named::Unknown, Named::Known)
            }
            other => other,
        };
    }
    let normal = normal(&text);
    let listed = |name: &str| NAMES.iter().find(|(listed, _)| *listed == name).map(|(_, id)| *id);
    if let Some(id) = listed(&normal).or_else(|| listed(normal.strip_suffix(" only")?)) {
        return known(id);
    }
    if let Some(id) = normal.strip_suffix('+').and_then(listed)
        && id.ends_with(|c: char| c.is_ascii_digit())
    {
        return known(&format!("{id}+"));
    }
    if let Some((_, among)) = AMBIGUOUS.iter().find(|(name, _)| *name == normal) {
        return Named::Ambiguous(format!("which fits {among}"));
    }
    gnu(&normal, alone)
}

fn known(text: &str) -> Named {
    Expression::parse(text).map_or(Named::Unknown, Named::Known)
}

/// Families of the GNU licenses: their SPDX names, versions, and the words that name them.
const FAMILIES: &[(&str, &[&str], &[&str])] = &[
    ("AGPL", &["1.0", "3.0"], &["agpl", "affero"]),
    ("LGPL", &["2.0", "2.1", "3.0"], &["lgpl", "lesser", "library"]),
    ("GFDL", &["1.1", "1.2", "1.3"], &["gfdl", "fdl", "documentation"]),
    ("GPL", &["1.0", "2.0", "3.0"], &["gpl", "gnu"]),
];

/// Words that may stand in the name of a GNU license besides its family and version.
const GNU_WORDS: [&str; 20] = [
    "gnu",
    "general",
    "public",
    "gpl",
    "lgpl",
    "agpl",
    "gfdl",
    "fdl",
    "affero",
    "lesser",
    "library",
    "free",
    "documentation",
    "or",
    "later",
    "newer",
    "any",
    "only",
    "+",
    "at",
];

/// `GPLv2+`, `GNU Lesser General Public License v3 or later (LGPLv3+)`.
fn gnu(normal: &str, alone: Alone) -> Named {
    let mut versions: Vec<&str> = Vec::new();
    let (mut later, mut only) = (false, false);
    let mut families = [false; FAMILIES.len()];
    for word in normal.split(' ') {
        // `gplv3+`, `lgpl2.1`, `3+`.
        let plain = word.trim_end_matches('+');
        later |= plain.len() < word.len() || matches!(plain, "later" | "newer");
        only |= plain == "only";
        let digit = plain.find(|c: char| c.is_ascii_digit()).unwrap_or(plain.len());
        let (letters, version) = plain.split_at(digit);
        let letters = letters.strip_suffix('v').filter(|_| !version.is_empty()).unwrap_or(letters);
        if !letters.is_empty() && !GNU_WORDS.contains(&letters) {
            return Named::Unknown;
        }
        if !version.is_empty() && !versions.contains(&version) {
            versions.push(version);
        }
        for (found, (.., words)) in families.iter_mut().zip(FAMILIES) {
            *found |= words.contains(&letters);
        }
    }
    let Some((family, known_versions, _)) =
        FAMILIES.iter().zip(families).find(|(_, found)| *found).map(|(family, _)| family)
    else {
        return Named::Unknown;
    };
    if abbreviations(normal) > 1 {
        return Named::Ambiguous("which names several GNU licenses".to_owned());
    }
    let version = match versions.as_slice() {
        [] => return Named::Ambiguous(format!("which names no version of the {family}")),
        [version] => version,
        _ => return Named::Ambiguous(format!("which names several versions of the {family}")),
    };
    let full = if version.contains('.') { (*version).to_owned() } else { format!("{version}.0") };
    if !known_versions.contains(&full.as_str()) || (later && only) {
        return Named::Unknown;
    }
    match (later, only, alone) {
        (true, ..) => known(&format!("{family}-{full}-or-later")),
        (_, true, _) | (.., Alone::Only) => known(&format!("{family}-{full}-only")),
        (.., Alone::Open) => known(&format!("{family}-{full}-only OR {family}-{full}-or-later")),
    }
}

/// Classifiers that say for what use something is free, and thereby for what it is not.
const RESTRICTED_USE: [&str; 4] = [
    "Free For Educational Use",
    "Free For Home Use",
    "Free for non-commercial use",
    "Free To Use But Restricted",
];

/// How many different GNU licenses the abbreviations of a name stand for; *Lesser GPL* is one.
fn abbreviations(normal: &str) -> usize {
    let mut found: Vec<&str> = Vec::new();
    let mut before = "";
    for word in normal.split(' ') {
        let letters = word.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let name = ["agpl", "lgpl", "gfdl", "gpl"]
            .into_iter()
            .find(|name| letters.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest == "v"));
        let name = name.filter(|_| !matches!(before, "lesser" | "library" | "affero"));
        if let Some(name) = name.filter(|name| !found.contains(name)) {
            found.push(name);
        }
        before = word;
    }
    found.len()
}

/// The license that a classifier of the Python Package Index names: `License :: OSI Approved :: MIT License`. None where it
/// is about something else or no license in particular.
pub(crate) fn classifier(text: &str) -> Option<Named> {
    let name = text.strip_prefix("License :: ")?.rsplit(" :: ").next().unwrap_or_default().trim();
    if name == "OSI Approved" {
        return None;
    }
    if RESTRICTED_USE.contains(&name) {
        return Some(Named::Ambiguous("which restricts what it may be used for".to_owned()));
    }
    // What stands in parentheses is the same name once more, or the one by which the license is known.
    let (long, short) = name
        .split_once('(')
        .map_or((name, None), |(long, short)| (long.trim(), Some(short.trim_end_matches(')').trim())));
    let by_name = named(long, Alone::Open);
    Some(match (by_name, short) {
        (Named::Unknown, Some(short)) => named(short, Alone::Open),
        (Named::Ambiguous(why), Some(short)) => match named(short, Alone::Open) {
            Named::Known(expression) => Named::Known(expression),
            _ => Named::Ambiguous(why),
        },
        (named, _) => named,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match named(text, Alone::Open) {
            Named::Known(expression) => expression.to_string(),
            Named::Ambiguous(_) => "ambiguous".to_owned(),
            Named::Unknown => "unknown".to_owned(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn common_names_are_known() {
        check("MIT OR Apache-2.0", "MIT OR Apache-2.0");
        let long: Vec<String> = (0..30).map(|n| format!("LicenseRef-{n}")).collect();
        check(&long.join(" AND "), &long.join(" AND "));
        check("The MIT License", "MIT");
        check("Apache License, Version 2.0", "Apache-2.0");
        check("The Apache Software License, Version 2.0", "Apache-2.0");
        check("New BSD License", "BSD-3-Clause");
        check("BSD 3-Clause \"New\" or \"Revised\" License", "BSD-3-Clause");
        check("Mozilla Public License 2.0", "MPL-2.0");
        check("GPLv2+", "GPL-2.0-or-later");
        check("GNU Lesser General Public License v3 or later (LGPLv3+)", "LGPL-3.0-or-later");
        check("GNU AGPL version 3 only", "AGPL-3.0-only");
        check("Lesser GPL v2.1+", "LGPL-2.1-or-later");
        check("GPL 3, LGPL 3", "ambiguous");
        check("Apache License 2.0 only", "Apache-2.0");
    }

    #[test]
    fn a_license_may_have_an_exception() {
        for (text, expected) in [
            ("GPL-2.0 with classpath exception", "GPL-2.0-only WITH Classpath-exception-2.0"),
            (
                "GPL-2.0-or-later with the Classpath Exception",
                "GPL-2.0-or-later WITH Classpath-exception-2.0",
            ),
            (
                "GPLv2 w/ Classpath-exception-2.0",
                "GPL-2.0-only WITH Classpath-exception-2.0 OR GPL-2.0-or-later WITH Classpath-exception-2.0",
            ),
            ("Apache 2.0 with LLVM exception", "Apache-2.0 WITH LLVM-exception"),
            ("GPL-3.0-only with autoconf exception", "GPL-3.0-only WITH Autoconf-exception-3.0"),
            ("GPL-2.0-only with GCC exception", "GPL-2.0-only WITH GCC-exception-2.0"),
            ("GPL-2.0 with my own exception", "unknown"),
            ("BSD with advertising clause", "unknown"),
            ("Apache 2.0 with LLVM exceptions", "Apache-2.0 WITH LLVM-exception"),
            ("mine with classpath exception", "unknown"),
            ("GPL with classpath exception", "ambiguous"),
            ("GPL-2.0-only WITH Classpath-exception-2.0 with LLVM exception", "unknown"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn versions_may_be_bounded_from_below_alone() {
        for (text, expected) in [
            ("GPL (>= 2)", "GPL-2.0-or-later"),
            ("GPL (>=2.0)", "GPL-2.0-or-later"),
            ("GPL (\u{2265} 3)", "GPL-3.0-or-later"),
            ("LGPL (>= 2.1)", "LGPL-2.1-or-later"),
            ("GPL (== 3)", "GPL-3.0-only"),
            ("Apache License (>= 2)", "Apache-2.0+"),
            ("Apache License (== 2.0)", "Apache-2.0"),
            ("GPL (> 2)", "ambiguous"),
            ("LGPL (>= 2.0, < 3)", "ambiguous"),
            ("MIT <https://opensource.org/licenses/MIT>", "unknown"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_version_of_the_gpl_leaves_later_ones_open() {
        check("GNU General Public License v3", "GPL-3.0-only OR GPL-3.0-or-later");
        check("LGPL 2.1", "LGPL-2.1-only OR LGPL-2.1-or-later");
        let only = named("GPL-2", Alone::Only);
        assert_eq!(only, Named::Known(Expression::parse("GPL-2.0-only").expect("valid")));
    }

    #[test]
    fn what_fits_several_licenses_is_none_of_them() {
        for text in
            ["BSD", "BSD License", "GPL", "Apache", "LGPL", "Artistic", "GNU GPL v2 v3", "Proprietary"]
        {
            check(text, "ambiguous");
        }
        for text in ["", "see the file", "GPL 7", "gpl of my own", "NONE"] {
            check(text, "unknown");
        }
    }

    #[test]
    fn every_name_is_a_valid_expression_in_normal_form() {
        for (name, id) in NAMES {
            assert!(Expression::parse(id).is_ok(), "{id}");
            assert_eq!(normal(name), *name);
        }
        for (name, _) in AMBIGUOUS {
            assert_eq!(normal(name), *name);
        }
    }

    #[test]
    fn classifiers_name_licenses_where_they_are_precise() {
        let of = |text: &str| match classifier(text) {
            Some(Named::Known(expression)) => expression.to_string(),
            Some(_) => "ambiguous".to_owned(),
            None => "none".to_owned(),
        };
        for (text, expected) in [
            ("License :: OSI Approved :: MIT License", "MIT"),
            ("License :: OSI Approved :: BSD License", "ambiguous"),
            ("License :: OSI Approved :: Apache Software License", "ambiguous"),
            ("License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)", "MPL-2.0"),
            ("License :: OSI Approved :: ISC License (ISCL)", "ISC"),
            ("License :: OSI Approved :: The Unlicense (Unlicense)", "Unlicense"),
            ("License :: OSI Approved :: Python Software Foundation License", "PSF-2.0"),
            (
                "License :: OSI Approved :: GNU General Public License v2 or later (GPLv2+)",
                "GPL-2.0-or-later",
            ),
            ("License :: OSI Approved :: GNU General Public License (GPL)", "ambiguous"),
            ("License :: Public Domain", "LicenseRef-scancode-public-domain"),
            ("License :: OSI Approved", "none"),
            ("Topic :: Software Development", "none"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
