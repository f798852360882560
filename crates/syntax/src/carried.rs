//! Files of others that a tree carries along: nobody edits them where they lie.
//!
//! A folder says so by its name: `third_party`, `vendor`. A script or a style sheet is a **library of others** where its first
//! comment is the banner of a release, a name and a version (`jQuery JavaScript Library v1.7.1`, `Bootstrap v5.3.3
//! (https://…)`), and where it lies in a folder of what is handed out or shown: `static`, `assets`, `docs`, … A project that
//! puts such a banner above its own sources has them in other folders.

use familiar_source::Language;

use crate::generated::head::{self, PARAGRAPH, STOP};
use crate::test_code::words;

/// Folders of what others wrote, in lower case and without signs.
const THIRD_PARTY: [&str; 3] = ["3rdparty", "thirdparty", "vendored"];
/// The same outside of a project's own sources: below these, code may be called so for what it does.
const OUTSIDE_SOURCES: [&str; 2] = ["vendor", "vendors"];
const SOURCES: [&str; 4] = ["app", "lib", "resources", "src"];
/// The same at the root of a tree.
const AT_ROOT: [&str; 6] = ["dependencies", "deps", "extern", "external", "externals", "submodules"];

/// The banner stands within the first bytes.
const HEAD_BYTES: usize = 1024;

/// Folders of files that are handed out, shown or brought from elsewhere, in lower case and without signs.
const FOLDERS: [&str; 16] = [
    "asset",
    "assets",
    "bowercomponents",
    "doc",
    "docs",
    "documentation",
    "external",
    "externals",
    "htdocs",
    "javascripts",
    "static",
    "stylesheets",
    "thirdparty",
    "vendor",
    "vendors",
    "wwwroot",
];

/// What may stand before a name, and between it and the version.
const TAGS: [&str; 4] = ["@license", "@preserve", "@fileoverview", "@overview"];
/// The longest name, in words: `jQuery UI Touch Punch`.
const MOST_WORDS: usize = 5;
/// Words of sentences, of licenses and of notes: the number after them is no release of a library.
const NO_NAMES: [&str; 44] = [
    "a",
    "after",
    "agpl",
    "and",
    "apache",
    "api",
    "are",
    "as",
    "at",
    "before",
    "bsd",
    "by",
    "changelog",
    "changes",
    "compatible",
    "copyright",
    "created",
    "date",
    "deprecated",
    "fix",
    "for",
    "from",
    "gpl",
    "in",
    "is",
    "lgpl",
    "licence",
    "license",
    "licensed",
    "modified",
    "mpl",
    "needs",
    "of",
    "on",
    "requires",
    "see",
    "server",
    "since",
    "the",
    "this",
    "to",
    "under",
    "updated",
    "with",
];
/// What may follow a version in the same sentence: `4.7.0 by @somebody`, or an address in the next line.
const BEHIND_VERSION: [&str; 6] = ["bsd", "by", "http", "https", "license", "mit"];

/// What a version before the release ends with: `2.0.0-beta.1`.
const BEFORE_RELEASE: [&str; 5] = ["alpha", "beta", "dev", "pre", "rc"];

/// Whether a path lies in a folder of what others wrote.
pub fn is_in_third_party(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let mut in_sources = false;
    folders.split('/').enumerate().any(|(depth, folder)| {
        let name = words(folder).concat();
        let is = |names: &[&str]| names.contains(&name.as_str());
        let is_others = is(&THIRD_PARTY) || !in_sources && is(&OUTSIDE_SOURCES) || depth == 0 && is(&AT_ROOT);
        in_sources |= is(&SOURCES);
        is_others
    })
}

/// Whether a file at `path` is a release of a library that somebody else publishes.
pub fn is_library(language: Language, path: &str, source: &[u8]) -> bool {
    let is_for_browsers = matches!(language, Language::JavaScript | Language::Css);
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    is_for_browsers
        && folders.split('/').any(|folder| FOLDERS.contains(&words(folder).concat().as_str()))
        && is_banner(&head::words(&source[..source.len().min(HEAD_BYTES)]))
}

