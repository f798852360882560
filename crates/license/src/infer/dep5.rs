//! `debian/copyright` and `.reuse/dep5`: machine-readable copyright files (DEP-5).

use std::collections::BTreeMap;

use super::glob::{Dialect, Glob};
use super::license_file;
use super::names::{Alone, Named, named};
use super::shortened;
use crate::{Detected, Expression, Layer, LayerKind, License};

/// What one such file says.
#[derive(Debug, Default)]
pub(super) struct Dep5 {
    paragraphs: Vec<Paragraph>,
    /// What the header says of everything.
    header: Option<LicenseField>,
}

/// What is said of some files.
#[derive(Debug)]
struct Paragraph {
    files: Vec<Glob>,
    license_field: LicenseField,
}

#[derive(Clone, Debug)]
struct LicenseField {
    expression: Option<Expression>,
    evidence: String,
    lines: (u32, u32),
}

impl Dep5 {
    /// Reads the file; none where it is not machine-readable. `detect` reads the texts of licenses whose names say nothing.
    pub(super) fn read(text: &str, detect: &dyn Fn(&str) -> Detected) -> Option<Self> {
        let paragraphs = paragraphs(text);
        let (header, rest) = paragraphs.split_first()?;
        header.get("format").or_else(|| header.get("format-specification"))?;
        let alone = rest.iter().filter(|fields| fields.get("files").is_none());
        let texts: BTreeMap<&str, String> = alone.filter_map(Fields::license).collect();
        let license_field = |fields: &Fields<'_>| {
            let (name, own) = fields.license()?;
            let text = if own.trim().is_empty() { texts.get(name) } else { Some(&own) };
            let (expression, evidence) = license(name, text.map_or("", String::as_str), detect);
            Some(LicenseField { expression, evidence, lines: fields.lines })
        };
        let paragraph = |fields: &Fields<'_>| {
            let patterns = fields.get("files")?.iter().flat_map(|line| line.split_whitespace());
            let patterns = patterns.map(|pattern| pattern.strip_prefix("./").unwrap_or(pattern));
            let files = patterns.filter_map(|pattern| Glob::parse(pattern, Dialect::Dep5)).collect();
            Some(Paragraph { files, license_field: license_field(fields)? })
        };
        Some(Self { header: license_field(header), paragraphs: rest.iter().filter_map(paragraph).collect() })
    }

    /// What it says of the file at `path` below the folder that it speaks for: its last paragraph that names the file. `from`
    /// is its own path.
    pub(super) fn layer(&self, path: &str, from: &str) -> Option<Layer> {
        let names = |paragraph: &&Paragraph| paragraph.files.iter().any(|glob| glob.matches(path));
        let found = self.paragraphs.iter().rev().find(names).map(|paragraph| &paragraph.license_field);
        let license_field = found.or(self.header.as_ref())?;
        Some(Layer {
            kind: LayerKind::Dep5,
            expression: license_field.expression.clone(),
            evidence: license_field.evidence.clone(),
            path: Some(from.to_owned()),
            lines: Some(license_field.lines),
            score: None,
            rule: None,
        })
    }
}

/// Fields by their names in lower case, and the lines of a paragraph.
#[derive(Debug, Default)]
struct Fields<'t> {
    fields: Vec<(String, Vec<&'t str>)>,
    lines: (u32, u32),
}

impl<'t> Fields<'t> {
    fn get(&self, name: &str) -> Option<&[&'t str]> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, lines)| lines.as_slice())
    }

    /// The license's short name, and its text.
    fn license(&self) -> Option<(&'t str, String)> {
        let (name, text) = self.get("license")?.split_first()?;
        Some((name.trim(), text.join("\n")))
    }
}

/// The paragraphs of a control file; lines that are set off continue a field.
fn paragraphs(text: &str) -> Vec<Fields<'_>> {
    let mut paragraphs: Vec<Fields<'_>> = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            is_inside = false;
        } else if line.starts_with('#') {
        } else if line.starts_with([' ', '\t']) {
            if let Some(paragraph) = paragraphs.last_mut().filter(|_| is_inside) {
                paragraph.lines.1 = number;
                if let Some((_, lines)) = paragraph.fields.last_mut() {
                    lines.push(line.trim());
                }
            }
        } else if let Some((key, value)) = line.split_once(':') {
            if !is_inside {
                paragraphs.push(Fields { lines: (number, number), ..Fields::default() });
                is_inside = true;
            }
            if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.lines.1 = number;
                paragraph.fields.push((key.trim().to_ascii_lowercase(), vec![value.trim()]));
            }
        }
    }
    paragraphs
}

/// What a license's short name says, or else its text.
fn license(name: &str, text: &str, detect: &dyn Fn(&str) -> Detected) -> (Option<Expression>, String) {
    if let Some(expression) = synopsis(name) {
        return (Some(expression), format!("License: {}", shortened(name)));
    }
    if text.trim().is_empty() {
        let evidence =
            format!("License: {}, a name that is not known and has no text beside it", shortened(name));
        return (None, evidence);
    }
    let found = license_file::read(text, &detect(text));
    (found.expression, format!("License: {}, with {}", shortened(name), found.evidence))
}

/// The expression of short names; none where one of them is not known. A comma binds less than any word.
fn synopsis(text: &str) -> Option<Expression> {
    if let Named::Known(expression) = named(text, Alone::Only) {
        return Some(expression);
    }
    let mut whole: Option<Expression> = None;
    for clause in text.split(',').map(str::trim).filter(|clause| !clause.is_empty()) {
        let (is_and, clause) = match (word(clause, "and"), word(clause, "or")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => (false, clause),
        };
        let license_field = either(clause)?;
        whole = Some(match whole {
            None => license_field,
            Some(all) if is_and => all.and(license_field),
            Some(all) => all.or(license_field),
        });
    }
    whole
}

