//! SPDX 2.3 as JSON: the audited files, the code in them that is from elsewhere as snippets, and where it is from.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

use super::package::{self, Package};
use super::{AuditFragment, AuditReport, Decision, Finding, Stamp};
use crate::Tool;

const NAMESPACE: &str = "https://spdx.org/spdxdocs/familiar-audit-";
const NOTHING_SAID: &str = "NOASSERTION";
/// The id of what is audited.
const AUDITED: &str = "SPDXRef-Package-Audited";

/// Where a stored result lacks what SPDX asks of every file.
const NO_CHECKSUMS: &str = "this result does not hold the checksums of files, which SPDX asks for; \
                            write it once more with this version: familiar audit --format json";

pub(super) fn write(report: &AuditReport, stamp: Stamp, out: &mut dyn io::Write) -> io::Result<()> {
    let mut fragments = report.findings.iter().flat_map(|finding| [finding.fragment, finding.origin]);
    if fragments.any(|id| report.fragment(id).sha1.is_empty()) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, NO_CHECKSUMS));
    }
    let mut document = Document {
        report,
        files: BTreeMap::new(),
        foreign: BTreeMap::new(),
        relationships: BTreeSet::new(),
        list: Vec::new(),
    };
    let origins = package::packages(report, |_| true);
    let numbers: BTreeMap<&Package, usize> = origins.keys().zip(1..).collect();
    let findings = report.findings.iter().filter(|finding| finding.decision != Decision::Own);
    let snippets: Vec<Value> = findings.flat_map(|finding| document.snippets(finding, &numbers)).collect();
    let named: Vec<&str> =
        report.settings.roots.iter().take(report.audited as usize).map(String::as_str).collect();
    let named = named.join(", ");
    let mut packages = vec![package_value(AUDITED, &named, None)];
    packages.extend(numbers.iter().map(|(package, number)| origin(package, *number)));
    let files: Vec<Value> =
        document.files.values().map(|&(number, id)| document.file(number, report.fragment(id))).collect();
    let of_audited = |&&(_, id): &&(usize, u32)| report.fragment(id).fragment.root < report.audited;
    let audited = document.files.values().filter(of_audited).map(|&(number, _)| file_id(number));
    let described: Vec<String> = std::iter::once(AUDITED.to_owned()).chain(audited).collect();
    let describes = described.iter().map(|id| relationship("SPDXRef-DOCUMENT", "DESCRIBES", id, None));
    let relationships: Vec<Value> = describes.chain(document.list).collect();
    let content = json!({
        "documentDescribes": described,
        "packages": packages,
        "files": files,
        "snippets": snippets,
        "relationships": relationships,
        "hasExtractedLicensingInfos": references(report).into_iter().map(extracted).collect::<Vec<_>>(),
    });
    let tool = Tool::default();
    let mut whole = json!({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": format!("familiar audit of {named}"),
        "documentNamespace": format!("{NAMESPACE}{:032x}", xxh3_128(content.to_string().as_bytes())),
        "creationInfo": {
            "created": stamp.utc(),
            "creators": [format!("Tool: {}-{}", tool.name, tool.version)],
            "comment": report.disclaimer,
        },
    });
    if let (Value::Object(whole), Value::Object(content)) = (&mut whole, content) {
        whole.extend(content);
    }
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    out.write_all(b"\n")
}

/// The licenses that are named and that SPDX does not know.
fn references(report: &AuditReport) -> BTreeSet<&str> {
    let layers = report.fragments.iter().flat_map(|fragment| fragment.licenses.iter());
    let layers = layers.filter_map(|layer| layer.expression.as_deref());
    let concluded = report.fragments.iter().filter_map(|fragment| fragment.license.as_deref());
    layers.chain(concluded).flat_map(package::references).collect()
}

struct Document<'r> {
    report: &'r AuditReport,
    /// Root and path of each file to its number and some fragment of it.
    files: BTreeMap<(u32, String), (usize, u32)>,
    /// Of files with code under other terms than their own: its lines and its license.
    foreign: BTreeMap<usize, Vec<(u32, u32, String)>>,
    /// Those that files have with packages, each once.
    relationships: BTreeSet<(String, String)>,
    list: Vec<Value>,
}

