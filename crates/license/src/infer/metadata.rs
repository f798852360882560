//! What the fields of package metadata say, and what manifests take from others.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::folders::{ancestors, join, parent, resolve};
use super::license_file::{self, Found, MAX_LICENSES};
use super::names::{Alone, Named, classifier, named};
use super::shortened;
use crate::package::{Format, Inherits, LicenseValue, Manifest, Statement};
use crate::{Detected, Expression, Layer, LayerKind, License, MatchKind};

/// Parents above parents.
const MAX_PARENTS: usize = 64;

/// How sure a rule must be that reads a name.
const SURE: f32 = 0.9;
/// Words beside a license's name that take something back, or that may.
const RESTRICTS: [&str; 7] =
    ["restriction", "except for", "commercial", "commons clause", "proprietary", "prohibited", "not allowed"];

/// What joins several names, in whatever way.
const JOINS: [&str; 10] = [" or ", " and ", " plus ", "(", "/", ",", "&", ";", "|", " + "];

/// Why the parents of a project cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ParentError {
    #[error("its parents lead back to themselves")]
    Cyclic,
    #[error("more than {MAX_PARENTS} parents above each other")]
    TooMany,
}

/// All manifests of a tree by their paths, and what it takes to read them.
pub(super) struct Manifests<'a> {
    pub(super) all: &'a BTreeMap<String, (Format, Manifest)>,
    /// What files that hold licenses say.
    pub(super) texts: &'a BTreeMap<String, Found>,
    pub(super) detect: &'a dyn Fn(&str) -> Detected,
    /// Projects by name, and by name and version; none where several have them.
    by_name: FxHashMap<(&'a str, Option<&'a str>), Option<&'a str>>,
}

impl<'a> Manifests<'a> {
    pub(super) fn new(
        all: &'a BTreeMap<String, (Format, Manifest)>,
        texts: &'a BTreeMap<String, Found>,
        detect: &'a dyn Fn(&str) -> Detected,
    ) -> Self {
        let mut by_name: FxHashMap<(&str, Option<&str>), Option<&str>> = FxHashMap::default();
        for (path, (format, manifest)) in all {
            let (Format::Pom, Some(name)) = (format, manifest.name.as_deref()) else { continue };
            for version in std::iter::once(None).chain(manifest.version.as_deref().map(Some)) {
                by_name.entry((name, version)).and_modify(|one| *one = None).or_insert(Some(path.as_str()));
            }
        }
        Self { all, texts, detect, by_name }
    }

    /// What the manifest at `path` says or takes from others, the field that counts most first; or why its parents cannot be
    /// followed.
    pub(super) fn layers(&self, path: &str) -> Result<Vec<Layer>, ParentError> {
        let Some((format, manifest)) = self.all.get(path) else { return Ok(Vec::new()) };
        let mut layers = self.layers_of(path, &manifest.statements);
        match &manifest.inherits {
            Some(Inherits::Workspace { license, license_file, .. }) if *license || *license_file => {
                let wanted = |field: &str| {
                    (field == "license" && *license) || (field == "license-file" && *license_file)
                };
                if let Some((from, shared)) = self.workspace(path) {
                    let statements = shared.statements.iter().filter(|statement| wanted(statement.field));
                    layers.extend(self.layers_of(from, &statements.cloned().collect::<Vec<_>>()));
                } else {
                    let evidence = "license.workspace, and no workspace around it says which".to_owned();
                    layers.push(layer(path, None, evidence));
                }
            }
            Some(Inherits::Parent(_)) if *format == Format::Pom && layers.is_empty() => {
                if let Some(from) = self.parent_with_license(path)? {
                    layers = self.layers_of(from, &self.all[from].1.statements);
                }
            }
            _ => {}
        }
        Ok(layers)
    }