/// What follows `word` at the start of a clause.
fn word<'t>(clause: &'t str, word: &str) -> Option<&'t str> {
    clause.strip_prefix(word)?.strip_prefix(' ')
}

fn either(clause: &str) -> Option<Expression> {
    let both = |part: &str| {
        part.split(" and ").map(one).collect::<Option<Vec<_>>>()?.into_iter().reduce(Expression::and)
    };
    clause.split(" or ").map(both).collect::<Option<Vec<_>>>()?.into_iter().reduce(Expression::or)
}

/// Exceptions as their names end in `exception`, and the licenses that SPDX has them for.
const EXCEPTIONS: [(&str, &str, &str); 9] = [
    ("autoconf", "GPL-2.0", "Autoconf-exception-2.0"),
    ("autoconf", "GPL-3.0", "Autoconf-exception-3.0"),
    ("bison", "GPL", "Bison-exception-2.2"),
    ("classpath", "GPL-2.0", "Classpath-exception-2.0"),
    ("font", "GPL", "Font-exception-2.0"),
    ("gcc", "GPL-2.0", "GCC-exception-2.0"),
    ("gcc", "GPL-3.0", "GCC-exception-3.1"),
    ("libtool", "GPL", "Libtool-exception"),
    ("llvm", "Apache-2.0", "LLVM-exception"),
];

/// One short name, perhaps `with KEYWORDS exception`.
fn one(name: &str) -> Option<Expression> {
    let (base, exception) = match name.split_once(" with ") {
        Some((base, exception)) => (base, Some(exception.trim().to_ascii_lowercase())),
        None => (name, None),
    };
    // Documents without invariant sections.
    let base = match base.trim().strip_prefix("GFDL-NIV-") {
        Some(version) => {
            let (version, later) = version.strip_suffix('+').map_or((version, "only"), |v| (v, "or-later"));
            format!("GFDL-{version}-no-invariants-{later}")
        }
        None => base.trim().to_owned(),
    };
    let Named::Known(known) = named(&base, Alone::Only) else { return None };
    let Some(exception) = exception else { return Some(known) };
    let Expression::License(License { id, exception: None }) = known else { return None };
    let keyword = exception.strip_suffix("exception")?.trim();
    let fits = |(key, license, _): &&(&str, &str, &str)| *key == keyword && id.starts_with(license);
    let exception = EXCEPTIONS.iter().find(fits).map(|(.., exception)| (*exception).to_owned())?;
    Some(Expression::License(License { id, exception: Some(exception) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::testing::detect;

    const HEADER: &str = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n";

    fn license_field(rest: &str, path: &str) -> Option<String> {
        let dep5 = Dep5::read(&format!("{HEADER}{rest}"), &detect).expect("machine-readable");
        let layer = dep5.layer(path, "debian/copyright")?;
        let (start, end) = layer.lines.expect("a paragraph");
        let expression = layer.expression.map_or("-".to_owned(), |expression| expression.to_string());
        Some(format!("{expression} {start}-{end}"))
    }

    #[test]
    fn the_last_paragraph_that_names_a_file_counts() {
        let rest = "\nFiles: *\nCopyright: me\nLicense: GPL-2+\n\nFiles: debian/*\n  ./a?.c\nLicense: Expat\n# x\n Text\n .\n More\n";
        assert_eq!(license_field(rest, "src/b.c").as_deref(), Some("GPL-2.0-or-later 3-5"));
        assert_eq!(license_field(rest, "debian/a/rules").as_deref(), Some("MIT 7-13"));
        assert_eq!(license_field(rest, "ab.c").as_deref(), Some("MIT 7-13"));
        assert_eq!(license_field("\nFiles: a\nLicense: MIT\n", "b"), None);
        assert_eq!(license_field("License: MIT\n", "b").as_deref(), Some("MIT 1-2"));
    }

    #[test]
    fn a_name_that_says_nothing_has_its_text_read() {
        let rest = "\nFiles: *\nLicense: mine\n\nLicense: mine\n TEXT ISC\n .\n more\n";
        assert_eq!(license_field(rest, "a").as_deref(), Some("ISC 3-4"));
        assert_eq!(license_field("\nFiles: *\nLicense: mine\n", "a").as_deref(), Some("- 3-4"));
    }

    #[test]
    fn short_names_join_as_dep5_says() {
        let of = |text: &str| synopsis(text).map_or("-".to_owned(), |expression| expression.to_string());
        for (text, expected) in [
            ("GPL-2", "GPL-2.0-only"),
            ("LGPL-2.1+", "LGPL-2.1-or-later"),
            ("GPL-1+ or Artistic-2.0", "GPL-1.0-or-later OR Artistic-2.0"),
            (
                "GPL-2+ or Artistic-2.0, and BSD-3-clause",
                "(GPL-2.0-or-later OR Artistic-2.0) AND BSD-3-Clause",
            ),
            ("Expat and ISC", "MIT AND ISC"),
            ("GPL-3+ with Autoconf exception", "GPL-3.0-or-later WITH Autoconf-exception-3.0"),
            ("GFDL-NIV-1.3+", "GFDL-1.3-no-invariants-or-later"),
            ("public-domain", "LicenseRef-scancode-public-domain"),
            ("GPL-2+ with OpenSSL exception", "-"),
            ("GPL-2 or mine", "-"),
            ("BSD", "-"),
            ("", "-"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn prose_is_not_machine_readable() {
        assert!(Dep5::read("This package was debianized by me.\n\nIt is free software.", &detect).is_none());
        assert!(Dep5::read("", &detect).is_none());
    }
}
