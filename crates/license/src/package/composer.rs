//! `composer.json`, of PHP.

use serde_json::Value;

use super::error::MetadataError;
use super::field::filled;
use super::manifest::{LicenseValue, Manifest, Statement};

/// Several licenses are a choice, as Composer's schema has it.
pub(super) fn read(text: &str) -> Result<Manifest, MetadataError> {
    let value: Value = serde_json::from_str(text)?;
    let Value::Object(object) = value else { return Err(MetadataError::NotAnObject) };
    let text = |key: &str| object.get(key).and_then(Value::as_str).and_then(filled);
    let value = match object.get("license") {
        Some(Value::Array(rows)) => {
            let names: Vec<String> = rows.iter().filter_map(|row| row.as_str().and_then(filled)).collect();
            (!names.is_empty()).then_some(LicenseValue::AnyOf(names))
        }
        Some(Value::String(name)) if name.eq_ignore_ascii_case("proprietary") => {
            Some(LicenseValue::Unlicensed)
        }
        Some(Value::String(name)) => filled(name).map(LicenseValue::Name),
        _ => None,
    };
    // The root of an application often has no name.
    Ok(Manifest {
        name: text("name"),
        version: text("version"),
        is_package: true,
        statements: value.into_iter().map(|value| Statement::new("license", value)).collect(),
        ..Manifest::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_licenses_is_a_choice() {
        let statement = |license: &str| {
            let manifest = read(&format!("{{\"name\": \"a/b\", \"license\": {license}}}")).expect("valid");
            manifest.statements.into_iter().next().map(|statement| statement.value)
        };
        let two = LicenseValue::AnyOf(vec!["MIT".to_owned(), "GPL-3.0-or-later".to_owned()]);
        assert_eq!(statement("[\"MIT\", \"GPL-3.0-or-later\", 3]"), Some(two));
        assert_eq!(statement("\"MIT\""), Some(LicenseValue::Name("MIT".to_owned())));
        assert_eq!(statement("\"proprietary\""), Some(LicenseValue::Unlicensed));
        assert_eq!(statement("3"), None);
    }
}
