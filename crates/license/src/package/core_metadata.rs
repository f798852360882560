//! `PKG-INFO` and `METADATA`: Python's core metadata, with PEP 639.

use super::field::filled;
use super::manifest::{LicenseValue, Manifest, Statement};

pub(super) fn read(text: &str) -> Manifest {
    let fields = headers(text);
    let of = |name: &str| {
        fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).and_then(|(_, value)| filled(value))
    };
    let all = |name: &str| {
        let named = fields.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        named.filter_map(|(_, value)| filled(value)).collect::<Vec<_>>()
    };
    let mut statements = Vec::new();
    statements.extend(
        of("License-Expression").map(|text| Statement::new("License-Expression", LicenseValue::Name(text))),
    );
    statements.extend(of("License").and_then(|text| Statement::free("License", &text)));
    statements.extend(classifiers("Classifier", all("Classifier")));
    statements.extend(
        all("License-File").into_iter().map(|file| Statement::new("License-File", LicenseValue::File(file))),
    );
    Manifest { name: of("Name"), version: of("Version"), is_package: true, statements, ..Manifest::default() }
}

/// Those of the classifiers that are about licenses.
pub(super) fn classifiers(field: &'static str, all: Vec<String>) -> Option<Statement> {
    let about: Vec<String> = all.into_iter().filter(|text| text.starts_with("License ::")).collect();
    (!about.is_empty()).then(|| Statement::new(field, LicenseValue::Classifiers(about)))
}

/// The fields before the first empty line; the lines of a field that goes on without what sets them off.
fn headers(text: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() && !line.starts_with([' ', '\t']) {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                let line = line.trim();
                // What distutils and wheel set their lines off with.
                value.push_str(line.strip_prefix('|').unwrap_or(line));
            }
        } else if let Some((key, value)) = line.split_once(':') {
            fields.push((key.trim(), value.trim().to_owned()));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_counts_before_the_older_fields() {
        let manifest = read(
            "Metadata-Version: 2.4\nName: a\nVersion: 1.0\nLicense: MIT License\nLicense-Expression: MIT\n\
             Classifier: Topic :: X\nClassifier: License :: OSI Approved :: MIT License\nLicense-File: LICENSE\n\nLicense: body\n",
        );
        let value: Vec<_> = manifest.statements.iter().map(|statement| statement.field).collect();
        assert_eq!(value, ["License-Expression", "License", "Classifier", "License-File"]);
        assert_eq!((manifest.name.as_deref(), manifest.version.as_deref()), (Some("a"), Some("1.0")));
        assert_eq!(manifest.statements[1].value, LicenseValue::Name("MIT License".to_owned()));
    }

    #[test]
    fn a_license_of_several_lines_is_a_text() {
        let manifest = read("Name: a\nLicense: MIT\n        \n        Permission is granted\n");
        assert_eq!(
            manifest.statements[0].value,
            LicenseValue::Text("MIT\n\nPermission is granted".to_owned())
        );
        assert_eq!(read("License: UNKNOWN\nLicense-Expression:\n").statements, []);
    }
}
