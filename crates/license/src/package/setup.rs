//! `setup.cfg`, and `setup.py` as far as it holds its values literally; it is never run.

use super::core_metadata::classifiers;
use super::field::filled;
use super::manifest::{LicenseValue, Manifest, Statement};

pub(super) fn read_cfg(text: &str) -> Manifest {
    let fields = metadata(text);
    let of = |names: &[&str]| {
        fields.iter().find(|(key, _)| names.contains(&key.as_str())).and_then(|(_, value)| filled(value))
    };
    let mut statements = Vec::new();
    statements.extend(
        of(&["license_expression"])
            .map(|text| Statement::new("license_expression", LicenseValue::Name(text))),
    );
    statements.extend(of(&["license"]).and_then(|text| {
        // `file: LICENSE` puts the file's text there.
        match text.strip_prefix("file:") {
            Some(file) => Some(Statement::new("license", LicenseValue::File(filled(file)?))),
            None => Statement::free("license", &text),
        }
    }));
    let list = |text: String| text.lines().filter_map(filled).collect::<Vec<_>>();
    statements
        .extend(classifiers("classifiers", of(&["classifiers", "classifier"]).map(list).unwrap_or_default()));
    let files =
        of(&["license_files", "license_file", "license-file", "license-files"]).map(list).unwrap_or_default();
    let files = files.into_iter().filter(|file| !file.contains(['*', '?', '[']));
    statements.extend(files.map(|file| Statement::new("license_files", LicenseValue::File(file))));
    let (name, version) = (of(&["name"]), of(&["version"]).filter(|version| !version.contains(':')));
    // Without them it says how tools work on the folder.
    Manifest { is_package: !fields.is_empty(), name, version, statements, ..Manifest::default() }
}

/// The values of the section `[metadata]`; lines that are set off continue one.
fn metadata(text: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            is_inside = trimmed == "[metadata]";
        } else if is_inside && line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                value.push_str(trimmed);
            }
        } else if is_inside && let Some(at) = line.find(['=', ':']) {
            fields.push((line[..at].trim().to_ascii_lowercase(), line[at + 1..].trim().to_owned()));
        }
    }
    fields
}

pub(super) fn read_py(text: &str) -> Manifest {
    let text = &without_comments(text);
    let outside = outside_strings(text);
    let is_call = |at: &usize| {
        let is_whole = !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        outside[*at] && is_whole
    };
    let Some(call) = text.match_indices("setup(").map(|(at, _)| at).find(is_call) else {
        return Manifest::default();
    };
    let call = &text[call..];
    let of = |name: &str| argument(call, name).and_then(literal).and_then(|text| filled(&text));
    let named = || constant(text, argument(call, "name")?).and_then(|text| filled(&text));
    let mut statements = Vec::new();
    statements.extend(
        of("license_expression").map(|text| Statement::new("license_expression", LicenseValue::Name(text))),
    );
    statements.extend(of("license").and_then(|text| Statement::free("license", &text)));
    statements.extend(classifiers("classifiers", classifiers_in(text)));
    let name = of("name").or_else(named);
    Manifest { name, version: of("version"), is_package: true, statements, ..Manifest::default() }
}

/// The module with blanks in the place of its comments.
fn without_comments(text: &str) -> String {
    let outside = outside_strings(text);
    let mut is_comment = false;
    let one = |(at, c): (usize, char)| {
        is_comment = c != '\n' && (is_comment || c == '#' && outside[at]);
        if is_comment { ' ' } else { c }
    };
    text.char_indices().map(one).collect()
}

/// For each byte whether it stands outside of strings; what quotes a string stands in it. Comments count as outside.
fn outside_strings(text: &str) -> Vec<bool> {
    let bytes = text.as_bytes();
    let mut outside = vec![true; bytes.len()];
    let mut at = 0;
    while at < bytes.len() {
        let quote = bytes[at];
        if quote == b'#' {
            at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
            continue;
        }
        if !matches!(quote, b'\'' | b'"') {
            at += 1;
            continue;
        }
        let is_long = bytes[at..].starts_with(&[quote; 3]);
        let width = if is_long { 3 } else { 1 };
        let mut end = at + width;
        while end < bytes.len() && !bytes[end..].starts_with(&[quote; 3][..width]) {
            // A short string does not go beyond its line.
            if bytes[end] == b'\n' && !is_long {
                break;
            }
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = (end + width).min(bytes.len());
        outside[at..end].fill(false);
        at = end;
    }
    outside
}

/// What begins with the value of an argument `name=`.
fn argument<'t>(call: &'t str, name: &str) -> Option<&'t str> {
    let outside = outside_strings(call);
    let mut from = 0;
    while let Some(found) = call[from..].find(name) {
        let (start, end) = (from + found, from + found + name.len());
        from = end;
        let is_word =
            call[..start].ends_with(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '"')));
        let rest = call[end..].trim_start();
        if let Some(value) =
            rest.strip_prefix('=').filter(|rest| outside[start] && is_word && !rest.starts_with('='))
        {
            return Some(value.trim_start());
        }
    }
    None
}

