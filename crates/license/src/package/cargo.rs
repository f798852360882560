//! `Cargo.toml`.

use toml::{Table, Value};

use super::error::MetadataError;
use super::field::filled;
use super::manifest::{Inherits, LicenseValue, Manifest, Members, Statement};

pub(super) fn read(text: &str) -> Result<Manifest, MetadataError> {
    let table: Table = text.parse()?;
    let package = table.get("package").or_else(|| table.get("project")).and_then(Value::as_table);
    let shared = |table: &Table| table.get("workspace")?.get("package")?.as_table().map(fields);
    let mut manifest = package.map(fields).unwrap_or_default();
    manifest.workspace = shared(&table).map(Box::new);
    manifest.members = table.get("workspace").map(members);
    Ok(manifest)
}

/// The members that a workspace lists under the keys that Cargo and uv have in common.
pub(super) fn members(workspace: &Value) -> Members {
    let all = |key: &str| {
        let texts = workspace.get(key).and_then(Value::as_array).into_iter().flatten();
        texts.filter_map(|text| filled(text.as_str()?)).collect()
    };
    Members { listed: all("members"), excluded: all("exclude") }
}

/// What a table of the package, or of what a workspace shares, says.
fn fields(table: &Table) -> Manifest {
    let text = |key: &str| table.get(key).and_then(Value::as_str).and_then(filled);
    let inherited =
        |key: &str| table.get(key).and_then(|value| value.get("workspace")?.as_bool()) == Some(true);
    let license = text("license").map(|license| LicenseValue::Name(with_words(&license)));
    let file = text("license-file").map(LicenseValue::File);
    let statements = [("license", license), ("license-file", file)];
    let (license, license_file, version) =
        (inherited("license"), inherited("license-file"), inherited("version"));
    Manifest {
        name: text("name"),
        version: text("version"),
        is_package: true,
        statements: statements
            .into_iter()
            .filter_map(|(field, value)| Some(Statement::new(field, value?)))
            .collect(),
        inherits: (license || license_file || version).then_some(Inherits::Workspace {
            license,
            license_file,
            version,
        }),
        ..Manifest::default()
    }
}

/// A slash, as Cargo had it once, means OR.
fn with_words(license: &str) -> String {
    license.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_means_or() {
        let manifest =
            read("[package]\nname = 'a'\nversion = '1.0'\nlicense = 'MIT / Apache-2.0'").expect("valid");
        assert_eq!((manifest.name.as_deref(), manifest.version.as_deref()), (Some("a"), Some("1.0")));
        assert_eq!(
            manifest.statements,
            [Statement::new("license", LicenseValue::Name("MIT OR Apache-2.0".to_owned()))]
        );
    }

    #[test]
    fn members_inherit_and_a_workspace_by_itself_is_no_package() {
        let member =
            read("[package]\nname='a'\nlicense.workspace = true\nlicense-file = 'L'").expect("valid");
        let inherits = Inherits::Workspace { license: true, license_file: false, version: false };
        assert_eq!(member.inherits, Some(inherits));
        assert_eq!(member.statements, [Statement::new("license-file", LicenseValue::File("L".to_owned()))]);
        let root = read("[workspace]\n[workspace.package]\nlicense='MIT'").expect("valid");
        assert!(!root.is_package);
        let shared = root.workspace.expect("it shares its license");
        assert_eq!(shared.statements, [Statement::new("license", LicenseValue::Name("MIT".to_owned()))]);
    }

    #[test]
    fn a_workspace_lists_its_members() {
        let root =
            read("[workspace]\nmembers = ['a', 'crates/*', 3]\nexclude = ['crates/x']").expect("valid");
        let members = root.members.expect("a workspace");
        assert_eq!(
            (members.listed, members.excluded),
            (vec!["a".to_owned(), "crates/*".to_owned()], vec!["crates/x".to_owned()])
        );
        assert_eq!(read("[package]\nname = 'a'").expect("valid").members, None);
    }

    #[test]
    fn what_is_no_toml_says_why() {
        assert!(read("[package").expect_err("not closed").to_string().contains("unclosed"));
    }
}
