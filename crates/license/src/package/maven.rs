//! `pom.xml`.

use super::error::MetadataError;
use super::field::{filled, is_given};
use super::manifest::{Inherits, LicenseValue, Manifest, Members, Parent, Statement};
use super::xml::{self, Element};

pub(super) fn read(text: &str) -> Result<Manifest, MetadataError> {
    let project = xml::parse(text)?;
    if project.name != "project" {
        return Err(MetadataError::NotAProject(project.name));
    }
    let parent = project.child("parent");
    let inherited = |key: &str| project.text_of(key).or_else(|| parent?.text_of(key));
    let name = Option::zip(inherited("groupId"), project.text_of("artifactId"));
    let name = name.filter(|(group, artifact)| is_given(group) && is_given(artifact));
    Ok(Manifest {
        name: name.map(|(group, artifact)| format!("{group}/{artifact}")),
        version: inherited("version").filter(|text| is_given(text)),
        is_package: true,
        statements: project.child("licenses").and_then(licenses).into_iter().collect(),
        inherits: parent.and_then(parent_of).map(Inherits::Parent),
        members: modules(&project),
        ..Manifest::default()
    })
}

/// The folders of the modules, those of profiles too. One may name the file in it.
fn modules(project: &Element) -> Option<Members> {
    let profiles = project.child("profiles").into_iter().flat_map(|profiles| &profiles.children);
    let lists = std::iter::once(project).chain(profiles).filter_map(|of| of.child("modules"));
    let named = lists.flat_map(|modules| &modules.children).filter_map(|module| filled(&module.text));
    let folder = |module: String| module.strip_suffix("/pom.xml").map(str::to_owned).unwrap_or(module);
    let listed: Vec<String> = named.map(folder).collect();
    (!listed.is_empty()).then(|| Members { listed, excluded: Vec::new() })
}

fn parent_of(parent: &Element) -> Option<Parent> {
    let name = format!("{}/{}", parent.text_of("groupId")?, parent.text_of("artifactId")?);
    let path = match parent.child("relativePath") {
        // An empty one means that it lies in a repository.
        Some(path) => filled(&path.text),
        None => Some("../pom.xml".to_owned()),
    };
    Some(Parent { name, version: parent.text_of("version").filter(|text| is_given(text)), path })
}

/// Maven has the user choose where a project lists several.
fn licenses(licenses: &Element) -> Option<Statement> {
    let of = |license: &Element| license.text_of("name").or_else(|| license.text_of("url"));
    let names: Vec<String> =
        licenses.children.iter().filter(|child| child.name == "license").filter_map(of).collect();
    (!names.is_empty()).then(|| Statement::new("licenses", LicenseValue::AnyOf(names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_come_from_the_parent_where_the_project_has_none() {
        let text = "<project><parent><groupId>org.a</groupId><artifactId>all</artifactId><version>2</version></parent>\
            <artifactId>b</artifactId></project>";
        let manifest = read(text).expect("valid");
        assert_eq!((manifest.name.as_deref(), manifest.version.as_deref()), (Some("org.a/b"), Some("2")));
        let parent = Parent {
            name: "org.a/all".to_owned(),
            version: Some("2".to_owned()),
            path: Some("../pom.xml".to_owned()),
        };
        assert_eq!(manifest.inherits, Some(Inherits::Parent(parent)));
    }

    #[test]
    fn modules_are_members() {
        let text = "<project><modules><module>a</module><module>b/pom.xml</module></modules><profiles><profile><modules>\
            <module>c</module></modules></profile></profiles></project>";
        let members = read(text).expect("valid").members.expect("modules");
        assert_eq!(members.listed, ["a", "b", "c"]);
    }

    #[test]
    fn several_licenses_are_a_choice() {
        let text = "<project xmlns='http://maven.apache.org/POM/4.0.0'><artifactId>b</artifactId><licenses>\
            <license><name>MIT</name></license><license><url>https://www.apache.org/licenses/LICENSE-2.0</url></license>\
            <license/></licenses></project>";
        let manifest = read(text).expect("valid");
        let names = ["MIT", "https://www.apache.org/licenses/LICENSE-2.0"].map(str::to_owned).to_vec();
        assert_eq!(manifest.statements, [Statement::new("licenses", LicenseValue::AnyOf(names))]);
        assert_eq!(manifest.name, None);
    }

    #[test]
    fn another_document_is_no_project() {
        assert!(read("<html/>").expect_err("no project").to_string().contains("`html`"));
    }
}