/// Whether the words of a head begin with a name and its version.
fn is_banner(head: &str) -> bool {
    let is_mark = |word: &str| word == STOP || word == PARAGRAPH;
    let mut all = head.split(' ').filter(|word| !word.is_empty()).peekable();
    let mut name = 0;
    let mut says_version = false;
    while let Some(word) = all.next() {
        if is_mark(word) || TAGS.contains(&word) {
            continue;
        }
        if is_version(word, says_version) {
            let ends = |next: &str| {
                !next.starts_with(char::is_alphanumeric)
                    || BEHIND_VERSION.contains(&next)
                    || BEFORE_RELEASE.iter().any(|stage| next.starts_with(stage))
            };
            return name > 0 && all.peek().is_none_or(|next| ends(next));
        }
        says_version = matches!(word, "v" | "ver" | "version" | "release");
        name += usize::from(!says_version);
        let is_name = word.starts_with(char::is_alphabetic) && !NO_NAMES.contains(&word);
        if name > MOST_WORDS || !is_name {
            return false;
        }
    }
    false
}

/// `v1.7`, `5.3.3`, `2.0.0-beta`; `1.7` only where `version` stands before it. No date ends with a year, and no address has four
/// numbers.
fn is_version(word: &str, says_version: bool) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    let is_number = |part: &&str| part.starts_with(|first: char| first.is_ascii_digit());
    let parts: Vec<&str> = number.split('.').take_while(is_number).collect();
    let least = if says_version || number.len() < word.len() { 2 } else { 3 };
    let is_year = |part: &str| part.len() == 4 && part.starts_with(['1', '2']);
    (least..=3).contains(&parts.len()) && !parts.get(2).is_some_and(|part| is_year(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_a_name_and_a_version_above_it() {
        let releases = [
            "/*!\n * jQuery JavaScript Library v1.7.1\n * http://jquery.com/\n */\n",
            "/*!\n  * Bootstrap  v5.3.3 (https://getbootstrap.com/)\n",
            "/*! Hammer.JS - v2.0.7 - 2016-04-22\n",
            "//     Underscore.js 1.2.2\n//     (c) 2011\n",
            "/**\n * @license AngularJS v1.8.2\n */\n",
            "/**\n * TinyMCE version 6.8.4 (2024-06-19)\n */\n",
            "/* PrismJS 1.29.0\nhttps://prismjs.com/download.html */\n",
            "//! moment.js\n//! version : 2.29.4\n",
            "\"use strict\";\n/* Name 1.2.3-beta.1 */\n",
            ";/*! Chart.js v4.3.0 */\n",
        ];
        for text in releases {
            assert!(is_library(Language::JavaScript, "docs/assets/a.js", text.as_bytes()), "{text}");
        }
        let others = [
            "/* Apache License, Version 2.0 */\n",
            "// Mozilla Public License v2.0\n",
            "/* Licensed under GPL v2.0 */\n",
            "// Max Muster 12.03.2021\n",
            "/* Last modified: 12.3.2021 */\n",
            "// Host 127.0.0.1\n",
            "/* Changes v1.0.1 */\n",
            "// Orders API v2.1: what the pages call\n",
            "/* Bootstrap v5.3 overrides */\n",
            "// The table for Unicode 15.0.0\n",
            "// A polyfill of what browsers have since 1.2.3\n",
            "// One two three four five six 1.2.3\n",
            "// 1.2.3\n",
            "// Shim 1.2\n",
            "// https://example.org/1.0/config.html\n",
            "let version = '1.2.3'; // Name 1.2.3\n",
            "",
        ];
        for text in others {
            assert!(!is_library(Language::JavaScript, "docs/assets/a.js", text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn folders_say_that_others_wrote_what_lies_in_them() {
        let others = ["third_party/a.c", "src/3rdParty/b/a.cpp", "web/vendor/a.js", "deps/zlib/a.c"];
        assert!(others.into_iter().all(is_in_third_party));
        let own = ["src/a.c", "app/dependencies/a.py", "vendor.go", "src/external/a.ts", "src/vendor/a.php"];
        assert!(!own.into_iter().any(is_in_third_party));
    }

    #[test]
    fn a_project_has_its_own_sources_elsewhere() {
        let banner = b"/* Name 1.2.3 */\n";
        let is_at = |path| is_library(Language::Css, path, banner);
        assert!(["web/static/name.css", "third_party/a/name.css"].into_iter().all(is_at));
        assert!(!["name.css", "src/name.css", "lib/name.css"].into_iter().any(is_at));
        assert!(!is_library(Language::Python, "docs/name.py", b"# Name 1.2.3\n"));
    }
}