    /// What a workspace has its members inherit.
    pub(super) fn shared(&self, path: &str) -> Vec<Layer> {
        let shared = self.all.get(path).and_then(|(_, manifest)| manifest.workspace.as_ref());
        let mut layers = shared.map_or_else(Vec::new, |shared| self.layers_of(path, &shared.statements));
        for layer in &mut layers {
            layer.evidence.insert_str(0, "workspace.package.");
        }
        layers
    }

    /// The version of a package, from its workspace where it has that there.
    pub(super) fn version(&self, path: &str) -> Option<&str> {
        let (_, manifest) = self.all.get(path)?;
        let inherits = matches!(manifest.inherits, Some(Inherits::Workspace { version: true, .. }));
        let shared = || self.workspace(path)?.1.version.as_deref();
        manifest.version.as_deref().or_else(|| inherits.then(shared).flatten())
    }

    /// The nearest workspace around a `Cargo.toml`, or its own.
    fn workspace(&self, path: &str) -> Option<(&'a str, &'a Manifest)> {
        ancestors(path).find_map(|folder| {
            let (from, (_, manifest)) = self.all.get_key_value(&join(folder, "Cargo.toml"))?;
            Some((from.as_str(), &**manifest.workspace.as_ref()?))
        })
    }

    /// The nearest parent of a project that says something.
    fn parent_with_license(&self, path: &str) -> Result<Option<&'a str>, ParentError> {
        let mut seen = vec![path];
        let mut at = path;
        while let Some(found) = self.parent(at) {
            if seen.contains(&found) {
                return Err(ParentError::Cyclic);
            }
            if seen.len() > MAX_PARENTS {
                return Err(ParentError::TooMany);
            }
            if !self.all[found].1.statements.is_empty() {
                return Ok(Some(found));
            }
            seen.push(found);
            at = found;
        }
        Ok(None)
    }

    /// The parent of a project: where it says that it lies, else by its name.
    fn parent(&self, path: &str) -> Option<&'a str> {
        let (_, manifest) = self.all.get(path)?;
        let Some(Inherits::Parent(named)) = &manifest.inherits else { return None };
        let folder = parent(path)?;
        let is_it = |path: &String| {
            let (_, manifest) = self.all.get(path)?;
            let same_version = named.version.is_none() || named.version == manifest.version;
            (manifest.name.as_ref() == Some(&named.name) && same_version).then_some(())
        };
        let written = named.path.as_deref().and_then(|path| resolve(folder, path));
        let there = written.into_iter().flat_map(|path| [join(&path, "pom.xml"), path]);
        let there = there.filter(|path| is_it(path).is_some()).find_map(|path| self.all.get_key_value(&path));
        let by_name =
            || self.by_name.get(&(named.name.as_str(), named.version.as_deref())).copied().flatten();
        there.map(|(path, _)| path.as_str()).or_else(by_name)
    }

    /// What the statements of the manifest at `path` say.
    fn layers_of(&self, path: &str, statements: &[Statement]) -> Vec<Layer> {
        let is_list = |statement: &Statement| {
            matches!(statement.field, "License-File" | "license-files" | "license_files")
        };
        // Files that a package lists are there for themselves; only where nothing else is said do they say something of it.
        let has_more = statements.iter().any(|statement| !is_list(statement));
        let statements = statements.iter().filter(|statement| !(has_more && is_list(statement)));
        statements.map(|statement| self.layer(path, statement)).collect()
    }

    fn layer(&self, path: &str, statement: &Statement) -> Layer {
        let field = statement.field;
        match &statement.value {
            LicenseValue::Name(text) => {
                let (expression, what) = self.name(text);
                layer(path, expression, format!("{field} `{}`{what}", shortened(text)))
            }
            LicenseValue::AnyOf(names) => self.any_of(path, field, names),
            LicenseValue::Several(names) => several(path, field, names),
            LicenseValue::Classifiers(all) => classifiers(path, all),
            LicenseValue::File(file) => self.file(path, field, file),
            LicenseValue::Text(text) => {
                let found = license_file::read(text, &(self.detect)(text));
                Layer {
                    lines: None,
                    evidence: format!("{field}, {}", found.evidence),
                    ..found.layer(KIND, path)
                }
            }
            LicenseValue::Unlicensed => {
                let expression = Expression::parse("LicenseRef-scancode-proprietary-license").ok();
                layer(path, expression, format!("{field} `UNLICENSED`: the author grants no license"))
            }
        }
    }

    /// What a name says, and in words what is to be said of it.
    fn name(&self, text: &str) -> (Option<Expression>, String) {
        match named(text, Alone::Open) {
            Named::Known(expression) if Expression::parse(text).is_ok() => (Some(expression), String::new()),
            Named::Known(expression) => {
                let open = matches!(expression, Expression::Or(_)) && !text.contains(['/', '|']);
                let open =
                    if open { ", which does not say whether later versions may be chosen" } else { "" };
                (Some(expression), format!(", a name and no expression{open}"))
            }
            Named::Ambiguous(why) => (None, format!(", {why}")),
            Named::Unknown => {
                if let Some((expression, rule)) = self.by_rule(text) {
                    return (Some(expression), format!(", read by the rule {rule}"));
                }
                let why = Expression::parse(text).err().map(|error| format!(": {error}"));
                (None, format!(", no license that is known{}", why.unwrap_or_default()))
            }
        }
    }

    /// What the detector makes of a name or an address; nothing of what was meant as an expression, or names several licenses.
    fn by_rule(&self, text: &str) -> Option<(Expression, String)> {
        let lower = text.to_ascii_lowercase();
        // GlassFish and what belongs to it call their choice "CDDL + GPLv2 with classpath exception" and "CDDL+GPL License".
        let is_glassfish =
            lower.starts_with("cddl") && lower.contains("gpl") && !lower.contains(['&', ',', ';']);
        if JOINS.iter().any(|word| lower.contains(word)) && !lower.starts_with("http") && !is_glassfish {
            return None;
        }
        let detected = (self.detect)(text);
        let says = |kind: MatchKind| !matches!(kind, MatchKind::Intro | MatchKind::Clue);
        // What is not sure may be another license all the same.
        let mut found = detected.matches.iter().filter(|found| says(found.kind));
        let first = found.clone().find(|found| found.score >= SURE)?;
        let is_one = found.all(|other| {
            let is_part = other.score < SURE && other.expression.ids().is_subset(&first.expression.ids());
            is_part || other.expression == first.expression
        });
        let expression = &first.expression;
        // What is said besides the name of an open license may take back what it gives.
        let ids = expression.ids();
        let is_open = ids.iter().all(|id| !id.starts_with("LicenseRef-") && !id.contains("-NC"));
        let is_taken_back = is_open && RESTRICTS.iter().any(|word| lower.contains(word));
        let is_lone = |license: &&License| Expression::lone_exception(&license.id).is_some();
        let is_whole =
            !expression.licenses().iter().any(is_lone) && (is_glassfish || !names_others(text, expression));
        (is_one && is_whole && !is_taken_back).then(|| (expression.clone(), first.rule.clone()))
    }

    fn any_of(&self, path: &str, field: &str, names: &[String]) -> Layer {
        if names.len() > MAX_LICENSES {
            let count = names.len();
            let evidence =
                format!("{field}, a list of {count} licenses, which is more than anybody chooses from");
            return layer(path, None, evidence);
        }
        let mut choice: Option<Expression> = None;
        let mut evidence = field.to_owned();
        let mut all_known = true;
        for (at, text) in names.iter().enumerate() {
            let (expression, what) = self.name(text);
            if at < 8 {
                let between = if at > 0 { ";" } else { "" };
                evidence = format!("{evidence}{between} `{}`{what}", shortened(text));
            }
            match (expression, choice.take()) {
                (Some(one), Some(all)) => choice = Some(all.or(one)),
                (Some(one), None) => choice = Some(one),
                (None, all) => (choice, all_known) = (all, false),
            }
        }
        if names.len() > 1 {
            evidence.push_str("; any may be chosen");
        }
        layer(path, choice.filter(|_| all_known), evidence)
    }

    fn file(&self, path: &str, field: &str, file: &str) -> Layer {
        let folder = parent(path).unwrap_or_default();
        let places = [folder.to_owned(), join(folder, "licenses"), join(folder, "license_files")];
        let found = places.iter().find_map(|folder| self.texts.get_key_value(&resolve(folder, file)?));
        match found {
            Some((at, found)) => Layer {
                evidence: format!("{field} `{}`: {}", shortened(file), found.evidence),
                ..found.layer(KIND, at)
            },
            None => layer(
                path,
                None,
                format!("{field} `{}`, which is not among the license files", shortened(file)),
            ),
        }
    }
}

