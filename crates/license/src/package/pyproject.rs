//! `pyproject.toml`: PEP 621 and 639, and what Poetry and Flit had before.

use toml::{Table, Value};

use super::cargo::members;
use super::core_metadata::classifiers;
use super::error::MetadataError;
use super::field::filled;
use super::manifest::{LicenseValue, Manifest, Statement};

pub(super) fn read(text: &str) -> Result<Manifest, MetadataError> {
    let table: Table = text.parse()?;
    let tool = |name: &str| table.get("tool")?.get(name);
    let tables = [table.get("project"), tool("poetry"), tool("flit").and_then(|flit| flit.get("metadata"))];
    let tables: Vec<&Table> = tables.into_iter().flatten().filter_map(Value::as_table).collect();
    let of = |keys: &[&str]| {
        let text = |table: &&Table| keys.iter().find_map(|key| filled(table.get(*key)?.as_str()?));
        tables.iter().find_map(text)
    };
    let mut statements = Vec::new();
    for table in &tables {
        statements.extend(table.get("license").and_then(license));
        let all = table.get("classifiers").and_then(Value::as_array).into_iter().flatten();
        statements
            .extend(classifiers("classifiers", all.filter_map(|value| filled(value.as_str()?)).collect()));
        let files = table.get("license-files").and_then(Value::as_array).into_iter().flatten();
        let files =
            files.filter_map(|value| filled(value.as_str()?)).filter(|file| !file.contains(['*', '?', '[']));
        statements.extend(files.map(|file| Statement::new("license-files", LicenseValue::File(file))));
    }
    Ok(Manifest {
        name: of(&["name", "dist-name", "module"]),
        version: of(&["version"]),
        // Without them it says how tools work on the folder.
        is_package: !tables.is_empty(),
        statements,
        members: tool("uv").and_then(|uv| uv.get("workspace")).map(members),
        ..Manifest::default()
    })
}

/// An expression, `{text = …}` or `{file = …}`.
fn license(value: &Value) -> Option<Statement> {
    match value {
        Value::String(text) => Statement::free("license", text),
        Value::Table(table) => {
            let text = |key: &str| table.get(key)?.as_str();
            let file = || Some(Statement::new("license.file", LicenseValue::File(filled(text("file")?)?)));
            text("text").and_then(|text| Statement::free("license.text", text)).or_else(file)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<LicenseValue> {
        read(text).expect("valid").statements.first().map(|statement| statement.value.clone())
    }

    #[test]
    fn all_ways_to_say_it_are_read() {
        let name = |text: &str| Some(LicenseValue::Name(text.to_owned()));
        assert_eq!(first("[project]\nname='a'\nlicense='MIT OR ISC'"), name("MIT OR ISC"));
        assert_eq!(first("[project]\nlicense={text='MIT License'}"), name("MIT License"));
        assert_eq!(first("[project]\nlicense={file='L'}"), Some(LicenseValue::File("L".to_owned())));
        assert_eq!(first("[tool.poetry]\nname='a'\nlicense='MIT'"), name("MIT"));
        let classifier = "License :: OSI Approved :: MIT License";
        let classified = format!("[project]\nclassifiers=['Topic :: X', '{classifier}']");
        assert_eq!(first(&classified), Some(LicenseValue::Classifiers(vec![classifier.to_owned()])));
        assert_eq!(
            first("[project]\nlicense=3\nlicense-files=['L*', 'N']"),
            Some(LicenseValue::File("N".to_owned()))
        );
    }

    #[test]
    fn settings_of_tools_are_no_package() {
        assert!(!read("[tool.black]\nline-length=100").expect("valid").is_package);
        assert!(read("[project").is_err());
    }
}
