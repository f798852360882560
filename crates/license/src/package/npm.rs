//! `package.json`.

use serde_json::{Map, Value};

use super::error::MetadataError;
use super::field::filled;
use super::manifest::{LicenseValue, Manifest, Members, Statement};

pub(super) fn read(text: &str) -> Result<Manifest, MetadataError> {
    let value: Value = serde_json::from_str(text)?;
    let Value::Object(object) = value else { return Err(MetadataError::NotAnObject) };
    let text = |key: &str| object.get(key).and_then(Value::as_str).and_then(filled);
    let name = text("name");
    // Without a name it only says how the files of its folder are to be read.
    let is_package = name.is_some();
    let statements = [license(&object), licenses(&object)].into_iter().flatten().collect();
    let members = object.get("workspaces").map(members);
    Ok(Manifest { name, version: text("version"), is_package, statements, members, ..Manifest::default() })
}

/// `["packages/*", "!packages/x"]`, or `{"packages": […]}`.
fn members(workspaces: &Value) -> Members {
    let rows = workspaces.get("packages").unwrap_or(workspaces).as_array();
    Members::of_patterns(rows.into_iter().flatten().filter_map(Value::as_str))
}

fn license(object: &Map<String, Value>) -> Option<Statement> {
    let value = match object.get("license")? {
        Value::Array(rows) => return any_of("license", rows),
        Value::String(text) => of_text(text)?,
        value => LicenseValue::Name(of_object(value)?),
    };
    Some(Statement::new("license", value))
}

fn of_text(text: &str) -> Option<LicenseValue> {
    let text = filled(text)?;
    if text == "UNLICENSED" {
        return Some(LicenseValue::Unlicensed);
    }
    let file = text
        .get(..15)
        .filter(|start| start.eq_ignore_ascii_case("SEE LICENSE IN "))
        .map(|_| text[15..].trim());
    Some(match file {
        Some(file) => LicenseValue::File(file.trim_matches(['<', '>']).to_owned()),
        None => LicenseValue::Name(text),
    })
}

/// `{"type": "MIT", "url": …}`, as once was usual.
fn of_object(value: &Value) -> Option<String> {
    ["type", "name"].iter().find_map(|key| value.get(key)?.as_str().and_then(filled))
}

/// Several, any of which may be chosen.
fn licenses(object: &Map<String, Value>) -> Option<Statement> {
    match object.get("licenses")? {
        Value::Array(rows) => any_of("licenses", rows),
        Value::String(text) => Some(Statement::new("licenses", of_text(text)?)),
        value => Some(Statement::new("licenses", LicenseValue::Name(of_object(value)?))),
    }
}

fn any_of(field: &'static str, rows: &[Value]) -> Option<Statement> {
    let names: Vec<String> =
        rows.iter().filter_map(|row| row.as_str().and_then(filled).or_else(|| of_object(row))).collect();
    (!names.is_empty()).then(|| Statement::new(field, LicenseValue::AnyOf(names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fields: &str, expected: Option<&LicenseValue>) {
        let manifest = read(&format!("{{\"name\": \"a\", {fields}}}")).expect("valid");
        assert_eq!(manifest.statements.first().map(|statement| &statement.value), expected, "{fields}");
    }

    #[test]
    fn old_and_new_fields_are_read() {
        let name = |text: &str| LicenseValue::Name(text.to_owned());
        check("\"license\": \"(MIT OR Apache-2.0)\"", Some(&name("(MIT OR Apache-2.0)")));
        check("\"license\": {\"type\": \"MIT\", \"url\": \"x\"}", Some(&name("MIT")));
        check(
            "\"license\": \"SEE LICENSE IN <docs/terms.md>\"",
            Some(&LicenseValue::File("docs/terms.md".to_owned())),
        );
        check("\"license\": \"UNLICENSED\"", Some(&LicenseValue::Unlicensed));
        let two = LicenseValue::AnyOf(vec!["MIT".to_owned(), "ISC".to_owned()]);
        check("\"licenses\": [{\"type\": \"MIT\"}, \"ISC\", 3]", Some(&two));
        check("\"license\": 3, \"licenses\": []", None);
    }

    #[test]
    fn workspaces_are_a_list_or_have_one() {
        for list in
            ["[\"packages/*\", \"!packages/x\"]", "{\"packages\": [\"packages/*\", \"!packages/x\", 3]}"]
        {
            let members =
                read(&format!("{{\"workspaces\": {list}}}")).expect("valid").members.expect("a workspace");
            assert_eq!(
                (members.listed, members.excluded),
                (vec!["packages/*".to_owned()], vec!["packages/x".to_owned()])
            );
        }
    }

    #[test]
    fn without_a_name_it_is_no_package() {
        assert!(!read("{\"type\": \"module\"}").expect("valid").is_package);
        assert!(read("[]").is_err() && read("{").is_err());
    }
}