/// Whether `text` has the name of a license that is not in `expression`, or those of several that are: then nothing says how they go
/// together.
fn names_others(text: &str, expression: &Expression) -> bool {
    let words =
        text.split(|c: char| c.is_whitespace() || c == ';').map(|word| word.trim_matches(['"', '\'', '.']));
    let named = words.filter_map(|word| Expression::parse(word).ok());
    let ids = expression.ids();
    let mut of_text = named.flat_map(|named| named.ids());
    let family = |id: &str| id.split('-').next().unwrap_or(id).to_ascii_lowercase();
    let lower = text.to_ascii_lowercase();
    let has = |name: &String| {
        lower.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(name.as_str()))
    };
    let licenses = expression.licenses();
    let families: BTreeSet<String> = licenses.iter().map(|license| family(&license.id)).filter(has).collect();
    families.len() > 1 || of_text.any(|id| !ids.contains(&id))
}

const KIND: LayerKind = LayerKind::PackageMetadata;

fn layer(path: &str, expression: Option<Expression>, evidence: String) -> Layer {
    let (lines, score, rule) = (None, None, None);
    Layer { kind: KIND, expression, evidence, path: Some(path.to_owned()), lines, score, rule }
}

/// A list that does not say whether all of its licenses hold, or any.
fn several(path: &str, field: &str, names: &[String]) -> Layer {
    let listed: Vec<_> = names.iter().take(8).map(|text| shortened(text)).collect();
    layer(path, None, format!("{field} `{}`: nothing says how they go together", listed.join("`, `")))
}