impl Document<'_> {
    /// The snippet here, and the one that it is a copy of.
    fn snippets(&mut self, finding: &Finding, packages: &BTreeMap<&Package, usize>) -> [Value; 2] {
        let report = self.report;
        let (left, right) = report.fragments_of(finding);
        let pair = report.pair_of(finding);
        let [here, there] = ["Copy", "Origin"].map(|side| format!("SPDXRef-Snippet-{side}-{}", finding.rank));
        // Code that may be from here is no copy as long as nobody says so.
        let is_copy = !pair.direction.may_be_from_here();
        let kind = match pair.pair.clone_type {
            _ if !is_copy => "OTHER",
            1 => "COPY_OF",
            _ => "VARIANT_OF",
        };
        let comment = format!(
            "Type-{} clone, similarity {:.4}. {}",
            pair.pair.clone_type,
            pair.pair.similarity,
            pair.direction.evidence.join("; ")
        );
        self.list.push(relationship(&here, kind, &there, Some(&comment)));
        let (left_file, right_file) = (self.file_of(left), self.file_of(right));
        let package = format!("SPDXRef-Package-{}", packages[&Package::of(report, right)]);
        if self.relationships.insert((right_file.clone(), package.clone())) {
            self.list.push(relationship(
                &right_file,
                "OTHER",
                &package,
                Some("the file is part of the package"),
            ));
        }
        let rules: Vec<String> =
            finding.rules.iter().map(|rule| format!("{} [{}]", rule.text, rule.source)).collect();
        let verdict = format!("{} ({}): {}", finding.status.name(), finding.reason, rules.join("; "));
        let mut copy = snippet(&here, left, &left_file);
        // What governs copied code is what governs its original.
        if is_copy {
            copy["licenseConcluded"] = json!(concluded(right));
            copy["copyrightText"] = json!(copyright(right));
            self.note_foreign(left, right);
        } else if pair.direction.older == "unknown" {
            copy["licenseConcluded"] = json!(NOTHING_SAID);
        }
        copy["licenseComments"] = json!(format!(
            "The file: {}. The code that it matches: {}.",
            left.license_in_words(),
            right.license_in_words()
        ));
        copy["comment"] = json!(format!("Verdict: {verdict}. Attribution: {}.", pair.attribution.grade));
        let texts: Vec<&String> =
            right.copyrights.iter().filter(|_| is_copy).chain(&pair.attribution.evidence).collect();
        if !texts.is_empty() {
            copy["attributionTexts"] = json!(texts);
        }
        let mut origin = snippet(&there, right, &right_file);
        origin["licenseComments"] = json!(right.license_in_words());
        if let Some(place) = report.place(right).filter(|place| place.link.is_some() || place.title.is_some())
        {
            let said = [&place.title, &place.author, &place.first_seen, &place.link];
            let said: Vec<&str> = said.into_iter().filter_map(|one| one.as_deref()).collect();
            origin["comment"] = json!(said.join(", "));
        }
        [copy, origin]
    }

    /// The id of the file that a fragment stands in.
    fn file_of(&mut self, fragment: &AuditFragment) -> String {
        let next = self.files.len() + 1;
        let key = (fragment.fragment.root, fragment.fragment.path.to_string());
        file_id(self.files.entry(key).or_insert((next, fragment.fragment.id)).0)
    }

    /// Notes that a file has lines under another license than its own.
    fn note_foreign(&mut self, left: &AuditFragment, right: &AuditFragment) {
        let row = &left.fragment;
        if left.license.is_some() && left.license == right.license {
            return;
        }
        let number = self.files[&(row.root, row.path.to_string())].0;
        let license = right.license.as_deref().unwrap_or(NOTHING_SAID).to_owned();
        let lines = (row.start_line, row.end_line, license);
        self.foreign.entry(number).or_default().push(lines);
    }

    /// What is concluded of a file, and why: where it has code under other terms, only its parts have a conclusion.
    fn conclusion(&self, number: usize, fragment: &AuditFragment) -> (String, String) {
        let Some(foreign) = self.foreign.get(&number) else {
            return (concluded(fragment).to_owned(), fragment.license_in_words());
        };
        let mut parts: Vec<String> =
            foreign.iter().map(|(start, end, license)| format!("lines {start}-{end}: {license}")).collect();
        parts.sort();
        parts.dedup();
        let comment = format!(
            "The file itself says: {}. It contains code under other terms, so that no license is concluded for the file as a whole. \
             Concluded for snippets: {}.",
            fragment.license_in_words(),
            parts.join("; ")
        );
        (NOTHING_SAID.to_owned(), comment)
    }

    fn file(&self, number: usize, fragment: &AuditFragment) -> Value {
        let is_own = |layer: &str| matches!(layer, "snippet-tag" | "file-tag" | "sidecar" | "file-notice");
        let row = &fragment.fragment;
        let name = self.report.path_in_pages(row);
        let (license, comment) = self.conclusion(number, fragment);
        json!({
            "SPDXID": file_id(number),
            "fileName": if name.starts_with('/') { name } else { format!("./{name}") },
            "fileTypes": ["SOURCE"],
            "checksums": [{ "algorithm": "SHA1", "checksumValue": fragment.sha1 }],
            "licenseConcluded": license,
            "licenseInfoInFiles": said(fragment, is_own),
            "licenseComments": comment,
            "copyrightText": copyright(fragment),
        })
    }
}