/// The string that `text` begins with, if that is all of the value.
fn literal(text: &str) -> Option<String> {
    let (value, after) = quoted(text)?;
    // A literal that goes on in another, or is worked on, is more than this one.
    after.trim_start().starts_with([',', ')', '#']).then(|| value.to_owned())
}

/// The string that the variable at the start of `value` has, if the module sets it once and to a literal.
fn constant(module: &str, value: &str) -> Option<String> {
    let end = value.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(value.len());
    let (name, after) = value.split_at(end);
    let is_whole = !name.is_empty() && after.trim_start().starts_with([',', ')', '#']);
    let lines = module.lines().filter(|_| is_whole).filter_map(|line| line.strip_prefix(name));
    let mut lines = lines.filter_map(|rest| rest.trim_start().strip_prefix('=')).map(str::trim_start);
    let only = lines.next().filter(|_| lines.next().is_none())?;
    let (value, after) = quoted(only)?;
    (after.trim_start().is_empty() || after.trim_start().starts_with('#')).then(|| value.to_owned())
}

/// A string that `text` begins with, without what must be unescaped, and what comes after.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let long = quote.to_string().repeat(3);
    let (inner, end, width) = if let Some(inner) = text.strip_prefix(&long) {
        (inner, inner.find(&long)?, long.len())
    } else {
        let inner = &text[1..];
        (inner, inner.find([quote, '\n']).filter(|&at| inner[at..].starts_with(quote))?, 1)
    };
    let value = &inner[..end];
    (!value.contains('\\')).then(|| (value, &inner[end + width..]))
}

/// Classifiers that stand anywhere as literals.
fn classifiers_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, quote) in text.match_indices(['"', '\'']) {
        let rest = &text[at + 1..];
        if rest.starts_with("License :: ")
            && let Some(end) = rest.find([quote.as_bytes()[0] as char, '\n'])
        {
            found.push(rest[..end].to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(manifest: &Manifest) -> Vec<LicenseValue> {
        manifest.statements.iter().map(|statement| statement.value.clone()).collect()
    }

    #[test]
    fn setup_cfg_has_its_values_in_metadata() {
        let manifest = read_cfg(
            "[bdist_wheel]\nlicense = no\n[metadata]\nname = a\nversion = attr: a.v\nlicense = MIT\n# x\nclassifiers =\n    Topic :: X\n    \
             License :: OSI Approved :: MIT License\nlicense_files = LICENSE\n",
        );
        let classifier = "License :: OSI Approved :: MIT License".to_owned();
        assert_eq!(
            value(&manifest),
            [
                LicenseValue::Name("MIT".to_owned()),
                LicenseValue::Classifiers(vec![classifier]),
                LicenseValue::File("LICENSE".to_owned())
            ]
        );
        assert_eq!((manifest.name.as_deref(), manifest.version), (Some("a"), None));
        assert!(!read_cfg("[flake8]\nmax = 1\n").is_package);
    }

    #[test]
    fn setup_py_is_read_by_its_literals() {
        let manifest = read_py(
            "from setuptools import setup\nsetup(name='a', version=v(), license = \"BSD 3-Clause\",\n  \
             classifiers=['License :: OSI Approved :: BSD License'])\n",
        );
        let classifier = "License :: OSI Approved :: BSD License".to_owned();
        assert_eq!(
            value(&manifest),
            [LicenseValue::Name("BSD 3-Clause".to_owned()), LicenseValue::Classifiers(vec![classifier])]
        );
        assert_eq!((manifest.name.as_deref(), manifest.version), (Some("a"), None));
    }

    #[test]
    fn comments_and_strings_of_setup_py_say_nothing() {
        for text in [
            "setup(name='x',\n  # license='GPLv3',\n  license='MIT')",
            "# once: setup(name='old', license='GPLv3')\nsetup(license='MIT')",
            "setup(long_description='Use it like setup(license=\"GPLv3\")', license='MIT')",
            "\"\"\"setup(license='GPLv3')\"\"\"\nsetup(license='MIT',\n# 'License :: OSI Approved :: X'\n)",
            "def my_setup(): pass\nmy_setup()\nsetup(license='MIT')  # 'odd",
        ] {
            assert_eq!(value(&read_py(text)), [LicenseValue::Name("MIT".to_owned())], "{text}");
        }
    }

    #[test]
    fn a_name_may_stand_in_a_constant() {
        let name = |text: &str| read_py(text).name;
        assert_eq!(name("NAME = 'a'  # mine\nsetup(name=NAME, x=1)").as_deref(), Some("a"));
        for text in [
            "NAME = 'a'\nNAME = 'b'\nsetup(name=NAME)",
            "NAME = f()\nsetup(name=NAME)",
            "setup(name=NAME)",
            "A = 'a'\nsetup(name=A + 'b')",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_literal_says_nothing() {
        for value in ["read('L')", "'MIT' + x", "'MIT'\n 'x'", "f'MIT'", "LICENSE", "'MIT\n'", "'a\\'b'"] {
            assert_eq!(read_py(&format!("setup(license={value}, x=1)")).statements, [], "{value}");
        }
        assert!(!read_py("print('license')").is_package);
    }
}