/// Classifiers say a license only where they are one and precise: nothing says how several go together.
fn classifiers(path: &str, all: &[String]) -> Layer {
    let of_licenses: Vec<(&String, Named)> =
        all.iter().filter_map(|text| Some((text, classifier(text)?))).collect();
    let listed: Vec<_> = all.iter().take(8).map(|text| shortened(text)).collect();
    let listed = format!("classifier `{}`", listed.join("`, `"));
    match of_licenses.as_slice() {
        [(_, Named::Known(expression))] => layer(path, Some(expression.clone()), listed),
        [(_, Named::Ambiguous(why))] => layer(path, None, format!("{listed}, {why}")),
        [] | [_] => layer(path, None, format!("{listed}, which names no license in particular")),
        _ => layer(path, None, format!("{listed}: nothing says how they go together")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::testing::detect;

    /// What the manifest at the first path says, as `expression | evidence`.
    fn layers_as_text(files: &[(&str, &str)]) -> Result<Vec<String>, ParentError> {
        let read = |(path, text): &(&str, &str)| {
            let format = Format::of(path)?;
            Some(((*path).to_owned(), (format, format.read(text).expect("valid"))))
        };
        let all = files.iter().filter_map(read).collect();
        let texts = files.iter().filter(|(path, _)| license_file::is_license_file(path));
        let texts =
            texts.map(|(path, text)| ((*path).to_owned(), license_file::read(text, &detect(text)))).collect();
        let layers = Manifests::new(&all, &texts, &detect).layers(files[0].0)?;
        let line = |layer: &Layer| {
            let expression = layer.expression.as_ref().map_or("-".to_owned(), ToString::to_string);
            format!("{expression} | {}", layer.evidence)
        };
        Ok(layers.iter().map(line).collect())
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(layers_as_text(files).expect("no cycle"), expected);
    }

    fn json(license: &str) -> String {
        format!("{{\"name\": \"a\", \"license\": {license}}}")
    }

    #[test]
    fn names_say_what_they_say_and_no_more() {
        let of =
            |license: &str| layers_as_text(&[("package.json", &json(license))]).expect("no cycle").join("");
        for (license, expected) in [
            ("\"MIT OR ISC\"", "MIT OR ISC | license `MIT OR ISC`"),
            ("\"Apache 2.0\"", "Apache-2.0 | license `Apache 2.0`, a name and no expression"),
            ("\"BSD\"", "- | license `BSD`, which fits licenses with two, three or four clauses"),
            ("\"REFERENCE Zlib\"", "Zlib | license `REFERENCE Zlib`, read by the rule test.RULE"),
        ] {
            assert_eq!(of(license), expected);
        }
        assert!(of("\"MIT AND\"").starts_with("- | license `MIT AND`, no license that is known: expected"));
        assert!(of("\"REFERENCE MIT or\"").starts_with("- | "));
        assert!(of("\"GPLv3\"").contains("whether later versions may be chosen"));
        assert!(of("\"UNLICENSED\"").starts_with("LicenseRef-scancode-proprietary-license"));
    }

    #[test]
    fn names_that_nothing_joins_say_nothing() {
        let detector = crate::Detector::embedded();
        let detect = |text: &str| detector.detect(text);
        let (all, texts) = (BTreeMap::new(), BTreeMap::new());
        let manifests = Manifests::new(&all, &texts, &detect);
        for (text, expected) in [
            ("MIT & Apache-2.0", None),
            ("MIT + Apache-2.0", None),
            ("MIT; Apache-2.0", None),
            ("MIT | Apache-2.0", None),
            ("MIT Apache-2.0", None),
            ("GPL-2.0 & MIT", None),
            ("GPL-2.0 MIT", None),
            ("GPL-2.0-or-later plus MIT", None),
            ("GPL-2.0 with classpath exception", Some("GPL-2.0-only WITH Classpath-exception-2.0")),
            ("GPL-2.0, with the exception of Classpath", None),
            ("classpath exception", None),
            (
                "CDDL + GPLv2 with classpath exception",
                Some("CDDL-1.0 OR GPL-2.0-only WITH Classpath-exception-2.0"),
            ),
            ("CDDL+GPL License", Some("CDDL-1.0 OR GPL-2.0-only")),
            ("GPL-3.0 with GCC runtime library exception", Some("GPL-3.0-only WITH GCC-exception-3.1")),
            ("same terms as Perl itself", Some("GPL-1.0-or-later OR Artistic-1.0-Perl")),
            ("http://www.apache.org/licenses/LICENSE-2.0", Some("Apache-2.0")),
        ] {
            let (expression, what) = manifests.name(text);
            assert_eq!(expression.map(|it| it.to_string()).as_deref(), expected, "{text}{what}");
        }
    }

    #[test]
    fn several_are_a_choice_if_all_are_known() {
        check(
            &[("package.json", &json("[\"MIT\", \"ISC\"]"))],
            &["MIT OR ISC | license `MIT`; `ISC`; any may be chosen"],
        );
        let unknown = layers_as_text(&[("package.json", &json("[\"MIT\", \"mine\"]"))]).expect("no cycle");
        assert!(unknown[0].starts_with("- | license `MIT`; `mine`, no license"), "{unknown:?}");
    }

    #[test]
    fn more_names_than_anybody_chooses_from_say_nothing() {
        let names: Vec<String> = (0..100_000).map(|n| format!("\"LicenseRef-{n}\"")).collect();
        let list = format!("[{}]", names.join(","));
        let list = layers_as_text(&[("package.json", &json(&list))]).expect("no cycle");
        assert!(list[0].starts_with("- | license, a list of 100000 licenses"), "{list:?}");
    }

    #[test]
    fn classifiers_that_are_not_precise_say_nothing() {
        let of =
            |lines: &str| layers_as_text(&[("PKG-INFO", &format!("Name: a\n{lines}"))]).expect("no cycle");
        let classifier = |name: &str| format!("Classifier: License :: OSI Approved :: {name}\n");
        assert!(of(&classifier("MIT License"))[0].starts_with("MIT | "));
        assert!(of(&classifier("BSD License"))[0].starts_with("- | "));
        let two = of(&(classifier("MIT License") + &classifier("Apache Software License")));
        assert!(
            two[0].starts_with("- | ") && two[0].ends_with("nothing says how they go together"),
            "{two:?}"
        );
    }

    #[test]
    fn files_are_read_where_they_are_named() {
        let named = json("\"SEE LICENSE IN docs/LICENSE\"");
        let files = [("a/package.json", named.as_str()), ("a/docs/LICENSE", "TEXT MIT")];
        check(&files, &["MIT | license `docs/LICENSE`: the text of a license"]);
        check(&files[..1], &["- | license `docs/LICENSE`, which is not among the license files"]);
    }

    #[test]
    fn members_of_a_workspace_take_what_it_shares() {
        let member =
            ("a/b/Cargo.toml", "[package]\nname='b'\nlicense.workspace=true\nversion.workspace=true");
        let root = ("a/Cargo.toml", "[workspace.package]\nlicense='MIT'\nversion='2'");
        check(&[member, root], &["MIT | license `MIT`"]);
        let file = ("a/b/Cargo.toml", "[package]\nname='b'\nlicense-file.workspace=true");
        let root = ("a/Cargo.toml", "[workspace.package]\nlicense-file='L/LICENSE'");
        let text = ("a/L/LICENSE", "TEXT ISC");
        check(&[file, root, text], &["ISC | license-file `L/LICENSE`: the text of a license"]);
        check(&[member], &["- | license.workspace, and no workspace around it says which"]);
    }

    fn pom(artifact: &str, parent: &str, path: &str, license: &str) -> String {
        let parent = match parent {
            "" => String::new(),
            parent => format!(
                "<parent><groupId>g</groupId><artifactId>{parent}</artifactId><version>1</version>{path}</parent>"
            ),
        };
        let license = match license {
            "" => String::new(),
            name => format!("<licenses><license><name>{name}</name></license></licenses>"),
        };
        format!(
            "<project>{parent}<groupId>g</groupId><artifactId>{artifact}</artifactId><version>1</version>{license}</project>"
        )
    }

    #[test]
    fn a_project_takes_its_license_from_its_nearest_parent_that_has_one() {
        let (a, b) = (pom("a", "b", "", ""), pom("b", "c", "<relativePath/>", ""));
        let (c, other) = (pom("c", "", "", "MIT"), pom("x", "", "", "ISC"));
        check(&[("p/a/pom.xml", &a), ("p/pom.xml", &b), ("q/c-1.pom", &c)], &["MIT | licenses `MIT`"]);
        // What lies where the parent should is not the parent.
        check(&[("p/a/pom.xml", &a), ("p/pom.xml", &other)], &[]);
    }

    #[test]
    fn parents_that_lead_back_are_an_error() {
        let (a, b) = (pom("a", "b", "", ""), pom("b", "a", "", ""));
        let error = layers_as_text(&[("a/pom.xml", &a), ("b/pom.xml", &b)]).expect_err("a cycle");
        assert!(error.to_string().contains("lead back"), "{error}");
        let own = pom("a", "a", "<relativePath>pom.xml</relativePath>", "");
        assert!(layers_as_text(&[("pom.xml", &own)]).is_err());
    }
}
