//! `*.nuspec`.

use super::error::MetadataError;
use super::field::{filled, is_given};
use super::manifest::{LicenseValue, Manifest, Statement};
use super::xml::{self, Element};

/// What licenses' addresses at NuGet begin with; an expression follows.
const LICENSES: &str = "https://licenses.nuget.org/";
/// The address that stands where the license is a file.
const DEPRECATED: &str = "https://aka.ms/deprecateLicenseUrl";

pub(super) fn read(text: &str) -> Result<Manifest, MetadataError> {
    let package = xml::parse(text)?;
    let metadata = package.child("metadata").ok_or(MetadataError::NoMetadata)?;
    Ok(Manifest {
        name: metadata.text_of("id").filter(|text| is_given(text)),
        version: metadata.text_of("version").filter(|text| is_given(text)),
        is_package: true,
        statements: [metadata.child("license").and_then(license), address(metadata)]
            .into_iter()
            .flatten()
            .collect(),
        ..Manifest::default()
    })
}

fn license(license: &Element) -> Option<Statement> {
    let text = filled(&license.text)?;
    let is_file = license.attribute("type") == Some("file");
    let value = if is_file { LicenseValue::File(text.replace('\\', "/")) } else { LicenseValue::Name(text) };
    Some(Statement::new("license", value))
}

fn address(metadata: &Element) -> Option<Statement> {
    let address = metadata.text_of("licenseUrl").filter(|address| address != DEPRECATED)?;
    let expression = address.strip_prefix(LICENSES).map(|text| text.replace("%20", " ").replace('+', " "));
    // A plus within a name is written as an escape.
    let name = expression.map_or(address, |expression| expression.replace("%2B", "+"));
    Some(Statement::new("licenseUrl", LicenseValue::Name(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fields: &str, expected: &[(&'static str, LicenseValue)]) {
        let text = format!("<package><metadata><id>A</id><version>1</version>{fields}</metadata></package>");
        let manifest = read(&text).expect("valid");
        let expected: Vec<Statement> =
            expected.iter().map(|(field, value)| Statement::new(field, value.clone())).collect();
        assert_eq!(manifest.statements, expected, "{fields}");
    }

    #[test]
    fn expressions_files_and_addresses_are_read() {
        let name = |text: &str| LicenseValue::Name(text.to_owned());
        check(
            "<license type='expression'>MIT OR Apache-2.0</license>",
            &[("license", name("MIT OR Apache-2.0"))],
        );
        let file = "<license type='file'>docs\\L.txt</license><licenseUrl>https://aka.ms/deprecateLicenseUrl</licenseUrl>";
        check(file, &[("license", LicenseValue::File("docs/L.txt".to_owned()))]);
        check(
            "<licenseUrl>https://licenses.nuget.org/MIT%20OR%20ISC</licenseUrl>",
            &[("licenseUrl", name("MIT OR ISC"))],
        );
        check("<licenseUrl>https://x.org/l</licenseUrl>", &[("licenseUrl", name("https://x.org/l"))]);
        check("", &[]);
    }

    #[test]
    fn a_document_without_metadata_is_refused() {
        assert!(read("<package/>").is_err());
    }
}