fn snippet(id: &str, fragment: &AuditFragment, file: &str) -> Value {
    let row = &fragment.fragment;
    // Both count from 1, and both ends are included.
    let range = |start: (&str, u32), end: u32| {
        let pointer = |value: u32| json!({ "reference": file, start.0: value });
        json!({ "startPointer": pointer(start.1), "endPointer": pointer(end) })
    };
    json!({
        "SPDXID": id,
        "name": format!("{} lines {}-{}", fragment.name(), row.start_line, row.end_line),
        "snippetFromFile": file,
        "ranges": [
            range(("offset", row.start_byte + 1), row.end_byte.max(row.start_byte + 1)),
            range(("lineNumber", row.start_line), row.end_line),
        ],
        "licenseConcluded": concluded(fragment),
        "licenseInfoInSnippets": said(fragment, |layer| layer == "snippet-tag"),
        "copyrightText": copyright(fragment),
    })
}

fn package_value(id: &str, name: &str, license: Option<&str>) -> Value {
    json!({
        "SPDXID": id,
        "name": name,
        "downloadLocation": NOTHING_SAID,
        "filesAnalyzed": false,
        "licenseConcluded": license.unwrap_or(NOTHING_SAID),
        "licenseDeclared": NOTHING_SAID,
        "copyrightText": NOTHING_SAID,
    })
}

/// What code is from.
fn origin(package: &Package, number: usize) -> Value {
    let id = format!("SPDXRef-Package-{number}");
    let license = package.license.as_deref();
    let mut value = package_value(&id, &package.project, license.and_then(expressible));
    if let Some(license) = license.filter(|license| expressible(license).is_none()) {
        value["licenseComments"] = json!(license);
    }
    if let Some(version) = package.version() {
        value["versionInfo"] = json!(version);
    }
    if let Some(purl) = &package.purl {
        value["externalRefs"] = json!([{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl,
        }]);
    }
    value
}

fn file_id(number: usize) -> String {
    format!("SPDXRef-File-{number}")
}

fn relationship(from: &str, kind: &str, to: &str, comment: Option<&str>) -> Value {
    let mut value = json!({ "spdxElementId": from, "relationshipType": kind, "relatedSpdxElement": to });
    if let Some(comment) = comment {
        value["comment"] = json!(comment);
    }
    value
}

fn concluded(fragment: &AuditFragment) -> &str {
    fragment.license.as_deref().and_then(expressible).unwrap_or(NOTHING_SAID)
}

/// An expression as SPDX 2.3 has it: exceptions are those of its list, and licenses of other documents need these documents.
fn expressible(expression: &str) -> Option<&str> {
    let words = || expression.split([' ', '(', ')']).filter(|word| !word.is_empty());
    let follows = |(one, next): (&str, &str)| one == "WITH" && next.contains("Ref-");
    let is_foreign = words().any(is_of_document) || words().zip(words().skip(1)).any(follows);
    (!is_foreign).then_some(expression)
}

fn is_of_document(id: &str) -> bool {
    id.starts_with("DocumentRef-")
}

/// The expressions of the layers that `wants`.
fn said(fragment: &AuditFragment, wants: impl Fn(&str) -> bool) -> Vec<&str> {
    let layers = fragment.licenses.iter().filter(|layer| wants(layer.layer));
    let said: BTreeSet<&str> = layers.filter_map(|layer| layer.expression.as_deref()).flat_map(ids).collect();
    match said.iter().copied().filter(|id| !is_of_document(id)).collect::<Vec<_>>() {
        _ if said.is_empty() => vec!["NONE"],
        named if named.is_empty() => vec![NOTHING_SAID],
        named => named,
    }
}

/// The licenses of an expression, without exceptions: SPDX 2.3 has no expressions for what a file says (8.6, 9.6).
fn ids(expression: &str) -> Vec<&str> {
    let mut ids = Vec::new();
    let mut is_exception = false;
    for word in expression.split([' ', '(', ')']).filter(|word| !word.is_empty()) {
        match word {
            "AND" | "OR" => {}
            "WITH" => is_exception = true,
            _ if std::mem::take(&mut is_exception) => {}
            id => ids.push(id),
        }
    }
    ids
}

fn copyright(fragment: &AuditFragment) -> String {
    if fragment.copyrights.is_empty() { NOTHING_SAID.to_owned() } else { fragment.copyrights.join("\n") }
}

fn extracted(id: &str) -> Value {
    let text = match id.strip_prefix("LicenseRef-scancode-") {
        Some(key) => format!("See https://scancode-licensedb.aboutcode.org/{key}"),
        None => "The text was not found; the license is named where the code stands.".to_owned(),
    };
    json!({ "licenseId": id, "name": id, "extractedText": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_spdx_has_is_concluded() {
        for right in
            ["MIT", "GPL-2.0-only WITH Classpath-exception-2.0 OR LicenseRef-a", "LicenseRef-a AND MIT"]
        {
            assert_eq!(expressible(right), Some(right));
        }
        for foreign in [
            "GPL-2.0-only WITH LicenseRef-a",
            "(MIT OR DocumentRef-b:LicenseRef-a)",
            "MIT WITH AdditionRef-a",
        ] {
            assert_eq!(expressible(foreign), None, "{foreign}");
        }
    }
}
